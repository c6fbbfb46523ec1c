import { belongsTo, definePage, definePanel, defineResource, hasMany, id, memoryStore, number, tableBuilder, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const notes = sqliteTable('notes', { id: integer().primaryKey(), name: varchar().notNull(), w: integer() })
const rows = (many: number) => Array.from({ length: many }, (_, i) => ({ id: i + 1, name: `n${i + 1}`, w: i < 4 ? 1 : 100 }))
const path = '/admin/resource/notes'

/** Four of the notes are on the page `small`, two at a time; `shut` is for the boss. */
function appOf(many: number) {
  const stamped: string[][] = []
  const Notes = defineResource({
    model: memoryStore(notes, rows(many)),
    fields: { id: id(), name: text('Name').sortable().searchable(), w: number('W') },
    filters: ['w'],
    itemsPerPage: 2,
    columnSelection: true,
    handlers: {
      stamp: {
        label: 'Stamp',
        run: async ({ ids }) => {
          stamped.push([...ids])
        },
      },
      mark: {
        label: 'Mark',
        fields: { by: text('By') },
        run: async ({ ids }) => {
          stamped.push([...ids])
        },
      },
    },
    indexButtons: [
      { label: 'Stamp', handler: 'stamp', bulk: true },
      { label: 'Mark', handler: 'mark', bulk: true },
    ],
    pages: {
      more: [
        { uri: 'small', title: 'Small', type: 'index', fields: ['id', 'name'], where: { w: { lt: 10 } } },
        { uri: 'shut', title: 'Shut', type: 'index', fields: ['id'], where: { w: { lt: 10 } }, can: ['boss'] },
        { uri: 'card', title: 'Card', type: 'detail', fields: ['name'] },
      ],
    },
  })
  const app = testPanel(definePanel({ auth: 'open', resources: [Notes], log: () => {} }))
  const left = async () => {
    const { data } = (await app.get(`${path}/crud?perPage=50&sort=id`)).json() as { data: { id: number }[] }
    return data.map((one) => one.id)
  }
  return { app, left, stamped }
}

/** What the form around a list sends once all of its records are chosen. */
function everyOf(page: string): [string, string][] {
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)" form="index-table-notes-picked">/g)]
  return [...hidden.map(([, name = '', value = '']): [string, string] => [name, value]), ['_all', '1']]
}

test('all records of a further index page are those of that page: to delete them', async () => {
  const { app, left } = appOf(12)
  const page = await app.html.get(`${path}/small`)
  const every = everyOf(page.text)
  expect(every).toEqual([
    ['_total', '4'],
    ['_list', 'small'],
    ['_all', '1'],
  ])
  const asks = await app.html.post(`${path}/crud`, new URLSearchParams([...every, ['_method', 'DELETE']]))
  expect(asks.status).toBe(200)
  expect([...asks.text.matchAll(/name="ids\[\]" value="(\d+)"/g)].map(([, key]) => Number(key)).sort()).toEqual([1, 2, 3, 4])
  await app.html.post(`${path}/crud`, new URLSearchParams([...every, ['_method', 'DELETE'], ['_confirmed', '1']]))
  expect(await left()).toEqual([5, 6, 7, 8, 9, 10, 11, 12])
})

test('and no others, even if there are as many of them', async () => {
  const { app, left } = appOf(6)
  const { text } = await app.html.get(`${path}/small`)
  for (const key of [1, 2]) await app.delete(`${path}/crud/${key}`)
  const sent = new URLSearchParams([...everyOf(text), ['_method', 'DELETE'], ['_confirmed', '1']])
  expect((await app.html.post(`${path}/crud`, sent)).status).toBe(409)
  expect(await left()).toEqual([3, 4, 5, 6])
})

test('its filters narrow it further', async () => {
  const { app, left } = appOf(12)
  const { text } = await app.html.get(`${path}/small?search=n&filter[w]=1`)
  const every = everyOf(text)
  expect(every.map(([name]) => name)).toEqual(['_total', '_list', 'search', 'filter[w]', '_all'])
  expect((await app.delete(`${path}/crud?_all=1&_total=1&_list=small&search=n3`)).json()).toMatchObject({ deleted: 1 })
  expect((await app.delete(`${path}/crud`, { _all: true, _total: 3, _list: 'small' })).json()).toMatchObject({ deleted: 3 })
  expect(await left()).toEqual([5, 6, 7, 8, 9, 10, 11, 12])
})

test('so it is for what its buttons run, and through the form of an action', async () => {
  const { app, stamped } = appOf(12)
  const every = everyOf((await app.html.get(`${path}/small`)).text)
  expect((await app.html.post(`${path}/handler/stamp?_page=index-page`, new URLSearchParams(every))).status).toBe(303)
  const asks = await app.html.post(`${path}/handler/mark?_ask=1&_button=1`, new URLSearchParams(every))
  expect(asks.text).toContain('<input type="hidden" name="_list" value="small">')
  const marks = new URLSearchParams([...every, ['by', 'me']])
  expect((await app.html.post(`${path}/handler/mark`, marks)).status).toBe(303)
  expect(stamped).toEqual([
    ['1', '2', '3', '4'],
    ['1', '2', '3', '4'],
  ])
})

test('its export has its records, columns and order', async () => {
  const { app } = appOf(12)
  const page = await app.html.get(`${path}/small?sort=-name&search=n`)
  const [, address] = /href="([^"]*\/export[^"]*)"/.exec(page.text) ?? []
  expect(address).toBe(`${path}/export?_list=small&amp;sort=-name&amp;search=n`)
  const csv = await app.get(`${address}`.replaceAll('&amp;', '&'))
  expect(csv.text.replace('\uFEFF', '').trim().split(/\r?\n/)).toEqual(['ID,Name', '4,n4', '3,n3', '2,n2', '1,n1'])
  const own = await app.html.get(`${path}/crud`)
  expect(own.text).toContain(`href="${path}/export" title`)
  expect((await app.get(`${path}/export`)).text.trim().split(/\r?\n/)).toHaveLength(13)
})

test('a saved view, which leads to the list of the resource, is not offered on it', async () => {
  const { app } = appOf(12)
  expect((await app.html.get(`${path}/crud`)).text).toContain('name="_view"')
  const { text } = await app.html.get(`${path}/small`)
  expect(text).not.toContain('name="_view"')
  expect(text).not.toContain('notes-views')
})

test('only index pages that the caller may see can be named', async () => {
  const { app, left } = appOf(12)
  for (const uri of ['nope', 'card', 'index-page']) {
    const all = await app.delete(`${path}/crud?_all=1&_total=4&_list=${uri}`)
    expect([all.status, all.json()]).toEqual([
      422,
      expect.objectContaining({ errors: { _list: [expect.stringMatching(/Valid: small$/)] } }),
    ])
    expect((await app.get(`${path}/export?_list=${uri}`)).status).toBe(422)
  }
  expect((await app.delete(`${path}/crud?_all=1&_total=4&_list=shut`)).status).toBe(403)
  expect((await app.get(`${path}/export?_list=shut`)).status).toBe(403)
  expect((await app.as({ roles: ['boss'] }).get(`${path}/export?_list=shut`)).status).toBe(200)
  expect((await app.get(`${path}/crud?_list=small`)).status).toBe(422)
  expect((await app.delete(`${path}/crud?_all=1&_total=4&_list=small&_list=small`)).status).toBe(200)
  expect((await app.delete(`${path}/crud?_list=small`, { _all: true, _total: 8, _list: '' })).status).toBe(422)
  expect((await app.get(`${path}/export?_list=small&_list=`)).status).toBe(422)
  expect(await left()).toEqual([5, 6, 7, 8, 9, 10, 11, 12])
})

test('a list among the components of a page, or on that of a record, offers neither', async () => {
  const owners = sqliteTable('owners', { id: integer().primaryKey(), name: varchar().notNull() })
  const things = sqliteTable('things', {
    id: integer().primaryKey(),
    name: varchar().notNull(),
    ownerId: integer().references(() => owners.id),
  })
  const store = memoryStore()
  const all = Array.from({ length: 9 }, (_, i) => ({ id: i + 1, name: `t${i}`, ownerId: (i % 2) + 1 }))
  const Things = defineResource({
    model: { ...store, table: things },
    fields: { id: id(), name: text('Name'), ownerId: belongsTo('Owner') },
  })
  const Owners = defineResource({
    model: { ...store, table: owners },
    fields: { id: id(), name: text('Name') },
    related: [hasMany(Things, { name: 'its-things', perPage: 2 })],
  })
  await store.transaction(async (tx) => {
    for (const key of [1, 2]) await tx.create(Owners.model, { id: key, name: `o${key}` })
    for (const one of all) await tx.create(Things.model, one)
  })
  const page = definePage({
    uri: 'some',
    title: 'Some',
    components: [tableBuilder(Things, { name: 'few', where: { ownerId: 1 }, perPage: 2 })],
  })
  const app = testPanel(definePanel({ auth: 'open', resources: [Owners, Things], pages: [page], log: () => {} }))
  for (const [address, name] of [
    ['/admin/page/some', 'few'],
    ['/admin/resource/owners/crud/1', 'its-things'],
  ]) {
    const { status, text: shown } = await app.html.get(`${address}`)
    expect(status).toBe(200)
    expect(shown).toContain(`id="${name}"`)
    expect(shown).not.toMatch(/name="_all"|\/export|-picked/)
  }
})

test('what is chosen of the columns is chosen for the own list of a resource, so no other list offers it', async () => {
  const { app } = appOf(12)
  const offers = async (at: string) => /name="columns\[notes\]"/.test((await app.html.get(`${path}/${at}`)).text)
  expect([await offers('crud'), await offers('small')]).toEqual([true, false])
})

test('what is wrong with the parameter of a list on a page is named as the address has it', async () => {
  const Notes = defineResource({
    model: memoryStore(notes, rows(5)),
    fields: { id: id(), name: text('Name').sortable() },
    filters: ['name'],
  })
  const page = definePage({
    uri: 'some',
    title: 'Some',
    components: [tableBuilder(Notes, { name: 'few' }), tableBuilder(Notes, { name: 'more' })],
  })
  const app = testPanel(definePanel({ auth: 'open', resources: [Notes], pages: [page], log: () => {} }))
  const named = async (query: string) => {
    const answer = await app.get(`/admin/page/some?${query}`)
    return [answer.status, Object.keys((answer.json() as { errors?: object }).errors ?? {})]
  }
  expect(await named('few[page]=x')).toEqual([422, ['few[page]']])
  expect(await named('more[sort]=nope')).toEqual([422, ['more[sort]']])
  expect(await named('more[filter][nope]=1')).toEqual([422, ['more[filter][nope]']])
  expect(await named('more[page]=2&few[page]=1')).toEqual([200, []])
})
