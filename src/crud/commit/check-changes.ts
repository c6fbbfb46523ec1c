import { DaymarkError } from '../../base/errors.js'
import type { Bound } from '../../field/field.js'
import { nextFault, nextValues } from '../../field/next-values.js'
import type { Row } from '../../store/store.js'
import { databaseDefault } from '../body/initial-values.js'
import { missingFault } from '../body/validated-body.js'
import { isUnrestricted } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { closedReason } from '../call/closed-reason.js'
import { meetsEditableWhen } from '../call/editable-when.js'
import type { Lens } from '../call/lens.js'
import { isSameStored } from '../input/same-stored.js'

/**
 * Checks that stored values go only where users may change them to, that those of a new record begin where they may, and that the record lets
 * users change them. What code does on its own, without the user's restrictions, is free.
 *
 * @param before the record as it is; null: it is new
 * @throws DaymarkError `invalid`; of a field that the caller may not see, it tells nothing
 */
export function checkChanges(call: Call, { at, readable }: Lens, before: Row | null, values: Readonly<Record<string, unknown>>): void {
  const { realm, identity, resource } = call
  if (isUnrestricted(identity)) return
  const faults = new Map<string, readonly string[]>()
  for (const [name, value] of Object.entries(values)) {
    const field = resource.fields.get(name)
    const stored = before?.[at.get(name) as number] ?? null
    if (!field) continue
    const isClosed =
      before !== null && !meetsEditableWhen(resource, field, realm.timeZone, at, before) && !isSameStored(value ?? null, stored)
    if (!isClosed && nextValues(field, stored, identity.roles)?.includes(value ?? null) !== false) continue
    if (!readable.has(name)) throw new DaymarkError('invalid', realm.t(isClosed ? 'record.refused' : 'record.noStep'))
    faults.set(name, [isClosed ? closedReason(call, field) : faultOf(field, stored, value)])
  }
  // To leave a name out is a way to choose what its column begins with.
  for (const field of before === null ? resource.fields.values() : []) {
    if (!readable.has(field.key) || Object.hasOwn(values, field.key)) continue
    const fault = missingFault(call, field, databaseDefault)
    if (fault !== null) faults.set(field.key, [fault])
  }
  const [first] = faults.values()
  if (first) throw new DaymarkError('invalid', first[0] as string, { errors: faults })

  function faultOf(field: Bound, stored: unknown, value: unknown): string {
    return nextFault(field, stored, value, identity.roles, realm) as string
  }
}
