import type { Identity } from '../../auth/identity.js'
import { parseValue } from '../../field/check.js'
import type { Bound } from '../../field/field.js'
import { both, type Condition, never } from '../../resource/condition/condition.js'
import { isOfType } from '../../resource/model/value.js'
import { fixedChoices, matchesOf } from '../../resource/relation/narrowing.js'
import type { Resource } from '../../resource/resource.js'
import type { Realm } from '../call/call.js'
import { meets } from '../call/lens.js'

/** The stored value of another field, as it will be; undefined: it is not known, so that it narrows nothing. */
export type CurrentValue = (other: Bound) => unknown

/** What the text of a form's control stands for, stored; null: nothing, or nothing that can be read. */
export function typedValue(field: Bound, text: string, realm: Realm): unknown {
  return (text === '' ? null : parseValue(field, field.kind.read(text, field, realm))?.value) ?? null
}

/** The records that a relation lets users choose, besides what they may see. */
export function choiceCondition(
  realm: Realm,
  field: Bound,
  target: Resource,
  among: ReadonlyMap<string, Bound>,
  now: CurrentValue,
): Condition {
  return both(fixedChoices(field, target, realm.timeZone), matchCondition(field, target, among, now))
}

/** The related records that match the other fields: none while one of those is empty. */
export function matchCondition(field: Bound, target: Resource, among: ReadonlyMap<string, Bound>, now: CurrentValue): Condition {
  const all = matchesOf(field).flatMap(([theirs, ours]): readonly Condition[] => {
    const [column, other] = [target.model.columns.get(theirs), among.get(ours)]
    const value = other && now(other)
    if (!column || value === undefined) return []
    // SQLite may hold what is no value of its column.
    return value === null || !isOfType(column, value) ? [never] : [{ op: 'eq', column: theirs, value }]
  })
  return all.length === 1 ? (all[0] as Condition) : { op: 'and', all }
}

/**
 * What is wrong with a record that doesn't match. A field that the caller may not see is not named.
 *
 * @param now as above, for what is first to be chosen
 */
export function notMatching(
  { t, locale }: Pick<Realm, 't' | 'locale'>,
  identity: Identity,
  field: Bound,
  among: ReadonlyMap<string, Bound>,
  now: CurrentValue,
): string {
  const others = matchesOf(field).flatMap(([, ours]) => among.get(ours) ?? [])
  const named = others.filter((other) => meets(other.visible, identity))
  const empty = named.filter((other) => now(other) === null)
  if (named.length === 0) return t('field.noRelated', { label: field.label })
  if (empty.length > 0) return t('field.chooseFirst', { others: listed(empty, locale) })
  return notMatchingText({ t, locale }, field, named)
}

/** What is wrong with a record that doesn't match these other fields. */
export function notMatchingText({ t, locale }: Pick<Realm, 't' | 'locale'>, field: Bound, others: readonly Bound[]): string {
  return t(field.kind.many(field) ? 'field.notAllMatching' : 'field.notMatching', { label: field.label, others: listed(others, locale) })
}

/** The labels of fields in one text. */
function listed(fields: readonly Bound[], locale: string): string {
  return new Intl.ListFormat(locale).format(fields.map(({ label }) => label))
}
