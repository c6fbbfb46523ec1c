import { may } from './allow.js'
import type { Call, PageCall } from './call.js'
import { list, listRow } from './list.js'
import type { Outcome, PageAt } from './outcome.js'
import { composed, noPart, ownPage } from './own-page.js'
import { kindCall, resourcePage } from './page.js'

/** A part of a page by its name: a component, or one row of it, as the page itself shows it. */
export async function part(call: PageCall): Promise<Outcome> {
  const { identity, realm, resource, pageUri, part: asked, input } = call
  if (!resource) return ownPage(call)
  const at: PageAt = { resource, uri: pageUri, key: input.key }
  const { part: _, ...rest } = call
  const own: Call = { ...rest, resource, store: realm.storeOf(resource) }
  const page = resourcePage(own, pageUri)
  if (!('type' in page)) return composed(call, page, at)
  const names = page.type === 'index' && may(realm, identity, resource, 'viewAny') ? [resource.table.name] : []
  if (!asked || !names.includes(asked.name)) throw noPart(call, names)
  const listed = kindCall(own, page)
  if (asked.key === null) return { is: 'part', at, content: await list(listed) }
  return { is: 'part', at, content: await listRow({ ...listed, input: { ...input, key: asked.key } }, asked.rowNumber) }
}
