import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  belongsTo,
  dateTime,
  definePanel,
  defineResource,
  file,
  folder,
  hasMany,
  id,
  memoryStore,
  number,
  type Panel,
  switcher,
  text,
  trashResource,
} from 'daymark'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type OwnDatabase, openFile, panelIn } from '../support/own-database.js'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const customers = sqliteTable('customers', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  hidden: integer({ mode: 'boolean' }).notNull().default(false),
})
const contracts = sqliteTable('contracts', {
  id: integer().primaryKey(),
  title: varchar().notNull(),
  number: varchar().unique(),
  customerId: integer('customer_id').references(() => customers.id),
  price: integer(),
  team: varchar().notNull().default('a'),
  deletedAt: integer('deleted_at', { mode: 'timestamp_ms' }),
})
const notes = sqliteTable('notes', {
  id: integer().primaryKey(),
  body: varchar().notNull(),
  contractId: integer('contract_id').references(() => contracts.id),
})
const tables = { customers, contracts, notes }
const notesOfTeams = sqliteTable('notes', {
  id: integer().primaryKey(),
  body: varchar().notNull(),
  deletedAt: integer('deleted_at', { mode: 'timestamp_ms' }),
})

const customersInPg = pg.pgTable('customers', {
  id: pg.serial().primaryKey(),
  name: pg.text().notNull(),
  hidden: pg.boolean().notNull().default(false),
})
const contractsInPg = pg.pgTable('contracts', {
  id: pg.serial().primaryKey(),
  title: pg.text().notNull(),
  number: pg.text().unique(),
  customerId: pg.integer('customer_id').references(() => customersInPg.id),
  price: pg.integer(),
  team: pg.text().notNull().default('a'),
  deletedAt: pg.timestamp('deleted_at', { withTimezone: true, precision: 3 }),
})
const inPostgresql = {
  customers: customersInPg,
  contracts: contractsInPg,
  notes: pg.pgTable('notes', {
    id: pg.serial().primaryKey(),
    body: pg.text().notNull(),
    contractId: pg.integer('contract_id').references(() => contractsInPg.id),
  }),
} as unknown as typeof tables

const schema = (key: string, boolean: string, time: string) => [
  `create table customers (id ${key}, name text not null, hidden ${boolean})`,
  `create table contracts (id ${key}, title text not null, number text unique, customer_id integer references customers (id), price integer,
    team text not null default 'a', deleted_at ${time})`,
  'create unique index contracts_price on contracts (price) where deleted_at is null',
  `create table notes (id ${key}, body text not null, contract_id integer references contracts (id))`,
]

// biome-ignore lint/suspicious/noExplicitAny: what callbacks get, over tables of two databases
type Given = any
interface Heard {
  readonly said: string[]
}

function panelOver(database: string | null, { customers, contracts, notes }: typeof tables, heard: Heard): Panel {
  const over = <T>(table: T): T => (database === null ? (memoryStore(table as never) as never) : table)
  const history = database !== null
  const Customers = defineResource({
    model: over(customers),
    fields: { id: id(), name: text('Name').searchable().visible(['keeper']), hidden: switcher('Hidden') },
    softDelete: 'hidden',
    filters: ['name'],
  })
  const Contracts = defineResource({
    model: over(contracts),
    fields: {
      id: id(),
      title: text('Title').searchable().sortable(),
      number: text('Number'),
      customerId: belongsTo('Customer', customers),
      price: number('Price').visible(['keeper']),
    },
    softDelete: 'deletedAt',
    filters: ['title', 'customerId'],
    clickAction: 'DETAIL',
    history,
    import: true,
    related: [hasMany('notes')],
    can: { view: true, viewAny: true, create: true, update: true, delete: ['keeper', 'clerk'], massDelete: ['keeper', 'clerk'] },
    canRecord: { delete: ({ record }: Given) => record.title !== 'kept' },
    scope: ({ user }: Given) => (user.roles.includes('clerk') ? { team: 'a' } : {}),
    methods: { drop: { ability: 'delete', run: ({ ids, delete: remove }: Given) => remove(ids[0]).then(() => 'Dropped') } },
    handlers: {
      renumber: {
        selection: 'required',
        transaction: true,
        run: async ({ ids, update }: Given) => {
          for (const one of ids) await update(one, { number: 'n-1' })
        },
      },
      sum: {
        async run({ list, count, unrestricted }: Given) {
          const titles = (await list()).map(({ title }: Given) => title)
          return `${titles.length} of ${await count()}: ${titles}; all ${await unrestricted.count()}`
        },
      },
    },
    hooks: {
      beforeDelete: ({ record }: Given) =>
        void heard.said.push(`delete ${record.title} ${record.deletedAt === null ? 'first' : 'for good'}`),
      afterSave: ({ before, after }: Given) => void (before && heard.said.push(`save ${after.title} ${after.deletedAt}`)),
    },
  } as never)
  const Notes = defineResource({
    model: over(notes),
    fields: { id: id(), body: text('Body'), contractId: belongsTo('Contract', contracts) },
  })
  return definePanel({
    auth: 'open',
    ...(database !== null && { database }),
    resources: [trashResource(Contracts as never), Contracts, Customers, Notes, trashResource(Customers)],
  } as never)
}

const stores = {
  async memory() {
    const heard: Heard = { said: [] }
    const panel = panelOver(null, tables, heard)
    return { panel, heard, hasHistory: false, move: () => {}, end: () => panel.close() }
  },
  async SQLite() {
    const statements = schema('integer primary key', 'integer not null default 0', 'integer')
    return openIn(await openFile(), statements, tables)
  },
  async PostgreSQL() {
    const statements = schema('serial primary key', 'boolean not null default false', 'timestamptz(3)')
    return openIn(await openDatabase(), statements, inPostgresql)
  },
}

async function openIn(database: OwnDatabase, statements: readonly string[], over: typeof tables) {
  const heard: Heard = { said: [] }
  const { panel, query, end } = await panelIn(database, statements, (url) => panelOver(url, over, heard))
  return { panel, heard, hasHistory: true, move: (id: number) => query(`update contracts set team = 'b' where id = ${id}`), end }
}

type Data = Record<string, unknown> & { readonly id: number }

describe.each(Object.entries(stores))('the trash, over %s', (name, open) => {
  let opened: Awaited<ReturnType<(typeof stores)[keyof typeof stores]>>
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened?.end())

  const crud = (more: string | number = '', uri = 'contracts') => `/admin/resource/${uri}/crud${more === '' ? '' : `/${more}`}`
  const trash = (more: string | number = '') => crud(more, 'contracts-trash')
  const as = (...roles: string[]) => testPanel(opened.panel).as({ id: '7', name: 'Grace', roles })
  const grace = () => as('keeper')
  const listed = async (path: string, app = grace()) => (((await app.get(path)).json() as { data: Data[] }).data ?? []).map(({ id }) => id)
  const make = async (values: Record<string, unknown>, uri = 'contracts') => {
    const answer = await grace().post(crud('', uri), values)
    expect(answer.status, answer.text).toBe(201)
    return (answer.json() as { data: Data }).data.id
  }
  const restore = (ids: number[], app = grace()) => app.post('/admin/resource/contracts-trash/handler/restore', { ids })

  test('a delete takes a record out of everything, and keeps it in the trash', async () => {
    const customerId = await make({ name: 'Ada' }, 'customers')
    const [a, b] = [await make({ title: 'one', customerId, price: 12 }), await make({ title: 'two' })]
    const note = await make({ body: 'of one', contractId: a }, 'notes')
    const gone = await grace().delete(crud(a))
    expect([gone.status, gone.json()]).toEqual([200, { message: 'Deleted', deleted: 1 }])
    expect(await listed(crud())).toEqual([b])
    for (const path of [crud(a), `/admin/resource/contracts/form-page/${a}`])
      for (const app of [grace(), grace().html]) expect((await app.get(path)).status, path).toBe(404)
    expect((await grace().put(crud(a), { title: 'again' })).status).toBe(404)
    // A client that repeats it deletes nothing for good.
    expect((await grace().delete(crud(a))).status).toBe(404)
    expect(await listed(`${crud()}?search=one`)).toEqual([])
    expect((await grace().get('/admin/resource/contracts/export')).text).not.toContain('one')
    expect((await grace().get('/admin/async-search/notes/contractId?query=one')).json()).toEqual({ data: [] })
    expect((await grace().get('/admin/palette?query=one')).text).not.toContain(`/crud/${a}`)
    // What refers to it stays, and cannot newly refer to it.
    expect((await grace().get(`${crud(note, 'notes')}?include=contract`)).json()).toMatchObject({ data: { contractId: a, contract: null } })
    expect((await grace().put(crud(note, 'notes'), { body: 'still' })).status).toBe(200)
    expect((await grace().post(crud('', 'notes'), { body: 'x', contractId: a })).status).toBe(422)

    const { data } = (await grace().get(trash())).json() as { data: Data[] }
    expect(data).toEqual([{ id: a, title: 'one', number: null, customerId, price: 12, deletedAt: expect.stringMatching(/^\d{4}-.*Z$/) }])
    expect(Math.abs(Date.now() - Date.parse(String(data[0]?.deletedAt)))).toBeLessThan(600_000)
    expect(await listed(`${trash()}?filter[title]=one&sort=-deletedAt`)).toEqual([a])
    expect(((await grace().get(trash(a))).json() as { data: Data }).data.title).toBe('one')
    expect((await grace().get(trash(b))).status).toBe(404)
    // Nothing else can be done with it there.
    for (const answer of [grace().post(trash(), { title: 'x' }), grace().put(trash(a), { title: 'x' })])
      expect((await answer).status).toBe(403)
    expect(opened.heard.said).toEqual(['delete one first'])
  })

  test('restores records, alone or many, with hooks and history; all or none', async () => {
    const [a, b, c] = [await make({ title: 'one', number: 'n' }), await make({ title: 'two' }), await make({ title: 'three' })]
    expect((await grace().delete(crud(), { ids: [a, b, c] })).json()).toEqual({ message: '3 deleted', deleted: 3 })
    expect(await listed(crud())).toEqual([])
    const one = await restore([a])
    expect([one.status, (one.json() as { message: string }).message]).toEqual([200, 'one restored'])
    expect(await listed(crud())).toEqual([a])
    expect((await restore([b, a])).status).toBe(404)
    expect(await listed(crud())).toEqual([a])
    expect(((await restore([b, c])).json() as { message: string }).message).toBe('2 restored')
    expect(await listed(`${crud()}?sort=id`)).toEqual([a, b, c])
    expect(await listed(trash())).toEqual([])
    expect(opened.heard.said).toEqual([
      'delete one first',
      'delete two first',
      'delete three first',
      'save one null',
      'save two null',
      'save three null',
    ])
    if (!opened.hasHistory) return
    const { data } = (await grace().get(`${crud(a)}/history`)).json() as { data: { action: string; changes: object }[] }
    expect(data.map(({ action }) => action)).toEqual(['restore', 'delete', 'create'])
    expect(data[0]?.changes).toEqual({})
    const page = (await grace().html.get(`${crud(a)}/history`)).text
    for (const said of ['Restored by Grace', 'Deleted by Grace', 'Created by Grace']) expect(page).toContain(said)
  })

  const form = (fields: Record<string, string>, ...keys: number[]) =>
    new URLSearchParams([...Object.entries(fields), ...keys.map((key): [string, string] => ['ids[]', String(key)])])
  /** Deletes on the pages, and draws the page that says so. */
  const deleted = async (path: string, keys: number[], app = grace()) => {
    const done = await app.html.post(path, form({ _method: 'DELETE', _confirmed: '1', _back: crud() }, ...keys))
    expect(done.status, done.text).toBe(303)
    const cookie = (done.headers.get('set-cookie') ?? '').split(';', 1)[0] as string
    return (await app.html.get(crud(), { headers: { cookie } })).text
  }
  const undoIn = (page: string) => /<form class="undo" method="post" action="([^"]*)">(.*?)<\/form>/.exec(page)
  const sentBy = (undo: RegExpExecArray) => {
    const inputs = (undo[2] as string).matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)
    return new URLSearchParams([...inputs].map(([, name = '', value = '']): [string, string] => [name, value]))
  }

  test('what says that records are deleted offers to undo it: the restore of the trash, for just these', async () => {
    const [a, b, c] = [await make({ title: 'one' }), await make({ title: 'two' }), await make({ title: 'three' })]
    const earlier = await make({ title: 'earlier' })
    await grace().delete(crud(earlier))
    const many = undoIn(await deleted(crud(), [a, b])) as RegExpExecArray
    expect(many[1]).toBe('/admin/resource/contracts-trash/handler/restore')
    expect(many[2]).toContain('>Undo<')
    expect(await listed(crud())).toEqual([c])
    const undone = await grace().html.post(many[1] as string, sentBy(many))
    expect([undone.status, undone.headers.get('location')]).toEqual([303, crud()])
    expect(await listed(`${crud()}?sort=id`)).toEqual([a, b, c])
    expect(await listed(trash())).toEqual([earlier])
    // Pressed twice, it is done once.
    expect((await grace().html.post(many[1] as string, sentBy(many))).status).toBe(303)
    expect(opened.heard.said.filter((one) => one.startsWith('save'))).toEqual(['save one null', 'save two null'])

    const one = undoIn(await deleted(crud(c), [])) as RegExpExecArray
    await grace().html.post(one[1] as string, sentBy(one))
    expect(await listed(`${crud()}?sort=id`)).toEqual([a, b, c])
    if (!opened.hasHistory) return
    const { data } = (await grace().get(`${crud(c)}/history`)).json() as { data: { action: string }[] }
    expect(data.map(({ action }) => action)).toEqual(['restore', 'delete', 'create'])
  })

  test('the question brings what undoes it, for scripts; a program is not told', async () => {
    const [a, b] = [await make({ title: 'one' }), await make({ title: 'two' })]
    const ask = async (path: string, ...keys: number[]) => (await grace().html.post(path, form({ _method: 'DELETE' }, ...keys))).text
    for (const question of [await ask(crud(), a, b), await ask(crud(a))]) {
      const template = /<template>(<form class="undo".*?<\/form>)<\/template><\/form>/.exec(question)?.[1] ?? ''
      expect(sentBy(undoIn(template) as RegExpExecArray).get('ids[]')).toBe(String(a))
    }
    // JSON says nothing of it: a program that deletes knows what.
    expect((await grace().post(crud(a), form({ _method: 'DELETE', _confirmed: '1' }))).json()).toEqual({ message: 'Deleted', deleted: 1 })
  })

  test('is not offered to whom a restore would be refused, nor for what is deleted for good', async () => {
    const panel = (can: unknown, record?: Given) => {
      const Notes = defineResource({
        model: memoryStore(notesOfTeams),
        softDelete: 'deletedAt',
        ...(record && { canRecord: { delete: record } }),
      } as never)
      return testPanel(
        definePanel({ auth: 'open', resources: can === null ? [Notes] : [Notes, trashResource(Notes, { can } as never)] } as never),
      )
    }
    const offers = async (app: ReturnType<typeof testPanel>) => {
      const key = ((await app.post('/admin/resource/notes/crud', { body: 'x' })).json() as { data: Data }).data.id
      const path = `/admin/resource/notes/crud/${key}`
      const question = (await app.html.post(path, form({ _method: 'DELETE' }))).text
      const done = await app.html.post(path, form({ _method: 'DELETE', _confirmed: '1' }))
      const cookie = (done.headers.get('set-cookie') ?? '').split(';', 1)[0] as string
      const page = (await app.html.get('/admin/resource/notes/crud', { headers: { cookie } })).text
      expect([done.status, page.includes('class="toast"')]).toEqual([303, true])
      return [question, page].map((one) => undoIn(one) !== null)
    }
    expect(await offers(panel(true))).toEqual([true, true])
    expect(await offers(panel(['keeper']))).toEqual([false, false])
    expect(await offers(panel(null))).toEqual([false, false])
    // A policy that lets nobody touch what is in the trash.
    expect(await offers(panel(true, ({ record }: Given) => record.deletedAt === null))).toEqual([false, false])

    const a = await make({ title: 'one' })
    await grace().delete(crud(a))
    const gone = await grace().html.post(trash(a), form({ _method: 'DELETE' }))
    expect([gone.status, undoIn(gone.text)]).toEqual([200, null])
  })

  test('an undo that the rules refuse says why, as the trash does', async () => {
    if (name === 'memory') return
    const a = await make({ title: 'one', price: 7 })
    const undo = undoIn(await deleted(crud(a), [])) as RegExpExecArray
    await make({ title: 'two', price: 7 })
    const refused = await grace().html.post(undo[1] as string, sentBy(undo))
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Price is already taken')])
    const trashed = await restore([a])
    expect([trashed.status, (trashed.json() as { message: string }).message]).toEqual([409, 'Price is already taken'])
  })

  test('more keys than a cookie holds lead to the trash, where they come first', async () => {
    for (let at = 0; at < 500; at += 100) {
      const records = Array.from({ length: 100 }, (_, one) => ({ title: `n${at + one}` }))
      expect((await grace().post('/admin/resource/contracts/import', { records })).status).toBe(200)
    }
    const keys = await listed(`${crud()}?perPage=100`)
    for (let page = 2; page <= 5; page++) keys.push(...(await listed(`${crud()}?perPage=100&page=${page}`)))
    const page = await deleted(crud(), keys)
    const toast = /<div class="toasts" role="status">.*?<\/button><\/div>/.exec(page)?.[0] ?? ''
    expect(keys).toHaveLength(500)
    expect(toast).toContain(`<a href="${trash()}"`)
    expect(undoIn(page)).toBeNull()
    // A script has them from the question.
    expect((await grace().html.post(crud(), form({ _method: 'DELETE' }, await make({ title: 'x' })))).text).toContain('class="undo"')
  })

  test('a unique value stays taken, unless its index leaves out the trash: then a second one refuses to restore', async () => {
    const a = await make({ title: 'one', number: 'n-1', price: 7 })
    await grace().delete(crud(a))
    const taken = await grace().post(crud(), { title: 'two', number: 'n-1' })
    const inTrash = 'Number is already taken by a deleted record: it is in “Contracts: trash”'
    expect([taken.status, taken.json()]).toEqual([409, expect.objectContaining({ message: inTrash, errors: { number: [inTrash] } })])
    if (name === 'memory') return
    const b = await make({ title: 'two', price: 7 })
    const c = await make({ title: 'three' })
    await grace().delete(crud(c))
    const refused = await restore([c, a])
    expect([refused.status, Object.keys((refused.json() as { errors: object }).errors)]).toEqual([409, ['price']])
    // Whoever may not see the field does not learn of it, and of both none is restored.
    const other = await restore([a], as('clerk'))
    expect([other.status, other.text]).toEqual([409, expect.not.stringMatching(/price/i)])
    expect(await listed(crud())).toEqual([b])
  })

  test('who may see the trash is told that a deleted record has the value, whatever writes it; others are not', async () => {
    const wanted = (answer: { json(): unknown }) => (answer.json() as { errors: { number: string[] } }).errors.number.join()
    const inTrash = 'Number is already taken by a deleted record: it is in “Contracts: trash”'
    const [a, b, c] = [await make({ title: 'one', number: 'n-1' }), await make({ title: 'two', number: 'n-2' }), await make({ title: 'x' })]
    await grace().delete(crud(a))
    expect(wanted(await grace().post(crud(), { title: 'new', number: 'n-2' }))).toBe('Number is already taken')
    expect(wanted(await grace().put(crud(b), { number: 'n-1' }))).toBe(inTrash)
    expect(wanted(await grace().post(`/admin/resource/contracts/handler/renumber`, { ids: [c] }))).toBe(inTrash)
    const lines = [
      { title: 'new', number: 'n-1' },
      { title: 'newer', number: 'n-2' },
    ]
    const imported = async (app = grace()) => {
      const answer = await app.post('/admin/resource/contracts/import', { records: lines })
      expect(answer.status).toBe(422)
      return Object.entries((answer.json() as { errors: Record<string, string[]> }).errors).map(([at, said]) => `${at}: ${said}`)
    }
    expect(await imported()).toEqual([`records[0].number: ${inTrash}`, 'records[1].number: Number is already taken'])
    expect(await imported(as('writer'))).toEqual([
      'records[0].number: Number is already taken',
      'records[1].number: Number is already taken',
    ])
    expect((await as('writer').get(trash())).status).toBe(403)
    expect(wanted(await as('writer').post(crud(), { title: 'new', number: 'n-1' }))).toBe('Number is already taken')
    expect((await grace().html.post(crud(), new URLSearchParams({ title: 'new', number: 'n-1' }))).text).toContain(
      'Number is already taken by a deleted record',
    )
    // Of another team: the clerk sees neither the record nor that it is deleted.
    if (name === 'memory') return
    await opened.move(a)
    expect((await imported(as('clerk')))[0]).toBe('records[0].number: Number is already taken')
    expect(wanted(await as('clerk').post(crud(), { title: 'new', number: 'n-1' }))).toBe('Number is already taken')
  })

  test('what refers to it shows its label, said to be deleted, to those who may see the trash; to others its key', async () => {
    const [a, b] = [await make({ title: 'one <&>' }), await make({ title: 'two' })]
    const note = await make({ body: 'first', contractId: a }, 'notes')
    await make({ body: 'of two', contractId: b }, 'notes')
    await grace().delete(crud(a))
    const cellsOf = async (path: string, app = grace()) => (await app.html.get(path)).text
    const struck = (title = '') => `<a href="${trash(a)}"><s${title}>one &lt;&amp;&gt;</s></a>`
    const list = await cellsOf(crud('', 'notes'))
    expect(list).toContain(`${struck(' title="one &lt;&amp;&gt; (in the trash)"')}<span class="unseen"> (in the trash)</span>`)
    expect(list).toContain(`<a href="${crud(b)}">two</a>`)
    expect(await cellsOf(crud(note, 'notes'))).toContain(`${struck()}<span class="muted"> (in the trash)</span>`)
    expect(await cellsOf(`/admin/resource/notes/form-page/${note}`)).toContain(
      '<span class="related">one &lt;&amp;&gt; (in the trash)</span>',
    )
    // Nothing of it is in JSON, nor in a file that an import reads.
    expect((await grace().get(`${crud(note, 'notes')}?include=contract`)).json()).toMatchObject({ data: { contractId: a, contract: null } })
    expect((await grace().get('/admin/resource/notes/export')).text).not.toContain('one')
    // Who may not see the trash was never told of it, and is not told by its absence elsewhere.
    const writer = as('writer')
    for (const path of [crud('', 'notes'), crud(note, 'notes'), `/admin/resource/notes/form-page/${note}`])
      expect(await cellsOf(path, writer)).not.toMatch(/in the trash|one &lt;/)
    expect(await cellsOf(crud(note, 'notes'), writer)).toContain(`<dd>${a}</dd>`)
    // Of another team: the clerk sees no record of it.
    expect(await cellsOf(crud('', 'notes'), as('clerk'))).toContain('in the trash')
    if (name === 'memory') return
    await opened.move(a)
    expect(await cellsOf(crud('', 'notes'), as('clerk'))).not.toMatch(/in the trash|one &lt;/)
    expect((await restore([a])).status).toBe(200)
    expect(await cellsOf(crud(note, 'notes'))).toContain(`<a href="${crud(a)}">one &lt;&amp;&gt;</a>`)
  })

  test('says the label of what it restores to those who may read it', async () => {
    const a = await make({ title: 'one' }, 'contracts')
    const customer = await make({ name: 'Secret Ltd' }, 'customers')
    await grace().delete(crud(a))
    await grace().delete(crud(customer, 'customers'))
    const said = async (uri: string, ids: number[], app = grace()) =>
      ((await app.post(`/admin/resource/${uri}/handler/restore`, { ids })).json() as { message: string }).message
    expect(await said('customers-trash', [customer], as('clerk'))).toBe(`${customer} restored`)
    await grace().delete(crud(customer, 'customers'))
    expect(await said('customers-trash', [customer])).toBe('Secret Ltd restored')
  })

  test('deletes for good what is in the trash, and nothing else', async () => {
    const [a, b, c] = [await make({ title: 'one' }), await make({ title: 'two' }), await make({ title: 'three' })]
    await grace().delete(crud(), { ids: [a, b] })
    expect((await grace().delete(trash(c))).status).toBe(404)
    expect((await grace().delete(trash(), { ids: [a, c] })).status).toBe(404)
    expect(await listed(`${trash()}?sort=id`)).toEqual([a, b])
    expect((await grace().delete(trash(a))).json()).toEqual({ message: 'Deleted', deleted: 1 })
    expect((await grace().delete(trash(), { ids: [b] })).json()).toEqual({ message: 'Deleted', deleted: 1 })
    expect([await listed(trash()), await listed(crud())]).toEqual([[], [c]])
    expect((await restore([a])).status).toBe(404)
    expect(opened.heard.said).toEqual(['delete one first', 'delete two first', 'delete one for good', 'delete two for good'])
    if (name === 'memory') return
    // Only then do foreign keys refuse it, and it says who holds it.
    const note = await make({ body: 'of three', contractId: c }, 'notes')
    expect((await grace().delete(crud(c))).status).toBe(200)
    const held = await grace().delete(trash(c))
    expect([held.status, held.text]).toEqual([409, expect.stringContaining('Notes')])
    expect((await grace().delete(crud(note, 'notes'))).status).toBe(200)
    expect((await grace().delete(trash(c))).status).toBe(200)
  })

  test('is for those who may delete, within their scope and their fields', async () => {
    const a = await make({ title: 'one', price: 123_456 })
    const table = opened.panel.resources.get('contracts')?.model.table as never
    const b = ((await testPanel(opened.panel).create(table, { title: 'two', team: 'b' } as never)) as unknown as { id: number }).id
    const kept = await make({ title: 'kept' })
    expect((await grace().delete(crud(kept))).status).toBe(403)
    await grace().delete(crud(), { ids: [a, b] })
    expect((await as('reader').get(trash())).status).toBe(403)
    expect((await as('reader').html.get(crud())).text).not.toContain('contracts-trash')
    expect((await grace().html.get(crud())).text).toContain('href="/admin/resource/contracts-trash/crud"')
    const clerk = await as('clerk').get(trash())
    expect((clerk.json() as { data: Data[] }).data.map(({ id }) => id)).toEqual([a])
    expect(clerk.text).not.toMatch(/price|123456/)
    for (const ids of [[b], [a, b]]) expect((await restore(ids, as('clerk'))).status).toBe(404)
    expect((await as('clerk').delete(trash(b))).status).toBe(404)
    expect((await restore([a], as('reader'))).status).toBe(403)
    for (const page of [await as('reader').html.get('/admin'), await grace().html.get('/admin')])
      expect(page.text).not.toContain('contracts-trash')
  })

  test('has pages: a question that says where it goes, a list with Restore, a page of the record', async () => {
    const a = await make({ title: '<b>one</b>' })
    const asked = await grace().html.post(crud(a), new URLSearchParams({ _method: 'DELETE' }))
    expect(asked.text).toContain('What is deleted goes to the trash, from where it can be restored.')
    expect(asked.text).not.toContain('This cannot be undone')
    const done = await grace().html.post(crud(a), new URLSearchParams({ _method: 'DELETE', _confirmed: '1' }))
    expect([done.status, done.headers.get('location')]).toEqual([303, crud()])
    const list = await grace().html.get(trash())
    expect(list.text).toContain('<title>Contracts: trash')
    expect(list.text).toContain('handler/restore')
    expect(list.text).toContain('&lt;b&gt;one&lt;/b&gt;')
    expect(list.text).not.toMatch(/<b>one|form-page/)
    const page = await grace().html.get(trash(a))
    expect(page.text).toContain('handler/restore')
    expect(page.text).not.toMatch(/form-page|Duplicate/)
    const final = await grace().html.post(trash(a), new URLSearchParams({ _method: 'DELETE' }))
    expect(final.text).toContain('This cannot be undone')
    // From the page of the record, which is then gone, it leads to the list.
    const from = { ids: String(a), _page: 'detail-page', _of: 'contracts-trash', _item: String(a), _back: trash(a) }
    const restored = await grace().html.post('/admin/resource/contracts-trash/handler/restore', new URLSearchParams(from))
    expect([restored.status, restored.headers.get('location')]).toEqual([303, trash()])
    expect(await listed(crud())).toEqual([a])
    // So does a method of the page, in JSON, too; from a page of another record it stays there.
    const b = await make({ title: 'two' })
    const drop = (id: number, item: number, app: Pick<ReturnType<typeof grace>, 'post'>) =>
      app.post(
        '/admin/method/detail-page/contracts?method=drop',
        new URLSearchParams({ ids: String(id), _item: String(item), _back: crud(item) }),
      )
    const other = await drop(b, a, grace().html)
    expect([other.status, other.headers.get('location')]).toEqual([303, crud(a)])
    const own = await drop(a, a, grace())
    expect(own.json()).toMatchObject({ message: 'Dropped', redirect: crud() })
  })

  test('of many who delete or restore the same record at once, one does', async () => {
    const a = await make({ title: 'one' })
    const statuses = async (all: Promise<{ status: number }>[]) => (await Promise.all(all)).map(({ status }) => status).sort()
    expect(await statuses([1, 2, 3, 4].map(() => grace().delete(crud(a))))).toEqual([200, 404, 404, 404])
    expect(await listed(trash())).toEqual([a])
    expect(await statuses([1, 2, 3, 4].map(() => restore([a])))).toEqual([200, 404, 404, 404])
    expect(await listed(crud())).toEqual([a])
    // A version that is no longer that of the record refuses, too.
    const version = (await grace().get(crud(a))).headers.get('etag') as string
    await grace().put(crud(a), { title: 'two' })
    expect((await grace().delete(crud(a), undefined, { headers: { 'if-match': version } })).status).toBe(412)
    expect(await listed(crud())).toEqual([a])
  })

  test('whatever counts or sums leaves out what is in the trash', async () => {
    const customerId = await make({ name: 'Ada' }, 'customers')
    const a = await make({ title: 'one', customerId, price: 1 })
    await make({ title: 'two', customerId, price: 2 })
    await grace().delete(crud(a))
    const counted = (await grace().get(`${crud()}?filter[customerId]=${customerId}`)).json() as { meta: { total: number } }
    expect(counted.meta.total).toBe(1)
    expect((await grace().post('/admin/resource/contracts/handler/sum', {})).json()).toMatchObject({ message: '1 of 1: two; all 1' })
    // A selection of the whole list means what the list shows.
    const all = await grace().delete(crud(), { _all: '1', _total: '1' })
    expect([all.status, await listed(crud())]).toEqual([200, []])
    expect(await listed(`${trash()}?sort=id`)).toHaveLength(2)
    const back = await grace().post('/admin/resource/contracts-trash/handler/restore', { _all: '1', _total: '2' })
    expect([back.status, await listed(crud())]).toEqual([200, expect.arrayContaining([a])])
  })

  test('a boolean marks as well', async () => {
    const customer = await make({ name: 'Ada' }, 'customers')
    expect((await grace().delete(crud(customer, 'customers'))).status).toBe(200)
    expect(await listed(crud('', 'customers'))).toEqual([])
    // All of the trash have it, so it is not shown there.
    expect((await grace().get(crud('', 'customers-trash'))).json()).toMatchObject({ data: [{ id: customer, name: 'Ada' }] })
    expect((await grace().post('/admin/resource/customers-trash/handler/restore', { ids: [customer] })).status).toBe(200)
    expect((await grace().get(crud(customer, 'customers'))).json()).toMatchObject({ data: { hidden: false } })
    // To set it is to delete it, which is left to the delete: whoever writes a record still sees it.
    expect((await grace().put(crud(customer, 'customers'), { hidden: true })).status).toBe(403)
    expect(await listed(crud('', 'customers'))).toEqual([customer])
  })
})

test('a time that Drizzle returns as text marks as well, and so does a field that nobody sees', async () => {
  const database = await openDatabase()
  await database.query('create table plans (id serial primary key, name text not null, gone_at timestamptz(3))')
  const plans = pg.pgTable('plans', {
    id: pg.serial().primaryKey(),
    name: pg.text().notNull(),
    goneAt: pg.timestamp('gone_at', { withTimezone: true, precision: 3, mode: 'string' }),
  })
  const fields = { id: id(), name: text('Name'), goneAt: dateTime('Gone').visible(false) }
  const Plans = defineResource({ model: plans, fields, softDelete: 'goneAt', history: true })
  const panel = definePanel({ auth: 'open', database: database.url, resources: [Plans, trashResource(Plans)] })
  const app = testPanel(panel)
  const made = (await app.post('/admin/resource/plans/crud', { name: 'one' })).json() as { data: Data }
  expect(made.data).not.toHaveProperty('goneAt')
  expect((await app.delete(`/admin/resource/plans/crud/${made.data.id}`)).status).toBe(200)
  const trash = (await app.get('/admin/resource/plans-trash/crud')).json() as { data: Data[] }
  expect(trash.data).toEqual([{ id: made.data.id, name: 'one', goneAt: expect.stringMatching(/^\d{4}-.*Z$/) }])
  expect((await app.post('/admin/resource/plans-trash/handler/restore', { ids: [made.data.id] })).status).toBe(200)
  const history = (await app.get(`/admin/resource/plans/crud/${made.data.id}/history`)).json() as { data: { action: string }[] }
  expect(history.data.map(({ action }) => action)).toEqual(['restore', 'delete', 'create'])
  await panel.close()
  await database.drop()
})

test('a record keeps its files in the trash, and gives them up when it is deleted for good', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'daymark-trash-'))
  const client = new Sqlite(join(dir, 'files.db'))
  client.exec('create table plans (id integer primary key, name text not null, plan text, deleted_at integer)')
  const plans = sqliteTable('plans', {
    id: integer().primaryKey(),
    name: varchar().notNull(),
    plan: varchar(),
    deletedAt: integer('deleted_at', { mode: 'timestamp' }),
  })
  const Plans = defineResource({ model: plans, fields: { id: id(), name: text(), plan: file('Plan') }, softDelete: 'deletedAt' })
  const panel = definePanel({
    auth: 'open',
    database: `sqlite:${join(dir, 'files.db')}`,
    resources: [Plans, trashResource(Plans)],
    files: folder(join(dir, 'uploads')),
  })
  try {
    const app = testPanel(panel)
    const files = () =>
      readdirSync(join(dir, 'uploads'), { recursive: true, withFileTypes: true }).flatMap((one) => (one.isFile() ? [one.name] : []))
    const make = async (name: string) => {
      const sent = (await app.post(`/admin/upload/plans/plan?name=${name}.txt`, new Blob([name]))).json() as { data: { path: string } }
      const made = await app.post('/admin/resource/plans/crud', { name, plan: sent.data.path })
      return (made.json() as { data: { id: number } }).data.id
    }
    const [a, b] = [await make('one'), await make('two')]
    expect(files()).toHaveLength(2)
    expect((await app.delete(`/admin/resource/plans/crud/${a}`)).status).toBe(200)
    expect((await app.delete('/admin/resource/plans/crud', { ids: [b] })).status).toBe(200)
    const due = () => client.prepare('select count(*) as n from daymark_files').all()
    expect(due()).toEqual([{ n: 0 }])
    expect((await app.get(`/admin/resource/plans/crud/${a}/file/plan`)).status).toBe(404)
    expect((await app.get(`/admin/resource/plans-trash/crud/${a}/file/plan`)).text).toBe('one')
    await app.post('/admin/resource/plans-trash/handler/restore', { ids: [a] })
    expect((await app.get(`/admin/resource/plans/crud/${a}/file/plan`)).text).toBe('one')
    expect((await app.delete(`/admin/resource/plans/crud/${a}`)).status).toBe(200)
    expect((await app.delete(`/admin/resource/plans-trash/crud/${a}`)).status).toBe(200)
    // What is due is removed soon: nothing was before.
    expect(files()).toHaveLength(2)
    expect((await app.delete('/admin/resource/plans-trash/crud', { ids: [b] })).status).toBe(200)
    await vi.waitFor(() => expect(files()).toEqual([]), 10_000)
  } finally {
    await panel.close()
    client.close()
    rmSync(dir, { recursive: true, force: true })
  }
})

describe('the declarations of a trash', () => {
  const table = sqliteTable('things', {
    id: integer().primaryKey(),
    name: varchar().notNull(),
    when: integer({ mode: 'timestamp' }).notNull(),
    deletedAt: integer({ mode: 'timestamp' }),
  })
  const problems = (define: () => unknown) => {
    try {
      define()
      return []
    } catch (thrown) {
      return (
        (thrown as { problems?: { id: string; where: string }[] }).problems?.map(({ id, where }) => `${id} ${where}`) ?? [String(thrown)]
      )
    }
  }
  const panelOf = (...resources: unknown[]) => definePanel({ auth: 'open', database: 'sqlite::memory:', resources } as never)

  test('let in who may see and delete, by the policies of the resource or of the panel, unless `can` says who', async () => {
    const seesTrash = async (of: object, panel: object, options: object, ...roles: string[]) => {
      const store = memoryStore(table) as never
      const Things = defineResource({ model: store, softDelete: 'deletedAt' as never, ...of } as never)
      const own = definePanel({ database: 'sqlite::memory:', resources: [Things, trashResource(Things, options)], can: panel } as never)
      const { status } = await testPanel(own).as({ roles }).get('/admin/resource/things-trash/crud')
      await own.close()
      return status
    }
    const all = ['admin', 'reader']
    expect(await seesTrash({}, { view: all, delete: ['admin'] }, {}, 'reader')).toBe(403)
    expect(await seesTrash({}, { view: all, delete: ['admin'] }, {}, 'admin')).toBe(200)
    expect(await seesTrash({ can: { view: ['admin'], delete: all } }, {}, {}, 'reader')).toBe(403)
    expect(await seesTrash({ can: { view: ['admin'], delete: all } }, {}, {}, 'admin')).toBe(200)
    expect(await seesTrash({ can: { view: ['admin'], delete: ['admin'] } }, {}, { can: ['reader'] }, 'reader')).toBe(200)
    expect(await seesTrash({ can: { view: ['admin'], delete: ['admin'] } }, {}, { can: ['reader'] }, 'admin')).toBe(403)
    expect(await seesTrash({}, {}, {}, 'anybody')).toBe(200)
    expect(await seesTrash({}, {}, {})).toBe(403)
  })

  test('are checked at start-up', () => {
    const Things = defineResource({ model: table, softDelete: 'deletedAt' })
    expect(problems(() => panelOf(Things, trashResource(Things)))).toEqual([])
    expect(problems(() => panelOf(Things))).toEqual([])
    expect(problems(() => panelOf(defineResource({ model: table, softDelete: 'when' as never })))).toEqual([
      'soft-delete things.softDelete',
    ])
    expect(problems(() => panelOf(defineResource({ model: table, softDelete: 'name' as never })))).toEqual([
      'soft-delete things.softDelete',
    ])
    expect(problems(() => panelOf(defineResource({ model: table, softDelete: 'gone' as never })))).toEqual([
      'soft-delete things.softDelete',
    ])
    expect(problems(() => trashResource(defineResource({ model: table })))).toEqual([expect.stringMatching(/^TypeError.*softDelete/)])
    expect(problems(() => panelOf(trashResource(Things)))).toEqual(['trash things-trash'])
    expect(problems(() => panelOf(Things, trashResource(Things), trashResource(Things, { uriKey: 'bin' })))).toEqual([
      'trash things-trash',
      'trash bin',
    ])
    expect(problems(() => panelOf(Things, trashResource(Things, { can: 'all' as never })))).toContain('policy things-trash.can.viewAny')
    expect(problems(() => panelOf(Things, trashResource(Things, { uriKey: 'things' })))).toContain('resource-uri things.uriKey')
  })
})
