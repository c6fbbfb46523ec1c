import { may } from './allow.js'
import { belongingCall } from './belonging.js'
import type { Call, PageCall } from './call.js'
import { list, listRow } from './list.js'
import type { Outcome, PageAt } from './outcome.js'
import { composed, noPart, ownPage } from './own-page.js'
import { kindCall, resourcePage } from './page.js'
import { show } from './show.js'

/** A part of a page by its name: a component, or one row of it, as the page itself shows it. */
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

/** Of the page of a record: a list of what belongs to it, or one row of that. */
async function partOfRecord(call: Call, at: PageAt, { part: asked, input }: PageCall): Promise<Outcome> {
  const shown = await show({ ...call, input, wants: { ...call.wants, belonging: true } })
  const found = shown.belonging.find(({ table }) => table.name === asked?.name)
  if (!asked || !found)
    throw noPart(
      call,
      shown.belonging.map(({ table }) => table.name),
    )
  const { table, list } = found
  if (asked.key === null) return { is: 'part', at, content: { is: 'table', component: table, list } }
  const [one] = call.resource.related.filter((each) => each.table === table)
  const own = one && belongingCall(call, one, shown.key, asked.key)
  if (!own) throw noPart(call, [])
  return { is: 'part', at, content: await listRow(own, asked.rowNumber) }
}
