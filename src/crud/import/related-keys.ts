import { withFormulas } from '../../base/formula.js'
import { shown } from '../../base/shown.js'
import { parseAsked, takes } from '../../field/check.js'
import { type Bound, Unreadable } from '../../field/field.js'
import { type KeyValue, keyText, keyToWire, parseKey } from '../../field/key.js'
import type { Column } from '../../resource/model/model.js'
import type { Resource } from '../../resource/resource.js'
import { scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { lensOf } from '../call/lens.js'
import { chunkSize, rowsAfter } from '../query/selection.js'
import type { CellMark } from '../realm/import-table.js'
import { cellReader } from './cell.js'
import { isBlank, type NamedBy } from './columns.js'
import { recordsByValues, textOf, type Values } from './find-by-values.js'
import { relatedMatch } from './match.js'

/** A text of a file, and what is to be known of its cell. */
interface Cell {
  readonly text: string
  readonly mark: CellMark | undefined
}

/** Turns a text of a file into a value on the wire. */
export type ReadCell = (text: string, mark?: CellMark) => unknown

/**
 * Returns what turns what names a related record, besides its key, into its key on the wire, if it names exactly one that the caller may
 * list: its label, or what imports of its resource find it by. What is nobody's label is taken for a key.
 *
 * @param by what the texts are: labels also name records by what imports find them by
 * @param cells all that will be asked for
 * @param byKey turns a key into its value on the wire
 */
export async function relatedKeyReader(
  call: Call,
  field: Bound,
  by: Exclude<NamedBy, 'key'>,
  cells: readonly Cell[],
  byKey: ReadCell,
): Promise<ReadCell> {
  const target = call.realm.links.get(field)
  const several = (text: string) => new Unreadable((t, label) => t('import.severalCalled', { label, name: shown(text) }))
  const listed = by === 'match' && field.kind.many(field)
  const byMatch = await matchReader(call, field, listed ? cells.flatMap(partsOf) : cells)
  if (listed) {
    return (given, mark) => {
      const keys = partsOf({ text: given, mark }).map(ofMatch)
      return keys.find((one) => one instanceof Unreadable) ?? keys
    }
  }
  if (by === 'match') return (text, mark) => (isBlank(text) ? byKey(text) : ofMatch({ text, mark }))
  // A computed label is in no column in which it could be looked for.
  const isCalled = target && !target.label && target.column.key !== target.model.key.key && called.has(target.column.type)
  const labels = [...new Set(cells.map(({ text }) => withFormulas(text)))]
  const byLabel = isCalled ? await keysByLabel(call, target, labels) : new Map<string, null>()
  return (text, mark) => {
    const found = [byLabel.get(withFormulas(text)), byMatch({ text, mark })].filter((one) => one !== undefined)
    const [one, other = one] = found
    if (one === null || other === null || (one !== undefined && keyText(one) !== keyText(other as KeyValue))) return several(text)
    if (one !== undefined) return keyToWire(one)
    const key = byKey(text, mark)
    if (key === null || takes(field, key)) return key
    return new Unreadable((t, label) => t('import.noneCalled', { label, name: shown(text) }))
  }

  function ofMatch(cell: Cell): unknown {
    const key = byMatch(cell)
    if (key === null) return several(cell.text)
    return key === undefined ? noneFound(relatedMatch(call, field), withFormulas(cell.text)) : keyToWire(key)
  }
}

/** What is told of values that no related record has. */
export function noneFound(by: readonly Bound[], name: string): Unreadable {
  return new Unreadable((t, label) => t('import.noneWith', { label, by: by.map((one) => one.label).join(', '), name: shown(name) }))
}

// What a label can be, to be told by its text alone: a decimal can be written in several ways.
const called: ReadonlySet<string> = new Set(['text', 'integer', 'bigint'])

/** The records that a text lists: as JSON, or by commas or lines. */
function partsOf({ text: given, mark }: Cell): readonly Cell[] {
  const text = withFormulas(given)
  const list = listIn(text) ?? text.split(/[,\r\n]/)
  return list
    .map((one) => String(one).trim())
    .filter((one) => one !== '')
    .map((text) => ({ text, mark }))
}

function listIn(text: string): readonly (string | number)[] | null {
  try {
    const list: unknown = JSON.parse(text)
    // Not every object has a text.
    return Array.isArray(list) && list.every((one) => typeof one === 'string' || typeof one === 'number') ? list : null
  } catch {
    return null
  }
}

/** Returns what finds the record that has a text in the one column by which imports find it; null: several have, whatever the table says. */
async function matchReader(call: Call, field: Bound, cells: readonly Cell[]): Promise<(cell: Cell) => KeyValue | null | undefined> {
  const by = relatedMatch(call, field)
  const [one, another] = by
  // Several columns together are in no text.
  if (!one || another) return () => undefined
  const read = cellReader(one, call.realm, call.realm.t)
  const valueIn = ({ text, mark }: Cell) => (isBlank(text) ? null : parseAsked(one, read(text, mark)))
  const wanted = cells.map(valueIn).filter((parsed) => parsed !== null)
  const keyOf = await keysByMatch(
    call,
    field,
    by,
    wanted.map(({ value }) => [value]),
  )
  return (cell) => {
    const parsed = valueIn(cell)
    return parsed ? keyOf([parsed.value]) : undefined
  }
}

/**
 * Returns what finds the keys of related records by the values that imports of their resource find them by, as far as the caller may list
 * them; null: several have the same, whatever the table says.
 */
export async function keysByMatch(
  { realm, identity }: Pick<Call, 'realm' | 'identity'>,
  field: Bound,
  match: readonly Bound[],
  wanted: readonly Values[],
): Promise<(values: Values) => KeyValue | null | undefined> {
  const target = realm.links.get(field) as Resource
  const { model } = target
  const by = match.map(({ key }) => model.columns.get(key) as Column)
  const columns = [model.key.key, ...by.map(({ key }) => key)]
  const found = await recordsByValues(
    { reads: realm.storeOf(target), resource: target, by, columns, where: scopeOf(identity, target) },
    wanted,
  )
  return (values) => {
    const row = found.get(textOf(values, by))
    return row && (row[0] as KeyValue)
  }
}

/** The keys of the records that are called so, as far as the caller may list them; null: several are. */
async function keysByLabel(
  { realm, identity }: Call,
  target: Resource,
  labels: readonly string[],
): Promise<ReadonlyMap<string, KeyValue | null>> {
  const { model, column } = target
  const found = new Map<string, KeyValue | null>()
  const lens = lensOf(identity, target, { name: 'index', whole: false, only: [], also: [column.key, model.key.key] })
  if (!lens.readable.has(column.key)) return found
  const [key, label] = [lens.at.get(model.key.key) as number, lens.at.get(column.key) as number]
  const toValue = (text: string) => (column.type === 'text' ? text : parseKey(text, column))
  const asked = labels.filter((one) => one !== '' && toValue(one) !== undefined)
  for (let from = 0; from < asked.length; from += chunkSize) {
    const some = asked.slice(from, from + chunkSize)
    for (let after: unknown = null; ; ) {
      // Of a name that several have, no further ones are read.
      const values = some.filter((one) => found.get(one) !== null).map((one) => toValue(one) as KeyValue)
      const where = scopeOf(identity, target, { op: 'in', column: column.key, values })
      const rows = await rowsAfter(lens, realm.storeOf(target), where, after, chunkSize)
      for (const row of rows) {
        const called = keyText(row[label] as KeyValue)
        found.set(called, found.has(called) ? null : (row[key] as KeyValue))
      }
      if (rows.length < chunkSize) break
      after = rows.at(-1)?.[key]
    }
  }
  return found
}
