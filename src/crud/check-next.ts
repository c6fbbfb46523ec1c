import { DaymarkError } from '../base/errors.js'
import { nextFault, nextOf } from '../field/next.js'
import type { Row } from '../store/store.js'
import { isUnrestricted } from './allow.js'
import type { Call } from './call.js'
import type { Lens } from './lens.js'

/**
 * Checks that stored values go only where users may change them to, and that those of a new record begin where they may. What code does on its own, without the user's restrictions, is free.
 *
 * @throws DaymarkError `invalid`; of a field that the caller may not see, it tells nothing
 */
export function checkNext(
  { realm, identity, resource }: Call,
  { at, readable }: Lens,
  before: Row | null,
  values: Readonly<Record<string, unknown>>,
): void {
  if (isUnrestricted(identity)) return
  const faults = new Map<string, readonly string[]>()
  for (const [name, value] of Object.entries(values)) {
    const field = resource.fields.get(name)
    const stored = before?.[at.get(name) as number]
    if (!field || nextOf(field, stored, identity.roles)?.includes(value ?? null) !== false) continue
    if (!readable.has(name)) throw new DaymarkError('invalid', realm.t('record.noStep'))
    faults.set(name, [nextFault(field, stored, value, identity.roles, realm) as string])
  }
  const [first] = faults.values()
  if (first) throw new DaymarkError('invalid', first[0] as string, { errors: faults })
}
