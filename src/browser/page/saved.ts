/** A value that was changed where a list shows it. */
export interface SavedValue {
  /** Where it was sent, as `field`, `value` and `was`. */
  readonly url: string
  readonly fields: URLSearchParams
  /** The events that the form declares, as JSON. */
  readonly events: string | undefined
  /** The id of the list. */
  readonly list: string | undefined
  /** The key of the record. */
  readonly key: string | undefined
  /** What the panel has answered. */
  readonly message: string
}

/** Makes what tells the script that offers to undo it, once it is saved and the list shows so: by then, the form may be gone. */
export function saving(from: HTMLElement, url: string, fields: URLSearchParams): (message: string) => void {
  const { form = from } = from as HTMLButtonElement
  const { events } = form?.dataset ?? {}
  const told = { url, fields, events, list: from.closest('.listing')?.id, key: from.closest<HTMLElement>('[data-key]')?.dataset.key }
  return (message) => fields.has('was') && dispatchEvent(new CustomEvent('daymark-saved', { detail: { ...told, message } }))
}
