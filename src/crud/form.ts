import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { DaymarkError } from '../base/errors.js'
import { parseValue } from '../field/check.js'
import type { Bound } from '../field/field.js'
import { type KeyValue, parseKey } from '../field/key.js'
import { lineFeeds } from '../field/line-feeds.js'
import type { Resource } from '../resource/resource.js'
import type { Row } from '../store/store.js'
import { allow, allowRow, may, mayRecord, scopeOf } from './allow.js'
import { begunOf, begunWith } from './begun-with.js'
import type { Call, Input, Realm } from './call.js'
import { checkNames } from './check-names.js'
import { initialOf } from './initial.js'
import { findByKey, keyOf, notThere } from './key.js'
import { type Lens, lensOf, rowObject } from './lens.js'
import { choosable, type Now, typedValue } from './narrowed.js'
import { SentBeforeError } from './once.js'
import type { Formed, FormField, Outcome, Restoring } from './outcome.js'
import { panelParameter, panelText } from './panel-text.js'
import { type Choice, keysIn, labelOf, readTarget, relatedChoices } from './related.js'
import { restoreParameter, restoringOf } from './restore.js'
import { scalar } from './scalar.js'
import { choicesOf } from './search.js'
import { seenBy } from './seen.js'
import { formTexts, isWritable } from './sent.js'
import { versionOf } from './version.js'

/**
 * The form page that creates a record (`?duplicate=` copies another one's values, `?value[name]=` prefills a field) or edits one
 * (`?restore=` begins with the values from before a change).
 */
export async function form(call: Call): Promise<Outcome> {
  const { identity, realm, resource, input } = call
  const creating = input.key === null
  allow(realm, identity, resource, creating ? 'create' : 'update')
  if (!creating) {
    if (call.wants.strict) checkNames(input.query, resource.history === false ? [] : [restoreParameter], realm.t)
    const row = await readRow(call, keyOf(call), 'update')
    return draw(call, row, null, await restoringOf(call, recordLens(call), row))
  }
  const duplicate = scalar(input.query, 'duplicate', realm.t)
  if (duplicate === '') return draw(call, null, null)
  const key = parseKey(duplicate, resource.model.key)
  if (key === undefined) throw notThere(call)
  allow(realm, identity, resource, 'view')
  return draw(call, await readRow(call, key, 'view'), null)
}

/** Renders a form again after a refused write or a search, with what the user typed and the errors in place. */
export async function formAgain(call: Call, error: DaymarkError | null): Promise<Outcome> {
  return draw(call, call.input.key === null ? null : await readRow(call, keyOf(call), 'update'), error)
}

/** Whether a form asks to search for a related record, rather than to save. */
export function asksSearch({ input }: Call): boolean {
  return searchedField(input) !== null
}

/**
 * The field to search for a related record: that of the pressed button. If Enter was pressed instead, the field whose query has changed.
 */
export function searchedField({ body }: Input): string | null {
  if (body.from !== 'form') return null
  const button = body.panel.get('_search')?.at(-1)
  if (button) return button
  if (body.panel.has('_save') || body.panel.has('_then')) return null
  for (const [name, [asked = '']] of body.panel) {
    const [, key] = /^_query\[(.+)\]$/.exec(name) ?? []
    if (key !== undefined && asked !== '' && asked !== body.panel.get(`_asked[${key}]`)?.[0]) return key
  }
  return null
}

async function readRow(call: Call, key: KeyValue, ability: 'view' | 'update'): Promise<Row> {
  const { identity, realm, resource, store } = call
  const lens = recordLens(call)
  const row = await findByKey(store, resource.model, key, lens, scopeOf(identity, resource))
  if (!row) throw notThere(call)
  allowRow(realm, identity, resource, ability, lens.columns, row)
  return row
}

const recordLens = ({ identity, resource }: Call): Lens => lensOf(identity, resource, { name: 'record', whole: true })

async function draw(call: Call, row: Row | null, error: DaymarkError | null, restoring: Restoring | null = null): Promise<Formed> {
  const { identity, realm, resource, input } = call
  const creating = input.key === null
  const all = recordLens(call)
  const lens = row && !creating ? seenBy(call, all, row) : all
  const typed = input.body.from === 'form' ? formTexts(input.body, lens) : new Map<string, string>()
  const pageUri = input.params?.get('pageUri') ?? panelText(input, '_page')
  const shown = (call.preset?.fields ?? fieldsOn(resource, pageUri)).flatMap((key) => {
    const field = lens.readable.get(key)
    const writable = field !== undefined && isWritable(call, field, creating)
    return !field || (creating && !writable) ? [] : [{ field, writable }]
  })
  const begun =
    creating && input.body.from === 'none'
      ? begunWith(
          call,
          shown.map(({ field }) => field),
        )
      : null
  const fields: FormField[] = []
  const now = (other: Bound) => {
    const text = isWritable(call, other, creating) ? typed.get(other.key) : undefined
    if (text !== undefined) return typedValue(other, text, realm)
    return (row && !creating ? row[all.at.get(other.key) as number] : initialOf(resource.model, other)) ?? null
  }
  for (const { field, writable } of shown) {
    const text = writable ? typed.get(field.key) : undefined
    const begins = restoring?.values.has(field) ? { value: restoring.values.get(field) } : undefined
    fields.push(
      await control(call, lens, field, row, { begun: begun?.get(field.key), typed: text, restored: begins, now }, writable, error),
    )
  }
  const record = row && !creating ? rowObject(lens.columns, row) : null
  const mayDo = (ability: 'view' | 'delete') =>
    may(realm, identity, resource, ability) && (record === null || mayRecord(identity, resource, ability, record))
  return {
    is: 'form',
    pageUri: resource.morePages.has(pageUri) ? pageUri : null,
    resource,
    key: creating ? null : input.key,
    label: row && !creating ? labelOf(lens, row) : null,
    version: row && !creating ? openedVersion(call, error) || versionOf(lens, row) : null,
    fields,
    error,
    record,
    once: (!(error instanceof SentBeforeError) && panelText(input, '_once')) || randomUUID(),
    restoring,
    back: panelParameter(input, '_back'),
    begun: creating ? begunOf(input).filter(([key]) => shown.some(({ field }) => field.key === key)) : [],
    may: { view: mayDo('view'), delete: mayDo('delete'), create: may(realm, identity, resource, 'create') },
  }
}

/** The fields of a form page. Its URI may come from outside. */
function fieldsOn({ morePages, pages }: Resource, pageUri: string): readonly string[] {
  const more = morePages.get(pageUri)
  return more && 'type' in more && more.type === 'form' ? more.fields : pages.form
}

/** A form that is shown again keeps the version that was opened; a conflict page gets the stored one. */
function openedVersion({ input }: Call, error: DaymarkError | null): string {
  return error?.code === 'stale' ? '' : panelText(input, '_version')
}

async function control(
  call: Call,
  lens: Lens,
  field: Bound,
  row: Row | null,
  {
    begun,
    typed,
    restored,
    now,
  }: {
    readonly begun: string | undefined
    readonly typed: string | undefined
    /** The value from before a change. */
    readonly restored: { readonly value: unknown } | undefined
    /** What another field of the form has now. */
    readonly now: Now
  },
  writable: boolean,
  error: DaymarkError | null,
): Promise<FormField> {
  const { realm, identity, input } = call
  // A file belongs to one record, so a copy of the record begins without it.
  // A new record comes last of those that users put in order, not beside the one that it is a copy of.
  const isPlace = field.key === call.resource.reorderable?.key
  const isCopied = input.key === null && (field.kind.file !== null || isPlace)
  const value = row && !isCopied ? row[lens.at.get(field.key) as number] : undefined
  const stored = begun ?? (value === null || value === undefined ? null : textOf(value, field, realm))
  const usual = row === null && !isPlace ? initialOf(call.resource.model, field) : undefined
  const initial = stored ?? textOf(usual, field, realm)
  const isTyped = typed !== undefined && !field.kind.secret
  const before = restored && textOf(restored.value, field, realm)
  const text = isTyped ? typed : (before ?? initial)
  const opened = input.body.from === 'form' ? input.body.panel.get(`_was[${field.key}]`)?.at(-1) : undefined
  const was = opened === undefined ? undefined : lineFeeds(opened)
  const target = realm.links.get(field)
  const searched = panelText(input, `_query[${field.key}]`)
  const asked = target !== undefined && searchedField(input) === field.key
  return {
    field,
    text,
    stored,
    begins: restored ? restored.value : begun === undefined ? (value ?? (isTyped ? null : usual) ?? null) : null,
    was: was === undefined || error?.code === 'stale' ? (stored ?? '') : was,
    untouched: was !== undefined && typed !== undefined && isSame(field, was, typed, realm),
    errors: error?.errors.get(field.key) ?? [],
    writable,
    related: await relatedTo(call, field, [text, stored ?? '']),
    choices: asked ? await choicesOf(realm, identity, target, searched, choosable(realm, field, target, call.resource.fields, now)) : null,
    searched,
  }
}

/** A stored value as the text of its control; empty for none. */
function textOf(value: unknown, field: Bound, realm: Realm): string {
  return value === null || value === undefined ? '' : field.kind.text(value, field, realm)
}

/** The records that texts of a relation's control name, as far as the caller may see them. */
export async function relatedTo(
  { realm, identity }: Pick<Call, 'realm' | 'identity'>,
  field: Bound,
  texts: readonly string[],
): Promise<readonly Choice[]> {
  const target = realm.links.get(field)
  if (!target || !may(realm, identity, target, 'viewAny')) return []
  const keys = texts.flatMap((text) => (text === '' ? [] : keysIn(field, parseValue(field, field.kind.read(text, field, realm))?.value)))
  if (keys.length === 0) return []
  return relatedChoices(await readTarget(identity, target, [...new Set(keys)], realm.storeOf), [...new Set(keys)], realm.locale)
}

/** Whether two texts of a control mean the same: the boxes of a list may come in any order. */
function isSame(field: Bound, one: string, other: string, realm: Realm): boolean {
  if (one === other || !field.kind.many(field)) return one === other
  return isDeepStrictEqual(field.kind.read(one, field, realm), field.kind.read(other, field, realm))
}
