import { part } from './parts.js'

/** That nobody is signed in any more, and the way to the sign-in. */
export function signInPart(login: string): HTMLElement {
  const note = part('signed-out')
  note.querySelector('a')?.setAttribute('href', login)
  return note
}

/** The same where nothing was typed: one signs in here, and comes back to an address. */
export function signInTo(login: string, address: string): HTMLElement {
  const note = part('sign-in')
  const { pathname, search } = new URL(address, location.href)
  note.querySelector('a')?.setAttribute('href', `${login}?to=${encodeURIComponent(pathname + search)}`)
  return note
}
