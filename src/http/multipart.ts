/** One part of a multipart body, in bytes. */
export interface Part {
  readonly name: Uint8Array
  /** The name of the file; null: it is none. A form sends an empty one where no file was chosen. */
  readonly file: Uint8Array | null
  readonly content: Uint8Array
  /** Its bytes, with its headers. */
  readonly length: number
}

// A part's headers hold its name and little else.
const maxHead = 2048
// Each quote may end a value that any earlier one begins, so the regular expression would backtrack quadratically.
const maxQuotes = 40

/**
 * Yields the parts of a `multipart/form-data` body (RFC 7578), in order.
 *
 * @param malformed called if the body is malformed; it must throw
 */
export function* multipart(bytes: Uint8Array, boundary: string, malformed: () => never): Generator<Part> {
  // With a line break in front, the first delimiter looks like all others.
  const body = Buffer.concat([Buffer.from('\r\n'), bytes])
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  let at = body.indexOf(delimiter)
  while (at >= 0) {
    const line = body.indexOf('\r\n', at + delimiter.length)
    const rest = body.toString(
      'latin1',
      at + delimiter.length,
      line < 0 ? Math.min(body.length, at + delimiter.length + 100) : Math.min(line, at + delimiter.length + 100),
    )
    if (rest.startsWith('--')) return
    if (line < 0 || !/^[ \t]*$/.test(rest)) malformed()
    const end = body.indexOf(delimiter, line)
    // A part without headers begins with an empty line. It has no name, so it is refused.
    const head = body.indexOf('\r\n\r\n', line)
    if (end < 0 || head < 0 || head > end || head - line > maxHead) malformed()
    const disposition = dispositionOf(body.toString('latin1', line, head))
    if (!disposition) malformed()
    yield { ...disposition, content: body.subarray(head + 4, end), length: end - at }
    at = end
  }
  malformed()
}

function dispositionOf(head: string): Pick<Part, 'name' | 'file'> | null {
  const value = /^content-disposition:[ \t]*form-data[ \t]*(;.*)$/im.exec(head)?.[1]
  if (value === undefined || value.split('"').length > maxQuotes) return null
  const parameters = new Map<string, string>()
  // Browsers write `\` as is and escape quotes as %22, so a name may end in `\`. Other clients write `\"` within it.
  for (const [, key = '', quoted, token] of value.matchAll(/;[ \t]*([\w*-]+)[ \t]*=[ \t]*(?:"(.*?)"(?=[ \t]*(?:;|$))|([^\s;"]+))/g)) {
    parameters.set(key.toLowerCase(), quoted ?? token ?? '')
  }
  const name = parameters.get('name')
  if (name === undefined) return null
  const file = parameters.get('filename') ?? (parameters.has('filename*') ? 'file' : null)
  return { name: plain(name), file: file === null ? null : plain(file) }
}

/** Browsers percent-encode these three characters and no others. */
function plain(name: string): Uint8Array {
  const decoded = name.replace(/%(22|0D|0A)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(decoded.replaceAll('\\"', '"'), 'latin1')
}
