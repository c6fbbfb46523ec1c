import { type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { may } from '../../crud/call/allow.js'
import type { Realm } from '../../crud/call/call.js'
import { isWritable } from '../../crud/call/field-access.js'
import { isPrefillable, prefillParameter } from '../../crud/form/prefill.js'
import { itemParameter } from '../../crud/form/search.js'
import type { Formed, FormField } from '../../crud/outcomes/forms.js'
import { notMatchingText } from '../../crud/relation/choice-condition.js'
import type { Choice } from '../../crud/relation/related-label.js'
import { keysIn } from '../../crud/relation/relation.js'
import type { PresenterContext } from '../../face/face.js'
import { parseValue } from '../../field/check.js'
import type { Bound, ShowWhen } from '../../field/field.js'
import { type KeyValue, keyText } from '../../field/key.js'
import { nextTexts } from '../../field/next-values.js'
import { textsIn } from '../../field/texts.js'
import { inAddress } from '../../field/zone.js'
import { fillsIn } from '../../resource/relation/filling.js'
import { isSelective, matchesOf } from '../../resource/relation/narrowing.js'
import type { Resource } from '../../resource/resource.js'
import { newTitle } from '../../resource/singular.js'
import { url } from '../../route/url.js'
import { field } from '../components/field.js'
import { type CreateRelated, relation } from '../components/relation.js'
import { assetUrl } from './assets.js'
import { createUrl, fileUrls, ownSearchUrl, recordUrls } from './record-urls.js'
import { cellContext, controlContext } from './view-context.js'

/** The id of a field's control, which its label, errors and the summary refer to. */
export function controlId({ field: { key } }: FormField, prefix = 'field'): string {
  return `${prefix}-${key}`
}

/** The form that a field is in: all its fields, as the caller may see them, and its record, if there is one. */
type InForm = Pick<Formed, 'fields' | 'key'> & { readonly may: Pick<Formed['may'], 'view'> }

/** Where the controls of a row are: what their ids and names begin with. */
export interface InRow {
  readonly id: string
  readonly name: string
  /** Whether the row is there to be filled in, and may stay as it is. */
  readonly isBlank: boolean
  /** The relation of a new row to the record of the form, and its key; null: the row, or that record, says it. */
  readonly link: { readonly by: Bound; readonly to: string } | null
}

/**
 * A form field. One that the record does not let users change is shown with its value, and says why.
 *
 * @param prefix its id begins with it, since a page may have two forms
 * @param row the row that it is in, if the form has several records
 */
export function control(one: FormField, at: PresenterContext, among: InForm, prefix?: string, row?: InRow): Html {
  if (one.closed !== null) return closedControl(one, one.closed, at, controlId(one, row?.id ?? prefix))
  const { realm } = at
  const owner = ownerOf(one.field, at)
  const { field: bound, text, errors } = one
  const id = controlId(one, row?.id ?? prefix)
  const name = row ? `${row.name}.${bound.key}` : bound.key
  const required = bound.required && !row?.isBlank
  const several = bound.kind.many(bound)
  const chosen = chosenIn(one, text, realm)
  const depends = dependsOn(bound, at, among)
  const own = searchUrl(bound, at, owner)
  const search = withQuery(own ?? '', [
    ...formOf(bound, among),
    ...(row?.link && isMatched(bound, row.link.by) ? [[prefillParameter(row.link.by.key), row.link.to] as const] : []),
    ...depends.map(({ ours, now }) => [prefillParameter(ours), now] as const),
  ])
  const fills = filledBy(bound, owner, among)
  const missing = depends.find(({ now }) => now === '')
  const hint = missing?.first ?? bound.hint ?? (depends.length > 0 ? '' : null)
  const input = bound.kind.input(
    text,
    { ...bound, hint, required },
    controlContext(realm, {
      id,
      name,
      error: errors,
      next: nextTexts(bound, one.next, realm),
      ...(several && { chosen: unlinked(chosen) }),
      ...uploads(one, at, owner, among),
      ...previewUrl(bound, at, owner),
    }),
  )
  return field(
    {
      id,
      label: bound.label,
      // Other fields of several values may be left empty.
      required: required && (bound.kind.relation || bound.kind.file !== null || bound.kind.lines || !several),
      hint,
      isHintElsewhere: row !== undefined && depends.length === 0,
      errors,
      control: realm.links.has(bound)
        ? relation(
            {
              id,
              name,
              label: bound.label,
              control: input,
              several,
              now: several ? null : (chosen[0]?.label ?? null),
              searched: one.searched,
              create: createRelated(bound, at, depends),
              matching:
                depends.length > 0
                  ? {
                      others: depends.map((one) => ({ ...one, at: row ? `${row.name}.${one.ours}` : one.ours })),
                      hint: bound.hint,
                      wrong: notMatchingText(
                        realm,
                        bound,
                        depends.map(({ field }) => field),
                      ),
                    }
                  : null,
              fills: fills.map((name) => (row ? `${row.name}.${name}` : name)),
              url: search,
              byForm: own === null,
              choices: one.choices,
              chosen: several ? chosen.map(({ key }) => key) : [],
            },
            realm.t,
          )
        : input,
      // What takes more files or texts has the label of the field; each that is there is named for itself.
      group: (several && bound.kind.file === null && !bound.kind.lines) || bound.kind.rows !== null,
      // Whoever may not see the other field is not told what this one depends on.
      showWhen:
        bound.showWhen && among.fields.some(({ field }) => field.key === bound.showWhen?.field)
          ? asTyped(bound.showWhen, owner, realm)
          : null,
      script: scriptOf(bound, at, { depends: depends.length > 0, fills: fills.length > 0 }),
    },
    realm.t,
  )
}

function closedControl(one: FormField, why: string, at: PresenterContext, id: string): Html {
  const { field: bound, errors, stored } = one
  const hint = errors.includes(why) ? null : why
  // Links in what is wrong lead to it.
  const control = html`<div class="closed" id="${id}" tabindex="-1">${shownText(one, stored, at)}</div>`
  return field({ id, label: bound.label, required: false, hint, errors, control, group: true }, at.realm.t)
}

/** The hint of a field that is the same in every row, so that it is said once; null: there is none, or it differs. */
export function hintOfAll({ field, writable }: FormField, at: PresenterContext, among: InForm): string | null {
  return writable && dependsOn(field, at, among).length === 0 ? field.hint : null
}

/** The scripts of a control. */
function scriptOf(
  { kind }: Bound,
  { place }: PresenterContext,
  { depends, fills }: { readonly depends: boolean; readonly fills: boolean },
): string | null {
  const ofRelation = [depends && assetUrl(place, 'matching.js'), fills && assetUrl(place, 'following.js')].filter(Boolean)
  if (ofRelation.length > 0) return ofRelation.join(' ')
  if (kind.file !== null) return assetUrl(place, 'uploads.js')
  if (kind.rows !== null) return assetUrl(place, 'repeater.js')
  if (kind.lines) return assetUrl(place, 'tags.js')
  return kind.preview ? assetUrl(place, 'markdown.js') : null
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
interface Depends {
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
function dependsOn(bound: Bound, { realm, identity }: PresenterContext, { fields }: InForm): readonly Depends[] {
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
function filledBy(bound: Bound, owner: Resource | undefined, { fields }: InForm): readonly string[] {
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

/** Where a field is shown as it will look. */
function previewUrl({ kind, key }: Bound, { place }: PresenterContext, owner: Resource | undefined) {
  return kind.preview && owner ? { previewUrl: url(place, 'preview', { resourceUri: owner.uriKey, field: key }) } : undefined
}

/** Where a field of files sends one, and where its stored ones are. */
function uploads({ field, stored }: FormField, { place }: PresenterContext, owner: Resource | undefined, { key, may }: InForm) {
  if (!field.kind.file || !owner) return undefined
  const held = key === null || !may.view || stored === null ? [] : field.kind.many(field) ? textsIn(stored) : [stored]
  const urls = key === null ? null : fileUrls(recordUrls(place, owner.uriKey).show(key), field)
  return {
    uploadUrl: url(place, 'upload', { resourceUri: owner.uriKey, field: field.key }),
    fileUrl: (path: string) => (urls && held.includes(path) ? urls(path) : null),
  }
}

/** The values of another control as this panel's forms write them. */
function asTyped({ field, texts }: ShowWhen, owner: Resource | undefined, realm: Realm): ShowWhen {
  const source = owner?.fields.get(field)
  if (!source) return { field, texts }
  const plainly = inAddress(realm)
  const typed = (text: string) => {
    const value = parseValue(source, source.kind.read(text, source, plainly))?.value
    const isWritten = value !== undefined && value !== null && source.kind.text(value, source, plainly) === text
    return isWritten ? source.kind.text(value, source, realm) : text
  }
  return { field, texts: texts.map(typed) }
}

function ownerOf(field: Bound, { realm }: PresenterContext): Resource | undefined {
  return [...realm.resources.values()].find(({ fields, trashOf }) => trashOf === null && fields.get(field.key) === field)
}

/** Away from its field, an error names it. */
export function withLabel(text: string, label: string, t: Translate): string {
  return text.toLowerCase().includes(label.toLowerCase()) ? text : t('record.about', { title: label, text })
}

/** A control's text, shown as the value it stands for. */
export function shownText(one: FormField, text: string | null, { realm }: PresenterContext): Html {
  const { field: bound } = one
  if (text === null || text === '') return html`<span class="none">&mdash;</span>`
  const parsed = parseValue(bound, bound.kind.read(text, bound, realm))
  if (!parsed || parsed.value === null) return html`${text}`
  const chosen = unlinked(chosenIn(one, text, realm))
  const several = bound.kind.many(bound)
  return bound.kind.cell(parsed.value, bound, {
    ...cellContext(realm, bound, several ? null : (chosen[0] ?? null)),
    ...(several && { chosen }),
  })
}

/** The related records that a control's text names. */
function chosenIn({ field, related }: FormField, text: string, realm: Realm): readonly Choice[] {
  if (related.length === 0 || text === '') return []
  const keys = new Set(keysIn(field, parseValue(field, field.kind.read(text, field, realm))?.value).map((key) => keyText(key as KeyValue)))
  return related.filter(({ key }) => keys.has(key))
}

const unlinked = (choices: readonly Choice[]) => choices.map((one) => ({ ...one, href: null }))
