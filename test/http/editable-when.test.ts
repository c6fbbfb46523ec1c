import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  anyOf,
  belongsTo,
  date,
  dateTime,
  definePanel,
  defineResource,
  hasMany,
  id,
  memoryStore,
  number,
  select,
  switcher,
  text,
  textarea,
  view,
} from 'daymark'
import { oag } from 'daymark/oag'
import { testPanel } from 'daymark/testing'
import { pgTable, text as pgText, serial, timestamp } from 'drizzle-orm/pg-core'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { Sqlite } from '../support/sqlite.js'

const customers = sqliteTable('customers', { id: integer().primaryKey(), name: varchar().notNull(), rate: real() })
const invoices = sqliteTable('invoices', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  state: varchar().notNull().default('draft'),
  amount: real(),
  rate: real(),
  due: varchar(),
  urgent: integer({ mode: 'boolean' }).notNull().default(false),
  notes: varchar(),
  lane: varchar(),
  customerId: integer('customer_id').references(() => customers.id),
})
const dir = mkdtempSync(join(tmpdir(), 'daymark-editable-when-'))
const file = join(dir, 'bills.db')
const run = (sql: string) => {
  const client = new Sqlite(file)
  client.exec(sql)
  client.close()
}
run(`create table customers (id integer primary key, name text not null, rate real);
create table invoices (id integer primary key, name text not null, state text not null default 'draft', amount real, rate real, due text,
  urgent integer not null default 0, notes text, lane text, customer_id integer references customers (id))`)

const Invoices = defineResource({
  model: invoices,
  column: 'name',
  fields: {
    id: id(),
    name: text('Name').required(),
    state: select('State').options({ draft: 'Draft', sent: 'Sent', paid: 'Paid' }).visible(['admin', 'clerk']),
    amount: number('Amount').editableWhen({ state: 'draft' }).updateOnPreview(),
    rate: number('Rate').editableWhen({ state: { in: ['draft', 'sent'] }, urgent: false }),
    due: date('Due').editableWhen({ state: 'draft' }),
    urgent: switcher('Urgent').editableWhen({ state: 'draft' }).updateOnPreview(),
    notes: textarea('Notes').editableWhen(anyOf<{ amount: number | null; state: string }>({ amount: { lt: 100 } }, { state: 'draft' })),
    lane: select('Lane')
      .options(['a', 'b'])
      .editableWhen({ state: { ne: 'paid' } }, 'Paid ones stay where they are'),
    customerId: belongsTo('Customer', customers).fills({ rate: 'rate' }),
  },
  pages: { index: ['name', 'amount', 'urgent', 'lane'] },
  filters: ['lane', 'due'],
  massUpdate: ['amount', 'name'],
  views: [view.board('lane'), view.calendar('due')],
  import: true,
  history: true,
  can: { view: true, viewAny: true, create: true, update: true, delete: true },
  handlers: {
    raise: {
      async run({ ids, update }) {
        for (const one of ids) await update(one, { amount: 99, name: 'Raised' })
      },
    },
    free: {
      async run({ ids, unrestricted }) {
        for (const one of ids) await unrestricted.update(one, { amount: 99 })
      },
    },
  },
})
const Customers = defineResource({
  model: customers,
  fields: { id: id(), name: text('Name'), rate: number('Rate') },
  related: [hasMany(Invoices, { inForm: ['name', 'amount'] })],
  can: { view: true, viewAny: true, create: true, update: true, delete: true },
})
const panel = definePanel({
  auth: 'open',
  title: 'Bills',
  database: `sqlite:${file}`,
  resources: [Invoices, Customers],
  plugins: [oag()],
})
const app = testPanel(panel)
afterAll(async () => {
  await panel.close()
  rmSync(dir, { recursive: true, force: true })
})
const path = '/admin/resource/invoices/crud'
const formPage = '/admin/resource/invoices/form-page'
const only = (label: string, when = 'State is Draft') => `${label} can be changed only while ${when}`
type Data = Record<string, unknown>
const stored = async (key: number) => ((await app.get(`${path}/${key}`)).json() as { data: Data }).data

beforeEach(() => {
  run(`delete from invoices; delete from customers;
insert into customers (id, name, rate) values (1, 'Ann', 7), (2, 'Ben', 8);
insert into invoices (id, name, state, amount, rate, due, lane, customer_id) values
  (1, 'One', 'draft', 10, 1, '2026-11-03', 'a', 1), (2, 'Two', 'sent', 20, null, '2026-11-04', 'a', 1), (3, 'Three', 'paid', 300, 3, '2026-11-05', 'b', 1)`)
})

describe('a field can be changed only in records that meet its condition', () => {
  test('in JSON, as they are stored before the change, beside all else that is wrong', async () => {
    expect((await app.patch(`${path}/1`, { amount: 11, state: 'sent' })).status).toBe(200)
    const refused = await app.patch(`${path}/1`, { amount: 12, state: 'draft', name: null })
    expect(refused.status).toBe(422)
    expect(refused.json()).toMatchObject({ errors: { amount: [only('Amount')], name: ['Name is required'] } })
    expect(await stored(1)).toMatchObject({ amount: 11, state: 'sent' })
    // What is sent back as it was read is no change.
    expect((await app.put(`${path}/2`, { ...(await stored(2)), name: 'Other' })).status).toBe(200)
    expect((await app.patch(`${path}/2`, { amount: null })).json()).toMatchObject({ errors: { amount: [only('Amount')] } })
  })

  test('by several values and columns, by operators, and in words of its own', async () => {
    expect((await app.patch(`${path}/2`, { rate: 5 })).status).toBe(200)
    expect((await app.patch(`${path}/3`, { rate: 5, notes: 'x', lane: 'a' })).json()).toMatchObject({
      errors: {
        rate: [only('Rate', 'State is Draft or Sent and Urgent is No')],
        notes: ['Notes cannot be changed in this record as it is'],
        lane: ['Paid ones stay where they are'],
      },
    })
    expect((await app.patch(`${path}/2`, { notes: 'x', lane: 'b' })).status).toBe(200)
  })

  test('whoever may not see what it depends on is not told', async () => {
    const guest = app.as({ roles: ['guest'] })
    expect((await guest.patch(`${path}/2`, { amount: 5 })).json()).toMatchObject({
      status: 422,
      errors: { amount: ['Amount cannot be changed in this record as it is'] },
    })
  })

  test('a new one may have any value', async () => {
    expect((await app.post(path, { name: 'Four', state: 'paid', amount: 5 })).status).toBe(201)
    expect((await app.html.get(`${formPage}?duplicate=3`)).text).toMatch(/<input[^>]* name="amount"/)
  })

  test('in forms, which show it with its value and say why', async () => {
    expect((await app.html.get(`${formPage}/1`)).text).toMatch(/<input[^>]* name="amount"/)
    const { text: page } = await app.html.get(`${formPage}/2`)
    expect(page).not.toMatch(/<(input|select|textarea)[^>]* name="(amount|due|urgent)"/)
    expect(page).toMatch(new RegExp(`id="field-amount"[^>]*>.*?20.*?${only('Amount')}`))
    const refused = await app.html.post(`${path}/2`, new URLSearchParams({ _method: 'PUT', name: 'Two', amount: '25' }))
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('href="#field-amount"')
    const { data, schema } = (await app.get(`${formPage}/2`)).json() as { data: Data; schema: { properties: Record<string, Data> } }
    expect(data.amount).toBe(20)
    expect(schema.properties.amount).toMatchObject({ readOnly: true, description: only('Amount') })
    expect(schema.properties.name).not.toHaveProperty('readOnly')
    const stale = new URLSearchParams({ _method: 'PUT', _version: 'old', '_was[amount]': '20', name: 'Two', amount: '25' })
    expect((await app.html.post(`${path}/2`, stale)).text).toContain(only('Amount'))
  })

  test('in the check of a form', async () => {
    const check = (key: number) => app.post(`/admin/resource/invoices/validate/${key}`, { amount: 5 })
    expect((await check(1)).status).toBe(200)
    expect((await check(2)).json()).toMatchObject({ status: 422, errors: { amount: [only('Amount')] } })
  })

  test('in the cells of a list, which have no control for it', async () => {
    const put = (key: number) => app.put(`/admin/update-field/column/invoices/${key}`, { field: 'amount', value: 5, was: key * 10 })
    expect((await put(1)).status).toBe(200)
    expect((await put(2)).json()).toMatchObject({ status: 422, errors: { amount: [only('Amount')] } })
    const { text: list } = await app.html.get(`${path}?sort=id`)
    const controls = [...list.matchAll(/action="[^"]*update-field\/column\/invoices\/(\d)"/g)].map(([, key]) => key)
    expect(new Set(controls)).toEqual(new Set(['1']))
    expect(list).toContain('300')
  })

  test('when several are changed at once: all or none, and the refusal names its record', async () => {
    const change = (...ids: number[]) => app.post('/admin/resource/invoices/handler/massUpdate', { ids: ids.map(String), amount: 5 })
    expect((await change(1, 2)).json()).toMatchObject({ status: 422, errors: { amount: [`Two: ${only('Amount')}`] } })
    expect(await stored(1)).toMatchObject({ amount: 10 })
    expect((await change(1)).status).toBe(200)
  })

  test('in an import', async () => {
    const read = (check: boolean, ...records: object[]) => app.post('/admin/resource/invoices/import', { mode: 'both', check, records })
    for (const check of [true, false])
      expect((await read(check, { id: 1, amount: 5 }, { id: 2, amount: 5, state: 'draft' })).json()).toMatchObject({
        status: 422,
        errors: { 'records[1].amount': [only('Amount')] },
      })
    expect(
      (await read(false, { id: 1, amount: 5 }, { id: 2, amount: 20, name: 'Same' }, { name: 'New', amount: 1, state: 'paid' })).status,
    ).toBe(200)
  })

  test('on boards and calendars, where such cards stay', async () => {
    const moved = (page: string) => new Set([...page.matchAll(/update-field\/column\/invoices\/(\d)/g)].map(([, key]) => key))
    expect(moved((await app.html.get(`${path}?view=board`)).text)).toEqual(new Set(['1', '2']))
    expect(moved((await app.html.get(`${path}?view=calendar&month=2026-11`)).text)).toEqual(new Set(['1']))
    const put = (field: string, value: string, was: string) => app.put('/admin/update-field/column/invoices/3', { field, value, was })
    expect((await put('lane', 'a', 'b')).json()).toMatchObject({ errors: { lane: ['Paid ones stay where they are'] } })
    expect((await put('due', '2026-11-09', '2026-11-05')).json()).toMatchObject({ errors: { due: [only('Due')] } })
  })

  test('in the rows of a form', async () => {
    const body = (amount: number) => ({ invoices: [{ id: 2, amount, name: 'Two!' }] })
    expect((await app.patch('/admin/resource/customers/crud/1', body(5))).json()).toMatchObject({
      status: 422,
      errors: { 'invoices.0.amount': [only('Amount')] },
    })
    expect((await app.patch('/admin/resource/customers/crud/1', body(20))).status).toBe(200)
    const { text: page } = await app.html.get('/admin/resource/customers/form-page/1')
    // The last ones are there to be filled in, and to be copied.
    expect([...page.matchAll(/<input[^>]* name="invoices\.(\d)\.amount"/g)].map(([, i]) => i)).toEqual(['0', '3', '4'])
    expect(page).toContain(only('Amount'))
  })

  test('by a relation that fills it', async () => {
    run("update invoices set state = 'paid', rate = null where id = 2")
    expect((await app.patch(`${path}/2`, { customerId: 2 })).status).toBe(200)
    expect(await stored(2)).toMatchObject({ customerId: 2, rate: null })
    run('update invoices set rate = null where id = 1')
    await app.patch(`${path}/1`, { customerId: 2 })
    expect(await stored(1)).toMatchObject({ rate: 8 })
  })

  test('and its history gives back nothing of it', async () => {
    await app.patch(`${path}/1`, { amount: 11, name: 'Other', state: 'sent' })
    const [{ id: entry = 0 } = {}] = ((await app.get(`${path}/1/history`)).json() as { data: { id: number }[] }).data
    const form = (await app.get(`${formPage}/1?restore=${entry}`)).json()
    expect(form).toMatchObject({ data: { name: 'One', amount: 11, state: 'draft' } })
  })

  test('by a handler as the user may; its unrestricted store is free', async () => {
    const act = (name: string, key: number) => app.post(`/admin/resource/invoices/handler/${name}`, { ids: [String(key)] })
    expect((await act('raise', 1)).status).toBe(200)
    expect((await act('raise', 2)).json()).toMatchObject({ status: 422, errors: { amount: [only('Amount')] } })
    expect((await act('free', 2)).status).toBe(200)
    expect(await stored(2)).toMatchObject({ amount: 99, name: 'Two' })
  })

  test('and the document says so of changes alone', async () => {
    const document = (await app.get('/oag.json')).text
    expect(document).toContain(JSON.stringify('Can be changed while the record has {"state":"draft"}.').slice(1, -1))
  })
})

test('whoever may write a record and not view it, sees what they may write in it', async () => {
  const Blind = defineResource({
    ...(Invoices.written as object),
    model: invoices,
    uriKey: 'blind',
    history: false,
    can: { view: false, update: true },
    handlers: {},
  } as never)
  const Plain = defineResource({ model: customers, fields: { id: id(), name: text('Name'), rate: number('Rate') } })
  const blind = definePanel({ auth: 'open', title: 'Bills', database: `sqlite:${file}`, resources: [Blind, Plain] } as never)
  const form = (await testPanel(blind).get('/admin/resource/blind/form-page/2')).json() as { data: Data }
  expect(form.data).toMatchObject({ name: 'Two' })
  expect(form.data).not.toHaveProperty('amount')
  await blind.close()
})

test.each<[string, object, string]>([
  ['an unknown column', { stat: 'draft' }, 'A condition names "stat", which is not a column'],
  ['a value of another type', { amount: 'much' }, 'The condition on "amount"'],
  ['no condition', {}, 'it has no condition'],
])('%s stops the start', (_, where, fault) => {
  const fields = { id: id(), name: text().editableWhen(where) }
  const Wrong = defineResource({ model: invoices, fields } as never)
  const start = () => definePanel({ auth: 'open', title: 'Bills', database: 'sqlite::memory:', resources: [Wrong] })
  expect(start).toThrow(`editable-when  invoices.fields.name.editableWhen: ${fault}`)
})

const may = { view: true, viewAny: true, create: true, update: true, delete: true } as const

test('the document says the condition in values of JSON, and names nothing that nobody may see', async () => {
  const prices = sqliteTable('prices', {
    id: integer().primaryKey(),
    cents: integer(),
    riskScore: integer(),
    margin: real(),
    one: real(),
    two: real(),
    three: real(),
    four: real(),
  })
  const Prices = defineResource({
    model: memoryStore(prices, [{ id: 1, cents: 500, riskScore: 7, margin: 1 }]),
    fields: {
      id: id(),
      cents: number('Price').currency('EUR', { minor: true }),
      margin: number('Margin').visible(false),
      one: number('One').editableWhen({ cents: { in: [10_000, 20_050] } }),
      two: number('Two').editableWhen({ riskScore: 4711 }),
      three: number('Three').editableWhen({ margin: 4711 }),
      four: number('Four').editableWhen({ riskScore: { lt: 4711 } }),
    },
    can: may,
  })
  const shop = testPanel(definePanel({ auth: 'open', title: 'Shop', resources: [Prices], plugins: [oag()] }))
  const document = JSON.stringify((await shop.get('/oag.json')).json())
  expect(document).toContain(JSON.stringify('Can be changed while the record has {"cents":{"in":[100,200.5]}}.').slice(1, -1))
  expect(document).toContain('"title":"Two","type":["number","null"],"description":"Not every record lets it be changed."')
  expect(document).not.toMatch(/riskScore|margin|4711/)
  expect((await shop.patch('/admin/resource/prices/crud/1', { one: 1 })).json()).toMatchObject({
    errors: { one: ['One can be changed only while Price is €100.00 or €200.50'] },
  })
})

test('an empty value among several is none that opens a field, and is not said to be', async () => {
  const Odd = defineResource({
    model: memoryStore(customers, [{ id: 1, name: 'Ann', rate: null }]),
    fields: { id: id(), name: text('Name').editableWhen({ rate: { in: [7, null] } }), rate: number('Rate') },
    can: may,
  } as never)
  const odd = testPanel(definePanel({ auth: 'open', title: 'Bills', resources: [Odd] }))
  expect((await odd.patch('/admin/resource/customers/crud/1', { name: 'Bo' })).json()).toMatchObject({
    errors: { name: [only('Name', 'Rate is 7')] },
  })
})

test('times that a database hands out as texts are compared as times', async () => {
  const shifts = pgTable('shifts', { id: serial().primaryKey(), name: pgText(), at: timestamp({ mode: 'string' }) })
  const nine = '2026-11-03T09:00:00Z'
  const Shifts = defineResource({
    model: memoryStore(shifts, [
      { id: 1, name: 'One', at: '2026-11-03 10:00:00' },
      { id: 2, name: 'Two', at: '2026-11-03 08:59:59.999999' },
      { id: 3, name: 'Three', at: '2026-11-03 10:00:00+01' },
    ]),
    fields: { id: id(), name: text('Name').editableWhen(anyOf<{ at: string }>({ at: { gt: nine } }, { at: nine })), at: dateTime('At') },
    can: may,
  })
  const rota = testPanel(definePanel({ auth: 'open', title: 'Rota', resources: [Shifts] }))
  const change = async (key: number) => (await rota.patch(`/admin/resource/shifts/crud/${key}`, { name: 'Other' })).status
  expect([await change(1), await change(2), await change(3)]).toEqual([200, 422, 200])
})
