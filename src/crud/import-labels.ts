import { withFormulas } from '../base/formula.js'
import { shown } from '../base/shown.js'
import { takes } from '../field/check.js'
import { type Bound, Unreadable } from '../field/field.js'
import { type KeyValue, keyText, keyToWire, parseKey } from '../field/key.js'
import type { Resource } from '../resource/resource.js'
import { scopeOf } from './allow.js'
import type { Call } from './call.js'
import { lensOf } from './lens.js'
import { chunk, rowsAfter } from './selection.js'

// What a label can be, to be told by its text alone: a decimal can be written in several ways.
const named: ReadonlySet<string> = new Set(['text', 'integer', 'bigint'])

/**
 * Returns what turns the label of a related record into its key on the wire, if exactly one record that the caller may list is called so. A
 * text that is nobody's label is taken for a key.
 *
 * @param labels all that will be asked for
 * @param byKey turns a key into its value on the wire
 */
export async function labelReader(
  call: Call,
  field: Bound,
  labels: readonly string[],
  byKey: (text: string) => unknown,
): Promise<(text: string) => unknown> {
  const target = call.realm.links.get(field)
  // A computed label is in no column in which it could be looked for.
  const isCalled = target && !target.label && target.column.key !== target.model.key.key && named.has(target.column.type)
  const found = isCalled ? await keysByLabel(call, target, [...new Set(labels)]) : new Map<string, null>()
  return (text) => {
    const one = found.get(withFormulas(text))
    if (one === null) return new Unreadable((t, label) => t('import.severalCalled', { label, name: shown(text) }))
    if (one !== undefined) return keyToWire(one)
    const key = byKey(text)
    if (key === null || takes(field, key)) return key
    return new Unreadable((t, label) => t('import.noneCalled', { label, name: shown(text) }))
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
  for (let from = 0; from < asked.length; from += chunk) {
    const some = asked.slice(from, from + chunk)
    for (let after: unknown = null; ; ) {
      // Of a name that several have, no further ones are read.
      const values = some.filter((one) => found.get(one) !== null).map((one) => toValue(one) as KeyValue)
      const where = scopeOf(identity, target, { op: 'in', column: column.key, values })
      const rows = await rowsAfter(lens, realm.storeOf(target), where, after, chunk)
      for (const row of rows) {
        const called = keyText(row[label] as KeyValue)
        found.set(called, found.has(called) ? null : (row[key] as KeyValue))
      }
      if (rows.length < chunk) break
      after = rows.at(-1)?.[key]
    }
  }
  return found
}
