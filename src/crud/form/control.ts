import { isDeepStrictEqual } from 'node:util'
import type { DaymarkError } from '../../base/errors.js'
import { parseValue } from '../../field/check.js'
import type { Bound } from '../../field/field.js'
import { legible } from '../../field/illegible.js'
import { lineFeeds } from '../../field/line-feeds.js'
import { nextValues } from '../../field/next-values.js'
import type { Row } from '../../store/store.js'
import { formInitialValue } from '../body/initial-values.js'
import { may } from '../call/allow.js'
import type { Call, Realm } from '../call/call.js'
import { fieldAccess } from '../call/field-access.js'
import type { Input } from '../call/input.js'
import type { Lens } from '../call/lens.js'
import { panelText } from '../input/panel-text.js'
import type { FormField } from '../outcomes/forms.js'
import { searchChoices } from '../query/search-choices.js'
import { type CurrentValue, choiceCondition, typedValue } from '../relation/choice-condition.js'
import { readTarget } from '../relation/related.js'
import { type Choice, relatedChoices } from '../relation/related-label.js'
import { keysIn } from '../relation/relation.js'
import { withTrashed } from '../relation/trashed.js'

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

/** Whether a form has a field among its controls, if only to say that it is closed. */
export const isControlled = ({ writable, closed }: Pick<FormField, 'writable' | 'closed'>): boolean => writable || closed !== null

/** What the fields of a form have now: what is typed there, or else what is stored, or what they begin with. */
export function currentValues(call: Call, lens: Lens, row: Row | null, typed: ReadonlyMap<string, string>): CurrentValue {
  const stored = call.input.key === null ? null : row
  return (other) => {
    const text = fieldAccess(call, lens, other, stored).writable ? typed.get(other.key) : undefined
    if (text !== undefined) return typedValue(other, text, call.realm)
    return (stored ? stored[lens.at.get(other.key) as number] : formInitialValue(call.resource.model, other, call.identity.roles)) ?? null
  }
}

/** What one control of a form holds. */
interface Held {
  /** The record; null: there is none yet. */
  readonly row: Row | null
  /** The text that it begins with, if the address names one. */
  readonly begun?: string | undefined
  readonly typed: string | undefined
  /** The value from before a change. */
  readonly restored?: { readonly value: unknown } | undefined
  /** What another field of the form has now. */
  readonly now: CurrentValue
  readonly access: ReturnType<typeof fieldAccess>
  /** Why the form was refused. */
  readonly error: DaymarkError | null
  /** Reads the related records that its texts name. */
  readonly relatedOf?: typeof relatedTo
}

/** One control of a form. */
export async function formControl(
  call: Call,
  lens: Lens,
  field: Bound,
  { row, begun, typed, restored, now, access, error, relatedOf = relatedTo }: Held,
): Promise<FormField> {
  const { realm, identity, input } = call
  // A file belongs to one record, so a copy of the record begins without it.
  // A new record comes last of those that users put in order, not beside the one that it is a copy of.
  const isPlace = field.key === call.resource.reorderable?.key
  const isOwn = input.key === null && (field.kind.file !== null || isPlace)
  const found = row && !isOwn ? row[lens.at.get(field.key) as number] : undefined
  // A copy begins where a new record may, wherever the other one has come to.
  const isElsewhere =
    input.key === null && found !== undefined && nextValues(field, null, identity.roles)?.includes(legible(found)) === false
  const value = isElsewhere ? undefined : found
  const stored = begun ?? (value === null || value === undefined ? null : textOf(value, field, realm))
  const usual = (row === null || isElsewhere) && !isPlace ? formInitialValue(call.resource.model, field, identity.roles) : undefined
  const initial = stored ?? textOf(usual, field, realm)
  const isTyped = access.writable && typed !== undefined && !field.kind.secret
  const before = restored && textOf(restored.value, field, realm)
  const text = isTyped ? typed : (before ?? initial)
  const opened = input.body.from === 'form' ? input.body.panel.get(`_was[${field.key}]`)?.at(-1) : undefined
  const was = opened === undefined ? undefined : lineFeeds(opened)
  // It was open when the user began to type.
  const isLost = access.closed !== null && typed !== undefined && lineFeeds(typed) !== lineFeeds(stored ?? '')
  const target = realm.links.get(field)
  const searched = panelText(input, `_query[${field.key}]`)
  const asked = target !== undefined && searchedField(input) === field.key
  return {
    field,
    text,
    stored,
    begins: restored ? restored.value : begun === undefined ? (value ?? (isTyped ? null : usual) ?? null) : null,
    next: nextValues(field, input.key === null ? null : value, identity.roles),
    was: was === undefined || error?.code === 'stale' ? (stored ?? '') : was,
    untouched: was !== undefined && typed !== undefined && isSame(field, was, typed, realm),
    errors: error?.errors.get(field.key) ?? (isLost ? [access.closed as string] : []),
    ...access,
    related: await relatedOf(call, field, [text, stored ?? '']),
    choices: asked
      ? await searchChoices(realm, identity, target, searched, choiceCondition(realm, field, target, call.resource.fields, now))
      : null,
    searched,
  }
}

/** A stored value as the text of its control; empty for none. */
function textOf(value: unknown, field: Bound, realm: Realm): string {
  return value === null || value === undefined ? '' : field.kind.text(value, field, realm)
}

/** The records that texts of a relation's control name, as far as the caller may see them. */
export async function relatedTo(
  caller: Pick<Call, 'realm' | 'identity'>,
  field: Bound,
  texts: readonly string[],
): Promise<readonly Choice[]> {
  const { realm, identity } = caller
  const target = realm.links.get(field)
  if (!target || !may(realm, identity, target, 'viewAny')) return []
  const keys = texts.flatMap((text) => (text === '' ? [] : keysIn(field, parseValue(field, field.kind.read(text, field, realm))?.value)))
  if (keys.length === 0) return []
  const once = [...new Set(keys)]
  const related = await withTrashed(caller, target, await readTarget(identity, target, once, realm.storeOf), once)
  return relatedChoices(related, once, realm.locale, realm.t)
}

/** Whether two texts of a control mean the same: the boxes of a list may come in any order. */
function isSame(field: Bound, one: string, other: string, realm: Realm): boolean {
  if (one === other || !field.kind.many(field)) return one === other
  return isDeepStrictEqual(field.kind.read(one, field, realm), field.kind.read(other, field, realm))
}
