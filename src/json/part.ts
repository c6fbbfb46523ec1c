import { DaymarkError } from '../base/errors.js'
import type { Part } from '../crud/outcomes/pages.js'
import type { PresenterContext } from '../face/face.js'
import { type Place, url } from '../route/url.js'

/** A part of a page has no JSON of its own, so the error names the URL of its data. */
export function jsonElsewhere(part: Part, { realm, place, query }: PresenterContext): DaymarkError {
  return new DaymarkError('notAcceptable', realm.t('part.jsonElsewhere', { url: dataUrl(part, place, Object.fromEntries(query)) }))
}

function dataUrl({ at: { resource, uri, key }, content }: Part, place: Place, query: Readonly<Record<string, readonly string[]>>): string {
  if (content.is === 'row')
    return url(place, 'crud.show', { resourceUri: content.resource.uriKey, resourceItem: content.lens.key(content.row) })
  if (!resource) return uri === 'home' ? url(place, 'index', { query }) : url(place, 'page', { pageUri: uri, query })
  const resourceUri = resource.uriKey
  if (uri === 'index-page') return url(place, 'crud.index', { resourceUri, query })
  return url(place, 'resource.page', { resourceUri, pageUri: uri, ...(key !== null && { resourceItem: key }), query })
}
