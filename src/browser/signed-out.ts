import { part } from './parts.js'

/** That nobody is signed in any more, and the way to the sign-in. */
export function signInPart(login: string): HTMLElement {
  const note = part('signed-out')
  note.querySelector('a')?.setAttribute('href', login)
  return note
}
