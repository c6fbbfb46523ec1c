import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  actionButton,
  belongsTo,
  dateTime,
  defineKind,
  definePage,
  definePanel,
  defineResource,
  historyResource,
  html,
  id,
  memoryStore,
  number,
  type Panel,
  switcher,
  text,
  usersResource,
} from 'daymark'
import { markdown } from 'daymark/markdown'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { blob, integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const people = sqliteTable('people', { id: integer().primaryKey(), name: varchar().notNull() })
const things = sqliteTable('things', {
  code: varchar().primaryKey(),
  name: varchar().notNull().unique(),
  notes: varchar(),
  ownerId: integer('owner_id').references(() => people.id),
  open: integer({ mode: 'boolean' }).notNull().default(false),
  amount: blob({ mode: 'bigint' }),
  pin: varchar(),
  seal: varchar(),
  margin: integer(),
  version: integer().notNull().default(1),
  touchedAt: integer('touched_at', { mode: 'timestamp_ms' }).$onUpdate(() => new Date()),
  due: integer({ mode: 'timestamp_ms' }),
})
const tables = { people, things }

const peopleInPg = pg.pgTable('people', { id: pg.serial().primaryKey(), name: pg.text().notNull() })
const inPostgresql = {
  people: peopleInPg,
  things: pg.pgTable('things', {
    code: pg.text().primaryKey(),
    name: pg.text().notNull().unique(),
    notes: pg.text(),
    ownerId: pg.integer('owner_id').references(() => peopleInPg.id),
    open: pg.boolean().notNull().default(false),
    amount: pg.bigint({ mode: 'bigint' }),
    pin: pg.text(),
    seal: pg.text(),
    margin: pg.integer(),
    version: pg.integer().notNull().default(1),
    touchedAt: pg.timestamp('touched_at', { withTimezone: true, precision: 3 }).$onUpdate(() => new Date()),
    due: pg.timestamp({ withTimezone: true, precision: 3 }),
  }),
} as unknown as typeof tables

const schema = (made: string, boolean: string, time: string, big: string) => [
  `create table people (id ${made}, name text not null)`,
  `create table things (code text primary key, name text not null unique, notes text, owner_id integer references people (id),
    open ${boolean}, amount ${big}, pin text, seal text, margin integer, version integer not null default 1, touched_at ${time}, due ${time})`,
  "insert into people (name) values ('Ada'), ('<b>Bob</b>')",
]

const pin = defineKind<string>({
  name: 'pin',
  columns: ['text'],
  operators: [],
  secret: true,
  schema: () => z.string(),
  // A kind may say its secret to those who may read the record: it is not kept for all that.
  wire: (kept) => kept,
  text: () => '',
  cell: () => html`&bull;`,
  input: () => html`<input type="password">`,
})

/** Makes what it stores in its own time. */
const seal = defineKind<string>({
  name: 'seal',
  columns: ['text'],
  operators: [],
  schema: () => z.string(),
  value: async (typed) => {
    if (typed === 'BROKEN') throw new Error('never made twice')
    return String(typed).toUpperCase()
  },
  text: (kept) => kept,
  cell: (kept) => html`<b>${kept}</b>`,
  input: () => html`<input>`,
})

function panelOver(database: string, { people, things }: typeof tables, more: object = {}): Panel {
  const People = defineResource({ model: people, fields: { id: id(), name: text('Name') }, history: ['auditor'], can: { view: true } })
  const Things = defineResource({
    model: things,
    fields: {
      code: text('Code'),
      name: text('Name'),
      notes: markdown('Notes'),
      ownerId: belongsTo('Owner', people).resource('people'),
      open: switcher('Open').updateOnPreview(),
      amount: number('Amount'),
      pin: pin('Pin'),
      seal: seal('Seal'),
      margin: number('Margin').visible(['keeper']),
      version: number('Version').readOnly(),
      touchedAt: dateTime('Touched').readOnly(),
      due: dateTime('Due'),
    },
    history: true,
    can: { view: true, update: true, create: true, delete: true },
    canRecord: { view: ({ record }) => record.notes !== 'closed' },
    scope: ({ user }) => (user.roles.includes('stranger') ? { open: true } : {}),
    hooks: {
      async afterSave({ before, after, update, of }) {
        if (after.name === 'nested') await update(after.code, { name: 'nested, later' })
        if (after.name === 'beside') await of(People).unrestricted.update(1, { name: 'Countess' })
        if (before && after.name === 'refused') throw new TypeError('refused by the hook')
      },
    },
    handlers: {
      bump: { run: async ({ ids, update }) => void (await update(ids[0] as string, { version: 9 })) },
      raise: {
        run: async ({ ids, update }) =>
          ids.reduce((all, id) => all.then(() => update(id, { name: `${id}!` })), Promise.resolve({})).then(() => {}),
      },
    },
  })
  const tools = definePage({
    uri: 'tools',
    title: 'Tools',
    components: [actionButton({ label: 'Go', method: 'rename' })],
    methods: {
      rename: {
        run: async ({ of }) =>
          of(Things)
            .unrestricted.update('a', { name: 'by a page' })
            .then(() => {}),
      },
    },
  })
  const Plain = defineResource({ model: people, uriKey: 'plain', can: { view: true } })
  return definePanel({ auth: 'open', database, resources: [People, Things, Plain], pages: [tools], ...more } as never)
}

const stores = {
  async SQLite() {
    const folder = mkdtempSync(join(tmpdir(), 'daymark-history-'))
    const client = new Sqlite(join(folder, 'history.db'))
    for (const statement of schema('integer primary key', 'integer not null default 0', 'integer', 'blob')) client.exec(statement)
    const panel = panelOver(`sqlite:${join(folder, 'history.db')}`, tables)
    const kept = async () => client.prepare('select * from daymark_history').all()
    const tamper = async (changes: string) => client.prepare('update daymark_history set changes = ?').run(changes)
    const end = async () => {
      await panel.close()
      client.close()
      rmSync(folder, { recursive: true, force: true })
    }
    const never = async () => client.exec('update things set due = 8640000000000001')
    return { panel, kept, tamper, never, end }
  },
  async PostgreSQL() {
    const database = await openDatabase()
    for (const statement of schema('serial primary key', 'boolean not null default false', 'timestamptz(3)', 'bigint'))
      await database.query(statement)
    const panel = panelOver(database.url, inPostgresql)
    const kept = async () => (await database.query('select * from daymark.history')).rows
    const tamper = (changes: string) => database.query('update daymark.history set changes = $1', [changes])
    const never = () => database.query("update things set due = 'infinity'")
    return { panel, kept, tamper, never, end: () => panel.close().then(database.drop) }
  },
}

interface Kept {
  readonly at: string
  readonly action: string
  readonly user: { readonly id: string; readonly name: string }
  readonly changes: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>
}

describe.each(Object.entries(stores))('the history of records, over %s', (_, open) => {
  let opened: Awaited<ReturnType<(typeof stores)[keyof typeof stores]>>
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened?.end())

  const crud = (more = '') => `/admin/resource/things/crud${more}`
  const as = (...roles: string[]) => testPanel(opened.panel).as({ id: '7', name: 'Grace', roles })
  const grace = () => as('keeper')
  const historyOf = async (code: string, app = grace()) => {
    const answer = await app.get(crud(`/${code}/history`))
    expect(answer.status, answer.text).toBe(200)
    return (answer.json() as { data: Kept[] }).data
  }
  const told = async (code: string) => (await historyOf(code)).map(({ action, changes }) => [action, changes])
  const ok = async (answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer
    expect(status, text).toBeLessThan(400)
  }

  test('a time that nobody can read has not changed with every write', async () => {
    await ok(grace().post(crud(), { code: 'a', name: 'one' }))
    await opened.never()
    await ok(grace().put(crud('/a'), { name: 'two' }))
    expect((await told('a'))[0]).toEqual(['update', { name: { before: 'one', after: 'two' } }])
    await ok(grace().put(crud('/a'), { due: '2026-01-01T00:00:00Z' }))
    expect((await told('a'))[0]).toEqual(['update', { due: { before: null, after: '2026-01-01T00:00:00.000Z' } }])
  })

  test('says what every write changed, by whom, the newest first', async () => {
    await ok(grace().post(crud(), { code: 'a', name: 'one', amount: '9007199254740993', open: true }))
    await ok(grace().put(crud('/a'), { name: 'two', notes: 'new', open: true }))
    await ok(grace().put('/admin/update-field/column/things/a', { field: 'open', value: false, was: true }))
    await ok(grace().html.post(crud('/a'), new URLSearchParams({ _method: 'PUT', amount: '', ownerId: '2' })))
    await ok(grace().post('/admin/resource/things/handler/raise', { ids: ['a'] }))
    expect(await told('a')).toEqual([
      ['update', { name: { before: 'two', after: 'a!' } }],
      ['update', { ownerId: { before: null, after: 2 }, amount: { before: '9007199254740993', after: null } }],
      ['update', { open: { before: true, after: false } }],
      ['update', { name: { before: 'one', after: 'two' }, notes: { before: null, after: 'new' } }],
      [
        'create',
        {
          name: { before: null, after: 'one' },
          open: { before: null, after: true },
          amount: { before: null, after: '9007199254740993' },
          version: { before: null, after: 1 },
        },
      ],
    ])
    const [entry] = await historyOf('a')
    expect(entry?.user).toEqual({ id: '7', name: 'Grace' })
    expect(entry?.at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(Math.abs(Date.now() - Date.parse(entry?.at ?? ''))).toBeLessThan(600_000)
  })

  test('goes on after a record is deleted, alone or among many', async () => {
    const made = { version: { before: null, after: 1 }, open: { before: null, after: false }, name: { before: null, after: 'b' } }
    const gone = { version: { before: 1, after: null }, open: { before: false, after: null }, name: { before: 'b', after: null } }
    await ok(grace().post(crud(), { code: 'b', name: 'b' }))
    await ok(grace().delete(crud('/b')))
    await ok(grace().post(crud(), { code: 'b', name: 'b' }))
    await ok(grace().delete(crud(), { ids: ['b'] }))
    expect((await grace().get(crud('/b/history'))).status).toBe(404)
    await ok(grace().post(crud(), { code: 'b', name: 'b' }))
    expect(await told('b')).toEqual([
      ['create', made],
      ['delete', gone],
      ['create', made],
      ['delete', gone],
      ['create', made],
    ])
  })

  test('keeps nothing of writes that change nothing or are refused', async () => {
    await ok(grace().post(crud(), { code: 'c', name: 'c' }))
    await ok(grace().post(crud(), { code: 'd', name: 'd' }))
    await ok(grace().put(crud('/c'), { name: 'c' }))
    expect((await grace().put(crud('/c'), { name: 'd' })).status).toBe(409)
    expect((await grace().put(crud('/c'), { name: 'refused' })).status).toBe(500)
    expect((await grace().put(crud('/c'), { name: 'x' }, { headers: { 'if-match': '"old"' } })).status).toBe(412)
    expect((await grace().post(crud(), { code: 'c', name: 'e' })).status).toBe(409)
    expect((await grace().delete(crud(), { ids: ['c', 'none'] })).status).toBe(404)
    expect(await told('c')).toHaveLength(1)
    expect(await opened.kept()).toHaveLength(2)
  })

  test('keeps what hooks write, after the write that they follow', async () => {
    await ok(grace().post(crud(), { code: 'e', name: 'nested' }))
    await ok(grace().post(crud(), { code: 'f', name: 'beside' }))
    expect((await told('e')).map(([action]) => action)).toEqual(['update', 'create'])
    const auditor = as('auditor')
    const answer = await auditor.get('/admin/resource/people/crud/1/history')
    expect((answer.json() as { data: Kept[] }).data).toMatchObject([
      { action: 'update', user: { id: '7', name: 'Grace' }, changes: { name: { before: 'Ada', after: 'Countess' } } },
    ])
  })

  test('begins with a transaction of a page, too', async () => {
    await testPanel(opened.panel).create(opened.panel.resources.get('things')?.model.table as never, { code: 'a', name: 'a' } as never)
    await ok(grace().post('/admin/method/tools?method=rename'))
    expect(await told('a')).toEqual([['update', { name: { before: 'a', after: 'by a page' } }]])
  })

  test('tells nobody of fields that they may not see, and never a secret', async () => {
    await ok(grace().post(crud(), { code: 'g', name: 'g', margin: 123_456, pin: 'sesame' }))
    await ok(grace().put(crud('/g'), { margin: 654_321 }))
    await ok(grace().put(crud('/g'), { pin: 'mustard' }))
    expect(await told('g')).toMatchObject([
      ['update', { pin: { before: null, after: null } }],
      ['update', { margin: { before: 123_456, after: 654_321 } }],
      ['create', { pin: { before: null, after: null }, margin: { before: null, after: 123_456 } }],
    ])
    const others = await as('reader').get(crud('/g/history'))
    expect((others.json() as { data: Kept[] }).data.map(({ action }) => action)).toEqual(['update', 'create'])
    const page = await as('reader').html.get(crud('/g/history'))
    for (const { text } of [others, page]) expect(text).not.toMatch(/margin|123.?456|654.?321/i)
    const stored = JSON.stringify(await opened.kept())
    expect(stored).toContain('654321')
    for (const text of [stored, others.text, page.text]) expect(text).not.toMatch(/sesame|mustard/)
  })

  test('is for those who may view the record, and have the role', async () => {
    await ok(grace().post(crud(), { code: 'h', name: 'h' }))
    await ok(grace().post(crud(), { code: 'i', name: 'i', notes: 'closed' }))
    expect((await as('stranger').get(crud('/h/history'))).status).toBe(404)
    expect((await grace().get(crud('/i/history'))).status).toBe(403)
    expect((await grace().get(crud('/none/history'))).status).toBe(404)
    expect((await testPanel(opened.panel).as(null).get(crud('/h/history'))).status).toBe(401)
    expect((await as('clerk').get('/admin/resource/people/crud/1/history')).status).toBe(403)
    expect((await as('auditor').get('/admin/resource/people/crud/1/history')).status).toBe(200)
    expect((await as('auditor').get('/admin/resource/plain/crud/1/history')).status).toBe(404)
    const page = (path: string, role: string) => as(role).html.get(path)
    expect((await page('/admin/resource/people/crud/1', 'auditor')).text).toContain('/admin/resource/people/crud/1/history')
    for (const [path, role] of [
      ['/admin/resource/people/crud/1', 'clerk'],
      ['/admin/resource/plain/crud/1', 'auditor'],
    ] as const)
      expect((await page(path, role)).text).not.toContain('/history')
  })

  test('has pages, each entry on one of them', async () => {
    await ok(grace().post(crud(), { code: 'j', name: 'j0' }))
    for (let n = 1; n < 60; n++) await ok(grace().put(crud('/j'), { name: `j${n}` }))
    const seen: unknown[] = []
    const sizes: number[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await grace().get(crud(`/j/history${cursor && `?cursor=${cursor}`}`))
      const { data, meta } = answer.json() as { data: Kept[]; meta: { perPage: number; nextCursor: string | null } }
      expect(meta.perPage).toBe(25)
      seen.push(...data.map(({ changes }) => changes.name?.after))
      sizes.push(data.length)
      cursor = meta.nextCursor
    }
    expect(sizes).toEqual([25, 25, 10])
    expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => `j${59 - n}`))
    const page = await grace().html.get(crud('/j/history'))
    expect(page.text).toMatch(/<a href="[^"]+\/history\?cursor=\d+" class="button">/)
    expect(page.text).not.toContain('Newest')
    for (const query of ['cursor=x', 'cursor=0', 'cursor=1e3', 'cursor=-1', 'cursor=99999999999999999999', 'cursor=1&cursor=2', 'page=2'])
      expect((await grace().get(crud(`/j/history?${query}`))).status, query).toBe(422)
    expect((await grace().html.get(crud('/j/history?cursor=x&page=2'))).status).toBe(200)
  })

  test('is a page that escapes what it shows, and leads to related records', async () => {
    await ok(grace().post(crud(), { code: '<k>', name: '<i>k</i>', notes: `# ${'long '.repeat(100)}`, seal: 'broken' }))
    await ok(grace().put(crud('/%3Ck%3E'), { ownerId: 2, open: true }))
    const { status, text } = await grace().html.get(crud('/%3Ck%3E/history'))
    expect(status).toBe(200)
    expect(text).toContain('<a href="/admin/resource/people/crud/2">&lt;b&gt;Bob&lt;/b&gt;</a>')
    expect(text).toContain('&lt;i&gt;k&lt;/i&gt;')
    expect(text).toMatch(/<details><summary>long .*?<h2>long .*?<\/details>/s)
    expect(text).toContain('Changed by Grace')
    expect(text).toContain('<td>BROKEN</td>')
    expect(text).not.toMatch(/<i>k|<b>Bob|<k>/)
  })

  test('fills the form with what was there before a change, for fields that have another value now', async () => {
    await ok(grace().post(crud(), { code: 'm', name: 'first', notes: 'one\ntwo', amount: '9007199254740993', pin: 'sesame', seal: 'wax' }))
    await ok(
      grace().put(crud('/m'), {
        name: 'second',
        notes: null,
        amount: null,
        ownerId: 2,
        open: true,
        pin: 'mustard',
        margin: 5,
        seal: 'tin',
      }),
    )
    await ok(grace().put(crud('/m'), { open: false, notes: 'three' }))
    const [opened, changed, made] = (await historyOf('m')) as (Kept & { id: number })[]
    const form = '/admin/resource/things/form-page/m'
    // In the form as if it had been typed, beside the version and the texts that are stored.
    const page = await grace().html.get(`${form}?restore=${changed?.id}`)
    expect(page.status).toBe(200)
    expect(page.text).toMatch(/Filled in with what was there before Grace changed it on .*Nothing is saved yet/)
    const links = (text: string) => [...text.matchAll(/<li><a href="#([^"]+)">/g)].map(([, id]) => id)
    expect(links(page.text)).toEqual(['name', 'notes', 'ownerId', 'amount', 'margin'].map((name) => `field-${name}`))
    const textOf = (text: string, name: string) => {
      const input = text.match(/<input[^>]*>/g)?.find((one) => one.includes(` name="${name}"`))
      return input && (/ value="([^"]*)"/.exec(input)?.[1] ?? '')
    }
    const nowAnd = (text: string, name: string) => [textOf(text, `_was[${name}]`), textOf(text, name)]
    expect(nowAnd(page.text, 'name')).toEqual(['second', 'first'])
    expect(nowAnd(page.text, 'amount')).toEqual(['', '9007199254740993'])
    expect(textOf(page.text, '_was[notes]')).toBe('three')
    expect(page.text).toMatch(/<textarea[^>]*>\none\ntwo<\/textarea>/)
    expect(page.text).not.toMatch(/sesame|mustard/)
    // The same in JSON; nothing is written.
    const { data } = (await grace().get(`${form}?restore=${changed?.id}`)).json() as { data: Record<string, unknown> }
    expect(data).toMatchObject({
      name: 'first',
      notes: 'one\ntwo',
      amount: '9007199254740993',
      ownerId: null,
      open: false,
      margin: null,
      seal: 'TIN',
    })
    expect(((await grace().get(form)).json() as { data: object }).data).toMatchObject({
      name: 'second',
      notes: 'three',
      ownerId: 2,
      margin: 5,
    })
    expect(await told('m')).toHaveLength(3)

    // What a browser sends then takes the change back, and no other.
    const sent = new URLSearchParams({
      _method: 'PUT',
      name: 'first',
      notes: 'one\r\ntwo',
      amount: '9007199254740993',
      ownerId: '',
      margin: '',
      open: '0',
    })
    for (const name of ['name', 'notes', 'amount', 'ownerId', 'margin', 'open', '_version'])
      if (!name.startsWith('_')) sent.set(`_was[${name}]`, textOf(page.text, `_was[${name}]`) ?? '')
    sent.set('_version', textOf(page.text, '_version') as string)
    await ok(grace().html.post(crud('/m'), sent))
    expect((await told('m'))[0]).toEqual([
      'update',
      {
        name: { before: 'second', after: 'first' },
        notes: { before: 'three', after: 'one\ntwo' },
        ownerId: { before: 2, after: null },
        amount: { before: null, after: '9007199254740993' },
        margin: { before: 5, after: null },
      },
    ])
    // The page offers it where something is another now.
    const offered = async (app = grace()) =>
      [...(await app.html.get(crud('/m/history'))).text.matchAll(/form-page\/m\?restore=(\d+)"/g)].map(([, id]) => Number(id))
    const [last] = (await historyOf('m')) as (Kept & { id: number })[]
    expect(await offered()).toEqual([last?.id, opened?.id])
    const none = await grace().html.get(`${form}?restore=${changed?.id}`)
    expect(none.text).toMatch(/Everything that can be restored is already as it was before Grace changed it/)
    // A new record was nothing before.
    for (const wrong of [made?.id, 0, -1, 'x', 999_999, '9'.repeat(15)])
      for (const app of [grace(), grace().html]) expect((await app.get(`${form}?restore=${wrong}`)).status, String(wrong)).toBe(404)
    expect((await grace().get(`${form}?restore=1&restore=2`)).status).toBe(422)
    expect((await grace().get(`${form}?restores=1`)).status).toBe(422)
  })

  test('restores nothing for those who may not see it, or not write it', async () => {
    await ok(grace().post(crud(), { code: 'n', name: 'n', margin: 123_456 }))
    await ok(grace().post(crud(), { code: 'o', name: 'o' }))
    await ok(grace().put(crud('/n'), { margin: 654_321 }))
    await ok(grace().put(crud('/n'), { name: 'later', margin: 7 }))
    await ok(grace().put(crud('/o'), { name: 'other' }))
    const [later, first] = (await historyOf('n')) as (Kept & { id: number })[]
    const form = (code: string, id?: number) => `/admin/resource/things/form-page/${code}?restore=${id}`
    // What the form does not take stays as it is.
    await ok(grace().post('/admin/resource/things/handler/bump', { ids: ['o'] }))
    const [bumped] = (await historyOf('o')) as (Kept & { id: number })[]
    expect(bumped?.changes).toEqual({ version: { before: 1, after: 9 } })
    expect(((await grace().get(form('o', bumped?.id))).json() as { data: object }).data).not.toHaveProperty('version', 1)
    expect((await grace().html.get(form('o', bumped?.id))).text).toContain('Everything that can be restored')
    expect((await grace().html.get(crud('/o/history'))).text).not.toContain(`restore=${bumped?.id}`)
    // A field of others is neither there nor in the form.
    const reader = await as('reader').get(form('n', later?.id))
    expect((reader.json() as { data: object }).data).toMatchObject({ name: 'n' })
    const page = await as('reader').html.get(form('n', first?.id))
    for (const { text } of [reader, page]) expect(text).not.toMatch(/margin|123.?456/i)
    // A change of nothing else is not known to them.
    expect(page.status).toBe(404)
    expect((await as('reader').html.get(crud('/n/history'))).text).not.toContain(`restore=${first?.id}`)
    // Nor is a change of another record, or of a record out of reach.
    expect((await grace().get(form('o', later?.id))).status).toBe(404)
    expect((await as('stranger').get(form('n', later?.id))).status).toBe(404)
    await ok(grace().put(crud('/n'), { notes: 'closed' }))
    expect((await grace().get(form('n', later?.id))).status).toBe(403)
    expect((await as('clerk').get('/admin/resource/people/form-page/1?restore=1')).status).toBe(403)
    expect((await as('auditor').get('/admin/resource/people/form-page/1?restore=1')).status).toBe(404)
    expect((await as('auditor').get('/admin/resource/plain/form-page/1?restore=1')).status).toBe(422)
    expect((await as('auditor').html.get('/admin/resource/plain/form-page/1?restore=1')).status).toBe(200)
  })

  test('shows values that a field could not have today as they were', async () => {
    await ok(grace().post(crud(), { code: 'l', name: 'l', open: true }))
    const changes = { ownerId: [null, 'no key'], open: [null, '<maybe>'], amount: [null, { a: 1 }] }
    await opened.tamper(JSON.stringify(changes))
    const { text } = await grace().html.get(crud('/l/history'))
    for (const shown of ['no key', '&lt;maybe&gt;', '{&quot;a&quot;:1}']) expect(text).toContain(shown)
    expect(await told('l')).toMatchObject([['create', { ownerId: { before: null, after: 'no key' } }]])
  })
})

describe('the changes of all resources', () => {
  const notes = sqliteTable('notes', { id: integer().primaryKey(), name: varchar().notNull() })
  const file = () => {
    const folder = mkdtempSync(join(tmpdir(), 'daymark-changes-'))
    const client = new Sqlite(join(folder, 'notes.db'))
    client.exec('create table notes (id integer primary key, name text not null)')
    client.close()
    return { folder, database: `sqlite:${join(folder, 'notes.db')}` }
  }

  test('are listed for those who may see all of them, and changed by nobody', async () => {
    const { folder, database } = file()
    const Notes = defineResource({ model: notes, history: true })
    const users = usersResource({ roles: ['admin', 'clerk'], history: ['admin'] })
    const panel = definePanel({ database, resources: [Notes, users, historyResource()] })
    const admin = testPanel(panel)
    const changes = '/admin/resource/history/crud'
    expect(await (await admin.get(changes)).json()).toMatchObject({ data: [], meta: { total: 0 } })
    const { data: made } = (await admin.post('/admin/resource/notes/crud', { name: 'one' })).json() as { data: { id: number } }
    expect((await admin.delete(`/admin/resource/notes/crud/${made.id}`)).status).toBe(200)
    const user = { username: 'carla', name: 'Carla', password: 'correct horse battery', roles: ['clerk'] }
    const { data: carla } = (await admin.post('/admin/resource/users/crud', user)).json() as { data: { id: number } }
    expect((await admin.put(`/admin/resource/users/crud/${carla.id}`, { password: 'staple staple' })).status).toBe(200)
    const all = (await admin.get(`${changes}?sort=id&fields=userName,action,of,record,changes`)).json() as { data: object[] }
    expect(all.data).toMatchObject([
      { userName: 'Test', action: 'create', of: 'notes', record: '1', changes: { name: { before: null, after: 'one' } } },
      { userName: 'Test', action: 'delete', of: 'notes', record: '1', changes: { name: { before: 'one', after: null } } },
      {
        action: 'create',
        of: 'daymark_users',
        changes: { roles: { before: null, after: ['clerk'] }, password: { before: null, after: null } },
      },
      { action: 'update', of: 'daymark_users', changes: { password: { before: null, after: null } } },
    ])
    expect((await admin.html.get(`${changes}/2`)).text).toContain('<tr><th scope="row">Name</th><td>one</td></tr>')
    expect((await admin.html.get(`${changes}/4`)).text).toContain(
      '<tr><th scope="row">Password</th><td><span class="none">&mdash;</span></td><td>Changed</td></tr>',
    )
    expect((await admin.get('/admin/resource/history/export')).text).toContain('notes')
    // On a phone, no column says whose key it is.
    expect((await admin.html.get(changes)).text).toContain('<span class="phone-only">Notes</span> one')
    expect(((await admin.get(`${changes}?filter[of]=notes&filter[action]=delete`)).json() as { data: object[] }).data).toHaveLength(1)
    for (const answer of [
      admin.post(changes, { of: 'notes' }),
      admin.put(`${changes}/1`, { record: '2' }),
      admin.delete(`${changes}/1`),
      admin.delete(changes, { ids: [1] }),
      admin.as({ roles: ['clerk'] }).get(changes),
      admin.as({ roles: ['clerk'] }).get(`${changes}/1`),
      admin.as({ roles: ['clerk'] }).get(`/admin/resource/users/crud/${carla.id}/history`),
    ])
      expect((await answer).status).toBe(403)
    await panel.close()
    rmSync(folder, { recursive: true })
  })

  test.each<[id: string, panel: () => unknown]>([
    ['history-database', () => definePanel({ auth: 'open', resources: [defineResource({ model: memoryStore(notes), history: true })] })],
    [
      'history-database',
      () =>
        definePanel({
          auth: 'open',
          database: 'sqlite::memory:',
          resources: [defineResource({ model: notes, database: 'sqlite:other.db', history: ['admin'] })],
        }),
    ],
    ['history-open', () => definePanel({ auth: 'open', database: 'sqlite::memory:', resources: [historyResource()] })],
    [
      'policy',
      () =>
        definePanel({
          auth: 'open',
          database: 'sqlite::memory:',
          resources: [defineResource({ model: notes, history: 'admin' as never })],
        }),
    ],
    [
      'policy',
      () =>
        definePanel({
          auth: 'open',
          database: 'sqlite::memory:',
          resources: [defineResource({ model: notes, history: (() => true) as never })],
        }),
    ],
  ])('what cannot be kept is a start-up error: %s', (id, panel) => {
    expect(panel).toThrow(id)
  })
})
