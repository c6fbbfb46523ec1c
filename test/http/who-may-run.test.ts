import { definePage, definePanel, defineResource, id, memoryStore, text } from 'daymark'
import { oag } from 'daymark/oag'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { beforeEach, expect, test } from 'vitest'

const orders = sqliteTable('orders', { id: integer().primaryKey(), name: varchar().notNull(), state: varchar().notNull() })
const path = '/admin/resource/orders'
const why = 'Only what was paid can be refunded'

let app: ReturnType<typeof testPanel>
let asked: string[]
beforeEach(() => {
  asked = []
  const Orders = defineResource({
    model: memoryStore(orders, [
      { id: 1, name: 'One', state: 'paid' },
      { id: 2, name: 'Two', state: 'sent' },
      { id: 3, name: 'Three', state: 'odd' },
    ]),
    fields: { id: id(), name: text('Name').searchable(), state: text('State') },
    canRecord: { update: ({ record }) => record.state !== 'odd' || 'An odd one stays' },
    handlers: {
      refund: {
        can: ['accountant'],
        canRecord: ({ record }) => {
          asked.push(record.name)
          return record.state === 'paid' || why
        },
        fields: { reason: text('Reason') },
        async run({ ids, update }) {
          for (const one of ids) await update(one, { state: 'refunded' })
          return 'Refunded'
        },
      },
      later: {
        long: true,
        can: ['accountant'],
        canRecord: ({ record }) => record.state === 'paid' || why,
        async run({ ids, update }) {
          for (const one of ids) await update(one, { state: 'refunded' })
        },
      },
      never: { can: false, run: () => 'Never' },
    },
    methods: {
      price: { can: ({ user }) => user.roles.includes('accountant'), method: 'GET', safe: true, run: () => '12' },
    },
    indexButtons: [
      { label: 'Refund it', handler: 'refund' },
      { label: 'Refund them', handler: 'refund', bulk: true },
      { label: 'Refund any', handler: 'refund', at: 'toolbar' },
    ],
    buttons: [{ label: 'Refund it', handler: 'refund' }],
  })
  const overview = definePage({
    uri: 'overview',
    title: 'Overview',
    components: [],
    buttons: [{ label: 'Refund any', handler: 'refund', resource: Orders }],
  })
  app = testPanel(definePanel({ database: 'sqlite::memory:', resources: [Orders], pages: [overview], plugins: [oag()] }))
})
const accountant = () => app.as({ roles: ['accountant'] })
const clerk = () => app.as({ roles: ['clerk'] })
const stateOf = async (key: number) => ((await accountant().get(`${path}/crud/${key}`)).json() as { data: { state: string } }).data.state

test('a handler runs for those that it is for, and over the records that it allows', async () => {
  expect((await accountant().post(`${path}/handler/refund`, { ids: [1] })).json()).toMatchObject({ message: 'Refunded' })
  expect(await stateOf(1)).toBe('refunded')
  // The same record, as it is now.
  expect((await accountant().post(`${path}/handler/refund`, { ids: [1] })).json()).toMatchObject({ status: 403, message: why })
})

test.each(['refund', 'later'])('"%s" is refused to others, and over other records, with the reason', async (uri) => {
  const refused = await clerk().post(`${path}/handler/${uri}`, { ids: [1] })
  expect([refused.status, asked]).toEqual([403, []])
  expect(refused.text).not.toContain(why)
  expect((await accountant().post(`${path}/handler/${uri}`, { ids: [2] })).json()).toMatchObject({ status: 403, message: why })
  // All or none.
  expect((await accountant().post(`${path}/handler/${uri}`, { ids: [1, 2] })).json()).toMatchObject({ status: 403, message: `Two: ${why}` })
  expect((await accountant().post(`${path}/handler/${uri}`, { _all: true, _total: 3 })).status).toBe(403)
  expect([await stateOf(1), await stateOf(2)]).toEqual(['paid', 'sent'])
})

test('the policies of the resource hold, too, and come first', async () => {
  expect((await accountant().post(`${path}/handler/refund`, { ids: [3] })).json()).toMatchObject({
    status: 403,
    message: 'An odd one stays',
  })
  expect(asked).toEqual([])
})

test('its form is for nobody else, either', async () => {
  const form = (as: ReturnType<typeof clerk>, key: string) =>
    as.html.post(`${path}/handler/refund?_ask=1`, new URLSearchParams({ 'ids[]': key }))
  const page = await form(accountant(), '1')
  expect([page.status, page.text.includes('Reason')]).toEqual([200, true])
  const other = await form(accountant(), '2')
  expect([other.status, other.text.includes(why), other.text.includes('name="reason"')]).toEqual([403, true, false])
  expect((await form(clerk(), '1')).status).toBe(403)
  // Nor for all of a list in which one is refused.
  const all = (query: string, total: number) =>
    accountant().html.post(`${path}/handler/refund?_ask=1${query}`, new URLSearchParams({ _all: '1', _total: String(total) }))
  const refused = await all('', 3)
  expect([refused.status, refused.text.includes('name="reason"')]).toEqual([403, false])
  expect(asked).not.toEqual([])
  const some = await all('&search=One', 1)
  expect([some.status, some.text.includes('name="reason"')]).toEqual([200, true])
})

test('a method and a handler for nobody', async () => {
  const method = `/admin/method/index-page/orders?method=price`
  expect([(await accountant().get(method)).status, (await clerk().get(method)).status]).toEqual([200, 403])
  expect((await accountant().post(`${path}/handler/never`, {})).status).toBe(403)
  // Whoever may run none is told of none.
  expect((await clerk().post(`${path}/handler/other`, {})).text).not.toMatch(/refund|never|later/)
  expect((await accountant().post(`${path}/handler/other`, {})).text).toMatch(/refund.*later/)
})

test('buttons are shown where they can be used', async () => {
  // Twice, since a list that has not changed is remembered.
  for (let i = 0; i < 2; i++) {
    const [own, others] = [await accountant().html.get(`${path}/crud`), await clerk().html.get(`${path}/crud`)]
    expect(own.text.match(/Refund it/g)).toHaveLength(1)
    expect([own.text.includes('Refund them'), own.text.includes('Refund any')]).toEqual([true, true])
    expect(others.text).not.toContain('Refund')
  }
  const page = async (key: number, as = accountant()) => (await as.html.get(`${path}/crud/${key}`)).text.includes('Refund it')
  expect([await page(1), await page(2), await page(3), await page(1, clerk())]).toEqual([true, false, false, false])
  expect((await accountant().html.get('/admin/page/overview')).text).toContain('Refund any')
  expect((await clerk().html.get('/admin/page/overview')).text).not.toContain('Refund')
})

test('a job of it is for those who could have started it', async () => {
  const started = await accountant().post(`${path}/handler/later`, { ids: [1] })
  expect(started.status).toBe(202)
  const { url } = (started.json() as { data: { url: string } }).data
  expect([(await accountant().get(url)).status, (await app.as({ id: '7', roles: ['clerk'] }).get(url)).status]).toEqual([200, 404])
  expect(await stateOf(1)).toBe('refunded')
})

test('the document has what somebody may run', async () => {
  const { paths } = (await accountant().get('/oag.json')).json() as { paths: Record<string, Record<string, { responses: object }>> }
  expect(Object.keys(paths).filter((one) => one.includes('/handler/'))).toEqual([`${path}/handler/refund`, `${path}/handler/later`])
  expect(paths[`${path}/handler/refund`]?.post?.responses).toHaveProperty('403')
})
