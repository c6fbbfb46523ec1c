import { up } from '../list/list-place.js'
import { remember, remembered } from '../page/session.js'
import { leaves } from './drafts.js'

const stay = 'daymark-stay'

/** What had the focus, and how far the page was scrolled. */
interface Place {
  readonly path: string
  readonly top: number
  /** Selects what had the focus. */
  readonly focus: string
}

/** Keeps the place of its user: in a form that is saved and stays, or on the page that it leads back to. */
export function formPlace(form: HTMLFormElement): void {
  findPlace()
  addEventListener('submit', ({ target, submitter }) => {
    if (target !== form) return
    const { name, value } = (submitter ?? {}) as Partial<HTMLButtonElement>
    const stays = name === '_then' && value === 'continue'
    const left = form.querySelector<HTMLInputElement>('input[name=_back]')?.value
    if (!stays && left !== undefined) leadUp(new URL(left, location.href).href)
    remember(stay, stays ? JSON.stringify(placeOf()) : null)
  })
  form.addEventListener('click', (event) => {
    const link = leaves(event)
    if (link) leadUp(link.href)
  })
}

/** An address that names a place on its page leads there. */
function leadUp(href: string): void {
  if (!href.includes('#')) remember(up, href)
}

/** A form that was refused has another address, and says what is wrong. */
function findPlace(): void {
  const { path, top, focus }: Partial<Place> = JSON.parse(remembered(stay) ?? '{}')
  remember(stay, null)
  if (path !== location.pathname || top === undefined || focus === undefined) return
  scrollTo(0, top)
  document.querySelector<HTMLElement>(focus)?.focus({ preventScroll: true })
}

function placeOf(): Place {
  const { id, name } = document.activeElement as HTMLInputElement
  const focus = id ? `#${CSS.escape(id)}` : `form.form-page [name="${CSS.escape(name ?? '')}"]`
  return { path: location.pathname, top: scrollY, focus }
}
