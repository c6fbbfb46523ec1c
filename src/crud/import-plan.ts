import { setImmediate } from 'node:timers/promises'
import { DaymarkError, invalid } from '../base/errors.js'
import { type KeyValue, parseKey } from '../field/key.js'
import type { Row } from '../store/store.js'
import { allowRow, scopeOf } from './allow.js'
import type { Call } from './call.js'
import { checkRules } from './check-rules.js'
import { filled, leftToFill } from './fills.js'
import type { ImportMode } from './import-columns.js'
import { ImportError, type RowFault } from './import-error.js'
import { unrelatedIn } from './import-related.js'
import type { ImportRow, ImportRows, Plan } from './import-row.js'
import { takenIn } from './import-taken.js'
import { type Lens, rowObject } from './lens.js'
import type { ImportCounts } from './outcome.js'
import { seenBy } from './seen.js'
import { chunk } from './selection.js'
import { changesOf, isWritable, newValues } from './sent.js'

/**
 * Finds out what each row does, without writing anything.
 *
 * @throws ImportError with what is wrong with any of them
 */
export async function planned(call: Call, lens: Lens, mode: ImportMode, { rows }: ImportRows): Promise<readonly Plan[]> {
  const stored = await storedRows(call, lens, rows)
  const createsNamed = mode === 'both' && isKeyWritable(call)
  const faults: RowFault[] = []
  const plans: Plan[] = []
  const seen = new Map<string, string>()
  for (const [i, row] of rows.entries()) {
    if (i % 100 === 99) await setImmediate()
    try {
      plans.push(await planOf(row))
    } catch (thrown) {
      faults.push(faultOf(thrown, row))
    }
  }
  faults.push(...(await takenIn(call, plans)), ...(await unrelatedIn(call, lens, plans)))
  if (faults.length > 0) throw new ImportError(call, faults)
  return plans

  async function planOf(row: ImportRow): Promise<Plan> {
    const before = stored.get(row.key)
    if (mode === 'create' || (before === undefined && (createsNamed || (mode === 'both' && row.key === '')))) {
      const sent = await row.sent(true)
      const left = leftToFill(call, sent, null)
      const values = await filled(call, call.store, newValues(call, sent, left), left, null)
      checkRules(call, null, values)
      return { row, sent, key: undefined, before: null, values }
    }
    const { realm, identity, resource } = call
    const { t } = realm
    const keyName = resource.model.key.key
    if (before === undefined) throw invalid(keyName, t(row.key === '' ? 'import.keyMissing' : 'record.none'))
    // The second would overwrite what the first has written.
    const first = seen.get(row.key)
    if (first !== undefined) throw invalid(keyName, t('import.keyTwice', { row: first }))
    seen.set(row.key, row.label)
    allowRow(realm, identity, resource, 'update', lens.columns, before)
    const sent = await row.sent(false)
    const left = leftToFill(call, sent, before)
    const values = await filled(call, call.store, changesOf(call, sent, before, seenBy(call, lens, before), left), left, before)
    if (changes({ values })) checkRules(call, rowObject(lens.columns, before), values)
    return { row, sent, key: before[lens.at.get(keyName) as number] as KeyValue, before, values }
  }
}

/** The records that rows name, by key. */
async function storedRows(call: Call, lens: Lens, rows: readonly ImportRow[]): Promise<ReadonlyMap<string, Row>> {
  const { resource, identity, store } = call
  const keys = rows.flatMap(({ key }) => (key === '' ? [] : (parseKey(key, resource.model.key) ?? [])))
  const found = new Map<string, Row>()
  for (let from = 0; from < keys.length; from += chunk)
    for (const row of await store.findMany(resource.model, keys.slice(from, from + chunk), lens.columns, scopeOf(identity, resource)))
      found.set(lens.key(row), row)
  return found
}

const changes = ({ values }: Pick<Plan, 'values'>) => Object.keys(values).length > 0

const isKeyWritable = (call: Call) => {
  const field = call.resource.fields.get(call.resource.model.key.key)
  return field !== undefined && isWritable(call, field, true)
}

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
