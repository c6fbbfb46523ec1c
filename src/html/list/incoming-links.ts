import type { Html } from '../../base/html.js'
import type { Shown } from '../../crud/outcomes/records.js'
import { incomingRelations } from '../../crud/relation/incoming-relations.js'
import type { PresenterContext } from '../../face/face.js'
import type { Resource } from '../../resource/resource.js'
import { linkList } from '../components/link-list.js'
import { incomingFilter } from './filters.js'
import { filteredUrl } from './list-url.js'

/** Links to the lists of records that refer to this one, if the caller may see them and they can be filtered so; null if there are none. */
export function incomingLinks(
  { resource, key, belonging }: Pick<Shown, 'resource' | 'key' | 'belonging'>,
  { realm, place, identity }: PresenterContext,
): Html | null {
  if (!identity) return null
  const shown = belonging.map(({ by }) => by)
  const found = [...incomingRelations(realm, identity, resource)].filter(
    ({ other, field, to }) => to === resource && other.trashOf === null && other.filters.includes(field.key) && !shown.includes(field),
  )
  // The title alone is enough only if a single relation leads here.
  const isPlain = (one: Resource) => one !== resource && found.filter(({ other }) => other === one).length === 1
  const links = found.map(({ other, field }) => ({
    label: isPlain(other) ? other.title : `${other.title} (${field.label})`,
    href: filteredUrl(place, other, [[incomingFilter(field), key]]),
  }))
  return links.length === 0 ? null : linkList(realm.t('record.lists'), links)
}
