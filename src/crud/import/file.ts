import { DaymarkError } from '../../base/errors.js'
import { withFormulas } from '../../base/formula.js'
import { lineFeeds } from '../../field/line-feeds.js'
import { type ValidatedField, validateField } from '../body/validated-body.js'
import type { Call } from '../call/call.js'
import type { Lens } from '../call/lens.js'
import type { ImportMode } from '../outcomes/imports.js'
import { readTable, type Table, type TableRow } from '../realm/import-table.js'
import { cellReader } from './cell.js'
import { columnsFor, type ImportColumn, isBlank } from './columns.js'
import { matchText, matchValues } from './match.js'
import { type ReadCell, relatedKeyReader } from './related-keys.js'
import { type ImportRow, type ImportRows, mostRows } from './row.js'

interface Reader extends Omit<ImportColumn, 'beside'> {
  /** Turns a text of the column into a value on the wire. */
  readonly read: ReadCell
  /** What reads a row whose own text is blank, the first that is not. */
  readonly beside: readonly Pick<Reader, 'at' | 'by' | 'read'>[]
}

/**
 * What a file holds: of a format that the panel knows, or else CSV.
 *
 * @throws DaymarkError `invalid`, naming `file`
 */
export async function tableIn(bytes: Uint8Array, { formats, t }: Pick<Call['realm'], 'formats' | 't'>): Promise<Table> {
  const format = [...formats.values()].find((one) => one.is(bytes))
  return format ? format.read(bytes, mostRows, t) : readTable(bytes, mostRows, t)
}

/**
 * The rows of a file.
 *
 * @throws DaymarkError `invalid`, naming `file`
 */
export async function rowsOfFile(call: Call, lens: Lens, mode: ImportMode, bytes: Uint8Array): Promise<ImportRows> {
  const table = await tableIn(bytes, call.realm)
  const { columns, key, match, ignored } = columnsFor(call, lens, mode, table)
  const all: Reader[] = []
  for (const column of [...columns, ...match.filter(({ field }) => !columns.some((one) => one.field === field))]) {
    const read = cellReader(column.field, call.realm, call.realm.t)
    const readerAt = async ({ at, by }: Pick<ImportColumn, 'at' | 'by'>) => {
      const cells = table.rows.map(({ cells, marks }) => ({ text: cells[at] ?? '', mark: marks?.get(at) }))
      return { at, by, read: by === 'key' ? read : await relatedKeyReader(call, column.field, by, cells, read) }
    }
    const beside = []
    for (const other of column.beside) beside.push(await readerAt(other))
    all.push({ ...column, ...(await readerAt(column)), beside })
  }
  const readers = all.slice(0, columns.length)
  const readerOf = new Map(all.map((reader) => [reader.field, reader]))
  const by = match.map(({ field }) => field)
  const keyed = key !== null && mode !== 'create' ? (lens.readable.get(call.resource.model.key.key) ?? null) : null
  return {
    rows: table.rows.map((row) => ({
      name: `lines[${row.line}]`,
      label: call.realm.t('import.row', { line: row.line }),
      line: row.line,
      key: key === null || mode === 'create' ? '' : withFormulas(row.cells[key] ?? ''),
      match: () => matchValues(by, (field) => wireIn(row, readerOf.get(field)), call.realm.t),
      sent: (creating, but = []) =>
        sentOf(call, lens, but.length === 0 ? readers : readers.filter(({ field }) => !but.includes(field)), {
          row,
          width: table.head.length,
          creating,
        }),
    })),
    fields: columns.map(({ field }) => field.label),
    ignored,
    by,
    named: matchText(call, keyed, by),
  }
}

/** What a row has for a column that records are found by; null: nothing. */
function wireIn({ cells, marks }: TableRow, reader: Reader | undefined): unknown {
  if (reader === undefined) return null
  const { at, read } = readingOf(reader, cells)
  const text = withFormulas(cells[at] ?? '')
  return isBlank(text) ? null : read(text, marks?.get(at))
}

/** What reads the value of a row: its column, or one beside a blank text. */
function readingOf(reader: Reader, cells: TableRow['cells']): Pick<Reader, 'at' | 'by' | 'read'> {
  return [reader, ...reader.beside].find(({ at }) => !isBlank(cells[at])) ?? reader
}

async function sentOf(
  call: Call,
  lens: Lens,
  readers: readonly Reader[],
  { row: { cells, marks }, width, creating }: { readonly row: TableRow; readonly width: number; readonly creating: boolean },
): ReturnType<ImportRow['sent']> {
  const { realm, resource } = call
  // An empty text would clear a field: better ask what became of the rest of the line.
  if (cells.length < width || cells.slice(width).some((cell) => cell !== ''))
    throw new DaymarkError('invalid', realm.t('import.cells', { count: cells.length, expected: width }))
  const fields: ValidatedField[] = []
  for (const reader of readers) {
    const { field } = reader
    const { at, by, read } = readingOf(reader, cells)
    const [text, mark] = [cells[at] ?? '', marks?.get(at)]
    // What a record is called when it is made is what it is named by later.
    if (!creating && field.key === resource.model.key.key) continue
    if (creating && text === '' && field.hasDefault) continue
    // Compared as a form's, a text of several lines is the same whatever ends them.
    const cell = lineFeeds(withFormulas(text))
    const compared = text === '' || /[\r\n]/.test(text) ? cell : null
    const exported = by === 'key' && mark === undefined ? cell : undefined
    const sent = validateField(call, field, { wire: read(text, mark), text: compared, exported, creating })
    fields.push(sent instanceof Promise ? await sent : sent)
  }
  return { lens, fields, readOnlyValues: new Map(), unknown: new Map() }
}
