import type { Reply } from '../face/face.js'
import { languageParameter } from '../route/language.js'
import { ownPath, url } from '../route/url.js'
import type { Match } from './match.js'
import { refererPath } from './referer.js'
import type { RequestContext } from './request-context.js'

/**
 * The reply to a page's link to another language: the browser keeps it, and comes back to where it was. Null: the request is for something
 * else, or names a language that there isn't.
 */
export function languageReply({ request, target, around, face, options }: RequestContext, found: Match | null): Reply | null {
  const { realm, place } = options
  if (realm.languageChoices.length === 0 || face.name !== 'html' || !around.reads || !target.query.includes(languageParameter)) return null
  const language = new URLSearchParams(target.query).get(languageParameter) ?? ''
  if (!realm.languageChoices.includes(language)) return null
  const here = ownPath(place, around.path)
  // What only a form is sent to, as a refused sign-in, is no page to come back to. What is not there could name another host.
  if (here === null || !found?.methods.has('GET')) return chosen(language, url(place, 'index'))
  // The link replaces the whole query: `Referer` has it.
  const [path = '', query = ''] = (refererPath(request) ?? '').split('?')
  const kept = new URLSearchParams(path === here ? query : target.query)
  kept.delete(languageParameter)
  return chosen(language, here + (kept.size > 0 ? `?${kept}` : ''))
}

const chosen = (language: string, location: string): Reply => ({ status: 303, headers: { location }, body: null, language })
