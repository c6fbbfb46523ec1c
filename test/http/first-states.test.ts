import { belongsTo, definePanel, defineResource, hasMany, id, memoryStore, select, text, trashResource, view } from 'daymark'
import { oag } from 'daymark/oag'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { beforeEach, describe, expect, test } from 'vitest'

const customers = sqliteTable('customers', { id: integer().primaryKey(), name: varchar().notNull() })
const invoices = sqliteTable('invoices', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  state: varchar(),
  customerId: integer('customer_id').references(() => customers.id),
  deletedAt: integer('deleted_at', { mode: 'timestamp' }),
})
const state = select('State').options({ draft: 'Draft', sent: 'Sent', paid: 'Paid' })
const ways = { draft: ['sent'], sent: ['paid'], paid: [] } as const
const once = state.transitions(ways, { begins: ['draft'] })
const byRoles = state.transitions(ways, { begins: ['draft', { to: 'sent', roles: ['clerk'] }] })

function open(field: typeof once) {
  const shared = memoryStore()
  const over = <T>(table: T): T => ({ ...shared, table }) as never
  const Invoices = defineResource({
    model: over(invoices),
    fields: { id: id(), name: text('Name').required(), state: field.updateOnPreview(), customerId: belongsTo('Customer', customers) },
    column: 'name',
    softDelete: 'deletedAt',
    filters: ['state'],
    massUpdate: ['state'],
    views: [view.board('state')],
    import: true,
    can: { view: true, viewAny: true, create: true, update: true, delete: true },
    handlers: {
      make: {
        async run({ create }) {
          await create({ name: 'Made', state: 'paid' })
        },
      },
      free: {
        async run({ unrestricted }) {
          await unrestricted.create({ name: 'Free', state: 'paid' })
        },
      },
    },
  })
  const Customers = defineResource({
    model: over(customers),
    fields: { id: id(), name: text('Name') },
    related: [hasMany(Invoices, { inForm: ['name', 'state'] })],
    can: { view: true, viewAny: true, create: true, update: true, delete: true },
  })
  return testPanel(
    definePanel({ auth: 'open', title: 'Bills', resources: [Invoices, Customers, trashResource(Invoices)], plugins: [oag()] }),
  )
}
const path = '/admin/resource/invoices/crud'
const formPage = '/admin/resource/invoices/form-page/'
const says = (to: string, next = 'Draft') => `State cannot begin with ${to}. It begins with: ${next}`
let app: ReturnType<typeof open>
type Data = Record<string, unknown>
const dataOf = (answer: { json(): unknown }) => (answer.json() as { data: Data }).data
const optionsIn = (page: string, name = 'state') =>
  [...(new RegExp(`<select[^>]* name="${name}".*?</select>`).exec(page)?.[0] ?? '').matchAll(/<option value="(\w*)"( selected)?/g)].map(
    ([, one, chosen]) => `${one}${chosen ? '!' : ''}`,
  )

describe('a new record begins only where it may', () => {
  beforeEach(() => {
    app = open(once)
  })
  const paid = async () => {
    const { id: key } = dataOf(await app.post(path, { name: 'One', state: 'draft' }))
    for (const one of ['sent', 'paid']) expect((await app.patch(`${path}/${key}`, { state: one })).status).toBe(200)
    return key as number
  }

  test('in JSON, and one that has no state yet does, too', async () => {
    expect((await app.post(path, { state: 'paid' })).json()).toMatchObject({
      status: 422,
      errors: { state: [says('Paid')], name: ['Name is required'] },
    })
    const { id: key } = dataOf(await app.post(path, { name: 'One', state: null }))
    expect((await app.patch(`${path}/${key}`, { state: 'sent' })).json()).toMatchObject({ status: 422, errors: { state: [says('Sent')] } })
    const put = (value: string) => app.put(`/admin/update-field/column/invoices/${key}`, { field: 'state', value, was: null })
    expect((await put('paid')).json()).toMatchObject({ errors: { state: [says('Paid')] } })
    expect((await put('draft')).status).toBe(200)
    expect((await app.post(path, { name: 'Two' })).status).toBe(201)
  })

  test('in forms, which offer nothing else and begin with the only one', async () => {
    const page = await app.html.get(formPage)
    expect(optionsIn(page.text)).toEqual(['', 'draft!'])
    const refused = await app.html.post(path, new URLSearchParams({ name: 'One', state: 'paid' }))
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(says('Paid'))
    const { data, schema } = (await app.get(formPage)).json() as { data: Data; schema: { properties: { state: { enum: unknown } } } }
    expect(schema.properties.state.enum).toEqual([null, 'draft'])
    expect(data.state).toBe('draft')
  })

  test('by the URL of a form', async () => {
    expect(optionsIn((await app.html.get(`${formPage}?value[state]=paid`)).text)).toEqual(['', 'draft!'])
    expect((await app.get(`${formPage}?value[state]=paid`)).json()).toMatchObject({
      status: 422,
      errors: { 'value[state]': [says('Paid')] },
    })
    expect((await app.get(`${formPage}?value[state]=draft`)).json()).toMatchObject({ data: { state: 'draft' } })
  })

  test('as a copy of one that is elsewhere', async () => {
    const key = await paid()
    expect(optionsIn((await app.html.get(`${formPage}?duplicate=${key}`)).text)).toEqual(['', 'draft!'])
    expect((await app.get(`${formPage}?duplicate=${key}`)).json()).toMatchObject({ data: { name: 'One', state: 'draft' } })
  })

  test('in the check of a form', async () => {
    const check = (body: object) => app.post('/admin/resource/invoices/validate', body)
    expect((await check({ name: 'One', state: 'sent' })).json()).toMatchObject({ status: 422, errors: { state: [says('Sent')] } })
    expect((await check({ name: 'One', state: 'draft' })).status).toBe(200)
  })

  test.each(['create', 'both'])('in an import that may %s', async (mode) => {
    const read = (check: boolean, state: string) =>
      app.post('/admin/resource/invoices/import', {
        mode,
        check,
        records: [
          { name: 'One', state: 'draft' },
          { name: 'Two', state },
        ],
      })
    for (const check of [true, false])
      expect((await read(check, 'paid')).json()).toMatchObject({ status: 422, errors: { 'records[1].state': [says('Paid')] } })
    expect((await read(false, 'draft')).status).toBe(200)
  })

  test('in the rows of a form', async () => {
    const body = (state: string) => ({ name: 'Ann', invoices: [{ name: 'One', state }] })
    expect((await app.post('/admin/resource/customers/crud', body('paid'))).json()).toMatchObject({
      status: 422,
      errors: { 'invoices.0.state': [says('Paid')] },
    })
    const { id: key } = dataOf(await app.post('/admin/resource/customers/crud', body('draft')))
    const page = '/admin/resource/customers/form-page/'
    expect(optionsIn((await app.html.get(page)).text, 'invoices.0.state')).toEqual(['', 'draft!'])
    const [one] = (dataOf(await app.get(`${page}${key}`)) as { invoices: { id: number }[] }).invoices
    for (const to of ['sent', 'paid']) await app.patch(`${path}/${one?.id}`, { state: to })
    expect((await app.get(`${page}?duplicate=${key}`)).json()).toMatchObject({ data: { invoices: [{ name: 'One', state: 'draft' }] } })
    // The row that is there to be filled in holds what it began with, and is left out.
    const typed = new URLSearchParams({ name: 'Ben', 'invoices.0.name': '', 'invoices.0.state': 'draft', 'invoices.0._blank': '1' })
    expect((await app.html.post('/admin/resource/customers/crud', typed)).status).toBe(303)
  })

  test('on a board, whose other columns add none', async () => {
    await paid()
    const board = (await app.html.get(`${path}?view=board`)).text
    const added = [...board.matchAll(/value%5Bstate%5D=(\w+)|value\[state\]=(\w+)/g)].map(([, one, two]) => one ?? two)
    expect(new Set(added)).toEqual(new Set(['draft']))
  })

  test('by a handler as the user may; its unrestricted store is free', async () => {
    const run = (name: string) => app.post(`/admin/resource/invoices/handler/${name}`, { ids: [] })
    expect((await run('make')).json()).toMatchObject({ status: 422, errors: { state: [says('Paid')] } })
    expect((await run('free')).status).toBe(200)
  })

  test('and one that comes back from the trash is no new one', async () => {
    const key = await paid()
    expect((await app.delete(`${path}/${key}`)).status).toBe(200)
    expect((await app.post('/admin/resource/invoices-trash/handler/restore', { ids: [key] })).status).toBe(200)
    expect(dataOf(await app.get(`${path}/${key}`))).toMatchObject({ state: 'paid' })
  })

  test('and the document says where', async () => {
    expect((await app.get('/oag.json')).text).toContain('from paid nowhere. A new one begins with draft.')
  })
})

describe('a beginning for some roles', () => {
  beforeEach(() => {
    app = open(byRoles as never)
  })

  test('is theirs alone', async () => {
    const clerk = app.as({ roles: ['clerk'] })
    const guest = app.as({ roles: ['guest'] })
    expect((await guest.post(path, { name: 'One', state: 'sent' })).json()).toMatchObject({
      status: 422,
      errors: { state: ['You may not let State begin with Sent: that is for other roles'] },
    })
    expect((await guest.post(path, { name: 'One', state: 'paid' })).json()).toMatchObject({ errors: { state: [says('Paid')] } })
    expect((await clerk.post(path, { name: 'One', state: 'paid' })).json()).toMatchObject({
      errors: { state: [says('Paid', 'Draft, Sent')] },
    })
    expect((await clerk.post(path, { name: 'One', state: 'sent' })).status).toBe(201)
    expect(optionsIn((await guest.html.get(formPage)).text)).toEqual(['', 'draft!'])
    expect(optionsIn((await clerk.html.get(formPage)).text)).toEqual(['', 'draft', 'sent'])
  })

  test('that is the default is not given to others', async () => {
    const usual = state.default('sent').transitions(ways, { begins: ['draft', { to: 'sent', roles: ['clerk'] }] })
    const bills = open(usual as never)
    const guest = bills.as({ roles: ['guest'] })
    expect((await guest.post(path, { name: 'One' })).json()).toMatchObject({
      status: 422,
      errors: { state: ['You may not let State begin with Sent: that is for other roles'] },
    })
    expect(optionsIn((await guest.html.get(formPage)).text)).toEqual(['', 'draft!'])
    expect(dataOf(await bills.as({ roles: ['clerk'] }).post(path, { name: 'One' }))).toMatchObject({ state: 'sent' })
  })
})

test('what code leaves to the default of a column, its user may begin with, unless it is unrestricted', async () => {
  const model = memoryStore(
    sqliteTable('invoices', { id: integer().primaryKey(), name: varchar().notNull(), state: varchar().default('sent') }),
  )
  const Invoices = (field: typeof byRoles) =>
    defineResource({
      model,
      fields: { id: id(), name: text('Name'), state: field },
      can: { view: true, viewAny: true, create: true },
      handlers: {
        make: { ability: 'create', run: async ({ create }) => void (await create({ name: 'Made' })) },
        free: { ability: 'create', run: async ({ unrestricted }) => void (await unrestricted.create({ name: 'Free' })) },
      },
    })
  const open = (field: typeof byRoles) => testPanel(definePanel({ auth: 'open', title: 'Bills', resources: [Invoices(field)] }))
  const run = async (of: ReturnType<typeof open>, name: string, roles: string[]) =>
    (await of.as({ id: '1', name: 'A', roles }).post(`/admin/resource/invoices/handler/${name}`, {})).json()
  const panel = open(byRoles)
  expect(await run(panel, 'make', ['editor'])).toMatchObject({
    status: 422,
    errors: { state: ['You may not let State begin with Sent: that is for other roles'] },
  })
  expect(await run(panel, 'free', ['editor'])).not.toMatchObject({ status: 422 })
  expect(await run(panel, 'make', ['clerk'])).not.toMatchObject({ status: 422 })
  // Who cannot write it, did not choose it.
  expect(await run(open(byRoles.editable(['clerk'])), 'make', ['editor'])).not.toMatchObject({ status: 422 })
  const made = (await panel.get('/admin/resource/invoices/crud')).json() as { data: Data[] }
  expect(made.data.map(({ name, state }) => [name, state])).toEqual([
    ['Made', 'sent'],
    ['Made', 'sent'],
    ['Free', 'sent'],
  ])
})

const columns = { id: integer().primaryKey(), name: varchar().notNull(), state: varchar().default('paid') }
test.each<[string, object, unknown, string]>([
  ['an unknown state', {}, { begins: ['lost'] }, '.transitions() has "lost", which is no option'],
  ['no state at all', {}, { begins: [] }, 'begins has at least one option'],
  ['a beginning for nobody', {}, { begins: [{ to: 'draft', roles: [] }] }, 'needs roles to draft'],
  ['a default that is none', { default: 'paid' }, { begins: ['draft'] }, "no record may begin with its default, 'paid'"],
  ['a default of the column that is none', { column: true }, { begins: ['draft'] }, "no record may begin with its default, 'paid'"],
])('%s to begin with stops the start', (_, { default: usual, column }: { default?: string; column?: true }, more, fault) => {
  const field = usual ? state.default(usual) : state
  const model = memoryStore(column ? sqliteTable('invoices', columns) : invoices)
  const Wrong = defineResource({ model, fields: { id: id(), name: text(), state: field.transitions(ways, more as never) } } as never)
  expect(() => definePanel({ auth: 'open', title: 'Bills', resources: [Wrong] })).toThrow(fault)
})
