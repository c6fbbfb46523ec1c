import { part } from './parts.js'

/** A notice that the session has ended, with a link to sign in. */
export function signInPart(login: string): HTMLElement {
  const note = part('signed-out')
  note.querySelector('a')?.setAttribute('href', login)
  return note
}

/** What it says, for where there is no room for the link. */
export const signedOutText = () => part('signed-out').querySelector('p')?.textContent ?? ''

/** The same where no input could be lost: signs in here, and returns to `address`. */
export function signInTo(login: string, address: string): HTMLElement {
  const note = part('sign-in')
  const { pathname, search } = new URL(address, location.href)
  note.querySelector('a')?.setAttribute('href', `${login}?to=${encodeURIComponent(pathname + search)}`)
  return note
}
