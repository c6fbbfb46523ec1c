import type { RequestInfo } from '../face/face.js'
import { patternOf } from '../route/url.js'
import type { Match } from './match.js'
import type { RequestContext } from './request-context.js'
import { percentDecode } from './url-encoding.js'

/** What a request was about. Of what its path holds, only names that are declared. */
export function requestInfo({ around, face, visitor, options }: RequestContext, match: (path: string) => Match | null): RequestInfo {
  const { route, place, path } = around
  const uri = route && match(path.slice(place.mount.length))?.params.get('resourceUri')
  const resource = options.realm.resources.get(percentDecode(uri ?? '') ?? '')
  return {
    route: route?.name ?? null,
    path: route && patternOf(place, route),
    resource: resource?.uriKey ?? null,
    face: face.name,
    userId: (visitor?.viewedBy ?? visitor?.identity)?.id ?? null,
  }
}
