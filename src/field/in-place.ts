import { jsEvent, withRowId } from '../base/event.js'
import { block, type Html, html } from '../base/html.js'
import { a } from '../base/setting.js'
import type { Bound, InPlace, ViewContext } from './field.js'
import { stating, taking } from './taking.js'

/** The methods of kinds whose values can be changed where a list shows them. */
export type SavesInPlace = {
  /** Lets users change the value in lists, where it is saved at once; then its events are fired. */
  updateOnPreview(): { updateOnPreview: true }
  /** Client events to fire after a save in a list, in order, each once. `{row-id}` is the record's key. Further calls add events. */
  event(...names: string[]): { events: readonly string[] }
  /** Updates the record's row in the table of this name after a save in a list. */
  updateRow(table: string): { updateRow: string }
}

/** What those methods state. */
export const savesInPlace: SavesInPlace = {
  updateOnPreview: stating({ updateOnPreview: true }),
  event: taking((...events) => ({ events: Object.freeze(events) }), a.text),
  updateRow: taking((updateRow) => ({ updateRow }), a.text),
}

type Saves = Bound<{ readonly events?: readonly string[]; readonly updateRow?: string }>

/** The form in a cell that saves its `value`, with and without script. `was` is the text of the value that it shows. */
export function liveForm(field: Saves, { action, hidden, key: row }: InPlace, was: string, control: Html, typed = false): Html {
  return block`
    <form class="live${typed && ' typed'}" method="post" action="${action}"${eventsAttribute(field, row)}>
      ${hidden}<input type="hidden" name="field" value="${field.key}">
      <input type="hidden" name="was" value="${was}">${control}
    </form>
  `
}

/** The attribute of a form that saves a field of a record where it is listed: the events that are fired then; null: none are. */
export function eventsAttribute({ own }: Saves, row: string): Html | null {
  const events = [
    ...(own.events ?? []),
    ...(own.updateRow === undefined ? [] : [jsEvent('TABLE_ROW_UPDATED', `${own.updateRow}-{row-id}`)]),
  ]
  const named = JSON.stringify([...new Set(events.map((event) => withRowId(event, row)))])
  return events.length > 0 ? html` data-events="${named}"` : null
}

/** The control of a form page, as one in a cell. */
export function liveControl<Own>(
  text: string,
  field: Bound<Own>,
  ctx: ViewContext,
  input: (text: string, field: Bound<Own>, ctx: ViewContext) => Html,
): Html {
  const save = ctx.save as InPlace
  const plain = { ...field, hint: null, placeholder: null }
  const id = `${save.id}-${field.key}`
  const control = input(text, plain, { ...ctx, name: 'value', id })
  const label = html`<label class="unseen" for="${id}">${field.label}: ${save.record}</label>`
  return liveForm(
    field as Saves,
    save,
    text,
    block`
      ${label}
      ${save.shown && html`<span class="as" aria-hidden="true">${save.shown}</span>`}
      ${control}
      <button class="unscripted button"><span class="text">${ctx.t('form.save')}</span></button>
    `,
    true,
  )
}
