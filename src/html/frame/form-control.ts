import { type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import type { Realm } from '../../crud/call/call.js'
import type { FormField } from '../../crud/outcomes/forms.js'
import type { Choice } from '../../crud/relation/related-label.js'
import { keysIn } from '../../crud/relation/relation.js'
import type { PresenterContext } from '../../face/face.js'
import { parseValue } from '../../field/check.js'
import type { Bound, ShowWhen } from '../../field/field.js'
import { type KeyValue, keyText } from '../../field/key.js'
import { nextTexts } from '../../field/next-values.js'
import { textsIn } from '../../field/texts.js'
import { inAddress } from '../../field/zone.js'
import type { Resource } from '../../resource/resource.js'
import { url } from '../../route/url.js'
import { field } from '../components/field.js'
import { assetUrl } from './assets.js'
import { fileUrls, recordUrls } from './record-urls.js'
import { dependsOn, filledBy, type InForm, type InRow, relationControl } from './relation-control.js'
import { cellContext, controlContext } from './view-context.js'

/** The id of a field's control, which its label, errors and the summary refer to. */
export function controlId({ field: { key } }: FormField, prefix = 'field'): string {
  return `${prefix}-${key}`
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
      control: realm.links.has(bound) ? relationControl(one, input, chosen, { id, name, owner, among, row, depends }, at) : input,
      // What takes more files or texts has the label of the field; each that is there is named for itself.
      group: (several && bound.kind.file === null && !bound.kind.lines) || bound.kind.rows !== null,
      // Whoever may not see the other field is not told what this one depends on.
      showWhen:
        bound.showWhen && among.fields.some(({ field }) => field.key === bound.showWhen?.field)
          ? asTyped(bound.showWhen, owner, realm)
          : null,
      script: scriptOf(bound, at, { depends: depends.length > 0, fills: filledBy(bound, owner, among).length > 0 }),
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
