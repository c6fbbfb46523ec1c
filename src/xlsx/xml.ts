// XML 1.0 has no other signs; a carriage return would be read as a line feed.
const unwritable = /[\0-\x08\x0b-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
// What could begin such an escape is escaped itself.
const escaped = /_(?=x[\da-fA-F]{4})/g
const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text for markup. */
export function escapeXml(text: string): string {
  return /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (mark) => marks[mark] as string) : text
}

/** A text of a cell, in which signs that XML has not are escaped as spreadsheets do it: `_x0008_` (ECMA-376, ST_Xstring). */
export function cellText(text: string): string {
  return escapeXml(text.replace(escaped, '_x005F_').replace(unwritable, hex))
}

function hex(sign: string): string {
  return `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
}

/** The text of a cell, from what `cellText` returned, without its markup. */
export function plainText(text: string): string {
  return text.includes('_x') ? text.replace(/_x([\da-fA-F]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))) : text
}
