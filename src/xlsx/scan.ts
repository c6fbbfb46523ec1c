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
const most = 100_000

// A workbook nests some ten elements, has some forty attributes on one, and texts of 32,767 characters. Zipped, millions of each take a few
// kilobytes, and gigabytes once they are read.
const deepest = 100
const mostAttributes = 250
const longest = 4_000_000

/**
 * Reads XML from front to back. Other requests have their turn meanwhile. A document type is refused: its entities could grow without end.
 *
 * @throws NotXml
 */
export async function scan(xml: string, heard: Heard): Promise<void> {
  const parser = new SaxesParser()
  let [depth, count, silent] = [0, 0, 0]
  const spoke = () => {
    silent = 0
  }
  parser.on('error', ({ message }) => {
    throw new NotXml(message)
  })
  parser.on('doctype', () => {
    throw new NotXml('A document type')
  })
  parser.on('opentagstart', () => {
    spoke()
    count = 0
    if (++depth > deepest) throw new NotXml('Nested too deep')
  })
  parser.on('attribute', () => {
    spoke()
    if (++count > mostAttributes) throw new NotXml('Too many attributes')
  })
  parser.on('opentag', ({ name, attributes }) => heard.open?.(local(name), attributes))
  parser.on('closetag', ({ name }) => {
    spoke()
    depth--
    heard.close?.(local(name))
  })
  for (const event of ['text', 'cdata'] as const)
    parser.on(event, (text) => {
      spoke()
      heard.text?.(text)
    })
  parser.on('comment', spoke)
  parser.on('processinginstruction', spoke)
  for (let at = 0; at < xml.length; at += most) {
    if (at > 0) await setImmediate()
    // The parser puts such a text together from each of its characters.
    if (silent > longest) throw new NotXml('Something without an end')
    silent += most
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
