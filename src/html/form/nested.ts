import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { isControlled } from '../../crud/form/control.js'
import type { Formed, FormedNested, FormedRow, FormField } from '../../crud/outcomes/forms.js'
import type { PresenterContext } from '../../face/face.js'
import { fillerOf } from '../../resource/relation/filling.js'
import { newText, rowTitle } from '../../resource/singular.js'
import { fieldError } from '../components/field.js'
import { output } from '../components/output.js'
import { assetUrl } from '../frame/assets.js'
import { control, controlId, hintOfAll, shownText, withLabel } from '../frame/form-control.js'
import { computedOutput, inOrder } from '../frame/form-output.js'
import { recordUrls } from '../frame/record-urls.js'
import type { InRow } from '../frame/relation-control.js'

// Rows that are there to be filled in where no script can add one.
const blankRows = 2

/** Related records in the form of the record that they belong to: a row each, and the means to add and delete some. */
export function nestedSection(nested: FormedNested, formed: Formed, at: PresenterContext): Html {
  const { name, title, rows, fresh, most, isElsewhere, errors } = nested
  const { t } = at.realm
  const id = `nested-${name}`
  const blanks = fresh ? Math.min(blankRows, Math.max(0, most - rows.length)) : 0
  const body = [
    ...rows.map((row, i) => rowOf(nested, row, i, 'row', formed, at)),
    ...Array.from({ length: blanks }, (_, i) => rowOf(nested, fresh as FormedRow, rows.length + i, 'blank', formed, at)),
  ]
  const list = formed.key === null ? null : `${recordUrls(at.place, formed.resource.uriKey).show(formed.key)}#${name}`
  const add =
    fresh &&
    block`
      <template>${rowOf(nested, fresh, '{row}', 'row', formed, at)}</template>
      <button type="button" class="button scripted" data-adds${rows.length >= most && html` disabled`}>${addText(nested, t)}</button>
    `
  return block`
    <section class="card section nested" id="${id}" aria-label="${title}" data-script="${assetUrl(at.place, 'repeater.js')}">
      <h2>${title}</h2>
      ${errors.length > 0 && fieldError(id, errors)}
      ${isElsewhere && html`<p class="about">${t('nested.elsewhere')}${list !== null && html`: <a href="${list}">${title}</a>`}</p>`}
      ${hintsOf(nested, at)}
      <div class="repeater" data-most="${most}"><div class="repeater-rows">${body}</div>${add}</div>
    </section>
  `
}

/** The hints of the fields, once for all rows. */
function hintsOf({ rows, fresh }: FormedNested, at: PresenterContext): Html | null {
  const fields = (fresh ?? rows[0])?.fields ?? []
  const hints = fields.flatMap((one) => {
    const hint = hintOfAll(one, at, { fields, key: null, may: { view: true } })
    return hint === null ? [] : [html`<div><dt>${one.field.label}</dt><dd>${hint}</dd></div>`]
  })
  return hints.length > 0 ? html`<dl class="hints">${hints}</dl>` : null
}

const rowName = ({ title, resource: { singular } }: FormedNested, row: number | '{row}', { realm: { t } }: PresenterContext) =>
  rowTitle({ title, singular }, row, t)

/** What the button that adds a row says. */
const addText = ({ resource }: FormedNested, t: Translate) => (resource.singular === null ? t('repeater.add') : newText(resource, t))

/** Where the controls of a row are, for `control`. */
const placeOf = (name: string, index: number | '{row}', isBlank = false, link: InRow['link'] = null): InRow => ({
  id: `${name}-${index}`,
  name: `${name}.${index}`,
  isBlank,
  link,
})

/** @param index its number from 0; `{row}`: it is the one that a script copies */
function rowOf(
  nested: FormedNested,
  row: FormedRow,
  index: number | '{row}',
  is: 'row' | 'blank',
  { key: of }: Formed,
  at: PresenterContext,
): Html {
  const place = placeOf(nested.name, index, is === 'blank', row.key === null && of !== null ? { by: nested.by, to: of } : null)
  const hidden = (name: string, value: string) => html`<input type="hidden" name="${place.name}.${name}" value="${value}">`
  const said = [
    row.key !== null && hidden('_key', row.key),
    row.version !== null && hidden('_version', row.version),
    row.was !== null && hidden('_was', row.was),
    (is === 'blank' || row.isSpare) && hidden('_blank', '1'),
  ]
  const among = { fields: row.fields, key: row.key, may: { view: true } }
  const fields = inOrder(
    row,
    row.names,
    (one) =>
      isControlled(one)
        ? control(one, at, among, undefined, place)
        : fillerOf(one.field, nested.resource.fields)
          ? filled(one, at, place)
          : shown(one, at),
    (one) => computedOutput(one, row, at, undefined, place),
  )
  const label = rowName(nested, index === '{row}' ? index : index + 1, at)
  const errors = row.errors.length > 0 && fieldError(place.id, row.errors)
  return block`
    <div class="repeater-row${is === 'blank' && html` unscripted`}" role="group" aria-label="${label}" id="${place.id}">
      ${said}
      <div class="fields">${fields}</div>
      ${tools(row, place, is, at)}${errors}
    </div>
  `
}

function tools(row: FormedRow, place: InRow, is: 'row' | 'blank', { realm: { t } }: PresenterContext): Html | null {
  if (row.key === null) {
    if (is === 'blank') return null
    const remove = t('repeater.remove')
    return block`
      <div class="tools scripted"><button type="button" data-does="remove" aria-label="${remove}" title="${remove}">×</button></div>
      <label class="deletes unscripted"><input type="checkbox" name="${place.name}._delete" value="1">${remove}</label>
    `
  }
  if (!row.mayDelete) return null
  const named = html`<span class="unseen"> ${row.label}</span>`
  return block`
    <label class="deletes">
      <input type="checkbox" name="${place.name}._delete" value="1"${row.isDeleted && html` checked`}>
      ${t('nested.delete')}${named}
    </label>
  `
}

/** What nobody types, since a relation fills it. */
function filled(one: FormField, at: PresenterContext, place: InRow): Html {
  const { key, label, kind } = one.field
  return output({
    id: controlId(one, place.id),
    name: `${place.name}.${key}`,
    label,
    shown: one.stored === null || one.stored === '' ? null : shownText(one, one.stored, at),
    isNumber: kind.align === 'end',
    of: [],
    isLive: false,
    script: null,
  })
}

function shown(one: FormField, at: PresenterContext): Html {
  return block`
    <div class="field"><span class="label">${one.field.label}</span><div class="control">${shownText(one, one.stored, at)}</div></div>
  `
}

/** What is wrong in the rows, with links to it. */
export function nestedErrors(
  { nested }: Formed,
  at: PresenterContext,
): readonly { readonly text: string; readonly href: string; readonly about: string }[] {
  return nested.flatMap((list) => {
    const { name, title, rows, errors } = list
    return [
      ...errors.map((text) => ({ text, href: `#nested-${name}`, about: title })),
      ...rows.flatMap((row, i) => {
        const place = placeOf(name, i)
        const about = rowName(list, i + 1, at)
        return [
          ...row.errors.map((text) => ({ text, href: `#${place.id}`, about })),
          ...row.fields.flatMap((one) =>
            one.errors.map((text) => ({ text: withLabel(text, one.field.label, at.realm.t), href: `#${controlId(one, place.id)}`, about })),
          ),
        ]
      }),
    ]
  })
}
