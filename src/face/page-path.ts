import type { PageAt } from '../crud/outcomes/pages.js'
import { type Place, url } from '../route/url.js'

/** The path of a page. */
export function pagePath(place: Place, { resource, uri, key }: PageAt): string {
  if (!resource) return uri === 'home' ? url(place, 'index') : url(place, 'page', { pageUri: uri })
  const resourceUri = resource.uriKey
  const item = key === null ? {} : { resourceItem: key }
  if (uri === 'index-page') return url(place, 'crud.index', { resourceUri })
  return url(place, 'resource.page', { resourceUri, pageUri: uri, ...item })
}
