import { may } from '../call/allow.js'
import type { Call, PageCall } from '../call/call.js'
import { kindCall } from '../input/kind-page.js'
import { list, listRow } from '../list/list.js'
import type { Listed } from '../outcomes/lists.js'
import type { Outcome } from '../outcomes/outcome.js'
import type { PageAt } from '../outcomes/pages.js'
import { composed, noPart, ownPage } from './own-page.js'
import { resourcePage } from './page.js'
import { relatedListCalls } from './related-lists.js'
import { show } from './show.js'

/** A part of a page by its name: a component or one of its rows, as the page shows it. */
export async function part(call: PageCall): Promise<Outcome> {
  const { identity, realm, resource, pageUri, part: asked, input } = call
  if (!resource) return ownPage(call)
  const at: PageAt = { resource, uri: pageUri, key: input.key }
  const { part: _, ...rest } = call
  const own: Call = { ...rest, resource, store: realm.storeOf(resource) }
  const page = resourcePage(own, pageUri)
  if (!('type' in page)) return composed(call, page, at)
  if (page.type === 'detail' && page.own === null) return partOfRecord(own, at, call)
  const names = page.type === 'index' && may(realm, identity, resource, 'viewAny') ? [resource.table.name] : []
  if (!asked || !names.includes(asked.name)) throw noPart(call, names)
  const listed = kindCall(own, page)
  if (asked.key === null) return { is: 'part', at, content: await list(listed) }
  return { is: 'part', at, content: await listRow({ ...listed, input: { ...input, key: asked.key } }, asked.rowNumber) }
}

/** A part of a detail page: a list of related records or one of its rows, if the caller may see the record itself. */
async function partOfRecord(call: Call, at: PageAt, { part: asked }: PageCall): Promise<Outcome> {
  const { key } = await show({ ...call, wants: { ...call.wants, belonging: false } })
  const all = relatedListCalls(call, key)
  const found = all.find(({ table }) => table.name === asked?.name)
  if (!asked || !found) {
    const names = all.map(({ table }) => table.name)
    throw noPart(call, names)
  }
  const { table, own } = found
  if (asked.key === null) return { is: 'part', at, content: { is: 'table', component: table, list: (await list(own)) as Listed } }
  return { is: 'part', at, content: await listRow({ ...own, input: { ...own.input, key: asked.key } }, asked.rowNumber) }
}
