import { invalid } from '../base/errors.js'
import { shown } from '../base/shown.js'
import type { Realm } from '../crud/call/call.js'
import type { Body } from '../crud/call/input.js'
import { remembered } from '../field/remembered.js'
import { isTimeZone, mostZones } from '../field/zone.js'
import { languageParameter } from '../route/language.js'
import type { RequestContext } from './request-context.js'

const written = new WeakMap<Realm, (locale: string) => (timeZone: string) => Realm>()

/**
 * The realm in the right time zone: the caller's own for people (HTML), the panel's for programs. A form names the zone that its times were
 * written in (`_zone`) and, in a panel of several, the language of its numbers (`_language`), because a script may send it asking for JSON,
 * and its user may have changed either since opening it.
 */
export function requestRealm({ visitor, face, options: { realm } }: RequestContext, body: Body): Realm {
  const said = (name: string) => (body.from === 'form' ? (body.panel.get(name)?.at(-1) ?? '') : '')
  const zone = said('_zone')
  if (zone !== '' && !isTimeZone(zone)) throw invalid('_zone', realm.t('profile.noZone', { zone: shown(zone) }))
  const timeZone = zone !== '' ? zone : ((face.name === 'html' ? visitor?.timeZone : null) ?? realm.timeZone)
  const language = realm.languages.length > 0 ? said(languageParameter) : ''
  const locale = realm.languages.includes(language) ? language : realm.locale
  if (timeZone === realm.timeZone && locale === realm.locale) return realm
  let inLocale = written.get(realm)
  if (!inLocale) {
    inLocale = remembered((locale) => remembered((zone) => Object.freeze({ ...realm, locale, timeZone: zone }), mostZones))
    written.set(realm, inLocale)
  }
  return inLocale(locale)(timeZone)
}
