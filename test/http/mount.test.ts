import { definePanel, defineResource, id, memoryStore, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'

const cities = sqliteTable('cities', { id: integer().primaryKey(), name: varchar().notNull() })

function panelAt(url: string, prefix = {}) {
  const model = memoryStore(cities, [{ name: 'Berlin' }, { name: 'Paris' }])
  const resource = defineResource({ model, fields: { id: id(), name: text('Name') } })
  const panel = definePanel({ auth: 'open', resources: [resource], url, prefix })
  return async (path: string, method = 'GET') => {
    const json = { accept: 'application/json', 'content-type': 'application/json' }
    const response = await panel.fetch(
      new Request(`http://127.0.0.1:3000${path}`, { method, headers: json, ...(method === 'POST' && { body: '{"name":"Rome"}' }) }),
    )
    return { status: response.status, location: response.headers.get('location'), json: await response.json() }
  }
}

it.each<[mount: string, prefix: object, asked: string, list: string]>([
  ['', {}, '/admin', '/admin/resource/cities/crud'],
  ['/below/this', {}, '/below/this/admin', '/below/this/admin/resource/cities/crud'],
  ['/below/this', {}, '/admin', '/below/this/admin/resource/cities/crud'],
  ['/below/this', {}, '/below/this/admin/', '/below/this/admin/resource/cities/crud'],
  // What mounts us may have taken a part off that looks like our own.
  ['/admin', {}, '/admin/admin', '/admin/admin/resource/cities/crud'],
  ['/admin', {}, '/admin', '/admin/admin/resource/cities/crud'],
  ['/x', { panel: 'back', resource: 'r' }, '/x/back', '/x/back/r/cities/crud'],
  ['/x', { panel: 'back', resource: 'r' }, '/back', '/x/back/r/cities/crud'],
  ['', { panel: '' }, '/', '/resource/cities/crud'],
  ['/x', { panel: '' }, '/x/', '/x/resource/cities/crud'],
])('mounted at %j with %j, %s leads to %s', async (mount, prefix, asked, list) => {
  const ask = panelAt(`http://127.0.0.1:3000${mount}`, prefix)
  expect(await ask(asked)).toMatchObject({ status: 200, json: { data: [{ url: list }] } })
  for (const path of [list, list.slice(mount.length)]) {
    expect(await ask(`${path}?perPage=1`)).toMatchObject({ status: 200, json: { links: { next: `${list}?perPage=1&page=2` } } })
  }
  expect(await ask(list, 'POST')).toMatchObject({ status: 201, location: `${list}/3` })
})

it.each(['/admin', '/below/this', '/below/this/resource/cities/crud', '/belowthis/admin'])(
  'at /below/this with another prefix there is nothing at %s',
  async (path) => {
    expect((await panelAt('http://127.0.0.1:3000/below/this', { panel: 'back' })(path)).status).toBe(404)
  },
)
