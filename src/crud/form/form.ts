import { randomUUID } from 'node:crypto'
import type { DaymarkError } from '../../base/errors.js'
import type { Bound } from '../../field/field.js'
import { type KeyValue, parseKey } from '../../field/key.js'
import type { Resource } from '../../resource/resource.js'
import type { Row } from '../../store/store.js'
import { formTexts } from '../body/validated-body.js'
import { allow, allowRow, may, mayRecord, scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { fieldAccess } from '../call/field-access.js'
import { type Lens, lensOf, rowObject } from '../call/lens.js'
import { visibleLens } from '../call/visible-lens.js'
import { versionOf } from '../commit/version.js'
import { restoreParameter, restoringOf } from '../history/restore.js'
import { checkParameters } from '../input/check-parameters.js'
import { findByKey, keyOf, notFoundError } from '../input/key.js'
import { panelParameter, panelText } from '../input/panel-text.js'
import { scalar } from '../input/scalar.js'
import type { Formed, FormField, Restoring } from '../outcomes/forms.js'
import type { Outcome } from '../outcomes/outcome.js'
import { UsedKeyError } from '../realm/idempotency.js'
import { labelOf } from '../relation/label.js'
import { emptyComputed, previewComputed, type TypedValues, typedInTexts } from './computed-preview.js'
import { currentValues, formControl, searchedField } from './control.js'
import { formedNested } from './nested-form.js'
import { splitNested } from './nested-input.js'
import { prefillOf, prefillTexts } from './prefill.js'

/**
 * The form page that creates a record (`?duplicate=` copies another one's values, `?value[name]=` prefills a field) or edits one
 * (`?restore=` begins with the values from before a change).
 */
export async function form(call: Call): Promise<Outcome> {
  const { identity, realm, resource, input } = call
  const creating = input.key === null
  allow(realm, identity, resource, creating ? 'create' : 'update')
  if (!creating) {
    if (call.wants.strict) checkParameters(input.query, resource.history === false ? [] : [restoreParameter], realm.t)
    const row = await readRow(call, keyOf(call), 'update')
    return draw(call, row, null, await restoringOf(call, recordLens(call), row))
  }
  const duplicate = scalar(input.query, 'duplicate', realm.t)
  if (duplicate === '') return draw(call, null, null)
  const key = parseKey(duplicate, resource.model.key)
  if (key === undefined) throw notFoundError(call)
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

async function readRow(call: Call, key: KeyValue, ability: 'view' | 'update'): Promise<Row> {
  const { identity, realm, resource, store } = call
  const lens = recordLens(call)
  const row = await findByKey(store, resource.model, key, lens, scopeOf(identity, resource))
  if (!row) throw notFoundError(call)
  allowRow(realm, identity, resource, ability, lens.columns, row)
  return row
}

const recordLens = ({ identity, resource }: Call): Lens => lensOf(identity, resource, { name: 'record', whole: true })

async function draw(whole: Call, row: Row | null, error: DaymarkError | null, restoring: Restoring | null = null): Promise<Formed> {
  const { own: call, sent } = splitNested(whole)
  const { identity, realm, resource, input } = call
  const creating = input.key === null
  const all = recordLens(call)
  const lens = row && !creating ? visibleLens(call, all, row) : all
  const typed = input.body.from === 'form' ? formTexts(input.body, lens) : new Map<string, string>()
  const pageUri = input.params?.get('pageUri') ?? panelText(input, '_page')
  const names = call.preset?.fields ?? fieldsOn(resource, pageUri)
  const shown = shownFields(call, names, lens, all, row)
  const isNew = creating && input.body.from === 'none'
  const of = shown.map(({ field }) => field)
  const begun = isNew ? prefillTexts(call, of) : null
  const fields: FormField[] = []
  const now = currentValues(call, all, row, typed)
  for (const { field, access } of shown) {
    const text = access.writable || access.closed !== null ? typed.get(field.key) : undefined
    const begins = restoring?.values.has(field) ? { value: restoring.values.get(field) } : undefined
    const from = { row, begun: begun?.get(field.key), typed: text, restored: begins, now, access, error }
    fields.push(await formControl(call, lens, field, from))
  }
  const record = row && !creating ? rowObject(lens.columns, row) : null
  const said = begun && begun.size > 0 ? begun : typed
  const texts = typedInTexts(call, said)
  const restored: TypedValues = (field) => (restoring?.values.has(field) ? { value: restoring.values.get(field) ?? null } : null)
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
    names,
    computed:
      row || said.size > 0
        ? previewComputed(call, lens, names, row, (field) => restored(field) ?? texts(field))
        : emptyComputed(lens, names),
    error,
    record,
    once: (!(error instanceof UsedKeyError) && panelText(input, '_once')) || randomUUID(),
    restoring,
    nested: call.preset || resource.morePages.has(pageUri) ? [] : await formedNested(call, row && all.key(row), sent, error),
    back: panelParameter(input, '_back'),
    begun: creating ? prefillOf(input).filter(([key]) => of.some((field) => field.key === key)) : [],
    may: { view: mayDo('view'), delete: mayDo('delete'), create: may(realm, identity, resource, 'create') },
  }
}

interface ShownField {
  readonly field: Bound
  readonly access: ReturnType<typeof fieldAccess>
}

/** The fields of these that a form has: those that the caller may see, and of a new record may write. */
function shownFields(call: Call, names: readonly string[], lens: Lens, all: Lens, row: Row | null): readonly ShownField[] {
  const creating = call.input.key === null
  return names.flatMap((key) => {
    const field = lens.readable.get(key)
    const access = field && fieldAccess(call, all, field, creating ? null : row)
    return !field || !access || (creating && !access.writable) ? [] : [{ field, access }]
  })
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
