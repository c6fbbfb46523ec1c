import { setImmediate } from 'node:timers/promises'
import { DaymarkError } from '../../base/errors.js'
import type { Bound } from '../../field/field.js'
import { type KeyValue, parseKey } from '../../field/key.js'
import type { Row } from '../../store/store.js'
import { applyFills, pendingFills } from '../body/fills.js'
import { changesOf, newValues } from '../body/validated-body.js'
import { allowRow, scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { isWritable } from '../call/field-access.js'
import { type Lens, rowObject } from '../call/lens.js'
import { visibleLens } from '../call/visible-lens.js'
import { checkRules } from '../commit/check-rules.js'
import type { ImportCounts, ImportMode } from '../outcomes/imports.js'
import { chunkSize } from '../query/selection.js'
import { ImportError, type RowFault } from './error.js'
import type { Values } from './find-by-values.js'
import { matchesOf, matchText } from './match.js'
import { relatedFaults } from './related-faults.js'
import type { ImportRow, ImportRows, Plan } from './row.js'
import { uniqueFaults } from './unique-faults.js'

/**
 * Finds out what each row does, without writing anything.
 *
 * @throws ImportError with what is wrong with any of them
 */
export async function planRows(call: Call, lens: Lens, mode: ImportMode, { rows, by }: ImportRows): Promise<readonly Plan[]> {
  const { realm, identity, resource } = call
  const { t } = realm
  const keyName = resource.model.key.key
  const stored = await storedRows(call, lens, rows)
  const matches = await matchesOf(call, lens, by, rows)
  const createsNamed = mode === 'both' && isMade(keyName)
  const createsMatched = mode === 'both' && by.every(({ key }) => isMade(key))
  const faults: RowFault[] = []
  const plans: Plan[] = []
  const seen = new Map<string, string>()
  const seenValues = new Map<string, string>()
  for (const [i, row] of rows.entries()) {
    if (i % 100 === 99) await setImmediate()
    try {
      plans.push(await planOf(row))
    } catch (thrown) {
      faults.push(faultOf(thrown, row))
    }
  }
  faults.push(...(await uniqueFaults(call, lens, plans)), ...(await relatedFaults(call, lens, plans)))
  if (faults.length > 0) throw new ImportError(call, faults)
  return plans

  async function planOf(row: ImportRow): Promise<Plan> {
    const values = mode === 'create' ? null : matches.valuesOf(row)
    const before = values ? matchedRow(row, values) : stored.get(row.key)
    const creates = values ? createsMatched : row.key === '' ? mode === 'both' : createsNamed
    if (mode === 'create' || (before === undefined && creates)) {
      const sent = await row.sent(true)
      const pending = pendingFills(call, sent, null)
      const made = await applyFills(call, call.store, newValues(call, sent, pending), pending, null)
      checkRules(call, null, made)
      return { row, sent, key: undefined, before: null, by: [], values: made }
    }
    const names = values || (row.key === '' && by.length > 0) ? by : [{ key: keyName }]
    if (before === undefined) throw refusedAt(names, t(row.key === '' && !values ? 'import.keyMissing' : 'record.none'))
    // The second would overwrite what the first has written.
    const key = lens.key(before)
    const first = seen.get(key)
    if (first !== undefined) throw refusedAt(names, t('import.keyTwice', { row: first }))
    seen.set(key, row.label)
    allowRow(realm, identity, resource, 'update', lens.columns, before)
    const found = values ? by : []
    const sent = await row.sent(false, found)
    const pending = pendingFills(call, sent, before)
    const changed = await applyFills(
      call,
      call.store,
      changesOf(call, sent, before, visibleLens(call, lens, before), pending),
      pending,
      before,
    )
    if (changes({ values: changed })) checkRules(call, rowObject(lens.columns, before), changed)
    return { row, sent, key: before[lens.at.get(keyName) as number] as KeyValue, before, by: found, values: changed }
  }

  /** The record that a row finds; undefined: none. */
  function matchedRow(row: ImportRow, values: Values): Row | undefined {
    const text = matches.textOf(values)
    const first = seenValues.get(text)
    const label = matchText(call, null, by)
    if (first !== undefined) throw refusedAt(by, t('import.valueTwice', { label, row: first }))
    seenValues.set(text, row.label)
    const found = matches.recordOf(values)
    if (found === null) throw refusedAt(by, t('import.severalCalled', { label, name: values.join(', ') }))
    return found
  }

  /** Whether the caller writes a field of a new record. */
  function isMade(name: string): boolean {
    const field = resource.fields.get(name)
    return field !== undefined && isWritable(call, field, true)
  }
}

/** A refusal of what names the record of a row. */
export const refusedAt = (fields: readonly Pick<Bound, 'key'>[], text: string) =>
  new DaymarkError('invalid', text, { errors: fields.map(({ key }) => [key, [text]]) })

/** The records that rows name, by key. */
async function storedRows(call: Call, lens: Lens, rows: readonly ImportRow[]): Promise<ReadonlyMap<string, Row>> {
  const { resource, identity, store } = call
  const keys = rows.flatMap(({ key }) => (key === '' ? [] : (parseKey(key, resource.model.key) ?? [])))
  const found = new Map<string, Row>()
  for (let from = 0; from < keys.length; from += chunkSize)
    for (const row of await store.findMany(resource.model, keys.slice(from, from + chunkSize), lens.columns, scopeOf(identity, resource)))
      found.set(lens.key(row), row)
  return found
}

const changes = ({ values }: Pick<Plan, 'values'>) => Object.keys(values).length > 0

/** How many records the rows create and change. */
export function countsOf(plans: readonly Plan[]): Omit<ImportCounts, 'ignored'> {
  const created = plans.filter(({ key }) => key === undefined).length
  const updated = plans.filter((plan) => plan.key !== undefined && changes(plan)).length
  return { created, updated, unchanged: plans.length - created - updated }
}

/** What was refused, if it was because of the row. */
export function faultOf(thrown: unknown, { name, line }: ImportRow): RowFault {
  if (!(thrown instanceof DaymarkError) || thrown.code === 'internal' || thrown.code === 'unavailable') throw thrown
  return { name, line, errors: thrown.errors.size > 0 ? thrown.errors : new Map([['', [thrown.message]]]) }
}
