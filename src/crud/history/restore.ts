import { DaymarkError } from '../../base/errors.js'
import type { Bound } from '../../field/field.js'
import { legible } from '../../field/illegible.js'
import { nextValues } from '../../field/next-values.js'
import type { Row } from '../../store/store.js'
import { allowRow } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { fieldAccess } from '../call/field-access.js'
import type { Lens } from '../call/lens.js'
import { tablesReady } from '../call/tables-ready.js'
import { isSameJson } from '../input/same-json.js'
import { scalar } from '../input/scalar.js'
import type { Restoring } from '../outcomes/forms.js'
import type { FieldChange } from '../outcomes/records.js'
import { allowHistory, pastValue, visibleEntry } from './visible-entry.js'

/** The query parameter of a form that names the change whose values from before it the form begins with. */
export const restoreParameter = 'restore'

/** The change that the form's URL asks to take back; null: none. */
export async function restoringOf(call: Call, lens: Lens, row: Row): Promise<Restoring | null> {
  const { identity, realm, resource, store, input } = call
  // Without a history, it is a name like any other.
  const text = resource.history === false ? '' : scalar(input.query, restoreParameter, realm.t)
  if (text === '') return null
  const kept = allowHistory(call)
  allowRow(realm, identity, resource, 'view', lens.columns, row)
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
  await tablesReady(call)
  const [entry] = await kept.of(store, resource.model, lens.key(row), 1, id + 1)
  const seen = entry?.id === id ? visibleEntry(lens, entry) : null
  if (!seen || seen.action === 'create') throw new DaymarkError('notFound', realm.t('history.noEntry'))
  return { at: seen.at, userName: seen.userName, values: valuesBefore(call, lens, row, seen.changes) }
}

/**
 * The values from before a change that the caller can give back to a record, where others are stored now. Nothing is kept of a secret; a
 * file is gone once no record holds it.
 */
export function valuesBefore(call: Call, lens: Lens, row: Row, changes: readonly FieldChange[]): ReadonlyMap<Bound, unknown> {
  const values = new Map<Bound, unknown>()
  for (const { field, before } of changes) {
    if (
      field.kind.secret ||
      field.kind.file !== null ||
      !fieldAccess(call, lens, field, row).writable ||
      (before === null && !field.nullable)
    )
      continue
    const stored = legible(row[lens.at.get(field.key) as number]) ?? null
    const value = pastValue(field, before)
    if (value === undefined || isSameJson(stored === null ? null : (field.kind.wire(stored, field) ?? null), before)) continue
    // A form could not give it back.
    if (nextValues(field, stored, call.identity.roles)?.includes(value) === false) continue
    values.set(field, value)
  }
  return values
}
