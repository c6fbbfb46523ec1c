import { invalid } from '../base/errors.js'
import { shown } from '../base/shown.js'
import type { Body, Realm } from '../crud/call.js'
import { remembered } from '../field/remembered.js'
import { isTimeZone, mostZones } from '../field/zone.js'
import type { Visit } from './visit.js'

const zoned = new WeakMap<Realm, (timeZone: string) => Realm>()

/**
 * The realm in the right time zone: the caller's own for people (HTML), the panel's for programs. A form names the zone its times were
 * written in (`_zone`), because a script may send it asking for JSON, and its user may have changed zones since opening it.
 */
export function realmOf({ visitor, face, options: { realm } }: Visit, body: Body): Realm {
  const written = body.from === 'form' ? (body.panel.get('_zone')?.at(-1) ?? '') : ''
  if (written !== '' && !isTimeZone(written)) throw invalid('_zone', realm.t('profile.noZone', { zone: shown(written) }))
  const timeZone = written !== '' ? written : face.name === 'html' ? (visitor?.timeZone ?? null) : null
  if (timeZone === null || timeZone === realm.timeZone) return realm
  const inZone = zoned.get(realm) ?? remembered((zone: string) => Object.freeze({ ...realm, timeZone: zone }), mostZones)
  zoned.set(realm, inZone)
  return inZone(timeZone)
}
