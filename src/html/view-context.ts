import type { Realm } from '../crud/call.js'
import type { Bound, ViewContext } from '../field/field.js'

/** The context of a kind's cell. */
export function cellContext({ t, locale, timeZone }: Realm, field: Bound, related: ViewContext['related'] = null): ViewContext {
  return {
    t,
    locale,
    timeZone,
    id: field.key,
    name: field.key,
    error: [],
    related,
    inWords: true,
    searchUrl: null,
    can: { update: false },
    save: null,
  }
}

/** The context of a kind's control. */
export function controlContext(
  { t, locale, timeZone }: Realm,
  { id, name, error = [], searchUrl = null }: Pick<ViewContext, 'id' | 'name'> & Partial<Pick<ViewContext, 'error' | 'searchUrl'>>,
): ViewContext {
  return { t, locale, timeZone, id, name, error, related: null, inWords: true, searchUrl, can: { update: true }, save: null }
}
