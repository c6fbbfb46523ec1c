import * as z from 'zod'
import { block, type Html, html } from '../../base/html.js'
import type { Bound, InPlace, ViewContext } from '../field.js'
import { liveForm, type SavesInPlace, savesInPlace } from '../in-place.js'
import { controlAttributes, defineKind } from '../kind.js'

/**
 * On or off, over boolean columns. A form sends a hidden 0 before the checkbox, so "off" is sent as a value. A nullable column offers three
 * answers: yes, no and none.
 */
export const switcher = defineKind<boolean, SavesInPlace, 'eq' | 'null'>({
  name: 'switcher',
  columns: ['boolean'],
  operators: ['eq', 'null'],
  align: 'center',
  own: savesInPlace,
  adds: ['events'],
  schema: () => z.boolean(),
  read: (typed) => (typed === '1' || typed === 'true' ? true : typed === '0' || typed === 'false' ? false : typed),
  text: (on) => (on ? '1' : '0'),
  cell: (on, field, ctx) =>
    ctx.save
      ? live(on, field, ctx.save)
      : ctx.inWords
        ? html`${ctx.t(on ? 'value.yes' : 'value.no')}`
        : on
          ? html`<span class="tick" role="img" aria-label="${ctx.t('value.yes')}">&#10003;</span>`
          : // A word, since a dash stands for null.
            html`<span class="no">${ctx.t('value.no')}</span>`,
  input: (typed, field, ctx) =>
    field.nullable
      ? choice(typed, field, ctx)
      : block`
        <input type="hidden" name="${ctx.name}" value="0">
        <input
          type="checkbox"
          role="switch"
          value="1"
          ${typed === '1' && html` checked`}
          ${controlAttributes({ ...field, required: false }, ctx)}
        >
      `,
  filter: (typed, field, ctx) => choice(typed, field, ctx, ctx.t('list.any')),
})

/** A switch that saves at once. It is a form of its own, so that it works without script, too. */
function live(on: boolean, field: Bound<never> | Bound, save: InPlace): Html {
  const state = html`role="switch" aria-checked="${on ? 'true' : 'false'}" aria-label="${field.label}: ${save.record}"`
  if (save.instead !== null) return html`<a class="live" href="${save.instead}" ${state}></a>`
  return liveForm(field as Bound, save, on ? '1' : '0', html`<button ${state} name="value" value="${on ? '0' : '1'}"></button>`)
}

/** A select with yes, no and empty: a checkbox has no third state. */
function choice(typed: string, field: Bound, ctx: ViewContext, neither = ''): Html {
  return block`
    <select${controlAttributes({ ...field, required: false }, ctx)}>
      <option value="">${neither}</option>
      <option value="1"${typed === '1' && html` selected`}>${ctx.t('value.yes')}</option>
      <option value="0"${typed === '0' && html` selected`}>${ctx.t('value.no')}</option>
    </select>
  `
}
