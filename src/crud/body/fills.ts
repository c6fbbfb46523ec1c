import { DaymarkError } from '../../base/errors.js'
import type { Bound, Json } from '../../field/field.js'
import { legible } from '../../field/illegible.js'
import { type KeyValue, keyText } from '../../field/key.js'
import { nextFault } from '../../field/next-values.js'
import { isOfType } from '../../resource/model/value.js'
import { type Fill, fillsIn } from '../../resource/relation/filling.js'
import { fixedChoices } from '../../resource/relation/narrowing.js'
import type { Resource } from '../../resource/resource.js'
import type { Reads, Row } from '../../store/store.js'
import { scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { meetsEditableWhen } from '../call/editable-when.js'
import { meets } from '../call/lens.js'
import { findByKey } from '../input/key.js'
import { isSameStored } from '../input/same-stored.js'
import { readsIn } from './check-relations.js'
import { initialValue } from './initial-values.js'
import { missingFault, type ValidatedBody, type ValidatedField, validateField } from './validated-body.js'

/** A field that a relation fills with what the record has that is chosen. */
export interface PendingFill extends Fill {
  /** The key of that record. */
  readonly key: KeyValue
  /** What was sent for the field: a blank control; null: nothing. */
  readonly sent: ValidatedField | null
  /** What the field has now; null: nothing. */
  readonly stored: unknown
}

/** What is left to be filled, by field. */
export type PendingFills = ReadonlyMap<string, PendingFill>

export const noPendingFills: PendingFills = new Map()

/**
 * The fields that are left to the relations that fill them: those that were not sent, or as blank controls of a form. Of a record that is
 * there, only those of a relation that is chosen anew, and nothing that is stored, unless its control was emptied.
 *
 * @param before the record as it is; null: it is new
 */
export function pendingFills(
  call: Pick<Call, 'realm' | 'identity' | 'resource'>,
  { lens, fields }: Pick<ValidatedBody, 'lens' | 'fields'>,
  before: Row | null,
): PendingFills {
  const { resource, realm } = call
  const fills = fillsIn(resource.fields)
  if (fills.length === 0) return noPendingFills
  const storedOf = (field: Bound) => before?.[lens.at.get(field.key) as number] ?? null
  const sentOf = (field: Bound) => fields.find((one) => one.field === field) ?? null
  const left = new Map<string, PendingFill>()
  for (const fill of fills) {
    const { by, ours } = fill
    const chosen = sentOf(by)
    const key = chosen
      ? chosen.writable && chosen.checked.ok
        ? chosen.checked.value
        : null
      : before
        ? null
        : initialValue(resource.model, by)
    if (key === null || key === undefined || isSameStored(key, storedOf(by))) continue
    // Choosing another record is no way to change what this one does not let users change.
    if (before && ![by, ours].every((field) => meetsEditableWhen(resource, field, realm.timeZone, lens.at, before))) continue
    const sent = sentOf(ours)
    const stored = storedOf(ours)
    if (sent?.writable ? sent.text !== '' : stored !== null && stored !== '') continue
    left.set(ours.key, { ...fill, key: key as KeyValue, sent, stored })
  }
  return left
}

/**
 * The values of a write, with what relations fill. What they fill with was never sent, so the rules of the field judge it now.
 *
 * @param tx where to read: the transaction of the write, or the store if nothing is written
 * @throws DaymarkError `invalid` with each field that stays empty and must not, or whose rules refuse its value
 */
export async function applyFills(
  call: Call,
  tx: Reads,
  values: Readonly<Record<string, unknown>>,
  pending: PendingFills,
  before: Row | null,
): Promise<Record<string, unknown>> {
  if (pending.size === 0) return values
  const { realm, identity, resource } = call
  const creating = before === null
  const whole: Record<string, unknown> = { ...values }
  const errors = new Map<string, readonly string[]>()
  let hidden = false
  const refuse = ({ key, visible }: Bound, texts: readonly string[]) => {
    if (meets(visible, identity)) errors.set(key, texts)
    else hidden = true
  }
  const there = new Set<Bound>()
  const found = new Map((await readFillValues(call, tx, pending, (by) => there.add(by))).map(({ ours, wire }) => [ours.key, wire]))
  for (const { by, ours, sent, stored } of pending.values()) {
    const wire = found.get(ours.key)
    if (wire !== undefined) {
      const { checked } = await validateField(call, ours, { wire, text: null, creating })
      const fault = checked.ok ? nextFault(ours, stored, checked.value, identity.roles, realm) : null
      if (!checked.ok) refuse(ours, checked.texts)
      else if (fault !== null) refuse(ours, [fault])
      else whole[ours.key] = checked.value
    } else if (creating) {
      const fault = missingFault(call, ours)
      if (fault !== null) refuse(ours, [fault])
      else if (ours.default !== undefined && ours.key !== resource.reorderable?.key) whole[ours.key] = ours.default
      // What cannot be chosen is said of the relation.
      else if (ours.required && !ours.hasDefault && there.has(by) && meets(ours.visible, identity))
        refuse(ours, [realm.t('field.required', { label: ours.label })])
    } else if (sent && stored !== null && stored !== '') {
      if (!sent.checked.ok) refuse(ours, sent.checked.texts)
      else whole[ours.key] = sent.checked.value
    }
  }
  if (errors.size > 0) throw new DaymarkError('invalid', [...errors.values()][0]?.[0] as string, { errors })
  // The field is not named to whoever may not see it.
  if (hidden) throw new DaymarkError('invalid', realm.t('record.refused'))
  return whole
}

/** What a field is filled with. */
export interface FillValue {
  readonly by: Bound
  readonly ours: Bound
  /** The value as in JSON. */
  readonly wire: Json
}

/**
 * What the records have that are chosen, of those that the caller may choose.
 *
 * @param isThere hears of the relations whose record was found
 */
export async function readFillValues(
  call: Call,
  tx: Reads,
  pending: PendingFills,
  isThere: (by: Bound) => void = () => {},
): Promise<readonly FillValue[]> {
  const { realm, identity } = call
  const found: FillValue[] = []
  for (const [by, fills] of byRelation(pending)) {
    const target = realm.links.get(by)
    if (!target) continue
    const columns = [target.model.key.key, ...fills.map(({ theirs }) => theirs)]
    const lens = { columns, key: ([key]: Row) => keyText(key as KeyValue) }
    const where = scopeOf(identity, target, fixedChoices(by, target, realm.timeZone))
    const row = await findByKey(readsIn(call, tx)(target), target.model, (fills[0] as PendingFill).key, lens, where)
    if (!row) continue
    isThere(by)
    for (const [i, { ours, theirs }] of fills.entries()) {
      const value = valueIn(target, theirs, row[i + 1])
      const wire = value === null ? null : ours.kind.wire(value, ours)
      if (wire !== null) found.push({ by, ours, wire })
    }
  }
  return found
}

function byRelation(pending: PendingFills): ReadonlyMap<Bound, readonly PendingFill[]> {
  const grouped = new Map<Bound, PendingFill[]>()
  for (const one of pending.values()) grouped.set(one.by, [...(grouped.get(one.by) ?? []), one])
  return grouped
}

/** SQLite may hold what is no value of its column. */
function valueIn({ model }: Resource, name: string, stored: unknown): unknown {
  const value = legible(stored) ?? null
  const column = model.columns.get(name)
  return value === null || value === '' || (column && !isOfType(column, value)) ? null : value
}
