import { bindColumnless, widestColumn } from './columnless.js'
import { takesDefault } from './default-value.js'
import type { Bound, Field } from './field.js'

/** The fields of which each row of a repeater is made. */
export type Parts = Readonly<Record<string, Field>>

const bound = new WeakMap<Parts, ReadonlyMap<string, Bound>>()

/** The parts with everything that start-up resolved, in their order. */
export function boundParts(parts: Parts): ReadonlyMap<string, Bound> {
  let found = bound.get(parts)
  if (!found) {
    found = new Map(Object.entries(parts).map(([key, field]) => [key, bindPart(key, field)]))
    bound.set(parts, found)
  }
  return found
}

/** What is wrong with the declared parts; null: nothing. */
export function partsFault(parts: Parts): string | null {
  const all = Object.entries(parts)
  if (all.length === 0) return 'it has no parts: name some with .of({ … })'
  for (const [key, field] of all) {
    if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key))
      return `${JSON.stringify(key)} cannot be the name of a part: letters, digits, _ and - only`
    // Every object has these.
    if (key in {}) return `${JSON.stringify(key)} cannot be the name of a part`
    const { kind, facts } = field
    const part = bindPart(key, field)
    if (facts.transitions !== undefined)
      return `the part ${key} cannot have transitions: rows are replaced as a whole, and have no state before`
    if (kind.relation || kind.secret || kind.file || kind.rows || kind.preview || part.column.type === 'json' || kind.many(part))
      return `the part ${key} cannot be a ${kind.name}: rows hold texts, numbers, days, times, choices and yes or no`
    const stated = (['visible', 'editable', 'editableWhen', 'showWhen', 'rules'] as const).find((name) => isStated(facts[name]))
    if (stated) return `the part ${key} cannot have ${stated}: a rule of the repeater gets all rows, and they are seen and changed together`
    if (facts.minor) return `the part ${key} cannot be in minor units: rows are stored as they are in JSON, with amounts such as 12.34`
    const fault = kind.fault(part)
    if (fault !== null) return `the part ${key}: ${fault}`
    if (!takesDefault(part)) return `the part ${key} rejects its own default`
  }
  return null
}

const isStated = (fact: unknown) => fact !== true && fact !== null && !(Array.isArray(fact) && fact.length === 0)

function bindPart(key: string, field: Field): Bound {
  const { columns } = field.kind
  // One that holds the kind's value as it is in JSON.
  const type = (['real', 'dateTime', 'text'] as const).find((one) => columns.includes(one)) ?? columns[0] ?? 'text'
  // What is not switched on is off.
  return bindColumnless(key, field, {
    column: { ...widestColumn(type), asDate: false },
    nullable: !field.facts.required && type !== 'boolean',
  })
}
