import { setImmediate } from 'node:timers/promises'
import { SaxesParser } from 'saxes'

/** What hears of markup as it is read. Names of elements have no prefix. */
export interface Heard {
  open?(name: string, attributes: Attributes): void
  close?(name: string): void
  text?(text: string): void
}

export type Attributes = Readonly<Record<string, string>>

/** Thrown for what is no XML, or none that a workbook has. */
export class NotXml extends Error {}

// Some milliseconds.
const most = 500_000

/** Reads XML from front to back. Other requests have their turn meanwhile. A document type is refused: its entities could grow without end. */
export async function scan(xml: string, heard: Heard): Promise<void> {
  const parser = new SaxesParser()
  parser.on('error', ({ message }) => {
    throw new NotXml(message)
  })
  parser.on('doctype', () => {
    throw new NotXml('A document type')
  })
  parser.on('opentag', ({ name, attributes }) => heard.open?.(local(name), attributes))
  parser.on('closetag', ({ name }) => heard.close?.(local(name)))
  parser.on('text', (text) => heard.text?.(text))
  parser.on('cdata', (text) => heard.text?.(text))
  for (let at = 0; at < xml.length; at += most) {
    if (at > 0) await setImmediate()
    parser.write(xml.slice(at, at + most))
  }
  parser.close()
}

const local = (name: string) => name.slice(name.indexOf(':') + 1)

/** The value of an attribute, whatever its prefix; null: it is not there. */
export function attribute(attributes: Attributes, name: string): string | null {
  const known = attributes[name]
  if (known !== undefined) return known
  for (const one in attributes) if (local(one) === name) return attributes[one] as string
  return null
}
