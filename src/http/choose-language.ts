import type { Reply } from '../face/face.js'
import { languageParameter } from '../route/language.js'
import { backOf } from './back.js'
import type { Visit } from './visit.js'

/**
 * The reply to a page's link to another language: the browser keeps it, and comes back to where it was. Null: the request is for something
 * else, or names a language that there isn't.
 */
export function choosingLanguage({ request, target, around, face, options: { realm, cookies } }: Visit): Reply | null {
  if (!cookies || realm.languages.length === 0 || face.name !== 'html' || !around.reads || !target.query.includes(languageParameter))
    return null
  const language = new URLSearchParams(target.query).get(languageParameter) ?? ''
  if (!realm.languages.includes(language)) return null
  // The link replaces the whole query, so that it may stand in what is drawn once for all pages of a list: `Referer` has the query.
  const [path = '', query = ''] = (backOf(request) ?? '').split('?')
  const kept = new URLSearchParams(path === around.path ? query : target.query)
  kept.delete(languageParameter)
  return { status: 303, headers: { location: around.path + (kept.size > 0 ? `?${kept}` : '') }, body: null, language }
}
