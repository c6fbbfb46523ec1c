// Spreadsheets run a cell that begins like this, full-width characters included. One that splits at `;` or tabs and ignores quotes, as
// with German settings, may see another cell begin within this one.
const begins = String.raw`'*[=+\-@\uff1d\uff0b\uff0d\uff20]`
const bare = new RegExp(String.raw`(^|[;\t\r\n]"*)(?=${begins})`, 'g')
const guarded = new RegExp(String.raw`(^|[;\t\r\n]"*)'(?=${begins})`, 'g')

/**
 * Makes a text of a CSV file safe for spreadsheets, so that none runs as a formula: an apostrophe in front marks it as text (OWASP, CSV
 * Injection).
 */
export function withoutFormulas(text: string): string {
  const safe = text.replace(bare, "$1'")
  return /^'*[\t\r\n]/.test(text) ? `'${safe}` : safe
}

/** The text that `withoutFormulas` was given, from what it returned. */
export function withFormulas(text: string): string {
  const own = /^'+[\t\r\n]/.test(text) ? text.slice(1) : text
  return own.replace(guarded, '$1')
}
