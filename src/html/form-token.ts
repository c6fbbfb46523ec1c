import { type Html, html } from '../base/html.js'
import type { Around } from '../face/face.js'

type Hidden = readonly (readonly [name: string, value: string])[]

/** What every form of a page sends along: its token, where one is needed. */
export function hiddenToken({ shell }: Around): Hidden {
  return shell?.csrf == null ? [] : [['_token', shell.csrf]]
}

/** The same, as an element. */
export function tokenInput(at: Around): Html {
  return html`${hiddenToken(at).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`
}
