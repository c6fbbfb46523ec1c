/** The kinds of client events. In an event's name, a kind is written in kebab-case. */
export const eventKinds = [
  'FRAGMENT_UPDATED',
  'TABLE_UPDATED',
  'TABLE_REINDEX',
  'TABLE_ROW_UPDATED',
  'TABLE_ROW_ADDED',
  'CARDS_UPDATED',
  'FORM_RESET',
  'FORM_SUBMIT',
  'MODAL_TOGGLED',
  'OFF_CANVAS_TOGGLED',
  'POPOVER_TOGGLED',
  'TOAST',
  'SHOW_WHEN_REFRESH',
] as const

/** A kind of client event, such as `TABLE_ROW_UPDATED`. */
export type EventKind = (typeof eventKinds)[number]

/** How a kind is written in an event's name: `TABLE_ROW_UPDATED` → `table-row-updated`. */
export function wireName(kind: EventKind): string {
  return kind.toLowerCase().replaceAll('_', '-')
}

/**
 * Makes the name of a client event, which is dispatched on `window`.
 *
 * @param kind one of the event kinds
 * @param name the component's name; for a row `<componentName>-{row-id}`, where `{row-id}` stands for the key of the record; `''`: none
 * @throws TypeError for an unknown kind
 *
 * @example
 * ```ts
 * import { jsEvent } from 'daymark'
 *
 * export const refreshed = jsEvent('TABLE_ROW_UPDATED', 'index-table-cities-{row-id}') // table-row-updated-index-table-cities-{row-id}
 * ```
 */
export function jsEvent(kind: EventKind, name: string): string {
  if (!eventKinds.includes(kind)) throw new TypeError(`No event kind "${kind}". Valid: ${eventKinds.join(', ')}`)
  return name === '' ? wireName(kind) : `${wireName(kind)}-${name}`
}

/** Replaces the `{row-id}` placeholder by a record's key. */
export function withRowId(event: string, key: string): string {
  return event.replaceAll('{row-id}', () => key)
}
