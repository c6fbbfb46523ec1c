import * as z from 'zod'
import { jsEvent, withRowId } from '../../base/event.js'
import { type Html, html } from '../../base/html.js'
import type { Bound, InPlace, ViewContext } from '../field.js'
import { controlAttributes, defineKind } from '../kind.js'

/**
 * On or off, over boolean columns. A form sends a hidden 0 before the checkbox, so "off" is sent as a value. A nullable column offers three
 * answers: yes, no and none.
 */
export const switcher = defineKind<
  boolean,
  {
    /** Shows a switch in lists that saves at once, then fires its events. */
    updateOnPreview(): { updateOnPreview: true }
    /** Client events to fire after a save in a list, in order, each once. `{row-id}` is the record's key. Further calls add events. */
    event(...names: string[]): { events: readonly string[] }
    /** Updates the record's row in the table of this name after a save in a list. */
    updateRow(table: string): { updateRow: string }
  },
  'eq' | 'null'
>({
  name: 'switcher',
  columns: ['boolean'],
  operators: ['eq', 'null'],
  align: 'center',
  own: {
    updateOnPreview: () => ({ updateOnPreview: true }),
    event: (...events) => ({ events: Object.freeze(events) }),
    updateRow: (updateRow) => ({ updateRow }),
  },
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
      : html`<input type="hidden" name="${ctx.name}" value="0"><input type="checkbox" role="switch" value="1"${typed === '1' && html` checked`}${controlAttributes({ ...field, required: false }, ctx)}>`,
  filter: (typed, field, ctx) => choice(typed, field, ctx, ctx.t('list.any')),
})

interface Saves {
  readonly events?: readonly string[]
  readonly updateRow?: string
}

/** A switch that saves at once. It is a form of its own, so that it works without script, too. */
function live(on: boolean, { key, label, own }: Bound<Saves>, { action, hidden, record, key: row, instead }: InPlace): Html {
  const state = html`role="switch" aria-checked="${on ? 'true' : 'false'}" aria-label="${label}: ${record}"`
  if (instead !== null) return html`<a class="live" href="${instead}" ${state}></a>`
  const events = [
    ...(own.events ?? []),
    ...(own.updateRow === undefined ? [] : [jsEvent('TABLE_ROW_UPDATED', `${own.updateRow}-{row-id}`)]),
  ]
  const named = JSON.stringify([...new Set(events.map((event) => withRowId(event, row)))])
  return html`<form class="live" method="post" action="${action}"${events.length > 0 && html` data-events="${named}"`}>${hidden}<input type="hidden" name="field" value="${key}"><input type="hidden" name="was" value="${on ? '1' : '0'}"><button ${state} name="value" value="${on ? '0' : '1'}"></button></form>`
}

/** A select with yes, no and empty: a checkbox has no third state. */
function choice(typed: string, field: Bound, ctx: ViewContext, neither = ''): Html {
  return html`<select${controlAttributes({ ...field, required: false }, ctx)}><option value="">${neither}</option><option value="1"${typed === '1' && html` selected`}>${ctx.t('value.yes')}</option><option value="0"${typed === '0' && html` selected`}>${ctx.t('value.no')}</option></select>`
}
