import { part, problem, text } from './parts.js'

let passing = false

/** Saving asks first whether one is still signed in: whoever is led to the sign-in instead has lost what was typed. */
export function signedOut(): void {
  const { login } = document.body.dataset
  if (login === undefined) return
  addEventListener('submit', async (event) => {
    const { submitter } = event
    const form = event.target as HTMLFormElement
    if (event.defaultPrevented || passing || !form.matches('[method=post]:is(.form-page, .section)')) return
    event.preventDefault()
    if (form.ariaBusy === 'true') return
    form.ariaBusy = 'true'
    form.querySelector('.not-sent')?.remove()
    const why = await obstacle(login)
    form.ariaBusy = null
    if (why) {
      why.classList.add('not-sent')
      noticesOf(form).prepend(why)
      why.querySelector('a')?.focus()
      why.scrollIntoView({ block: 'center' })
      return
    }
    passing = true
    form.requestSubmit(submitter)
    passing = false
  })
}

/** What keeps a form from being saved. Who is signed in is led on from the sign-in; anybody else gets its page. */
async function obstacle(login: string): Promise<HTMLElement | null> {
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
    return (error as Error).name === 'TimeoutError' ? null : problem(text('lost'))
  }
  return signInPart(login)
}

/** That nobody is signed in any more, and the way to the sign-in. */
export function signInPart(login: string): HTMLElement {
  const note = part('signed-out')
  note.querySelector('a')?.setAttribute('href', login)
  return note
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
