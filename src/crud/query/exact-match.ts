import { parseValue } from '../../field/check.js'
import type { Bound, Zone } from '../../field/field.js'
import { inAddress } from '../../field/zone.js'
import { comparedFault } from '../../resource/condition/compared.js'
import type { Condition } from '../../resource/condition/condition.js'
import type { Column } from '../../resource/model/model.js'
import type { Resource } from '../../resource/resource.js'
import type { Realm } from '../call/call.js'

/**
 * The conditions that one of these fields has the value that was typed, as programs write it or as the locale does. None: it is no value of
 * any of them, or one that no record can have.
 */
export function exactMatches(realm: Realm, { model }: Resource, fields: readonly Bound[], typed: string): readonly Condition[] {
  if (typed === '') return []
  return fields.flatMap((field) => {
    const column = model.columns.get(field.key) as Column
    const values = [inAddress(realm), realm].map((zone: Zone) => parseValue(field, field.kind.read(typed, field, zone))?.value ?? null)
    const known = new Map(
      values.filter((value) => value !== null && comparedFault(column, value) === null).map((one) => [String(one), one]),
    )
    return [...known.values()].map((value): Condition => ({ op: 'eq', column: field.key, value }))
  })
}
