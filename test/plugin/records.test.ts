import { definePanel, definePlugin, defineResource, id, memoryStore, number, refuse, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const orders = sqliteTable('orders', { id: integer().primaryKey(), title: varchar().notNull(), of: varchar().notNull(), sum: integer() })

const open = () => {
  const told: string[] = []
  const Orders = defineResource({
    model: memoryStore(orders, [
      { id: 1, title: 'One', of: 'ada', sum: 1 },
      { id: 2, title: 'Two', of: 'bob', sum: 2 },
    ]),
    fields: { id: id(), title: text('Title').required(), of: text('Of'), sum: number('Sum') },
    scope: ({ user }) => (user.roles.includes('boss') ? {} : { of: user.username }),
    can: { create: ['boss', 'clerk'], update: ['boss', 'clerk'], delete: ['boss'] },
    hooks: { afterSave: ({ after, user }) => void told.push(`${user.username} ${after.title}`) },
    validate: ({ values }) => (values.title === 'wrong' ? { title: 'Is wrong' } : null),
  })
  const sums = definePlugin({
    id: 'sums',
    resources: [Orders],
    routes: () => [
      {
        name: 'all',
        methods: ['GET'],
        path: '/all',
        ability: 'signedIn',
        query: 'none',
        verb: {
          on: 'panel',
          ends: ['answered'],
          refuses: ['forbidden'],
          run: async ({ of }) => {
            const rows = await of(Orders).list()
            return { is: 'answered', data: { titles: rows.map(({ title }) => title) }, view: null }
          },
        },
      },
      {
        name: 'writes',
        methods: ['GET'],
        path: '/writes',
        ability: 'signedIn',
        query: 'none',
        verb: {
          on: 'panel',
          ends: ['answered'],
          run: async ({ of }) => ({ is: 'answered', data: { made: (await of(Orders).create({ title: 'a', of: 'ada' })).id }, view: null }),
        },
      },
      {
        name: 'copy',
        methods: ['POST'],
        path: '/copy/{id}',
        ability: 'signedIn',
        body: 'fields',
        query: 'none',
        verb: {
          on: 'panel',
          ends: ['answered'],
          run: async ({ of, input, identity }) => {
            const found = await of(Orders).find(input.params?.get('id') ?? '')
            const title = input.body.from === 'json' ? String(input.body.fields.get('title')) : ''
            if (!found) return refuse('id', 'There is no such order')
            const made = await of(Orders).create({ title, of: identity.username })
            return { is: 'answered', data: { made: made.id }, view: null }
          },
        },
      },
      {
        name: 'both',
        methods: ['POST'],
        path: '/{resourceUri}/both',
        ability: 'create',
        query: 'none',
        verb: {
          on: 'resource',
          ends: ['answered'],
          run: async ({ transaction, identity }) => {
            await transaction(async ({ of }) => {
              await of(Orders).create({ title: 'first', of: identity.username })
              await of(Orders).create({ title: 'wrong', of: identity.username })
            })
            return { is: 'answered', data: {}, view: null }
          },
        },
      },
    ],
  })
  const panel = definePanel({ auth: 'open', resources: [], plugins: [sums] })
  const app = testPanel(panel)
  const as = (username: string, ...roles: string[]) => app.as({ username, roles })
  return { panel, told, as, all: async () => (await as('boss', 'boss').get('/admin/plugin/sums/all')).json() }
}

test('a verb reads what its caller may see', async () => {
  const { as } = open()
  expect((await as('ada', 'clerk').get('/admin/plugin/sums/all')).json()).toEqual({ titles: ['One'] })
  expect((await as('boss', 'boss').get('/admin/plugin/sums/all')).json()).toEqual({ titles: ['One', 'Two'] })
  expect((await as('ada').get('/admin/plugin/sums/all')).status).toBe(403)
})

test('and writes what its caller may, with the rules and hooks of the resource', async () => {
  const { as, told, all } = open()
  const copy = (who: ReturnType<typeof as>, key: number, title: string) => who.post(`/admin/plugin/sums/copy/${key}`, { title })
  const ada = as('ada', 'clerk')
  expect(await copy(ada, 1, 'Copy')).toMatchObject({ status: 200 })
  expect(told).toEqual(['ada Copy'])
  expect((await copy(ada, 2, 'Copy')).json()).toMatchObject({ errors: { id: ['There is no such order'] } })
  expect((await copy(ada, 1, 'wrong')).json()).toMatchObject({ status: 422, errors: { title: ['Is wrong'] } })
  expect((await copy(as('ada', 'reader'), 1, 'Copy')).status).toBe(403)
  expect(await all()).toEqual({ titles: ['One', 'Two', 'Copy'] })
})

test('all of a transaction, or none; and nothing in a GET', async () => {
  const { as, all } = open()
  expect((await as('ada', 'clerk').post('/admin/plugin/sums/orders/both')).status).toBe(422)
  expect(await all()).toEqual({ titles: ['One', 'Two'] })
  expect((await as('ada', 'clerk').get('/admin/plugin/sums/writes')).status).toBe(500)
  expect(await all()).toEqual({ titles: ['One', 'Two'] })
})

test('the panel knows the paths of its plugins', () => {
  const { panel } = open()
  expect(panel.route('sums.all', { query: { a: 1 } })).toBe('/admin/plugin/sums/all?a=1')
  expect(panel.route('sums.copy', { id: 'a/b' })).toBe('/admin/plugin/sums/copy/a%2Fb')
  expect(panel.route('sums.both', { resource: 'orders' })).toBe('/admin/plugin/sums/orders/both')
  expect(() => panel.route('sums.copy')).toThrow('needs id')
  expect(() => panel.route('sums.none')).toThrow('sums.all')
})
