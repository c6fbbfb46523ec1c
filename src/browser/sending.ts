import { busy } from './busy.js'
import { parse, saidIn } from './fetch-page.js'
import { leave } from './form.js'
import { problem, text } from './parts.js'
import { signInPart } from './signed-out.js'

let passing = false

/** A form that saves is sent by a script, so that it stays where it cannot be: what was typed is lost with its page. First it asks whether one is still signed in. */
export function sending(): void {
  const { login } = document.body.dataset
  addEventListener('submit', (event) => {
    const { submitter } = event
    const form = event.target as HTMLFormElement
    if (event.defaultPrevented || passing || !form.matches('[method=post]:is(.form-page, .section)')) return
    event.preventDefault()
    if (form.ariaBusy === 'true') return
    form.querySelector('.not-sent')?.remove()
    busy(form, submitter, async () => {
      const again = () => form.requestSubmit(submitter)
      const why = (login === undefined ? null : await obstacle(login, again)) ?? (await send(form, submitter, login, again))
      if (!why) return
      why.classList.add('not-sent')
      noticesOf(form).prepend(why)
      why.querySelector('a')?.focus()
      why.scrollIntoView({ block: 'center' })
    })
  })
}

/** Sends a form, and goes on where its answer leads. Why it is not saved, where that leaves nothing of the form. */
async function send(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  login: string | undefined,
  again: () => void,
): Promise<HTMLElement | null> {
  // A password that was wrong counts each time that it is sent.
  if (form.querySelector('[type=password]')) return pass(form, submitter)
  try {
    const response = await fetch(form.getAttribute('action') ?? '', {
      method: 'POST',
      headers: { accept: 'text/html', 'x-daymark-redirect': 'tell' },
      body: fieldsOf(form, submitter),
    })
    const to = response.headers.get('location')
    if (to === null) {
      const markup = await response.text()
      // What holds the form again, with what is wrong, is a page of its own.
      return response.ok || parse(markup).querySelector('main form:is(.form-page, .section)')
        ? pass(form, submitter)
        : problem(`${saidIn(markup)}. ${text('notSaved')}`, response.status >= 500 ? again : undefined)
    }
    if (login !== undefined && new URL(to, location.href).pathname === login) return signInPart(login)
    leave()
    location.assign(to)
    return null
  } catch {
    // It may have come there, and only its answer not here.
    return problem(`${text('lost')}. ${text('maybeSaved')}`, again)
  }
}

/** Lets the browser send it. */
function pass(form: HTMLFormElement, submitter: HTMLElement | null): null {
  passing = true
  form.requestSubmit(submitter)
  passing = false
  return null
}

/** As a browser sends them. */
function fieldsOf(form: HTMLFormElement, submitter: HTMLElement | null): URLSearchParams {
  const fields = [...new FormData(form, submitter)] as [string, string][]
  return new URLSearchParams(fields.map(([name, value]) => [name, value.replace(/\r\n?|\n/g, '\r\n')]))
}

/** What keeps a form from being saved. Who is signed in is led on from the sign-in; anybody else gets its page. */
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
    // Who is only slow may take the form itself.
    return (error as Error).name === 'TimeoutError' ? null : problem(`${text('lost')}. ${text('notSaved')}`, again)
  }
  return signInPart(login)
}

function noticesOf(form: HTMLFormElement): Element {
  const there = form.querySelector(':scope > .notices')
  if (there) return there
  const made = document.createElement('div')
  made.className = 'notices'
  const head = form.querySelector(':scope > :is(.heading, h2)')
  if (head) head.after(made)
  else form.prepend(made)
  return made
}
