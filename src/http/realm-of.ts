import { invalid } from '../base/errors.js'
import { shown } from '../base/shown.js'
import type { Body, Realm } from '../crud/call.js'
import { remembered } from '../field/remembered.js'
import { isTimeZone, mostZones } from '../field/zone.js'
import type { Visit } from './visit.js'

const zoned = new WeakMap<Realm, (timeZone: string) => Realm>()

/**
 * The realm with the caller's own time zone: people read and write times in it; programs in the panel's. A form of ours says in which zone its times were written: it may be sent
 * for a person by a script, which asks for JSON, and whoever has opened it may have chosen another zone since.
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
