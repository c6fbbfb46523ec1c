import { reload } from '../list/list.js'
import { pickNone } from '../list/selection.js'
import { openDialog } from '../page/dialog.js'
import { type ClientEvent, dispatch } from '../page/events.js'
import { fetchPage, parse } from '../page/fetch-page.js'
import { morph } from '../page/morph.js'
import { part, problem } from '../page/parts.js'
import { signInTo } from '../page/signed-out.js'
import { swapped } from '../page/swapped.js'
import { toast, toastLater } from '../page/toast.js'

/** An action's answer, in the vocabulary that handlers and methods share. */
export interface ActionAnswer {
  readonly message?: string
  readonly messageType?: string
  readonly redirect?: string
  readonly events?: readonly ClientEvent[]
  readonly html?: string | Readonly<Record<string, string>>
  readonly fieldsValues?: Readonly<Record<string, unknown>>
}

/** Applies an action's answer, then refreshes the page. */
export async function applyAnswer(
  { message, messageType, redirect, events, html, fieldsValues }: ActionAnswer,
  from: Element | null,
): Promise<void> {
  if (redirect !== undefined) {
    location.assign(redirect)
    return
  }
  // What was done by hand is seen to be done.
  const said = message !== undefined && !from?.matches('[data-quiet]') ? message : null
  if (html === undefined && fieldsValues === undefined && isUntouched()) {
    dispatch(events ?? [])
    if (said !== null) toastLater(said, messageType)
    location.reload()
    return
  }
  // The action has been done, even if the refresh fails.
  await refresh(from).catch(reportError)
  // After the refresh, which would overwrite it.
  if (typeof html === 'string') showMarkup(html)
  else for (const [id, markup] of Object.entries(html ?? {})) fill(id, markup)
  for (const [name, value] of Object.entries(fieldsValues ?? {})) put(name, value)
  dispatch(events ?? [])
  if (said !== null) toast(said, messageType)
}

/** Whether the page is a record's form without unsaved changes: its fields are those of before the action. */
function isUntouched(): boolean {
  const form = document.querySelector('main form.form-page')
  return form !== null && form.querySelector('.unsaved-place > *, [aria-invalid=true]') === null
}

/** Fetches the page or its list again and morphs it in, since its data may have changed. An unsaved record form is left alone. */
export async function refresh(from: Element | null): Promise<void> {
  const main = document.querySelector('main')
  const own = from?.closest('.listing')
  // The lists of a record come with it, all of them: what has changed in one may be in another.
  const ofRecord = main?.querySelector(':scope > .record .listing')
  // A composed page may show data that has changed anywhere, so all of it is refreshed.
  const listing = own ?? (main?.querySelector(':scope > :is(.composed, .record)') ? null : document.querySelector('.listing'))
  // The selected rows have been processed, unless it was done with one row alone.
  if (listing && !from?.closest('tbody')) pickNone(listing)
  if (ofRecord) return reload(null)
  if (listing) return reload(document.getElementById(listing.id))
  if (!main || main.querySelector('form.form-page')) return
  const fresh = parse(await fetchPage(location.href, new AbortController().signal)).querySelector('main')
  // After a refused form, the address bar holds the form's own URL, which is another page.
  if (!fresh || main.querySelector('[aria-invalid=true]')) return
  // Deferred fragments that have already loaded are kept and asked to reload, instead of turning into placeholders again.
  const later = [...fresh.querySelectorAll<HTMLElement>('[data-deferred]')].map(({ id }) => id)
  const there = later.filter((id) => main.querySelector(`#${CSS.escape(id)}:not([data-deferred])`))
  morph(main, fresh, (child) => child.matches('form.section') || there.includes(child.id))
  swapped(main)
  dispatch(there.map((id) => `fragment-updated-${id}`))
}

/** Shows why an action was refused, at the list or page it was started from; to whom is signed out, also the way to sign in. */
export function refused(message: string, from: Element, status = 0): void {
  const { login } = document.body.dataset
  const place = from.closest('.listing') ?? document.querySelector('main')
  place?.querySelector(':scope > .notice')?.remove()
  // A card is far from the top of its view, which is read anew.
  if (from.closest('.board, .calendar') && status !== 401) toast(message, 'error')
  else place?.prepend(status === 401 && login !== undefined ? signInTo(login, location.href) : problem(message))
  from.dispatchEvent(new Event('refused', { bubbles: true }))
}

function showMarkup(markup: string): void {
  const content = part('shown')
  const place = content.querySelector('.content') as HTMLElement
  place.innerHTML = markup
  const dialog = openDialog(content, 'shown-title')
  content.querySelector('button')?.addEventListener('click', () => dialog.close())
  swapped(place)
}

function fill(id: string, markup: string): void {
  const place = document.getElementById(id)
  if (!place) return
  place.innerHTML = markup
  swapped(place)
}

/** Sets the value of a form field, firing the events of a user's input. */
function put(name: string, value: unknown): void {
  for (const one of document.querySelectorAll<HTMLInputElement>(`main :is(form.form-page, form.section) [name="${CSS.escape(name)}"]`)) {
    if (one.type === 'hidden') continue
    if (one.type === 'checkbox' || one.type === 'radio')
      one.checked = Array.isArray(value) ? value.includes(one.value) : value === true || String(value) === one.value
    else one.value = value === null || value === undefined ? '' : String(value)
    one.dispatchEvent(new Event('input', { bubbles: true }))
    one.dispatchEvent(new Event('change', { bubbles: true }))
  }
}
