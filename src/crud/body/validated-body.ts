import { isDeepStrictEqual } from 'node:util'
import { DaymarkError } from '../../base/errors.js'
import { type Checked, check } from '../../field/check.js'
import { cellText, exportedValue } from '../../field/exported.js'
import type { Bound, Json } from '../../field/field.js'
import { lineFeeds } from '../../field/line-feeds.js'
import { nextFault } from '../../field/next-values.js'
import { isTold } from '../../resource/tally.js'
import type { Row } from '../../store/store.js'
import type { Call } from '../call/call.js'
import { fieldAccess, isWritable } from '../call/field-access.js'
import type { Body } from '../call/input.js'
import { type Lens, lensOf } from '../call/lens.js'
import { formText } from '../input/form-text.js'
import { panelText } from '../input/panel-text.js'
import { isSameJson } from '../input/same-json.js'
import { checkReachable } from '../relation/check-reachable.js'
import { type ReadsOf, readRelated, relatedRecords } from '../relation/related.js'
import { namedRelations } from '../relation/relation.js'
import { formInitialValue, initialValue } from './initial-values.js'
import { currentThroughValues, readOnlyNames } from './read-only-values.js'
import { joinRepeaterRows } from './repeater-rows.js'

/** A field of a body, validated on its own, before the record is read. */
export interface ValidatedField {
  readonly field: Bound
  readonly writable: boolean
  /** The value on the wire. */
  readonly wire: unknown
  /** What a form sent, with line ends as LF; null for JSON. */
  readonly text: string | null
  /** What a file has where an export writes the value, with line ends as LF. */
  readonly exported?: string | undefined
  readonly checked: Checked
}

/** A validated body: what can be decided without the record. */
export interface ValidatedBody {
  readonly lens: Lens
  readonly fields: readonly ValidatedField[]
  /** Computed values, included relations and columns of related records that the client sent back. */
  readonly readOnlyValues: ReadonlyMap<string, unknown>
  /** Errors for names that do not exist, or that the caller may not see, and for files that were refused. */
  readonly unknown: Errors
}

type Errors = ReadonlyMap<string, readonly string[]>

/** Validates a body. Rules of fields run here, since inside the transaction nothing but the store may be awaited. */
export async function validateBody(call: Call, creating: boolean): Promise<ValidatedBody> {
  const { identity, resource, realm, input } = call
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  const echoed = readOnlyNames(realm, identity, lens)
  const fields: ValidatedField[] = []
  const echoes = new Map<string, unknown>()
  const unknown = new Map<string, readonly string[]>()
  const { body } = input
  const faults = body.from === 'form' ? body.faults : undefined
  for (const [name, given] of body.from === 'form' ? formTexts(body, lens) : body.from === 'none' ? [] : body.fields) {
    if (faults?.has(name)) continue
    const field = lens.readable.get(name)
    if (!field) {
      if (echoed.has(name)) echoes.set(name, given)
      else unknown.set(name, [realm.t('field.unknown', { name, names: [...lens.readable.keys()].join(', ') })])
      continue
    }
    const text = body.from === 'form' ? (given as string) : null
    if (creating && text === '' && !isEmptied(call, field) && (field.hasDefault || !isWritable(call, field, creating))) continue
    const wire = text === null ? given : text === '' && field.nullable ? null : field.kind.read(text, field, realm)
    const sent = validateField(call, field, { wire, text, creating })
    fields.push(sent instanceof Promise ? await sent : sent)
  }
  return { lens, fields, readOnlyValues: echoes, unknown: faults ? new Map([...unknown, ...faults]) : unknown }
}

/** Validates one field of a body on its own. It returns a promise only if a rule or the kind is asynchronous. */
export function validateField(
  call: Call,
  field: Bound,
  { wire, text, exported, creating }: Pick<ValidatedField, 'wire' | 'text' | 'exported'> & { readonly creating: boolean },
): ValidatedField | Promise<ValidatedField> {
  const writable = isWritable(call, field, creating)
  const of = (checked: Checked): ValidatedField => ({
    field,
    writable,
    wire,
    text,
    exported,
    checked: checkReachable(call, field, checked, initialValue(call.resource.model, field)),
  })
  const checking = check(field, wire, call.realm.t)
  return checking instanceof Promise ? checking.then(of) : of(checking)
}

/** Whether the user cleared a field that the form had prefilled. */
function isEmptied({ input, resource, identity }: Call, field: Bound): boolean {
  return field.nullable && panelText(input, '_once') !== '' && formInitialValue(resource.model, field, identity.roles) !== undefined
}

/** Fields of which a relation says the value, so that nothing is missing in them. */
type Left = Pick<ReadonlySet<string>, 'has'>

/**
 * The changes that a body makes to a record.
 *
 * @param seen what the caller may see of the record: whether they have guessed anything else is not told
 * @param left what is filled later
 * @throws DaymarkError `invalid` with every field that is wrong
 */
export function changesOf(
  call: Call,
  { lens, fields, readOnlyValues, unknown }: ValidatedBody,
  row: Row,
  seen: Lens,
  left: Left,
): Record<string, unknown> {
  const { t } = call.realm
  const errors = new Map(unknown)
  const changes: Record<string, unknown> = {}
  const refuse = (name: string) => errors.set(name, [t('field.readOnly', { label: lens.computed.get(name)?.label ?? name })])
  for (const { field, writable: isOffered, wire, text, exported, checked } of fields) {
    const closed = isOffered ? fieldAccess(call, lens, field, row).closed : null
    const writable = isOffered && closed === null
    if (writable && left.has(field.key)) continue
    if (!writable && !seen.readable.has(field.key)) {
      errors.set(field.key, [t('field.readOnly', { label: field.label })])
      continue
    }
    // It may have changed since it was read, though the record has not.
    if (checked.ok && isTold(lens.resource.model, field.key)) continue
    const stored = row[lens.at.get(field.key) as number]
    const shown = stored === null || stored === undefined ? null : field.kind.wire(stored, field)
    // Compared as the form showed it, since a value that could not be sent may still have a text.
    if (text !== null && text === lineFeeds(stored === null || stored === undefined ? '' : field.kind.text(stored, field, call.realm)))
      continue
    // As what an export has written, whatever the field would read it as by now.
    if (exported !== undefined && exported === lineFeeds(cellText(exportedValue(field, stored)))) continue
    if (isSameJson(wire, shown)) continue
    // Another way to say the same, as with keys in another order.
    if (checked.ok && isDeepStrictEqual(checked.value, stored)) continue
    if (!writable) errors.set(field.key, [closed ?? t('field.readOnly', { label: field.label })])
    else if (!checked.ok) errors.set(field.key, checked.texts)
    else {
      const fault = nextFault(field, stored, checked.value, call.identity.roles, call.realm)
      if (fault === null) changes[field.key] = checked.value
      else errors.set(field.key, [fault])
    }
  }
  // Whoever may not see the record gets the same answer whatever they send back.
  if (seen !== lens) for (const name of readOnlyValues.keys()) refuse(name)
  const computed = seen === lens ? [...readOnlyValues].filter(([name]) => lens.computed.has(name)) : []
  // Only compute values if the client sent any: one that fails for this record must not prevent correcting it.
  const record = computed.length > 0 ? lens.record(row) : {}
  // As it was written: a number in it that is none is null then.
  for (const [name, given] of computed) if (!isSameJson(given, JSON.parse(JSON.stringify(record[name])))) refuse(name)
  throwErrors(errors)
  return changes
}

/**
 * The values of a new record: what was sent and the declared defaults.
 *
 * @param left what is filled later
 */
export function newValues(call: Call, { lens, fields, readOnlyValues, unknown }: ValidatedBody, left: Left): Record<string, unknown> {
  const { t } = call.realm
  const errors = new Map(unknown)
  const values: Record<string, unknown> = {}
  for (const { field, writable, wire, checked } of fields) {
    if (writable && left.has(field.key)) continue
    if (!writable) {
      if (wire !== null) errors.set(field.key, [t('field.readOnly', { label: field.label })])
    } else if (!checked.ok) errors.set(field.key, checked.texts)
    else {
      const fault = nextFault(field, null, checked.value, call.identity.roles, call.realm)
      if (fault === null) values[field.key] = checked.value
      else errors.set(field.key, [fault])
    }
  }
  // Browsers resolve `.` and `..` in a path before they request it.
  const key = lens.resource.model.key.key
  if (values[key] === '.' || values[key] === '..') errors.set(key, [t('field.noAddress', { label: lens.readable.get(key)?.label ?? key })])
  for (const [name, given] of readOnlyValues)
    if (given !== null) errors.set(name, [t('field.readOnly', { label: lens.computed.get(name)?.label ?? name })])
  for (const field of lens.resource.fields.values()) {
    if (Object.hasOwn(values, field.key) || errors.has(field.key) || left.has(field.key)) continue
    if (field.key === lens.resource.reorderable?.key) continue
    const fault = lens.readable.has(field.key) ? missingFault(call, field) : null
    if (fault !== null) errors.set(field.key, [fault])
    else if (field.default !== undefined) values[field.key] = field.default
    // A required field that the caller may not see is not reported here: the store refuses the record without naming it.
    else if (field.required && lens.readable.has(field.key) && isWritable(call, field, true))
      errors.set(field.key, [t('field.required', { label: field.label })])
  }
  throwErrors(errors)
  return values
}

/** Why a user who may write a field may not leave a new record to its initial value; null: they may. */
export function missingFault(call: Call, field: Bound, initialIn = initialValue): string | null {
  const { realm, identity, resource } = call
  const initial = field.kind.begins && isWritable(call, field, true) ? initialIn(resource.model, field) : undefined
  return initial === undefined ? null : nextFault(field, null, initial, identity.roles, realm)
}

/** Checks that included relations, and columns of related records, were sent back unchanged. Queries only if the client sent any. */
export async function checkReadOnlyValues(call: Call, { lens, readOnlyValues }: ValidatedBody, row: Row, readsOf: ReadsOf): Promise<void> {
  const { realm, identity } = call
  const relations = [...namedRelations(realm, identity, lens).values()].filter(({ name }) => readOnlyValues.has(name))
  const related = await readRelated(realm, identity, lens, [row], relations, readsOf)
  const errors = new Map<string, readonly string[]>()
  const check = (name: string, now: Json, label = name) => {
    if (!isSameJson(readOnlyValues.get(name), now)) errors.set(name, [realm.t('field.readOnly', { label })])
  }
  for (const one of relations) check(one.name, relatedRecords(related, one, lens, row))
  for (const [name, { label, value }] of await currentThroughValues(call, readOnlyValues, row, readsOf)) check(name, value, label)
  throwErrors(errors)
}

/** The texts of a form, one per name. Unknown names keep their last value. */
export function formTexts(body: Extract<Body, { from: 'form' }>, { readable }: Lens): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const [name, given] of joinRepeaterRows(body.fields, readable)) {
    const field = readable.get(name)
    texts.set(name, field ? formText(field, kept(field, given)) : (given.at(-1) ?? ''))
  }
  const cleared = body.panel.get('_clear') ?? []
  for (const name of cleared) {
    const field = readable.get(name)
    if (field?.kind.file && !field.kind.many(field) && !body.files?.has(name)) texts.set(name, '')
  }
  // A conflict page sends the chosen value as text, even for a field with several values.
  for (const field of readable.values()) {
    const mine = body.panel.get('_pick')?.at(-1) === 'mine' ? body.panel.get(`_mine[${field.key}]`) : undefined
    const picked = (mine ?? body.panel.get(`_text[${field.key}]`))?.at(-1)
    if (picked !== undefined) texts.set(field.key, lineFeeds(picked))
  }
  return texts

  /** Of several files, those that are not to be removed. */
  function kept(field: Bound, given: readonly string[]): readonly string[] {
    const removed = new Set(field.kind.file ? body.panel.get(`_clear[${field.key}]`) : undefined)
    return removed.size > 0 ? given.filter((one) => !removed.has(one)) : given
  }
}

/** @throws DaymarkError `invalid` with all of them, if there are any */
export function throwErrors(errors: Errors): void {
  if (errors.size > 0) throw new DaymarkError('invalid', [...errors.values()][0]?.[0] as string, { errors })
}
