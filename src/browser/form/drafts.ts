import { parse } from '../page/fetch-page.js'
import { token } from '../page/send.js'
import { remember, remembered } from '../page/session.js'
import { textsOf } from './form-fields.js'

/** What was typed into a form and not saved. */
interface Draft {
  /** The address that it was opened at. */
  readonly at: string
  /** Whose it is: the id of the user. */
  readonly of: string
  /** What it would send, but for what is secret. */
  readonly fields: string
}

// In characters. A browser gives a tab about five million.
const longest = 200_000
// In milliseconds.
const pause = 300

/** Keeps what is typed until it is saved or discarded: after Back, a reload or a crash, it is there again. */
export function drafts(form: HTMLFormElement): void {
  const action = form.getAttribute('action') as string
  const name = `daymark-draft ${action}`
  // It outlasts a session that ended by itself. Another user finds none, and removes it.
  const whose = form.dataset.user as string
  const here = openedAt()
  // A form that was refused has the address that it was sent to, and holds what was typed by itself.
  const isRefused = location.pathname === action
  const found: Draft | null = JSON.parse(remembered(name) ?? 'null')
  const at = isRefused && found ? found.at : here
  // At another address, the same form may hold another draft: who only looks here leaves that alone.
  let isOwn = isRefused || !found || found.at === here
  let timer = 0
  let hasTyped = false
  let isRestoring = false
  let isShownAgain = false
  let isSent = false

  const keep = () => {
    clearTimeout(timer)
    timer = 0
    isOwn = true
    const fields = String(new URLSearchParams(keptOf(form)))
    const draft: Draft = { at, of: whose, fields }
    const isUnsaved = form.querySelector('.unsaved-place > *') !== null
    remember(name, isUnsaved && fields.length <= longest ? JSON.stringify(draft) : null)
  }
  const drop = () => {
    clearTimeout(timer)
    timer = 0
    if (isOwn) remember(name, null)
  }
  const soon = () => {
    hasTyped = true
    clearTimeout(timer)
    timer = setTimeout(keep, pause)
  }
  form.addEventListener('input', soon)
  form.addEventListener('change', soon)
  addEventListener('pagehide', () => {
    // Not every browser tells before it leaves a page.
    if (isSent && !isShownAgain && !form.querySelector('.not-sent')) drop()
    else if (timer !== 0) keep()
  })
  form.addEventListener('click', (event) => {
    if (leaves(event)) drop()
  })
  addEventListener('submit', (event) => {
    if (event.target !== form) return
    isSent = true
    // What was sent by script and refused is shown again. A form with a password is sent by the browser, once.
    isShownAgain = !event.defaultPrevented && !form.matches('[data-once]') && !form.querySelector(secrets)
  })
  addEventListener('beforeunload', (event) => {
    // The page's script asks before it leaves what is not saved: if it does not, nothing is to be kept.
    if (!event.defaultPrevented && !isRestoring && !isShownAgain) drop()
  })

  if (isRefused) keep()
  else if (found && found.at === here && found.of === whose) void restore(found)
  else if (found?.of !== whose) remember(name, null)

  /** Has the form drawn again with what was typed: the panel knows what belongs to it, such as the labels of related records. */
  async function restore(draft: Draft): Promise<void> {
    isRestoring = true
    try {
      const fields = new URLSearchParams(draft.fields)
      fields.set('_token', token())
      // It leads back to where it was opened from now.
      const left = form.querySelector<HTMLInputElement>('input[name=_back]')?.value
      if (left === undefined) fields.delete('_back')
      else fields.set('_back', left)
      // It searches for nothing, and so saves nothing.
      fields.set('_search', '-')
      const response = await fetch(action, { method: 'POST', headers: { accept: 'text/html' }, body: fields })
      const drawn = response.ok ? parse(await response.text()).querySelector<HTMLFormElement>(`main form.form-page`) : null
      // Who types meanwhile has begun anew.
      if (drawn && !hasTyped) put(drawn)
    } catch {
      // It stays where it is, for the next time.
    } finally {
      isRestoring = false
    }
  }

  function put(drawn: HTMLFormElement): void {
    form.replaceChildren(...drawn.childNodes)
    const note = document.createElement('div')
    note.className = 'notices'
    note.append(form.querySelector<HTMLTemplateElement>('template.restored')?.content ?? '')
    form.querySelector(':scope > .heading')?.after(note)
    note.querySelector('button')?.addEventListener('click', () => {
      drop()
      // Nothing that is lost has to be asked about.
      addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true, once: true })
      location.replace(location.pathname + location.search)
    })
    form.dispatchEvent(new Event('daymark-shown', { bubbles: true }))
    form.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

/** Whether a click leaves the form by one of its links. One that opens another tab or window does not. */
export const leaves = ({ target, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): HTMLAnchorElement | null =>
  ctrlKey || metaKey || shiftKey || altKey ? null : (target as Element).closest<HTMLAnchorElement>('.actions a')

const secrets = '[type=password], [autocomplete=one-time-code]'

/** What may stay in the browser: no secrets, no files, and nothing that belongs to one page alone. */
function keptOf(form: HTMLFormElement): [string, string][] {
  const without = new Set((form.dataset.unkept ?? '').split(' '))
  for (const { name } of form.querySelectorAll<HTMLInputElement>(`:is(${secrets}, [type=file])[name]`)) without.add(name)
  return textsOf(form).filter(
    ([name]) => name !== '_token' && !without.has(name) && !without.has(name.replace(/^.*\.|^_\w+\[(.*)\]$/g, '$1')),
  )
}

/** The address, but for where its form leads back to. */
function openedAt(): string {
  const { pathname, searchParams } = new URL(location.href)
  searchParams.delete('_back')
  return `${pathname}?${searchParams}`
}
