import { type PageContext, pageContext, pageTypes } from '../../resource/page.js'
import type { Realm } from '../call/call.js'
import type { Input } from '../call/input.js'
import { panelParameter } from './panel-text.js'

/** The page that a request is on or comes from, for callbacks and for what a resource reports. */
export function currentPage({ realm, input }: { readonly realm: Realm; readonly input: Input }): PageContext {
  const { uri = '', resourceUri = null } = input.page ?? {}
  const resource = resourceUri === null ? null : realm.resources.get(resourceUri)
  const more = resource?.morePages.get(uri)
  const plain = resource ? pageTypes.find((type) => `${type}-page` === uri) : undefined
  const page = (more && 'type' in more ? more.type : plain) ?? null
  const known = more !== undefined || plain !== undefined || (!resource && (uri === 'home' || realm.pages.has(uri)))
  return pageContext({ resourceUri, pageUri: known ? uri : null, page, resourceItem: known && page !== 'index' ? itemOf(input) : null })
}

/** The page's record: from the path, or as the page itself reported it. */
function itemOf(input: Input): string | null {
  return input.key ?? (panelParameter(input, '_item') || null)
}
