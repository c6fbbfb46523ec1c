import { definePanel, defineResource, id, memoryStore, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { beforeEach, expect, test } from 'vitest'

const orders = sqliteTable('orders', { id: integer().primaryKey(), name: varchar().notNull(), state: varchar().notNull() })
const path = '/admin/resource/orders'

let app: ReturnType<typeof testPanel>
beforeEach(() => {
  const Orders = defineResource({
    model: memoryStore(orders, [
      { id: 1, name: 'One', state: 'open' },
      { id: 2, name: 'Two', state: 'sent' },
      { id: 3, name: 'Three', state: 'odd' },
    ]),
    fields: { id: id(), name: text('Name'), state: text('State') },
    canRecord: {
      update: ({ record: { state } }) => (state === 'odd' ? '' : state === 'open' || 'A <sent> order stays as it is'),
      delete: ({ user, record: { state } }) => user.roles.includes('boss') || (state === 'sent' ? 'Only a boss deletes sent orders' : true),
    },
    handlers: {
      close: { run: async ({ ids, update }) => void (await update(ids[0] as string, { state: 'sent' })) },
      force: {
        ability: 'view',
        run: async ({ ids, unrestricted }) => void (await unrestricted.update(ids[0] as string, { name: 'Forced' })),
      },
    },
    buttons: [{ label: 'Finish it', handler: 'close' }],
  })
  app = testPanel(definePanel({ auth: 'open', resources: [Orders] }))
})

const why = 'A <sent> order stays as it is'

test('a policy for a record says why it denies, in JSON and on a page', async () => {
  const refused = await app.put(`${path}/crud/2`, { name: 'Other' })
  expect([refused.status, refused.json()]).toEqual([403, expect.objectContaining({ status: 403, message: why, detail: why })])
  const page = await app.html.get(`${path}/form-page/2`)
  expect([page.status, page.text.includes('A &lt;sent&gt; order stays as it is')]).toEqual([403, true])
  expect((await app.put(`${path}/crud/1`, { name: 'Other' })).status).toBe(200)
})

test('and so it does of handlers, of deletes and of many', async () => {
  expect((await app.post(`${path}/handler/close`, { ids: [2] })).json()).toMatchObject({ status: 403, message: why })
  expect((await app.delete(`${path}/crud/2`)).json()).toMatchObject({ status: 403, message: 'Only a boss deletes sent orders' })
  const several = (await app.delete(`${path}/crud?ids[]=1&ids[]=2`)).json()
  expect(several).toMatchObject({ status: 403, message: 'Two: Only a boss deletes sent orders' })
  expect((await app.as({ roles: ['boss'] }).delete(`${path}/crud/2`)).status).toBe(200)
})

test('a text without a word denies like any other answer, and what the panel does by itself is not asked', async () => {
  expect((await app.put(`${path}/crud/3`, { name: 'Other' })).json()).toMatchObject({ status: 403, message: 'You may not do this' })
  expect((await app.post(`${path}/handler/force`, { ids: [2] })).status).toBe(200)
})

test('who has no role is told why, too', async () => {
  const Notes = defineResource({
    model: memoryStore(orders, [{ id: 1, name: 'One', state: 'open' }]),
    fields: { id: id(), name: text('Name') },
    can: { view: true, update: true },
    canRecord: { update: () => 'It is closed' },
  })
  const nobody = testPanel(definePanel({ resources: [Notes], database: 'sqlite::memory:' })).as({ roles: [] })
  const { status, text: page } = await nobody.html.get(`${path}/form-page/1`)
  expect([status, page.includes('It is closed')]).toEqual([403, true])
})

test('what is denied has no button', async () => {
  const [open, sent] = [(await app.html.get(`${path}/crud/1`)).text, (await app.html.get(`${path}/crud/2`)).text]
  expect([open.includes('form-page/1"'), open.includes('>Finish it<')]).toEqual([true, true])
  expect([sent.includes('form-page/2"'), sent.includes('>Finish it<'), sent.includes('stays as it is')]).toEqual([false, false, false])
})

test('of several, a record is called by nothing that the caller may neither see nor write', async () => {
  const Orders = defineResource({
    model: memoryStore(orders, [
      { id: 1, name: 'One', state: 'open' },
      { id: 2, name: 'Two', state: 'sent' },
    ]),
    fields: { id: id(), name: text('Name'), state: text('State') },
    can: { view: ['boss'], update: true, delete: true },
    canRecord: { update: ({ record }) => record.state === 'open' || why, delete: () => why },
    handlers: { close: { canRecord: () => why, run: () => 'Closed' } },
  })
  const clerk = testPanel(definePanel({ resources: [Orders], database: 'sqlite::memory:' })).as({ roles: ['clerk'] })
  const said = async (ids: number[], answer = clerk.post(`${path}/handler/close`, { ids })) =>
    ((await answer).json() as { message: string }).message
  expect(await said([2, 1])).toBe(`2: ${why}`)
  expect(await said([2, 1], clerk.delete(`${path}/crud?ids[]=2&ids[]=1`))).toBe(`2: ${why}`)
  // This one may be written, so its form says as much.
  expect(await said([1, 2])).toBe(`One: ${why}`)
  const asked = await clerk.html.post(`${path}/crud/2`, new URLSearchParams({ _method: 'DELETE' }))
  expect([asked.status, asked.text.includes('Two')]).toEqual([403, false])
})
