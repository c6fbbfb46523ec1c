import type { RequestHead } from '../auth/pipeline.js'
import { rememberedText } from '../field/remembered.js'
import type { App } from './app.js'
import { languageCookie, readCookie } from './cookies.js'
import { languageFor } from './language.js'

/**
 * The panel in several languages, as one: each request is answered by the panel of the language that this browser has chosen, else of the
 * one that it asks for (`Accept-Language`), else of the first.
 *
 * @param apps by locale, the default first
 * @param cookies whether the panel reads cookies
 */
export function inLanguages(apps: ReadonlyMap<string, App>, { id, cookies }: { readonly id: string; readonly cookies: boolean }): App {
  const locales = [...apps.keys()]
  const asked = rememberedText((acceptLanguage: string) => languageFor(acceptLanguage, locales))
  const name = languageCookie({ id })
  const appFor = (request: RequestHead): App => {
    const chosen = cookies ? apps.get(readCookie(request, name) ?? '') : undefined
    return chosen ?? (apps.get(asked(request.headers.get('accept-language') ?? '')) as App)
  }
  return {
    fetch: (request, given) => appFor(request).fetch(request, given),
    answer: (request, peer) => appFor(request).answer(request, peer),
  }
}
