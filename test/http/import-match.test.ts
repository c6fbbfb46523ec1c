import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { belongsTo, definePanel, defineResource, id, memoryStore, number, type Panel, text, trashResource } from 'daymark'
import { oag } from 'daymark/oag'
import { type TestPanel, testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, unique, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const makers = sqliteTable('makers', { id: integer().primaryKey(), name: varchar().notNull() })
const parts = sqliteTable('parts', {
  id: integer().primaryKey(),
  sku: varchar().unique(),
  name: varchar().notNull(),
  price: integer(),
  region: varchar().notNull().default('here'),
  deletedAt: integer('deleted_at', { mode: 'timestamp_ms' }),
})
const orders = sqliteTable(
  'orders',
  { id: integer().primaryKey(), makerId: integer('maker_id'), number: integer(), note: varchar() },
  (table) => [unique('orders_once').on(table.makerId, table.number)],
)
const members = sqliteTable('members', { id: integer().primaryKey(), email: varchar().notNull().unique(), name: varchar() })
const sqliteTables = { makers, parts, orders, members }

const pgTables = {
  makers: pg.pgTable('makers', { id: pg.serial().primaryKey(), name: pg.text().notNull() }),
  parts: pg.pgTable('parts', {
    id: pg.serial().primaryKey(),
    sku: pg.text().unique(),
    name: pg.text().notNull(),
    price: pg.integer(),
    region: pg.text().notNull().default('here'),
    deletedAt: pg.timestamp('deleted_at', { withTimezone: true, precision: 3 }),
  }),
  orders: pg.pgTable(
    'orders',
    { id: pg.serial().primaryKey(), makerId: pg.integer('maker_id'), number: pg.integer(), note: pg.text() },
    (table) => [pg.unique('orders_once').on(table.makerId, table.number)],
  ),
  members: pg.pgTable('members', { id: pg.serial().primaryKey(), email: pg.text().notNull().unique(), name: pg.text() }),
} as unknown as typeof sqliteTables

const schemaIn = (sqlite: boolean) => {
  const key = sqlite ? 'integer primary key' : 'serial primary key'
  return `create table makers (id ${key}, name text not null);
    create table parts (id ${key}, sku text unique, name text not null, price integer, region text not null default 'here', deleted_at ${sqlite ? 'integer' : 'timestamptz(3)'});
    create table orders (id ${key}, maker_id integer, number integer, note text, unique (maker_id, number));
    create table members (id ${key}, email text not null${sqlite ? ' collate nocase' : ''} unique, name text)`
}

const statements: string[] = []

/** What happens while an import is checked, after its records were found. */
let meanwhile: () => Promise<unknown> = async () => {}
const race = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: async (value: unknown) => {
      if (value === 'Race') await meanwhile()
      return { value }
    },
  },
} as const

function panelOver(of: { readonly [K in keyof typeof sqliteTables]: unknown }, tables: typeof sqliteTables, database?: string): Panel {
  // The store of each, or the database with its tables.
  const { makers, parts, orders, members } = of as typeof sqliteTables
  const Makers = defineResource({
    model: makers,
    uriKey: 'makers',
    sortDirection: 'ASC',
    column: 'name',
    fields: { id: id(), name: text('Name') },
  })
  const Parts = defineResource({
    model: parts,
    uriKey: 'parts',
    sortDirection: 'ASC',
    title: 'Parts',
    fields: {
      id: id(),
      sku: text('SKU').editable(['admin', 'clerk']),
      name: text('Name').required().rule(race),
      price: number('Price').min(0),
    },
    softDelete: 'deletedAt',
    scope: ({ user }) => (user.roles.includes('admin') ? {} : { region: 'here' }),
    import: { match: 'sku' },
    can: { view: true, viewAny: true, create: true, update: true, delete: true },
    canRecord: { update: ({ record }) => record.name !== 'Locked' },
    handlers: {
      hide: {
        async run({ ids, unrestricted }) {
          for (const one of ids) await unrestricted.update(one, { region: 'there' })
        },
      },
    },
  })
  const Orders = defineResource({
    model: orders,
    uriKey: 'orders',
    sortDirection: 'ASC',
    fields: { id: id(), makerId: belongsTo('Maker', tables.makers), number: number('Number'), note: text('Note') },
    import: { match: ['makerId', 'number'], roles: ['admin'] },
  })
  const Members = defineResource({
    model: members,
    uriKey: 'members',
    sortDirection: 'ASC',
    fields: { email: text('E-mail').visible(['admin']), name: text('Name') },
    import: { match: 'email' },
  })
  const resources = [Parts, Makers, Orders, Members, trashResource(Parts, { can: ['admin'] })]
  return definePanel({
    auth: 'open',
    ...(database && { database }),
    resources,
    plugins: [oag()],
    observe: (sql) => statements.push(sql),
    log: () => {},
  })
}

interface World {
  readonly test: TestPanel
  readonly panel: Panel
  end(): Promise<unknown>
}

async function world(kind: string): Promise<World> {
  if (kind === 'memory') {
    const stores = Object.fromEntries(Object.entries(sqliteTables).map(([name, table]) => [name, memoryStore(table)]))
    const panel = panelOver(stores as never, sqliteTables)
    return { panel, test: testPanel(panel), end: () => panel.close() }
  }
  if (kind === 'SQLite') {
    const folder = mkdtempSync(join(tmpdir(), 'daymark-match-'))
    const client = new Sqlite(join(folder, 'match.db'))
    client.exec(schemaIn(true))
    client.close()
    const panel = panelOver(sqliteTables, sqliteTables, `sqlite:${join(folder, 'match.db')}`)
    return { panel, test: testPanel(panel), end: () => panel.close().then(() => rmSync(folder, { recursive: true, force: true })) }
  }
  const database = await openDatabase()
  await database.query(schemaIn(false))
  const panel = panelOver(pgTables, pgTables, database.url)
  return { panel, test: testPanel(panel), end: () => panel.close().then(database.drop) }
}

const path = (resource: string) => `/admin/resource/${resource}/import`

describe.each(['memory', 'SQLite', 'PostgreSQL'])('an import that finds records by other columns, over %s', (kind) => {
  let at: World
  beforeAll(async () => {
    at = await world(kind)
  })
  afterAll(() => at?.end())

  const made = async (resource: string, values: object): Promise<number> =>
    ((await at.test.post(`/admin/resource/${resource}/crud`, values)).json() as { data: { id: number } }).data.id
  const rowsOf = async (resource: string): Promise<readonly Record<string, unknown>[]> =>
    ((await at.test.get(`/admin/resource/${resource}/crud?perPage=100`)).json() as { data: Record<string, unknown>[] }).data
  const clear = async (resource: string) => {
    for (const { id } of await rowsOf(resource)) await at.test.delete(`/admin/resource/${resource}/crud/${id}`)
  }
  const send = async (
    resource: string,
    given: string | readonly object[],
    fields: Readonly<Record<string, string>> = {},
    who: TestPanel = at.test,
  ) => {
    if (typeof given !== 'string') return answered(await who.post(path(resource), { records: given, ...fields }))
    const form = new FormData()
    form.set('file', new Blob([given]), 'parts.csv')
    for (const [name, value] of Object.entries({ mode: 'both', ...fields })) form.set(name, value)
    return answered(await who.post(path(resource), form))
  }
  // biome-ignore lint/suspicious/noExplicitAny: whatever shape a test expects
  const answered = (answer: { status: number; json(): unknown }) => ({ status: answer.status, ...(answer.json() as any) })

  let [bolt, nut, unnamed] = [0, 0, 0]
  beforeEach(async () => {
    for (const one of ['parts', 'parts-trash']) await clear(one)
    bolt = await made('parts', { sku: 'B-1', name: 'Bolt', price: 1 })
    nut = await made('parts', { sku: 'N-1', name: 'Nut', price: 2 })
    unnamed = await made('parts', { name: 'Nameless', price: 3 })
  })
  const parts = async () => (await rowsOf('parts')).map(({ id, sku, name, price }) => [id, sku, name, price])

  test('changes those that have the value, and creates the others, as the check said before', async () => {
    const csv = 'SKU,Name,Price\nB-1,Bolt,10\nN-1,Nut,2\nX-9,New,5\n,Blank,6\n'
    const counts = { created: 2, updated: 1, unchanged: 1, ignored: [] }
    expect(await send('parts', csv, { check: '1' })).toMatchObject({ status: 200, data: { ...counts, checked: true } })
    expect(await parts()).toHaveLength(3)
    expect(await send('parts', csv)).toMatchObject({ status: 200, data: { ...counts, checked: false } })
    expect(await parts()).toEqual([
      [bolt, 'B-1', 'Bolt', 10],
      [nut, 'N-1', 'Nut', 2],
      [unnamed, null, 'Nameless', 3],
      [expect.any(Number), 'X-9', 'New', 5],
      [expect.any(Number), null, 'Blank', 6],
    ])
  })

  test('only changes, and says of the rows that name no record so; only creates, as ever', async () => {
    const csv = 'sku,price\nB-1,10\nX-9,5\n  ,6\n'
    expect(await send('parts', csv, { mode: 'update' })).toMatchObject({
      status: 422,
      errors: { 'lines[3].sku': ['There is no such record'], 'lines[4].sku': ['Names no record'] },
    })
    expect(await send('parts', 'sku,price\nB-1,10\n', { mode: 'update' })).toMatchObject({ data: { updated: 1 } })
    expect(await send('parts', 'sku,name\nB-1,Again\n', { mode: 'create' })).toMatchObject({
      errors: { 'lines[2].sku': ['SKU is already taken'] },
    })
  })

  test('lets the key go first, which may give a record another value', async () => {
    expect(await send('parts', `id,sku,price\n${bolt},B-2,10\n,N-1,20\n`, { mode: 'update' })).toMatchObject({ data: { updated: 2 } })
    expect((await parts()).slice(0, 2)).toEqual([
      [bolt, 'B-2', 'Bolt', 10],
      [nut, 'N-1', 'Nut', 20],
    ])
    // A key that there is not is no reason to look further.
    expect(await send('parts', 'id,sku,price\n999999,N-1,20\n', { mode: 'update' })).toMatchObject({
      errors: { 'lines[2].id': ['There is no such record'] },
    })
    expect(await send('parts', `id,sku,price\n${nut},N-1,1\n,N-1,2\n`, { mode: 'update' })).toMatchObject({
      errors: { 'lines[3].sku': ['The same record as in line 2'] },
    })
  })

  test('refuses a value that is there twice, found or not, by line', async () => {
    expect(await send('parts', 'sku,name\nB-1,A\nX-9,B\nB-1,C\nX-9,D\n')).toMatchObject({
      status: 422,
      errors: { 'lines[4].sku': ['SKU: the same as in line 2'], 'lines[5].sku': ['SKU: the same as in line 3'] },
    })
    expect(
      await send(
        'parts',
        [
          { sku: 'Y', name: 'A' },
          { sku: 'Y', name: 'B' },
        ],
        { mode: 'both' },
      ),
    ).toMatchObject({
      errors: { 'records[1].sku': ['SKU: the same as in records[0]'] },
    })
  })

  test('asks the policy of the record, and all that an update asks', async () => {
    const locked = await made('parts', { sku: 'L-1', name: 'Locked' })
    expect((await send('parts', 'sku,price\nL-1,10\nB-1,-1\n', { mode: 'update' })).errors).toEqual({
      'lines[2]': [expect.any(String)],
      'lines[3].price': ['Price must be at least 0'],
    })
    expect(await parts()).toContainEqual([locked, 'L-1', 'Locked', null])
  })

  test('finds no deleted record: its value is taken', async () => {
    await at.test.delete(`/admin/resource/parts/crud/${bolt}`)
    for (const check of ['1', '0']) {
      expect((await send('parts', 'sku,name\nB-1,Back\n', { check })).errors).toEqual({
        'lines[2].sku': ['SKU is already taken by a deleted record: it is in “Parts: trash”'],
      })
      expect((await send('parts', 'sku,name\nB-1,Back\n', { check, mode: 'update' })).errors).toEqual({
        'lines[2].sku': ['There is no such record'],
      })
    }
  })

  test('finds none out of the scope: to its user, the value is taken, and nothing else is told', async () => {
    const clerk = at.test.as({ roles: ['clerk'] })
    const Hidden = await made('parts', { sku: 'H-1', name: 'Hidden' })
    await hide(Hidden)
    for (const check of ['1', '0'])
      expect(await send('parts', 'sku,name\nH-1,Mine\n', { check }, clerk)).toMatchObject({
        status: 422,
        errors: { 'lines[2].sku': ['SKU is already taken'] },
      })
    expect((await send('parts', 'sku,name\nH-1,Mine\n', { mode: 'update' }, clerk)).errors).toEqual({
      'lines[2].sku': ['There is no such record'],
    })
    expect(await send('parts', 'sku,price\nH-1,7\n', { mode: 'update' })).toMatchObject({ data: { updated: 1 } })
  })

  /** Moves a record out of the scope of all but administrators. */
  async function hide(key: number): Promise<void> {
    const answer = await at.test.post('/admin/resource/parts/handler/hide', { ids: [String(key)] })
    expect(answer.status).toBe(200)
  }

  test('does not write what it found a record by, so that whoever may not change it can name records so', async () => {
    const buyer = at.test.as({ roles: ['buyer'] })
    expect(await send('parts', 'sku,price\nB-1,11\n', { mode: 'update' }, buyer)).toMatchObject({
      status: 200,
      data: { updated: 1, ignored: [] },
    })
    // They could not give it the value, so none is made.
    expect((await send('parts', 'sku,name\nX-9,New\n', { mode: 'both' }, buyer)).errors).toEqual({
      'lines[2].sku': ['There is no such record'],
    })
  })

  test('does not change a record that has another value by now', async () => {
    meanwhile = () => at.test.patch(`/admin/resource/parts/crud/${bolt}`, { sku: 'B-9' })
    expect((await send('parts', 'sku,name\nN-1,Nut\nB-1,Race\n', { mode: 'update' })).errors).toEqual({
      'lines[3].sku': ['The record has changed since it was read'],
    })
    expect((await parts()).slice(0, 2)).toEqual([
      [bolt, 'B-9', 'Bolt', 1],
      [nut, 'N-1', 'Nut', 2],
    ])
    // Nor does it make a second record of a value that somebody else has given one since.
    meanwhile = () => at.test.patch(`/admin/resource/parts/crud/${unnamed}`, { sku: 'X-9' })
    expect((await send('parts', 'sku,name\nX-9,Race\n')).errors).toEqual({ 'lines[2].sku': ['SKU is already taken'] })
  })

  test('by several columns together, a relation among them by its label', async () => {
    await clear('orders')
    await clear('makers')
    const acme = await made('makers', { name: 'Acme' })
    const twin = await made('makers', { name: 'Twin' })
    for (const [makerId, number] of [
      [acme, 1],
      [acme, 2],
      [twin, 1],
    ])
      await made('orders', { makerId, number, note: 'old' })
    const csv = 'Maker,Number,Note\nAcme,1,a\nTwin,1,b\nTwin,2,c\n,1,d\nAcme,,e\n'
    expect(await send('orders', csv)).toMatchObject({ status: 200, data: { created: 3, updated: 2 } })
    expect((await rowsOf('orders')).map(({ makerId, number, note }) => [makerId, number, note])).toEqual([
      [acme, 1, 'a'],
      [acme, 2, 'old'],
      [twin, 1, 'b'],
      [twin, 2, 'c'],
      [null, 1, 'd'],
      [acme, null, 'e'],
    ])
    const wrong = await send('orders', 'Maker,Number,Note\nNobody,1,a\nAcme,x,b\nAcme,2,c\nAcme,2,d\n')
    expect(wrong.errors).toEqual({
      'lines[2].makerId': ['Maker: no record is called “Nobody”'],
      'lines[3].number': ['Number must be a whole number'],
      'lines[5].makerId': ['Maker and Number: the same as in line 4'],
      'lines[5].number': ['Maker and Number: the same as in line 4'],
    })
    // A file without all of them names nothing.
    expect((await send('orders', 'Maker,Note\nAcme,a\n', { mode: 'update' })).errors).toEqual({
      file: ['The file has no column ID or Maker and Number, which names the records'],
    })
  })

  test('what only one may have together is found by the check, too', async () => {
    await clear('orders')
    const [acme] = await rowsOf('makers')
    await made('orders', { makerId: acme?.id, number: 7 })
    for (const check of ['1', '0'])
      expect((await send('orders', `Maker (key),Number\n${acme?.id},7\n`, { mode: 'create', check })).errors).toEqual({
        'lines[2].makerId': ['This combination of Maker and Number is already taken'],
        'lines[2].number': ['This combination of Maker and Number is already taken'],
      })
  })

  test('what is the same text, the database says', async () => {
    await clear('members')
    await made('members', { email: 'Ann@example.com', name: 'Ann' })
    const insensitive = kind === 'SQLite'
    const answer = await send('members', 'E-mail,Name\nann@example.com,Anne\n')
    expect(answer).toMatchObject({ data: insensitive ? { created: 0, updated: 1 } : { created: 1, updated: 0 } })
    expect((await rowsOf('members')).map(({ email, name }) => [email, name])).toEqual(
      insensitive
        ? [['Ann@example.com', 'Anne']]
        : [
            ['Ann@example.com', 'Ann'],
            ['ann@example.com', 'Anne'],
          ],
    )
    const both = await send('members', 'E-mail,Name\nann@example.com,A\nANN@example.com,B\n')
    if (insensitive) expect(both.errors).toEqual({ 'lines[3].email': ['The same record as in line 2'] })
    else expect(both).toMatchObject({ data: { created: 1, updated: 1 } })
  })

  test('who may not see the column finds nothing by it', async () => {
    const guest = at.test.as({ roles: ['guest'] })
    expect(answered(await guest.get(path('members')))).toMatchObject({ data: { modes: ['create'], key: null, match: [] } })
    expect(answered(await at.test.get(path('members')))).toMatchObject({ data: { modes: ['create', 'update', 'both'], match: ['email'] } })
  })

  test('says by what rows find their records, on its page and in JSON', async () => {
    expect(answered(await at.test.get(path('orders')))).toMatchObject({ data: { key: 'id', match: ['makerId', 'number'] } })
    const page = (await at.test.html.get(path('orders'))).text
    expect(page).toContain('Each line changes the record that has the same Maker and Number. ID goes first, where a line has it.')
    const form = new FormData()
    form.set('file', new Blob(['sku,price\nB-1,10\n']), 'parts.csv')
    for (const [name, value] of Object.entries({ mode: 'update', check: '1' })) form.set(name, value)
    expect((await at.test.html.post(path('parts'), form)).text).toContain('Records are found by: SKU')
    const document = (await at.test.get('/oag.json')).text
    expect(document).toContain('a row without its key finds its record by makerId and number')
  })

  test('takes any values, and as many', async () => {
    const odd = ["'; drop table parts; --", 'x'.repeat(5000), '%', 7, true, {}, ['B-1']]
    const refused = await send(
      'parts',
      odd.map((sku) => ({ sku, price: 1 })),
      { mode: 'update' },
    )
    expect(refused.status).toBe(422)
    expect(Object.keys(refused.errors)).toHaveLength(odd.length)
    const numbers = [1e10, 1e300, -1, 1.5, '1', '9007199254740993', Number.MAX_SAFE_INTEGER]
    const records = numbers.map((number) => ({ makerId: 1, number, note: 'x' }))
    const answer = await send('orders', records, { mode: 'update' })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.errors).filter((name) => name.endsWith('.number'))).toHaveLength(numbers.length)
    const many = Array.from({ length: 1100 }, (_, i) => ({ makerId: i + 1000, number: i, note: 'x' }))
    expect(await send('orders', many, { mode: 'update' })).toMatchObject({
      status: 422,
      message: 'Nothing was imported. Rows to correct: 1,100',
    })
  })

  // The store in memory asks none at all.
  if (kind === 'memory') return
  test('asks no more statements for more rows, but for their writes', async () => {
    const asked = async (rows: number) => {
      const csv = `sku,price\n${Array.from({ length: rows }, (_, i) => `S-${i},1`).join('\n')}\n`
      statements.length = 0
      const answer = await send('parts', csv, { check: '1', mode: 'update' })
      expect(Object.keys(answer.errors)).toHaveLength(Math.min(rows, 100))
      return statements.length
    }
    expect(await asked(2)).toBe(await asked(400))
    const csv = `sku,name\n${Array.from({ length: 1200 }, (_, i) => `S-${i},N`).join('\n')}\n`
    statements.length = 0
    expect(await send('parts', csv, { check: '1' })).toMatchObject({ data: { created: 1200 } })
    // Of three chunks each: the records that are found, and those that have a value which only one may have.
    expect(statements.length).toBeLessThanOrEqual(8)
  })
})
