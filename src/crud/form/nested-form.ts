import { DaymarkError } from '../../base/errors.js'
import { parseValue } from '../../field/check.js'
import type { Bound } from '../../field/field.js'
import { fillerOf } from '../../resource/relation/filling.js'
import type { Row } from '../../store/store.js'
import { formTexts } from '../body/validated-body.js'
import { mayRecord } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { fieldAccess } from '../call/field-access.js'
import { type Lens, rowObject } from '../call/lens.js'
import { valueWords } from '../call/value-words.js'
import { visibleLens } from '../call/visible-lens.js'
import { versionOf } from '../commit/version.js'
import type { FormedNested, FormedRow, FormField } from '../outcomes/forms.js'
import type { CurrentValue } from '../relation/choice-condition.js'
import { labelOf } from '../relation/label.js'
import type { Choice } from '../relation/related-label.js'
import { emptyComputed, previewComputed, type TypedValues, typedInTexts } from './computed-preview.js'
import { currentValues, formControl, relatedTo } from './control.js'
import { belongs, type Nested, namedRows, nestedCall, nestedLens, nestedOf, nestedRows } from './nested.js'
import { isTouched, type SentNested, type SentRow, wasText } from './nested-input.js'

/**
 * The related records that a form edits along with its record, as they are stored, or as the form was sent.
 *
 * @param of the record whose related records they are, or, in the form of a new one, of which it is a copy; null: there is none
 */
export async function formedNested(
  call: Call,
  of: string | null,
  sent: readonly SentNested[],
  error: DaymarkError | null,
): Promise<readonly FormedNested[]> {
  const lists: FormedNested[] = []
  for (const nested of nestedOf(call).values()) {
    const rows = sent.find((one) => one.nested.name === nested.name)?.rows ?? []
    lists.push(await formedOne(call, nested, of, rows, error))
  }
  return lists
}

async function formedOne(
  call: Call,
  nested: Nested,
  of: string | null,
  sent: readonly SentRow[],
  error: DaymarkError | null,
): Promise<FormedNested> {
  const { other, most, name, title } = nested
  const isCopy = call.input.key === null
  // What was sent is all that there is to a new record.
  const stored = of === null || (isCopy && call.input.body.from === 'form') ? [] : await nestedRows(call, nested, of)
  const lens = nestedLens(call, other)
  const left = new Map((stored ?? []).map((row) => [lens.key(row), row]))
  const unlisted = isCopy || of === null ? [] : sent.flatMap(({ key }) => (key === null || left.has(key) ? [] : [key]))
  for (const row of of === null ? [] : await namedRows(call, nested, unlisted))
    if (belongs(lens, row, nested.by, of as string)) left.set(lens.key(row), row)
  const rows: FormedRow[] = []
  for (const one of sent) {
    const row = (one.key !== null && left.get(one.key)) || null
    if (row && one.key !== null) left.delete(one.key)
    if (one.key !== null && !row && one.isDeleted) continue
    const drawnRow = await sentRow(call, nested, lens, one, row, error)
    if (drawnRow) rows.push(drawnRow)
  }
  for (const row of left.values()) rows.push(await storedRow(call, nested, lens, row, isCopy))
  const fresh = nested.may.create ? await drawn(nestedCall(call, nested, { body: none }), nested, lens, null, new Map(), null) : null
  return {
    name,
    title,
    resource: other,
    by: nested.by,
    rows: await withRelated(call, nested.fields, rows),
    fresh,
    most,
    isElsewhere: stored === null,
    errors: error?.errors.get(name) ?? [],
  }
}

const none = { from: 'none' } as const

/** A row as it is stored. In a copy of the record it is a new one. */
async function storedRow(call: Call, nested: Nested, lens: Lens, row: Row, isCopy: boolean): Promise<FormedRow> {
  const own = nestedCall(call, nested, { key: isCopy ? null : lens.key(row), body: none })
  return drawn(own, nested, lens, row, new Map(), null)
}

/** A row as it was sent; null: nobody touched it, and it is gone. */
async function sentRow(
  call: Call,
  nested: Nested,
  lens: Lens,
  one: SentRow,
  row: Row | null,
  error: DaymarkError | null,
): Promise<FormedRow | null> {
  const { realm } = call
  const { at, key, was, isDeleted, isSpare, call: own } = one
  const { body } = own.input
  const typed = body.from === 'form' ? new Map(formTexts(body, lens)) : new Map<string, string>()
  const touched = [...typed].flatMap(([name, text]) => (isTouched(one, name, text) ? [name] : []))
  const inRow = errorIn(error, at)
  if (key !== null && !row) {
    if (touched.length === 0) return null
    const again = { ...own, input: { ...own.input, key: null, ifMatch: null } }
    const drawnAgain = await drawn(again, nested, lens, null, typed, inRow)
    return withOthers(drawnAgain, inRow, [realm.t('nested.gone')])
  }
  const errors = error?.errors.get(at) ?? []
  const version = row && versionOf(visibleLens(own, lens, row), row)
  const opened = own.input.ifMatch
  const isStale = row !== null && Array.isArray(opened) && !opened.includes(version as string)
  if (!isStale) return withOthers({ ...(await drawn(own, nested, lens, row, typed, inRow)), isDeleted, isSpare }, inRow, errors)
  // Nothing has been said yet, so what the form began with still counts.
  if (error === null) {
    const whole = await drawn(own, nested, lens, row, typed, null)
    return { ...whole, isDeleted, version: opened[0] ?? null, was: was && wasText([...was.values()]) }
  }
  const stored = await drawn({ ...own, input: { ...own.input, body: none } }, nested, lens, row, new Map(), null)
  const textOf = new Map(stored.fields.map((one) => [one.field.key, one.text]))
  for (const name of typed.keys()) if (!touched.includes(name)) typed.delete(name)
  const changed = stored.fields.filter(({ field }) => textOf.get(field.key) !== (was?.get(field.key) ?? typed.get(field.key)))
  const now = (await Promise.all(changed.map(async ({ field, text }) => `${field.label} ${await inWords(field, text, call)}`))).join(', ')
  const isSaid = touched.length > 0 || isDeleted
  const whole = await drawn(own, nested, lens, row, typed, inRow)
  return withOthers({ ...whole, isDeleted }, inRow, isSaid && now !== '' ? [realm.t('nested.staleNow', { now })] : errors)
}

/** What a control holds, in words. */
async function inWords(field: Bound, text: string, call: Call): Promise<string> {
  const [related] = await relatedTo(call, field, [text])
  if (related) return related.label
  const value = text === '' ? null : parseValue(field, field.kind.read(text, field, call.realm))?.value
  return value === null || value === undefined ? call.realm.t('value.empty') : valueWords(field, value, call.realm)
}

/** A row with what is wrong in it that none of its controls says. */
function withOthers(row: FormedRow, error: DaymarkError | null, errors: readonly string[]): FormedRow {
  const named = new Set(row.fields.map(({ field }) => field.key))
  const others = [...(error?.errors ?? [])].flatMap(([name, texts]) => (named.has(name) ? [] : texts))
  return { ...row, errors: [...errors, ...others] }
}

/** What is wrong in a row, by its fields. */
function errorIn(error: DaymarkError | null, at: string): DaymarkError | null {
  if (!error) return null
  const within = [...error.errors].flatMap(([name, texts]) =>
    name.startsWith(`${at}.`) ? [[name.slice(at.length + 1), texts] as const] : [],
  )
  return new DaymarkError(error.code, error.message, { errors: within })
}

async function drawn(
  own: Call,
  { fields, names, may, by, parent }: Nested,
  lens: Lens,
  row: Row | null,
  typed: ReadonlyMap<string, string>,
  error: DaymarkError | null,
): Promise<FormedRow> {
  const { identity, resource, input } = own
  const creating = input.key === null
  const record = row && !creating ? rowObject(lens.columns, row) : null
  const seen = record && row ? visibleLens(own, lens, row) : lens
  const isAllowed = record ? may.update && mayRecord(identity, resource, 'update', record) : may.create
  const inForm = currentValues(own, lens, row, typed)
  const texts = typedInTexts(own, typed)
  const inRow: TypedValues = (field) => (field === by && creating ? { value: parent ?? undefined } : texts(field))
  // A new one will belong to the record of the form.
  const now: CurrentValue = (other) => (other === by && creating ? parent : inForm(other))
  const controls: FormField[] = []
  for (const field of fields) {
    const access = isAllowed ? fieldAccess(own, lens, field, creating ? null : row) : { writable: false, closed: null }
    const { writable } = access
    const isShown = writable || !creating || field.readOnly || fillerOf(field, resource.fields) !== undefined
    if (!seen.readable.has(field.key) || !isShown) continue
    const text = writable ? typed.get(field.key) : undefined
    // What the user does not write, a new one does not have yet.
    const of = creating && !writable ? null : row
    controls.push(await formControl(own, lens, field, { row: of, typed: text, now, access, error, relatedOf: async () => [] }))
  }
  const stored = new Map(controls.map((one) => [one.field.key, one.stored ?? '']))
  return {
    key: record && input.key,
    label: record && row && labelOf(seen, row),
    version: record && row && versionOf(seen, row),
    was: record && wasText(fields.map(({ key }) => stored.get(key) ?? '')),
    isDeleted: false,
    isSpare: false,
    mayDelete: record === null || (may.delete && mayRecord(identity, resource, 'delete', record)),
    fields: controls,
    names,
    computed: row || typed.size > 0 ? previewComputed(own, seen, names, row, inRow) : emptyComputed(seen, names),
    errors: [],
  }
}

/** The rows with the related records that their controls name, which are read at once for all of them. */
async function withRelated(call: Call, fields: readonly Bound[], rows: readonly FormedRow[]): Promise<readonly FormedRow[]> {
  const found = new Map<string, readonly Choice[]>()
  for (const field of fields) {
    const texts = rows.flatMap((row) => row.fields.flatMap((one) => (one.field === field ? [one.text, one.stored ?? ''] : [])))
    const related = await relatedTo(call, field, [...new Set(texts)])
    if (related.length > 0) found.set(field.key, related)
  }
  if (found.size === 0) return rows
  return rows.map((row) => ({ ...row, fields: row.fields.map((one) => ({ ...one, related: found.get(one.field.key) ?? [] })) }))
}
