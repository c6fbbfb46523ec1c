import type { Html } from '../../base/html.js'
import { may } from '../../crud/call/allow.js'
import { isWritable } from '../../crud/call/field-access.js'
import { isPrefillable, prefillParameter } from '../../crud/form/prefill.js'
import { itemParameter } from '../../crud/form/search.js'
import type { Formed, FormField } from '../../crud/outcomes/forms.js'
import { notMatchingText } from '../../crud/relation/choice-condition.js'
import type { Choice } from '../../crud/relation/related-label.js'
import type { PresenterContext } from '../../face/face.js'
import type { Bound } from '../../field/field.js'
import { fillsIn } from '../../resource/relation/filling.js'
import { isSelective, matchesOf } from '../../resource/relation/narrowing.js'
import type { Resource } from '../../resource/resource.js'
import { newTitle } from '../../resource/singular.js'
import { url } from '../../route/url.js'
import { type CreateRelated, relation } from '../components/relation.js'
import { createUrl, ownSearchUrl } from './record-urls.js'

/** The form that a field is in: all its fields, as the caller may see them, and its record, if there is one. */
export type InForm = Pick<Formed, 'fields' | 'key'> & { readonly may: Pick<Formed['may'], 'view'> }

/** Where the controls of a row are: what their ids and names begin with. */
export interface InRow {
  readonly id: string
  readonly name: string
  /** Whether the row is there to be filled in, and may stay as it is. */
  readonly isBlank: boolean
  /** The relation of a new row to the record of the form, and its key; null: the row, or that record, says it. */
  readonly link: { readonly by: Bound; readonly to: string } | null
}

/** Where a relation stands in a form. */
export interface RelationPlace {
  readonly id: string
  readonly name: string
  /** The resource whose field it is; undefined: none, such as of an action. */
  readonly owner: Resource | undefined
  readonly among: InForm
  /** The row that it is in, if the form has several records. */
  readonly row: InRow | undefined
  readonly depends: readonly Depends[]
}

/**
 * The control of a relation, with what searches its records.
 *
 * @param input the control that holds the key
 */
export function relationControl(
  { field: bound, searched, choices }: FormField,
  input: Html,
  chosen: readonly Choice[],
  { id, name, owner, among, row, depends }: RelationPlace,
  at: PresenterContext,
): Html {
  const { realm } = at
  const several = bound.kind.many(bound)
  const own = searchUrl(bound, at, owner)
  const inRow = (field: string) => (row ? `${row.name}.${field}` : field)
  const fields = depends.map(({ field }) => field)
  return relation(
    {
      id,
      name,
      label: bound.label,
      control: input,
      several,
      now: several ? null : (chosen[0]?.label ?? null),
      searched,
      create: createRelated(bound, at, depends),
      matching:
        depends.length === 0
          ? null
          : {
              others: depends.map((one) => ({ ...one, at: inRow(one.ours) })),
              hint: bound.hint,
              wrong: notMatchingText(realm, bound, fields),
            },
      fills: filledBy(bound, owner, among).map(inRow),
      url: withQuery(own ?? '', [
        ...formOf(bound, among),
        ...(row?.link && isMatched(bound, row.link.by) ? [[prefillParameter(row.link.by.key), row.link.to] as const] : []),
        ...depends.map(({ ours, now }) => [prefillParameter(ours), now] as const),
      ]),
      byForm: own === null,
      choices,
      chosen: several ? chosen.map(({ key }) => key) : [],
    },
    realm.t,
  )
}

/**
 * Where scripts search for a relation; null: only the form itself can. That of an action is no field of a resource, so they search the
 * related resource itself.
 */
function searchUrl(bound: Bound, { realm, place, identity }: PresenterContext, owner: Resource | undefined): string | null {
  const target = realm.links.get(bound)
  if (target && owner) return url(place, 'async-search', { resourceUri: owner.uriKey, field: bound.key })
  if (!target || !identity || !may(realm, identity, target, 'viewAny')) return null
  // Not all of its records may be to choose.
  return isSelective(bound) ? null : ownSearchUrl({ realm, place }, target)
}

/** What a relation must match, as far as the form shows it. */
export interface Depends {
  /** The column of the related record, and the name of the other field. */
  readonly theirs: string
  readonly ours: string
  readonly field: Bound
  /** The text of the other field's control. */
  readonly now: string
  /** What is said while that is empty. */
  readonly first: string
}

/** What the choices of a relation depend on. Of several records, each has values of its own. */
export function dependsOn(bound: Bound, { realm, identity }: PresenterContext, { fields }: InForm): readonly Depends[] {
  const target = realm.links.get(bound)
  // Whoever may not list the records finds none, whatever they match.
  if (!target || !identity || !may(realm, identity, target, 'viewAny')) return []
  return matchesOf(bound).flatMap(([theirs, ours]) => {
    const other = fields.find(({ field }) => field.key === ours)
    if (!other) return []
    const now = (other.writable ? other.text : other.stored) ?? ''
    return [{ theirs, ours, field: other.field, now, first: realm.t('field.chooseFirst', { others: other.field.label }) }]
  })
}

/** The fields of the form that a choice fills. */
export function filledBy(bound: Bound, owner: Resource | undefined, { fields }: InForm): readonly string[] {
  const fills = owner ? fillsIn(owner.fields) : []
  return fills.flatMap(({ by, ours }) => (by === bound && fields.some(({ field }) => field === ours) ? [ours.key] : []))
}

/** The record whose form asks: what the form does not show of it narrows the choices, too. */
function formOf(bound: Bound, { key }: InForm): readonly (readonly [string, string])[] {
  return key !== null && isSelective(bound) ? [[itemParameter, key]] : []
}

const isMatched = (bound: Bound, { key }: Bound) => matchesOf(bound).some(([, ours]) => ours === key)

function withQuery(path: string, query: readonly (readonly [string, string])[]): string {
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query.map(([...one]) => one))}`
}

/** Where a record to choose is created. Whoever may not list what is there could not choose it. */
function createRelated(bound: Bound, at: PresenterContext, depends: readonly Depends[]): CreateRelated | null {
  const { realm, identity } = at
  const target = realm.links.get(bound)
  if (!target || !identity || bound.own.createInForm === false || !may(realm, identity, target, 'viewAny')) return null
  const begins = (name: Bound | undefined): name is Bound =>
    name !== undefined && isPrefillable(name) && isWritable({ identity, resource: target }, name, true)
  const same = depends.filter(({ theirs }) => begins(target.fields.get(theirs)))
  const begun = same.flatMap(({ theirs, now }) => (now === '' ? [] : [[theirs, now] as const]))
  const href = createUrl(at, target, begun)
  const name = target.fields.get(target.column.key)
  // What was typed is not one of the columns that a computed label is made of.
  const isTyped = name?.column.type === 'text' && !target.label && begins(name)
  if (href === null) return null
  const label = newTitle(target, realm.t)
  return { label, href, named: isTyped ? prefillParameter(name.key) : null, begins: same.map(({ theirs }) => theirs) }
}
