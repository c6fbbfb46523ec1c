import { definePage, definePanel, defineResource, figure, id, memoryStore, metric, text as textField } from 'daymark'
import * as pg from 'drizzle-orm/pg-core'
import { integer, numeric, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import type { LogEntry } from '../../src/http/app.js'
import { testPanel } from '../../src/testing.js'

const notes = sqliteTable('notes', { id: integer().primaryKey(), title: text().notNull() })
const kinds = pg.pgEnum('kinds', ['town', 'city'])

async function world(broken: object) {
  const store = memoryStore()
  const log: LogEntry[] = []
  const Notes = defineResource({ model: { ...store, table: notes }, ...broken })
  await store.transaction(async (tx) => {
    for (const id of [1, 2, 3]) await tx.create(Notes.model, { id, title: `Note ${id}` })
  })
  const panel = definePanel({ auth: 'open', resources: [Notes], log: (entry) => log.push(entry) })
  const get = (path: string) =>
    panel.fetch(new Request(`http://localhost/admin/resource/notes${path}`, { headers: { accept: 'application/json' } }))
  return { get, log, app: testPanel(panel) }
}

const mistake = () => {
  throw new Error('of somebody’s own')
}

test('a scope that throws lets nothing through, and is logged with the id of the request', async () => {
  const { get, log } = await world({ scope: mistake })
  const answer = await get('/crud')
  expect(await answer.json()).toMatchObject({ data: [], meta: { total: 0 } })
  expect(log).toMatchObject([
    { message: 'of somebody’s own', requestId: answer.headers.get('x-request-id'), path: '/admin/resource/notes/crud' },
  ])
})

test.each<[what: string, broken: object]>([
  ['a display', { display: { title: mistake } }],
  ['attributes of a row', { table: { trAttributes: mistake } }],
  ['attributes of a cell', { table: { tdAttributes: mistake } }],
])('%s that throws is the panel’s own page for a person, with the id of the request', async (_, broken) => {
  const { app, log } = await world({ fields: { id: id(), title: textField('Title') }, ...broken })
  const answer = await app.html.get('/admin/resource/notes/crud')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8'])
  expect(log).toMatchObject([{ message: 'of somebody’s own' }])
  expect(answer.text).toContain(log[0]?.requestId)
  expect(answer.text).not.toContain('somebody')
})

test('a policy that throws denies, and is logged', async () => {
  const { get, log } = await world({ scope: () => ({}), canRecord: { view: mistake } })
  const answer = await get('/crud/1')
  expect(answer.status).toBe(403)
  expect(log.map(({ requestId }) => requestId)).toEqual([answer.headers.get('x-request-id')])
  expect(await answer.text()).not.toContain('somebody')
})

test.each<[what: string, given: unknown]>([
  ['a promise', Promise.resolve({ id: 1 })],
  ['a list', []],
  ['a map', new Map([['id', 1]])],
  ['a function', () => ({ id: 1 })],
  ['a time', new Date()],
  ['what inherits', Object.create({ id: 1 })],
  ['a text', 'id = 1'],
  ['a value that is missing', { id: undefined }],
  ['no operator', { id: {} }],
  ['a list for a value', { id: [] }],
  ['a list that lacks one', { id: { in: [undefined] } }],
  ['a text for a list', { title: { in: 'Note 1' } }],
  ['no text for a text', { title: { contains: 1 } }],
  ['no answer to a question', { title: { null: 'no' } }],
  ['a text for a number', { id: '1' }],
  ['a number for a text', { title: { in: [1] } }],
  ['a fraction for a whole number', { id: { gte: 1.5 } }],
  ['no number for one', { id: { lt: Number.NaN } }],
  ['one value of several that is none', { id: { in: [1, true] } }],
  ['a text of a number', { id: { contains: '1' } }],
  ['the beginning of a number', { id: { startsWith: '1' } }],
  ['a value of what is no list', { title: { has: 'Note 1' } }],
  ['a text that no database reads', { title: 'Note\0' }],
  ['a time for a number', { id: new Date() }],
])('a scope that is no condition, but %s, lets nothing through', async (_, given) => {
  const { get, log } = await world({ scope: () => given })
  expect(await (await get('/crud')).json()).toMatchObject({ data: [], meta: { total: 0 } })
  expect(log).toMatchObject([{ level: 'error', path: '/admin/resource/notes/crud' }])
})

const things = {
  sqlite: sqliteTable('things', {
    id: integer().primaryKey(),
    price: numeric(),
    big: numeric({ mode: 'bigint' }),
    isOpen: integer({ mode: 'boolean' }),
    at: integer({ mode: 'timestamp' }),
    tags: text({ mode: 'json' }),
  }),
  postgresql: pg.pgTable('things', {
    id: pg.uuid().primaryKey(),
    short: pg.smallint(),
    kind: kinds(),
    day: pg.date(),
    at: pg.timestamp(),
  }),
}

test.each<[of: keyof typeof things, fault: string, where: object]>([
  ['sqlite', 'Must be a number, written as text', { price: 'cheap' }],
  ['sqlite', 'Must be a number, written as text', { price: 5 }],
  ['sqlite', 'Must be a whole number', { big: { gt: 5 } }],
  ['sqlite', 'Is too big', { big: { in: [2n ** 64n] } }],
  ['sqlite', 'Must be true or false', { isOpen: 1 }],
  ['sqlite', 'Must be a date', { at: { gte: new Date('no time') } }],
  ['sqlite', 'Cannot be stored', { at: { gte: '2026-01-01' } }],
  ['sqlite', 'Holds no text to search', { at: { contains: '2026' } }],
  ['sqlite', 'Must be text or a number', { tags: { has: true } }],
  ['postgresql', 'Must be a UUID', { id: 'admin' }],
  ['postgresql', 'Is too big', { short: { lt: 40_000 } }],
  ['postgresql', 'Is not one of the options', { kind: { in: ['town', 'hamlet'] } }],
  ['postgresql', 'Must be a date', { day: '2026-02-30' }],
  ['postgresql', 'Must be in the years 1 to 9999', { at: new Date(Date.UTC(10_000, 0)) }],
])('a query tag of %s that compares a column with what no value of it is, stops the start: %s', (of, fault, where) => {
  const queryTags = { wrong: { label: 'Wrong', where: where as never } }
  expect(() => defineResource({ model: things[of] as never, queryTags })).toThrow(new RegExp(`"${Object.keys(where)[0]}".*: ${fault}`))
})

test('so do conditions of pages and of figures', () => {
  const Notes = defineResource({
    model: memoryStore(notes),
    pages: { more: [{ type: 'index', uri: 'few', title: 'Few', fields: ['id'], where: { id: 1.5 } }] },
  } as never)
  const own = (...components: object[]) => definePage({ uri: 'own', title: 'Own', components: components as never })
  const start = (...pages: ReturnType<typeof own>[]) => definePanel({ auth: 'open', resources: [Notes], pages })
  expect(start).toThrow('Must be a whole number')
  expect(() => start(own(metric({ name: 'few', label: 'Few', value: figure.count('notes', { id: { lt: 1.5 } }) })))).toThrow(
    /component-where {2}pages\.own/,
  )
})

test.each(['list', 'count'] as const)(
  'a handler whose %s asks for what no value of a column is gets a 500 that is logged',
  async (verb) => {
    const run = async (context: Record<string, (asked: object) => Promise<unknown>>) => {
      const where = { id: { gte: 1.5 } }
      await context[verb]?.(verb === 'list' ? { where } : where)
    }
    const { app, log } = await world({ handlers: { go: { run } } })
    const answer = await app.post('/admin/resource/notes/handler/go')
    expect([answer.status, answer.text.includes('whole number')]).toEqual([500, false])
    expect(log).toMatchObject([{ message: expect.stringContaining('The condition on "id"') }])
  },
)

test.each<[what: string, said: unknown, status: number]>([
  ['later', Promise.resolve({ title: 'Is taken' }), 500],
  ['a text', 'Is taken', 500],
  ['a list', ['Is taken'], 500],
  ['a yes', { title: true }, 500],
  ['a text of what is not a field', { titel: 'Is taken' }, 500],
  ['nothing of what is none', { titel: undefined }, 200],
  ['a text of a field', { title: 'Is taken' }, 422],
  ['several', { title: ['Is taken', 'Is long'] }, 422],
  ['nothing of a field', { title: null, id: false }, 200],
  ['nothing', undefined, 200],
])('a rule over several fields that says %s', async (_, said, status) => {
  const { app, log } = await world({ validate: () => said })
  const answer = await app.patch('/admin/resource/notes/crud/1', { title: 'Changed' })
  expect(answer.status).toBe(status)
  if (status === 422) expect(answer.json()).toMatchObject({ detail: 'Is taken', errors: { title: expect.arrayContaining(['Is taken']) } })
  expect(log.map(({ message }) => message)).toEqual(status === 500 ? [expect.stringContaining('`validate` of "notes"')] : [])
  const { data } = (await app.get('/admin/resource/notes/crud/1')).json() as { data: { title: string } }
  expect(data.title).toBe(status === 200 ? 'Changed' : 'Note 1')
})

test.each([{ cann: ['admin'] }, { methods: { go: { ability: 'delete', run: () => {} } } }])(
  'nor is a page declared by what means nothing: %j',
  (spec) => expect(() => definePage({ uri: 'own', title: 'Own', components: [], ...spec } as never)).toThrow('unknown setting'),
)

test.each<[where: string, spec: object]>([
  ['listed  resources', { resources: undefined }],
  ['listed  resources[0]: is undefined', { resources: [undefined] }],
  ['listed  resources[0]: is no resource', { resources: [{ model: notes }] }],
  ['listed  pages[0]', { pages: [undefined] }],
  ['listed  menu[0]', { menu: [undefined] }],
  ['listed  plugins[0].resources[0]: is undefined', { plugins: [{ id: 'more', resources: [undefined] }] }],
  ['listed  plugins[0].pages: must be a list', { plugins: [{ id: 'more', pages: 7 }] }],
  ['setting-unknown  tiemZone', { tiemZone: 'Europe/Berlin' }],
  ['ability  can.veiw', { can: { veiw: ['admin'] } }],
  ['policy  can.view', { can: { view: 'admin' } }],
  ['policy  can', { can: ['admin'] }],
  ['policy  menu.can', { menu: [{ group: 'Notes', can: 'admin', items: [] }] }],
  ['policy  pages.own.can', { pages: [definePage({ uri: 'own', title: 'Own', components: [], can: 'admin' as never })] }],
  [
    'policy  pages.own.methods.go.can',
    {
      pages: [
        definePage({ uri: 'own', title: 'Own', components: [], methods: { go: { can: (async () => true) as never, run: () => {} } } }),
      ],
    },
  ],
])('what would hold nobody back stops the start: %s', (where, spec) => {
  const resources = [defineResource({ model: memoryStore(notes) })]
  expect(() => definePanel({ auth: 'open', resources, ...spec })).toThrow(where)
})

type Context = Record<string, (...asked: unknown[]) => Promise<unknown>>

test.each<[what: string, broken: object, says: string]>([
  ['of a beforeSave', { hooks: { beforeSave: () => ({ id: 9 }) } }, 'A key never changes: "id" of "notes"'],
  ['of a beforeSave, none', { hooks: { beforeSave: () => ({ id: null }) } }, 'A key never changes'],
  [
    'of an afterSave',
    { hooks: { afterSave: ({ update, after }: never) => (update as Context['x'])?.((after as { id: 1 }).id, { id: 9 }) } },
    'A key never changes',
  ],
])('another key of a record is a mistake %s, and no matter of sight', async (_, broken, says) => {
  const { app, log } = await world(broken)
  const answer = await app.patch('/admin/resource/notes/crud/1', { title: 'Changed' })
  expect(answer.status).toBe(500)
  expect(log).toMatchObject([{ message: expect.stringContaining(says) }])
  expect((await app.get('/admin/resource/notes/crud/1')).json()).toMatchObject({ data: { title: 'Note 1' } })
})

test.each<[what: string, ask: (context: Context) => unknown, says: string | null]>([
  ['another key', ({ update }) => update?.(1, { id: 9 }), 'A key never changes'],
  ['the same key', ({ update }) => update?.(1, { id: 1, title: 'Changed' }), null],
  ['fewer records than none', ({ list }) => list?.({ limit: -1 }), 'limit must be a whole number'],
  ['no number of records', ({ list }) => list?.({ limit: Number.NaN }), 'limit must be a whole number'],
  ['records before the first', ({ list }) => list?.({ offset: -1 }), 'offset must be a whole number'],
  ['no record', ({ list }) => list?.({ limit: 0 }), null],
])('a handler that asks for %s', async (_, ask, says) => {
  const { app, log } = await world({ handlers: { go: { run: async (context: Context) => void (await ask(context)) } } })
  expect((await app.post('/admin/resource/notes/handler/go')).status).toBe(says === null ? 200 : 500)
  expect(log.map(({ message }) => message)).toEqual(says === null ? [] : [expect.stringContaining(says)])
})
