import { setImmediate } from 'node:timers/promises'

/** What hears of markup as it is read. Names have no prefix. */
export interface Heard {
  /** @param attributes as they are written */
  open(name: string, attributes: string): void
  close(name: string): void
  text(text: string): void
}

/** Thrown for what is no XML, or none that a workbook has. */
export class NotXml extends Error {}

// Some tens of milliseconds.
const most = 1_000_000

/**
 * Reads XML from front to back, as far as workbooks need it: without declarations of entities, which could grow without end. Other requests
 * have their turn meanwhile.
 */
export async function scan(xml: string, heard: Heard): Promise<void> {
  let pause = most
  for (let at = 0; at < xml.length; ) {
    if (at > pause) {
      await setImmediate()
      pause = at + most
    }
    const mark = xml.indexOf('<', at)
    if (mark < 0) return
    if (mark > at) heard.text(plain(xml.slice(at, mark)))
    if (xml.startsWith('<!--', mark)) at = behind(xml, '-->', mark + 4)
    else if (xml.startsWith('<?', mark)) at = behind(xml, '?>', mark + 2)
    else if (xml.startsWith('<![CDATA[', mark)) {
      at = behind(xml, ']]>', mark + 9)
      heard.text(lines(xml.slice(mark + 9, at - 3)))
    } else if (xml[mark + 1] === '!') throw new NotXml('A declaration')
    else {
      at = endOfTag(xml, mark)
      tag(xml.slice(mark + 1, at - 1), heard)
    }
  }
}

function tag(inside: string, heard: Heard): void {
  if (inside.startsWith('/')) {
    heard.close(local(inside.slice(1).trim()))
    return
  }
  const isEmpty = inside.endsWith('/')
  const end = inside.search(/[\s/]/)
  const name = local(end < 0 ? inside : inside.slice(0, end))
  heard.open(name, end < 0 ? '' : inside.slice(end, isEmpty ? -1 : undefined))
  if (isEmpty) heard.close(name)
}

const local = (name: string) => name.slice(name.indexOf(':') + 1)

/** The place behind a tag, which may have its last sign within a quoted attribute. */
function endOfTag(xml: string, from: number): number {
  for (let at = from; at < xml.length; at++) {
    const sign = xml[at] as string
    if (sign === '>') return at + 1
    if (sign === '"' || sign === "'") at = behind(xml, sign, at + 1) - 1
  }
  throw new NotXml('It breaks off')
}

function behind(xml: string, sign: string, from: number): number {
  const at = xml.indexOf(sign, from)
  if (at < 0) throw new NotXml('It breaks off')
  return at + sign.length
}

const patterns = new Map<string, RegExp>()

/** The value of an attribute, whatever its prefix; null: it is not there. */
export function attribute(attributes: string, name: string): string | null {
  const pattern = patterns.get(name) ?? new RegExp(`(?:^|[\\s:])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
  patterns.set(name, pattern)
  const [, one, other] = pattern.exec(attributes) ?? []
  const written = one ?? other
  return written === undefined ? null : plain(written)
}

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/** A text without its markup. */
function plain(text: string): string {
  if (!text.includes('&')) return lines(text)
  return lines(text).replace(/&(#x[\da-fA-F]{1,6}|#\d{1,7}|\w{1,8});/g, (_, named: string) => {
    if (!named.startsWith('#')) {
      const sign = entities.get(named)
      if (sign === undefined) throw new NotXml('An unknown entity')
      return sign
    }
    const code = named[1] === 'x' ? Number.parseInt(named.slice(2), 16) : Number(named.slice(1))
    if (code > 0x10ffff) throw new NotXml('No sign')
    return String.fromCodePoint(code)
  })
}

/** Lines end as XML reads them. */
function lines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}
