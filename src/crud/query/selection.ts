import { DaymarkError, invalid } from '../../base/errors.js'
import { type KeyValue, keyText } from '../../field/key.js'
import { always, both, type Condition } from '../../resource/condition/condition.js'
import type { Order, Reads, Row } from '../../store/store.js'
import { allow, asksRecord, type RecordAction, scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { type Lens, lensOf } from '../call/lens.js'
import { rowKeyOf } from '../input/key.js'
import { namedListCall } from '../input/named-list.js'
import { panelParameter, panelText } from '../input/panel-text.js'
import {
  checkAll,
  listFilters,
  namedKeys,
  noReservedNames,
  type ReservedNames,
  selectsAll,
  selectsBoth,
  totalText,
} from '../input/selected-ids.js'
import { allowEach } from './allow-each.js'
import { type Listing, listQuery } from './list-query.js'
import { namingFilters } from './refused-filters.js'

/** The selected records: those that were named, or all of a list with these filters. */
export type Selection = { readonly is: 'ids'; readonly keys: readonly KeyValue[] } | All

interface All {
  readonly is: 'all'
  readonly where: Condition
  /** The order in which its user sees the list. */
  readonly order: readonly Order[]
  readonly total: number
}

/**
 * The records that a handler works on: `ids` as in a mass delete, or `_all=1&_total=N` with the filters of a list, which `_list` names if it
 * is not the resource's own. Without either: none.
 *
 * @param taken names that belong to the handler, even if a list has a parameter of that name
 * @throws DaymarkError `invalid` as in `idsOf`, for wrong filters, and for named records together with `_all`; `conflict` if the number of
 * records is no longer `_total`
 */
export async function selectionOf(call: Call, reads: Reads = call.store, taken: ReservedNames = noReservedNames): Promise<Selection> {
  const { input, realm, resource } = call
  checkAll(call)
  if (!selectsAll(input)) {
    // A list that is not there was meant, too.
    namedListCall(call)
    return { is: 'ids', keys: namedKeys(call) }
  }
  if (selectsBoth(input)) throw invalid('ids', realm.t('ids.andAll'))
  const total = panelParameter(input, '_total')
  if (total === '') throw invalid('_total', totalText(realm.t))
  const { where, order, filters } = listed(call, taken)
  const count = await namingFilters(call, { filters }, () => reads.count(resource.model, where), reads === call.store)
  if (count !== Number(total)) throw new DaymarkError('conflict', realm.t('ids.changed', { count, total }))
  return { is: 'all', where, order, total: count }
}

/** What is left of a selection that was refused: all of the list as it is now, or those of the named records that are still there. */
export async function remainingSelection(call: Call, recordAction: RecordAction, taken: ReservedNames): Promise<Selection> {
  const { input, store, resource } = call
  if (!selectsAll(input)) {
    const { keys } = await remainingOf(call, store, { keys: namedKeys(call), where: always, all: false }, recordAction)
    return { is: 'ids', keys }
  }
  const { where, order } = listed(call, taken)
  return { is: 'all', where, order, total: await store.count(resource.model, where) }
}

/** The list that is meant, in the order in which a form of a page says that it was seen. */
function listed(call: Call, taken: ReservedNames): Pick<Listing, 'where' | 'order' | 'filters'> {
  const { input, realm, identity, resource } = call
  const lens = lensOf(identity, resource, { name: 'index', whole: false })
  const { preset } = namedListCall(call)
  const { where, filters } = listQuery(realm, identity, lens, listFilters(input, realm.t, taken), true, preset)
  const { order } = listQuery(realm, identity, lens, new Map([['sort', [panelText(input, '_sort')]]]), false, preset)
  return { where, order, filters }
}

/** The first of all records of a list as its user sees it, as whole rows. */
export function firstRows({ identity, resource, store }: Call, { where, order }: All, limit: number): Promise<readonly Row[]> {
  const { columns } = lensOf(identity, resource, { name: 'record', whole: true })
  return store.list(resource.model, { columns, where, order, limit })
}

/** The most rows in memory at once, and the batch size of a long handler. */
export const chunkSize = 500

/** The selected records as they were when an action began: none that appears later is one of them, and those that leave are passed over. */
export interface SelectedRecords {
  readonly keys: readonly KeyValue[]
  /** The condition that they must still meet. */
  readonly where: Condition
  /** Whether they are all of a list, which may be none. */
  readonly all: boolean
}

/**
 * Finds the selected records. Each is in the caller's scope and allowed.
 *
 * @throws DaymarkError `notFound` naming the missing ones, `forbidden`, `conflict` if all are meant and their number has just changed
 */
export async function findSelected(call: Call, reads: Reads, selection: Selection, recordAction: RecordAction): Promise<SelectedRecords> {
  const { identity, realm, resource } = call
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  allow(realm, identity, resource, typeof recordAction === 'string' ? recordAction : recordAction.ability)
  if (selection.is === 'ids') {
    const { keys } = selection
    for (let from = 0; from < keys.length; from += chunkSize)
      allowEach(call, await findAllByKeys(call, lens, reads, keys.slice(from, from + chunkSize)), recordAction, keys.length)
    return { keys, where: always, all: false }
  }
  const { where, total } = selection
  const key = resource.model.key.key
  const listed: KeyValue[] = []
  for (let more = true; more && listed.length <= total; ) {
    const rows = await rowsAfter({ resource, columns: [key] }, reads, where, listed.at(-1) ?? null, chunkSize)
    for (const [one] of rows) listed.push(one as KeyValue)
    more = rows.length === chunkSize
  }
  const found = { keys: listed, where, all: true }
  // A list locks nothing: what is judged is read again, as whole rows, which a transaction locks.
  const { keys } = asksRecord(resource, recordAction) ? await remainingOf(call, reads, found, recordAction) : found
  if (keys.length !== total) throw new DaymarkError('conflict', realm.t('ids.changed', { count: keys.length, total }))
  return { ...found, keys }
}

/**
 * Those of the found records that are still there, as whole rows, in chunks.
 *
 * @throws DaymarkError `forbidden` if one of them is no longer allowed
 */
export async function* remainingRows(
  call: Call,
  reads: Pick<Reads, 'findMany'>,
  selected: SelectedRecords,
  recordAction: RecordAction,
): AsyncGenerator<readonly Row[]> {
  const { identity, resource } = call
  const { columns } = lensOf(identity, resource, { name: 'record', whole: true })
  const where = scopeOf(identity, resource, selected.where)
  const keyAt = columns.indexOf(resource.model.key.key)
  const textOf = (row: Row) => keyText(row[keyAt] as KeyValue)
  for (let from = 0; from < selected.keys.length; from += chunkSize) {
    const keys = selected.keys.slice(from, from + chunkSize)
    // By key, since a transaction keeps what it reads so as it is.
    const there = new Map((await reads.findMany(resource.model, keys, columns, where)).map((row) => [textOf(row), row]))
    const rows = keys.map((key) => there.get(keyText(key))).filter((row) => row !== undefined)
    allowEach(call, rows, recordAction, selected.keys.length)
    if (rows.length > 0) yield rows
  }
}

/** Those of the found records that are still there: what a batch of them begins with. */
export async function remainingOf(
  call: Call,
  reads: Reads,
  selected: SelectedRecords,
  recordAction: RecordAction,
): Promise<SelectedRecords> {
  const keyOf = rowKeyOf(lensOf(call.identity, call.resource, { name: 'record', whole: true }))
  const keys: KeyValue[] = []
  // As whole rows, which a transaction locks: none of them goes before the batch has been there.
  for await (const rows of remainingRows(call, reads, selected, recordAction)) keys.push(...rows.map(keyOf))
  return { ...selected, keys }
}

/** The next rows that meet a condition, in key order: whatever happens to earlier rows, none is read twice. */
export function rowsAfter(
  { resource, columns }: Pick<Lens, 'resource' | 'columns'>,
  reads: Reads,
  where: Condition,
  after: unknown,
  limit: number,
): Promise<readonly Row[]> {
  const column = resource.model.key.key
  return reads.list(resource.model, {
    columns,
    where: after === null ? where : both(where, { op: 'gt', column, value: after }),
    order: [{ column, direction: 'ASC' }],
    limit,
  })
}

/**
 * The records with these keys in the caller's scope, in the order of the keys.
 *
 * @param lens a whole-row lens
 * @throws DaymarkError `notFound` naming the missing ones
 */
export async function findAllByKeys(
  { identity, realm, resource }: Pick<Call, 'identity' | 'realm' | 'resource'>,
  lens: Lens,
  reads: Reads,
  keys: readonly KeyValue[],
): Promise<readonly Row[]> {
  const rows = await reads.findMany(resource.model, keys, lens.columns, scopeOf(identity, resource))
  const there = new Map(rows.map((row) => [lens.key(row), row]))
  const texts = keys.map(keyText)
  const missing = texts.filter((key) => !there.has(key))
  if (missing.length === 0) return texts.map((key) => there.get(key) as Row)
  throw missingRecordsError(realm, missing)
}

/** The refusal of a selection, some of whose records are not there, or not for the caller. */
export function missingRecordsError({ t }: Pick<Call['realm'], 't'>, missing: readonly string[]): DaymarkError {
  const text = t('record.noneOf', { keys: missing.join(', ') })
  return new DaymarkError('notFound', text, { errors: [['ids', [text]]] })
}
