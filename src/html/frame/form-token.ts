import { type Html, html } from '../../base/html.js'
import type { PresenterContext } from '../../face/face.js'
import { languageParameter } from '../../route/language.js'

type Hidden = readonly (readonly [name: string, value: string])[]

/** The CSRF token of a page's forms, if one is needed. */
export function hiddenToken({ shell }: PresenterContext): Hidden {
  return shell?.csrf == null ? [] : [['_token', shell.csrf]]
}

/**
 * The hidden inputs of forms with times and numbers: also the time zone and the language they are written in, which may change before the
 * form is sent.
 */
export function hiddenWithZone(at: PresenterContext): Hidden {
  return [...hiddenToken(at), ['_zone', at.realm.timeZone], ...hiddenLanguage(at)]
}

function hiddenLanguage({ realm: { languages, locale } }: PresenterContext): Hidden {
  return languages.length > 0 ? [[languageParameter, locale]] : []
}

export function tokenInput(at: PresenterContext): Html {
  return inputs(hiddenToken(at))
}

/** The same for a value that is changed in its place, and has no time zone. */
export function languageInput(at: PresenterContext): Html {
  return inputs([...hiddenToken(at), ...hiddenLanguage(at)])
}

export function zoneInput(at: PresenterContext): Html {
  return inputs(hiddenWithZone(at))
}

function inputs(hidden: Hidden): Html {
  return html`${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`
}
