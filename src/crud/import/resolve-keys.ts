import { DaymarkError } from '../../base/errors.js'
import { shown } from '../../base/shown.js'
import { type Bound, Unreadable } from '../../field/field.js'
import { keyToWire } from '../../field/key.js'
import type { Call } from '../call/call.js'
import type { Lens } from '../call/lens.js'
import type { Values } from './find-by-values.js'
import { matchValues, relatedMatch } from './match.js'
import { keysByMatch, noneFound } from './related-keys.js'

/** An object of JSON. */
export type JsonRecord = Readonly<Record<string, unknown>>

export const isJsonRecord = (one: unknown): one is JsonRecord => typeof one === 'object' && one !== null && !Array.isArray(one)

/**
 * The records with the keys of related ones that an object names by what imports of their resource find them by, as `{ "code": "FR" }`.
 * What names none becomes `Unreadable`.
 */
export async function resolveKeys(call: Call, lens: Lens, given: readonly JsonRecord[]): Promise<readonly JsonRecord[]> {
  let records = given
  for (const field of lens.readable.values()) {
    const match = relatedMatch(call, field)
    const named = match.length === 0 ? [] : records.flatMap((record) => eachOf(field, record[field.key]).filter(isJsonRecord))
    if (named.length === 0) continue
    const values = new Map(named.map((one) => [one, valuesIn(one, match, call)]))
    const keyOf = await keysByMatch(
      call,
      field,
      match,
      [...values.values()].filter((one) => one !== null),
    )
    const wireOf = (one: unknown): unknown => (isJsonRecord(one) ? keyOfOne(one) : one)
    const keyOfOne = (one: JsonRecord): unknown => {
      const asked = values.get(one)
      if (!asked) return notNamed(match)
      const key = keyOf(asked)
      const name = match.map(({ key }) => String(one[key])).join(', ')
      if (key === null) return new Unreadable((t, label) => t('import.severalCalled', { label, name: shown(name) }))
      return key === undefined ? noneFound(match, name) : keyToWire(key)
    }
    const withKey = (wire: unknown): unknown => {
      const all = eachOf(field, wire).map(wireOf)
      return all.find((one) => one instanceof Unreadable) ?? (isList(field, wire) ? all : all[0])
    }
    records = records.map((one) => (Object.hasOwn(one, field.key) ? { ...one, [field.key]: withKey(one[field.key]) } : one))
  }
  return records
}

const isList = (field: Bound, wire: unknown): wire is readonly unknown[] => field.kind.many(field) && Array.isArray(wire)
const eachOf = (field: Bound, wire: unknown): readonly unknown[] => (isList(field, wire) ? wire : [wire])

/** The values of an object that names a record; null: it has others, or they cannot be read. */
function valuesIn(one: JsonRecord, match: readonly Bound[], { realm: { t } }: Call): Values | null {
  if (Object.keys(one).length !== match.length) return null
  try {
    return matchValues(match, ({ key }) => (Object.hasOwn(one, key) ? one[key] : null), t)
  } catch (thrown) {
    if (thrown instanceof DaymarkError) return null
    throw thrown
  }
}

function notNamed(match: readonly Bound[]): Unreadable {
  const example = JSON.stringify(Object.fromEntries(match.map(({ key }) => [key, '…'])))
  return new Unreadable((t, label) => t('import.notNamed', { label, example }))
}
