import { type Html, html } from '../base/html.js'
import type { Around } from '../face/face.js'

type Hidden = readonly (readonly [name: string, value: string])[]

/** What every form of a page sends along: its token, where one is needed. */
export function hiddenToken({ shell }: Around): Hidden {
  return shell?.csrf == null ? [] : [['_token', shell.csrf]]
}

/** What a form sends along in which people write times, or filters that have some: its token, and the time zone in which its times are meant, whoever sends it and when. */
export function hiddenWithZone(at: Around): Hidden {
  return [...hiddenToken(at), ['_zone', at.realm.timeZone]]
}

/** The same, as elements. */
export function tokenInput(at: Around): Html {
  return inputs(hiddenToken(at))
}

export function zoneInput(at: Around): Html {
  return inputs(hiddenWithZone(at))
}

function inputs(hidden: Hidden): Html {
  return html`${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`
}
