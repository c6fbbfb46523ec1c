import { busy } from '../page/busy.js'
import { parse, saidIn } from '../page/fetch-page.js'
import { focusOn, wrongIn } from '../page/focus-on.js'
import { problem, text } from '../page/parts.js'
import { ready } from '../page/ready.js'
import { signInPart } from '../page/signed-out.js'
import { swapped } from '../page/swapped.js'
import { leave } from './form.js'
import { sentOf } from './form-fields.js'

let passing = false

// In milliseconds: who has stopped the page that was to come can send again.
const patience = 5000
let onItsWay: HTMLFormElement | null = null

/**
 * Sends a form once, however often its button is clicked, and record forms by script, so that input is not lost if saving is impossible.
 * Checks first whether the session still exists.
 */
export function sending(): void {
  const { login } = document.body.dataset
  addEventListener('submit', (event) => {
    const { submitter } = event
    const form = event.target as HTMLFormElement
    if (event.defaultPrevented || passing) return
    if (form === onItsWay) return event.preventDefault()
    if (form.matches('.sign-in')) return goes(form)
    if (!form.matches('[method=post]:is(.form-page, .section)')) return
    event.preventDefault()
    if (form.ariaBusy === 'true') return
    form.querySelector('.not-sent')?.remove()
    busy(form, submitter, async () => {
      if (!(await ready(form))) return focusOn(wrongIn(form))
      const again = () => form.requestSubmit(submitter)
      const why = (login === undefined ? null : await obstacle(login, again)) ?? (await send(form, submitter, login, again))
      if (!why) return
      why.classList.add('not-sent')
      tell(form, why)
      why.querySelector('a')?.focus()
      why.scrollIntoView({ block: 'center' })
    })
  })
}

/** Sends a form and follows its answer. Returns a notice if it was not saved and the answer does not show the form again. */
async function send(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  login: string | undefined,
  again: () => void,
): Promise<HTMLElement | null> {
  // Sending by script and again by the browser would count a wrong password twice, use a code up, or make twice what is shown once.
  if (form.matches('[data-once]') || form.querySelector('[type=password], [autocomplete=one-time-code]')) return pass(form, submitter)
  try {
    const response = await fetch(form.getAttribute('action') ?? '', {
      method: 'POST',
      headers: { accept: 'text/html', 'x-daymark-redirect': 'tell' },
      body: sentOf(form, submitter),
    })
    const to = response.headers.get('location')
    if (to === null) {
      const markup = await response.text()
      const page = parse(markup)
      const own = form.closest('[popover]') && page.querySelector<HTMLFormElement>(`main form[id="${CSS.escape(form.id)}"]`)
      if (own) return putInPlace(form, own)
      // A page with the form and its errors: let the browser load it.
      return response.ok || page.querySelector('main form:is(.form-page, .section)')
        ? pass(form, submitter)
        : problem(`${saidIn(markup)}. ${text('notSaved')}`, response.status >= 500 ? again : undefined)
    }
    if (login !== undefined && new URL(to, location.href).pathname === login) return signInPart(login)
    leave()
    location.assign(to)
    return null
  } catch {
    // The request may have arrived and only its answer been lost.
    return problem(`${text('lost')}. ${text('maybeSaved')}`, again)
  }
}

/** A form in a dialog says there what is wrong: as a page, it would have left the dialog and the page below. */
function putInPlace(form: HTMLFormElement, refused: HTMLFormElement): null {
  const place = form.parentElement as HTMLElement
  form.replaceWith(refused)
  swapped(place)
  focusOn(wrongIn(refused) ?? refused.querySelector<HTMLElement>('.notice'))
  return null
}

/** Notes a form that the browser sends: again, it would count a password twice, or find a code used up. */
function goes(form: HTMLFormElement): void {
  onItsWay = form
  setTimeout(() => {
    onItsWay = null
  }, patience)
}

/** Submits the form by the browser. */
function pass(form: HTMLFormElement, submitter: HTMLElement | null): null {
  goes(form)
  // Later, since a form ignores to be submitted while it tells that it is.
  setTimeout(() => {
    passing = true
    form.requestSubmit(submitter)
    passing = false
  })
  return null
}

/** Why a form cannot be saved. The sign-in page redirects signed-in users, and shows itself to everyone else. */
async function obstacle(login: string, again: () => void): Promise<HTMLElement | null> {
  try {
    const { ok } = await fetch(login, {
      method: 'HEAD',
      headers: { accept: 'text/html' },
      redirect: 'manual',
      signal: AbortSignal.timeout(5000),
    })
    if (!ok) return null
  } catch (error) {
    // A slow server may still accept the form.
    return (error as Error).name === 'TimeoutError' ? null : problem(`${text('lost')}. ${text('notSaved')}`, again)
  }
  return signInPart(login)
}

/** Says what concerns a whole form, at its head. */
export function tell(form: HTMLFormElement, ...notices: readonly HTMLElement[]): void {
  // An empty place would keep a gap.
  if (notices.length > 0) noticesOf(form).prepend(...notices)
}

function noticesOf(form: HTMLFormElement): Element {
  const there = form.querySelector(':scope > .notices')
  if (there) return there
  const made = document.createElement('div')
  made.className = 'notices'
  const head = form.querySelector(':scope > :is(.heading, h1, h2)')
  if (head) head.after(made)
  else form.prepend(made)
  return made
}
