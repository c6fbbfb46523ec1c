import { withoutFormulas } from '../base/formula.js'
import type { Chunk, Exported } from '../crud/outcome.js'
import { type Related, relatedWords } from '../crud/related.js'
import type { Bound, Json } from '../field/field.js'
import type { Row } from '../store/store.js'
import type { Around, Reply } from './face.js'

/** Streams a list as CSV (RFC 4180), the same in every face. */
export function csvReply(exported: Exported, { realm }: Around): Reply {
  const today = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: realm.timeZone }).format(new Date())
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${exported.resource.uriKey}-${today}.csv"`,
      'cache-control': 'no-store',
    },
    body: linesOf(exported, (label) => realm.t('export.key', { label }), realm.locale),
  }
}

/** A column of the file. */
interface Column {
  readonly label: string
  text(row: Row, related: Related): string
}

/** Without it, spreadsheets assume the local code page. */
export const byteOrderMark = '\ufeff'

async function* linesOf(exported: Exported, keyLabel: (label: string) => string, locale: string): AsyncGenerator<string> {
  const columns = columnsOf(exported, keyLabel, locale)
  yield byteOrderMark + csvLine(columns.map(({ label }) => withoutFormulas(label)))
  for await (const chunk of exported.chunks) yield linesOfChunk(columns, chunk)
}

function linesOfChunk(columns: readonly Column[], { rows, related }: Chunk): string {
  let text = ''
  for (const row of rows) text += csvLine(columns.map((column) => column.text(row, related)))
  return text
}

function columnsOf({ lens, key, relations }: Exported, keyLabel: (label: string) => string, locale: string): readonly Column[] {
  const named = key === null ? [] : [{ key: key.key, field: key, at: lens.at.get(key.key) as number }]
  const all = [...named, ...lens.shown]
  const labels = all.map((one) => ('field' in one ? one.field : one.computed).label.toLowerCase())
  // As an import reads them: what shares its label with another column, by its name.
  const nameOf = (label: string, name: string) => (labels.filter((one) => one === label.toLowerCase()).length > 1 ? name : label)
  return all.flatMap((one): Column[] => {
    if (!('field' in one)) return [{ label: nameOf(one.computed.label, one.key), text: (row) => plain(one.value(row), false) }]
    const { field, at } = one
    const exact = field.column.type === 'bigint' || field.column.type === 'numeric'
    const own = (label: string): Column => ({
      label,
      text: (row) => (row[at] === null || row[at] === undefined ? '' : plain(unmistakable(field, field.kind.wire(row[at], field)), exact)),
    })
    const name = nameOf(field.label, field.key)
    // A shared label could be taken for that of the other field.
    if (name !== field.label || !relations.some((relation) => relation.field === field)) return [own(name)]
    const label = (row: Row, related: Related) => {
      const other = related.get(field.key)
      return other && row[at] !== null && row[at] !== undefined ? withoutFormulas(relatedWords(other, field, row[at], locale) ?? '') : ''
    }
    return [own(keyLabel(field.label)), { label: field.label, text: label }]
  })
}

/** A text in a column of JSON as it is, or in quotes if a form would take it for something else: for another value, or for no JSON. */
function unmistakable(field: Bound, value: Json): Json {
  if (typeof value !== 'string' || field.column.type !== 'json') return value
  return field.kind.read(value, field, { timeZone: 'UTC' }) === value ? value : JSON.stringify(value)
}

/** A value as text. `exact`: a string may be a number too large for a double, which needs no guard against formulas. */
function plain(value: Json, exact: boolean): string {
  if (value === null) return ''
  if (typeof value === 'string') return exact && /^-?\d+(?:\.\d+)?$/.test(value) ? value : withoutFormulas(value)
  return typeof value === 'object' ? withoutFormulas(JSON.stringify(value)) : String(value)
}

/** A line of a file. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
}
