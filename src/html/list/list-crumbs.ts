import type { Identity } from '../../auth/identity.js'
import { may } from '../../crud/call/allow.js'
import type { PresenterContext } from '../../face/face.js'
import type { Resource } from '../../resource/resource.js'
import { url } from '../../route/url.js'
import type { Crumb } from '../components/heading.js'

/** The lists above a page of a resource, as far as the caller may see them: a trash lies below the list of its resource. */
export function listCrumbs(resource: Resource, at: PresenterContext): readonly Crumb[] {
  const { realm, place, identity } = at
  const above = resource.trashOf ? listCrumbs(resource.trashOf, at) : []
  if (!may(realm, identity as Identity, resource, 'viewAny')) return above
  return [...above, { label: resource.title, href: url(place, 'crud.index', { resourceUri: resource.uriKey }) }]
}
