import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { belongsTo, date, dateTime, definePanel, defineResource, hasMany, id, memoryStore, type Panel, select, text, view } from 'daymark'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const people = sqliteTable('people', { id: integer().primaryKey(), name: varchar().notNull() })
const tasks = sqliteTable('tasks', {
  id: integer().primaryKey(),
  title: varchar().notNull(),
  status: varchar(),
  team: varchar().notNull().default('a'),
  personId: integer('person_id'),
  note: varchar(),
  due: varchar(),
  startsAt: integer('starts_at', { mode: 'timestamp_ms' }),
})
const tables = { people, tasks }
const inPostgresql = {
  people: pg.pgTable('people', { id: pg.integer().primaryKey().generatedByDefaultAsIdentity(), name: pg.text().notNull() }),
  tasks: pg.pgTable('tasks', {
    id: pg.integer().primaryKey().generatedByDefaultAsIdentity(),
    title: pg.text().notNull(),
    status: pg.text(),
    team: pg.text().notNull().default('a'),
    personId: pg.integer('person_id'),
    note: pg.text(),
    due: pg.date({ mode: 'string' }),
    startsAt: pg.timestamp('starts_at', { withTimezone: true, precision: 3 }),
  }),
} as unknown as typeof tables
const schema = (key: string, day: string, time: string) => [
  `create table people (id ${key}, name text not null)`,
  `create table tasks (id ${key}, title text not null, status text, team text not null default 'a', person_id integer, note text, due ${day}, starts_at ${time})`,
]

// biome-ignore lint/suspicious/noExplicitAny: what callbacks get, over tables of two databases
type Given = any

function panelOver(database: string | null, { people, tasks }: typeof tables, statements: string[] = []): Panel {
  const over = <T>(table: T): T => (database === null ? (memoryStore(table as never) as never) : table)
  const People = defineResource({ model: over(people), fields: { id: id(), name: text('Name') } })
  const status = select('Status')
    .options({ open: 'Open', doing: 'In work', done: 'Done' })
    .tones({ done: 'good' })
    .transitions({ open: ['doing'], doing: ['open', 'done'], done: [] })
  const shared = {
    model: over(tasks),
    fields: {
      id: id(),
      title: text('Title').required().searchable().sortable(),
      status: status.visible(['keeper', 'clerk', 'reader', 'frozen']).editable(['keeper', 'clerk', 'reader']),
      team: text('Team'),
      personId: belongsTo('Person', people),
      note: text('Note').visible(['keeper']),
      due: date('Due').min('2026-01-10'),
      startsAt: dateTime('Starts').editable(['keeper', 'clerk']),
    },
    pages: { index: ['title', 'team'] },
    filters: ['status', 'due', 'startsAt', 'team'],
    queryTags: { mine: { label: 'Mine', where: { team: 'a' } } },
    sortColumn: 'title',
    sortDirection: 'ASC',
    can: {
      view: true,
      viewAny: true,
      create: ['keeper', 'clerk', 'frozen', 'blind', 'planner'],
      update: ['keeper', 'clerk', 'frozen', 'blind'],
      delete: true,
    },
    canRecord: { update: ({ record }: Given) => record.title !== 'fixed' },
    scope: ({ user }: Given) => (user.roles.includes('clerk') ? { team: 'a' } : {}),
    history: database !== null,
    views: [
      view.board('status', { card: ['due', 'note', 'personId'], limit: 3 }),
      view.calendar('due'),
      view.calendar('startsAt', { uri: 'hours', label: 'By the hour', tone: 'status' }),
    ],
  } as const
  const Tasks = defineResource(shared as never)
  const Capped = defineResource({ ...shared, uriKey: 'capped', count: 'capped', scope: undefined } as never)
  const Uncounted = defineResource({
    ...shared,
    uriKey: 'uncounted',
    simplePaginate: true,
    usePagination: false,
    views: [view.board('status', { none: true, initial: true, uri: 'flow' })],
  } as never)
  // Writes what is no option.
  const Raw = defineResource({
    model: shared.model,
    uriKey: 'raw',
    fields: { id: id(), title: text('Title'), status: text('Status') },
  } as never)
  return definePanel({
    auth: 'open',
    ...(database !== null && { database, observe: (sql: string) => statements.push(sql) }),
    timeZone: 'Europe/Berlin',
    resources: [Tasks, Capped, Uncounted, Raw, People],
  } as never)
}

const stores = {
  async memory() {
    const panel = panelOver(null, tables)
    return { panel, statements: null, hasHistory: false, end: () => panel.close() }
  },
  async SQLite() {
    const dir = mkdtempSync(join(tmpdir(), 'daymark-views-'))
    const client = new Sqlite(join(dir, 'tasks.db'))
    for (const statement of schema('integer primary key', 'text', 'integer')) client.exec(statement)
    client.close()
    const statements: string[] = []
    const panel = panelOver(`sqlite:${join(dir, 'tasks.db')}`, tables, statements)
    return { panel, statements, hasHistory: true, end: () => panel.close().then(() => rmSync(dir, { recursive: true, force: true })) }
  },
  async PostgreSQL() {
    const database = await openDatabase()
    for (const statement of schema('integer primary key generated by default as identity', 'date', 'timestamptz(3)'))
      await database.query(statement)
    const statements: string[] = []
    const panel = panelOver(database.url, inPostgresql, statements)
    return { panel, statements, hasHistory: true, end: () => panel.close().then(database.drop) }
  },
}

const columnsIn = (page: string) =>
  [...page.matchAll(/<section class="column".*?<\/section>/gs)].map(([one]) => ({
    name: /<h2.*?<span class="badge[^>]*>(.*?)<\/span>/.exec(one)?.[1],
    total: /<span class="total">(.*?)<\/span>/.exec(one)?.[1] ?? null,
    cards: [...one.matchAll(/<div class="name"><(?:a|span)[^>]*>(.*?)<\/(?:a|span)>/g)].map(([, title]) => title),
    more: /class="further"(?: href="(.*?)")?>(.*?)</.exec(one)?.slice(1) ?? null,
  }))
const cardOf = (page: string, title: string) =>
  [...page.matchAll(/<li data-key.*?<\/li>/gs)].map(([one]) => one).find((one) => one.includes(`>${title}<`))
const movesOf = (page: string, title: string) =>
  [...(cardOf(page, title) ?? '').matchAll(/name="value" value="(.*?)"/g)].map(([, value]) => value)
const daysIn = (page: string) =>
  Object.fromEntries(
    [...page.matchAll(/<td[^>]*><div class="day"><time datetime="([\d-]+)".*?<\/td>/gs)].flatMap(([one, day = '']) => {
      const entries = [...one.matchAll(/<(?:a|span) class="entry".*?<\/(?:a|span)>(?=<\/li>|<span class="besides">)/gs)].map(([entry]) =>
        entry.replace(/<[^>]*>/g, ''),
      )
      return entries.length > 0 ? [[day, entries]] : []
    }),
  )
const href = (text: string | undefined) => (text ?? '').replaceAll('&amp;', '&')

describe.each(Object.entries(stores))('views of a list, over %s', (_, open) => {
  let opened: Awaited<ReturnType<(typeof stores)[keyof typeof stores]>>
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened?.end())

  const as = (...roles: string[]) => testPanel(opened.panel).as({ id: '7', name: 'Grace', roles })
  const keeper = () => as('keeper')
  const crud = (query = '', uri = 'tasks') => `/admin/resource/${uri}/crud${query}`
  const make = async (...all: readonly Record<string, unknown>[]) => {
    const keys: number[] = []
    for (const values of all) {
      const answer = await keeper().post(crud(), values)
      expect(answer.status, answer.text).toBe(201)
      keys.push((answer.json() as { data: { id: number } }).data.id)
    }
    return keys
  }
  const pageOf = async (query: string, app = keeper(), uri = 'tasks') => {
    const answer = await app.html.get(crud(query, uri))
    expect(answer.status, answer.text).toBe(200)
    return answer.text
  }
  const board = async (query = '?view=board', app = keeper(), uri = 'tasks') => columnsIn(await pageOf(query, app, uri))
  const counted = async (query: string, uri = 'tasks') => {
    await pageOf(query, keeper(), uri)
    await make({ title: 'another', status: 'open', due: '2026-11-05' })
    if (opened.statements) opened.statements.length = 0
    await pageOf(query, keeper(), uri)
    return opened.statements?.length ?? null
  }

  test('a board has a column for each option in its order, sorted and counted as the list', async () => {
    await make(
      ...['e', 'd', 'c', 'b', 'a'].map((title) => ({ title, status: 'open', due: '2026-11-03' })),
      { title: 'x', status: 'done' },
      { title: 'y', status: 'done' },
    )
    const columns = await board()
    expect(columns).toEqual([
      { name: 'Open', total: '5', cards: ['a', 'b', 'c'], more: [expect.any(String), 'Show 2 more'] },
      { name: 'In work', total: '0', cards: [], more: null },
      { name: 'Done', total: '2', cards: ['x', 'y'], more: null },
    ])
    const more = href(columns[0]?.more?.[0])
    expect(more).toBe(crud('?filter%5Bstatus%5D=open'))
    expect((await keeper().get(more)).json()).toMatchObject({ meta: { total: 5 } })
    expect(await board('?view=board&sort=-title')).toMatchObject([{ cards: ['e', 'd', 'c'] }, {}, { cards: ['y', 'x'] }])
    expect(await pageOf('?view=board')).toMatch(/<h1><span>Tasks<\/span> <span class="total">7<\/span>/)
  })

  test('it shows what the list would: by search, filters, query tags and scope, and keeps them in its links', async () => {
    await make(
      { title: 'apple pie', status: 'open', team: 'a' },
      { title: 'apple juice', status: 'doing', team: 'b' },
      { title: 'pear', status: 'open', team: 'a' },
    )
    const titles = async (query: string, app = keeper()) => (await board(query, app)).map(({ cards }) => cards)
    expect(await titles('?view=board&search=apple')).toEqual([['apple pie'], ['apple juice'], []])
    expect(await titles('?view=board&filter[team]=b')).toEqual([[], ['apple juice'], []])
    expect(await titles('?view=board&query-tag=mine&search=apple')).toEqual([['apple pie'], [], []])
    expect(await titles('?view=board', as('clerk'))).toEqual([['apple pie', 'pear'], [], []])
    const page = await pageOf('?view=board&search=apple', as('clerk'))
    expect(page).not.toContain('juice')
    expect(page).toContain('<input type="hidden" name="view" value="board">')
    expect(page).toContain('href="/admin/resource/tasks/crud?view=board&amp;search=apple&amp;query-tag=mine"')
    expect(page).toContain('href="/admin/resource/tasks/crud?search=apple">Table</a>')
    expect(page).toContain('href="/admin/resource/tasks/crud?search=apple&amp;view=calendar#today">Calendar</a>')
    expect(page).toContain('<a href="/admin/resource/tasks/crud?search=apple&amp;view=board" aria-current="page">Board</a>')
  })

  test('records without a value have a column where there are some, or where the declaration says so', async () => {
    await make({ title: 'a', status: 'open' })
    expect((await board()).map(({ name }) => name)).toEqual(['Open', 'In work', 'Done'])
    expect((await board('', keeper(), 'uncounted')).map(({ name }) => name)).toEqual(['Open', 'In work', 'Done', 'None'])
    await make({ title: 'b' })
    expect((await board()).at(-1)).toEqual({ name: 'None', total: '1', cards: ['b'], more: null })
  })

  test('values that are no options any more have a column, from which they may go anywhere', async () => {
    await make({ title: 'a', status: 'open' })
    expect((await keeper().post(crud('', 'raw'), { title: 'old', status: 'waiting' })).status).toBe(201)
    expect((await board()).at(-1)).toEqual({ name: 'Other values', total: '1', cards: ['old'], more: null })
    expect(movesOf(await pageOf('?view=board'), 'old')).toEqual(['open', 'doing', 'done', ''])
    expect(await pageOf('?view=board')).toContain('<span class="total">2</span></h1>')
  })

  test('a saved view is drawn as it was saved, and an export is of the list', async () => {
    await make({ title: 'a', status: 'open', due: '2026-11-03' })
    const page = await pageOf('?view=calendar&month=2026-11&search=a')
    expect(page).toContain('<input type="hidden" name="_query" value="view=calendar&amp;search=a">')
    expect(page).toContain('href="/admin/resource/tasks/export?search=a"')
    expect((await keeper().get('/admin/resource/tasks/export?search=a')).text).toContain('a')
  })

  test('a card shows its fields, with the labels of relations, and nothing that its user may not see', async () => {
    const person = (await keeper().post(crud('', 'people'), { name: 'Ada' })).json() as { data: { id: number } }
    await make({ title: 'a', status: 'open', due: '2026-11-03', note: 'whispered', personId: person.data.id, team: 'wide' })
    const own = cardOf(await pageOf('?view=board'), 'a') ?? ''
    expect(own).toContain('<dt>Person</dt><dd>')
    expect(own).toContain('>Ada</a>')
    expect(own).toContain('whispered')
    expect(own).toContain('<dt>Due</dt>')
    expect(own).not.toContain('wide')
    const others = await pageOf('?view=board', as('reader'))
    expect(others).toContain('>Ada</a>')
    expect(others).not.toContain('whispered')
    expect(others).not.toContain('Note')
  })

  test('to whom the field is hidden there is no such view, in no words that tell so', async () => {
    await make({ title: 'a', status: 'open', due: '2026-11-03' })
    const page = await pageOf('?view=board', as('blind'))
    expect(page).toContain('<table')
    expect(page).not.toContain('class="board"')
    expect(page).not.toContain('>Board<')
    expect(page).not.toContain('In work')
    const refused = await as('blind').get(crud('?view=board'))
    expect(refused.status).toBe(422)
    expect(refused.json()).toMatchObject({ errors: { view: ['Unknown view "board". Valid: table, calendar, hours'] } })
  })

  test('a card offers only where its record leads on to, and only to those who may move it', async () => {
    await make(
      { title: 'a', status: 'open' },
      { title: 'b', status: 'doing' },
      { title: 'c', status: 'done' },
      { title: 'd' },
      { title: 'fixed', status: 'open' },
    )
    const offered = async (app = keeper()) => {
      const page = await pageOf('?view=board', app)
      return Object.fromEntries(['a', 'b', 'c', 'd', 'fixed'].map((title) => [title, movesOf(page, title)]))
    }
    const none = { a: [], b: [], c: [], d: [], fixed: [] }
    expect(await offered()).toEqual({ ...none, a: ['doing'], b: ['open', 'done'], d: ['open', 'doing', 'done'] })
    expect(await offered(as('reader'))).toEqual(none)
    expect(await offered(as('frozen'))).toEqual(none)
    expect(await pageOf('?view=board')).toContain('dragging.js')
    expect(await pageOf('?view=board', as('reader'))).not.toContain('dragging.js')
  })

  test('a move is the change of a field, with all that belongs to one', async () => {
    const [key, fixed] = await make({ title: 'a', status: 'open' }, { title: 'fixed', status: 'open' })
    const [, action = ''] = /data-move="([^"]*)" data-was="open"/.exec(cardOf(await pageOf('?view=board'), 'a') ?? '') ?? []
    expect(action).toBe(`/admin/update-field/column/tasks/${key}`)
    const move = (to: string, was: string, app = keeper(), path = action) =>
      app.html.post(path, new URLSearchParams({ _method: 'PUT', field: 'status', was, value: to }))
    expect((await move('doing', 'open')).status).toBe(303)
    expect(await board()).toMatchObject([{ cards: ['fixed'] }, { cards: ['a'] }, {}])
    // Somebody else has moved it meanwhile.
    expect((await move('done', 'open')).status).toBe(412)
    expect((await move('done', 'doing', as('reader'))).status).toBe(403)
    expect((await move('done', 'doing', as('frozen'))).status).toBe(422)
    expect((await move('doing', 'open', keeper(), `/admin/update-field/column/tasks/${fixed}`)).status).toBe(403)
    expect((await move('done', 'doing')).status).toBe(303)
    expect((await move('open', 'done')).status).toBe(422)
    expect((await keeper().get(crud(`/${key}`))).json()).toMatchObject({ data: { status: 'done' } })
    if (!opened.hasHistory) return
    const history = (await keeper().get(crud(`/${key}/history`))).json() as { data: { changes: Record<string, unknown> }[] }
    expect(JSON.stringify(history.data)).toContain('doing')
    expect(history.data).toHaveLength(3)
  })

  const addsOf = async (query: string, app = keeper()) =>
    [...(await pageOf(query, app)).matchAll(/class="add" href="([^"]*)" aria-label="New: ([^"]*)"/g)].map(([, to, name]) => [
      name,
      decodeURIComponent(decodeURIComponent(href(to))).replace('/admin/resource/tasks/form-page', ''),
    ])

  test('a record is created in a column or on a day, by those who may, with the filters of the list, and leads back to it', async () => {
    await make({ title: 'a' })
    const back = '_back=/admin/resource/tasks/crud?view=board'
    expect(await addsOf('?view=board')).toEqual([
      ['Open', `?value[status]=open&${back}`],
      ['In work', `?value[status]=doing&${back}`],
      ['Done', `?value[status]=done&${back}`],
      ['None', `?${back}`],
    ])
    const [first] = await addsOf('?view=board&filter[status]=done&filter[team]=b')
    expect(first?.[1]).toBe(`?value[team]=b&value[status]=open&${back}&filter[status]=done&filter[team]=b`)
    // Who may not create; who may not write the field.
    expect(await addsOf('?view=board', as('reader'))).toEqual([])
    expect(await addsOf('?view=board', as('frozen'))).toEqual([])
    const days = await addsOf('?view=calendar&month=2026-01', as('planner'))
    // The field takes no day before the 10th.
    expect(days.map(([name]) => name?.split(' ').at(-1))).toEqual(Array.from({ length: 22 }, (_, i) => String(i + 10)))
    expect(days[0]).toEqual(['Saturday, January 10', '?value[due]=2026-01-10&_back=/admin/resource/tasks/crud?view=calendar&month=2026-01'])
    expect(await addsOf('?view=hours&month=2026-01', as('planner'))).toEqual([])
    // In the morning by the clocks of Berlin, also on the day on which they change.
    const times = (await addsOf('?view=hours&month=2026-03')).map(([, to]) => /value\[startsAt\]=([^&]*)/.exec(to ?? '')?.[1])
    expect(times).toHaveLength(35)
    expect(times).toContain('2026-03-29T09:00')
    const form = await keeper().html.get(href(/class="add" href="([^"]*)/.exec(await pageOf('?view=hours&month=2026-03'))?.[1]))
    expect(form.text).toContain('value="2026-03-01T09:00"')
  })

  test('an entry is dragged by those who may change it, and has the colour of its tone', async () => {
    await make(
      { title: 'a', status: 'done', due: '2026-11-03', startsAt: '2026-11-03T22:30:20Z' },
      { title: 'fixed', due: '2026-11-03', startsAt: '2026-11-03T08:00:00Z' },
    )
    const entries = async (query: string, app = keeper()) =>
      [...(await pageOf(query, app)).matchAll(/<li data-key="\d+"([^>]*)>.*?<span class="label">(.*?)</gs)].map(([, own, title]) => [
        title,
        own?.trim(),
      ])
    const [[, of], fixed] = (await entries('?view=calendar&month=2026-11')) as [[string, string], [string, string]]
    expect(of).toMatch(/^data-move="\/admin\/update-field\/column\/tasks\/\d+" data-was="2026-11-03"$/)
    expect(fixed).toEqual(['fixed', ''])
    const [[, timed]] = (await entries('?view=hours&month=2026-11')).filter(([title]) => title === 'a') as [[string, string]]
    expect(timed).toMatch(/^class="tinted good" data-move="[^"]*" data-was="2026-11-03T23:30:20" data-time="23:30:20"$/)
    expect((await entries('?view=hours&month=2026-11')).filter(([title]) => title === 'fixed')).toEqual([['fixed', 'class="tinted plain"']])
    for (const app of [as('reader'), as('planner')]) expect(await pageOf('?view=hours&month=2026-11', app)).not.toContain('data-move')
    expect(await pageOf('?view=hours&month=2026-11', as('frozen'))).not.toContain('data-move')
    // To whom the field of the tone is hidden, there is none.
    expect(await pageOf('?view=hours&month=2026-11', as('blind'))).not.toContain('tinted')
  })

  test('the menu of a card offers what that of its row does', async () => {
    await make({ title: 'a', status: 'done' }, { title: 'fixed', status: 'open' })
    const items = async (title: string, app = keeper()) => {
      const [, menu = ''] = /<div class="menu".*?>(.*)/s.exec(cardOf(await pageOf('?view=board', app), title) ?? '') ?? []
      return [...menu.matchAll(/<(?:a|button)[^>]*>.*?<span[^>]*>(.*?)<\/span>/gs)].map(([, name]) => name)
    }
    expect(await items('a')).toEqual(['View', 'Edit', 'Delete'])
    expect(await items('fixed')).toEqual(['View', 'Delete'])
    expect(await items('a', as('reader'))).toEqual(['View', 'Delete'])
    expect(await pageOf('?view=board')).toContain('<form id="index-table-tasks-act" method="post">')
  })

  test('a calendar has the records of a month by their days', async () => {
    await make(
      { title: 'first', due: '2026-11-01' },
      { title: 'last', due: '2026-11-30' },
      { title: 'before', due: '2026-10-31' },
      { title: 'never' },
      ...['5', '4', '3', '2', '1'].map((title) => ({ title, due: '2026-11-17', team: 'b' })),
    )
    const page = await pageOf('?view=calendar&month=2026-11')
    expect(daysIn(page)).toEqual({ '2026-11-01': ['first'], '2026-11-17': ['5', '4', '3'], '2026-11-30': ['last'] })
    expect(page).toContain('<h2>November 2026</h2>')
    const [, more] = /class="further" href="(.*?)"/.exec(page) ?? []
    // A column of texts may hold anything between two days.
    expect(decodeURIComponent(href(more))).toMatch(
      /crud\?filter\[due\]\[from\]=2026-11-17&filter\[due\]\[(?:to\]=2026-11-17|lt\]=2026-11-18)$/,
    )
    expect((await keeper().get(href(more))).json()).toMatchObject({ meta: { total: 5 } })
    expect(page).toContain('>+2 more</a>')
    expect(page).toContain(`href="${crud('?view=calendar&amp;month=2026-10')}" aria-label="Previous month"`)
    expect(page).toContain(`href="${crud('?view=calendar&amp;month=2026-12')}" aria-label="Next month"`)
    expect(page).toContain(`<a class="button" href="${crud('?view=calendar')}#today">Today</a>`)
    expect(Object.keys(daysIn(await pageOf('?view=calendar&month=2026-11', as('clerk'))))).toEqual(['2026-11-01', '2026-11-30'])
    expect(daysIn(await pageOf('?view=calendar&month=2026-11&search=last'))).toEqual({ '2026-11-30': ['last'] })
    expect(await pageOf('?view=calendar&month=2026-01')).toContain('No records in this month')
    expect(await pageOf('?view=calendar&month=2026-01&search=last')).toContain('No matches in this month')
    expect(await pageOf('?view=calendar&week=2026-01-08&search=last')).toContain('No matches in this week')
    const today = await pageOf('?view=calendar')
    expect(today.match(/aria-current="date"/g)).toHaveLength(1)
  })

  test('a calendar has a week of them, too: all that a day has, with the ways to the month and to other weeks', async () => {
    await make(
      { title: 'sunday', due: '2026-11-15' },
      { title: 'before', due: '2026-11-14' },
      { title: 'after', due: '2026-11-22' },
      ...['5', '4', '3', '2', '1'].map((title) => ({ title, due: '2026-11-17' })),
    )
    const page = await pageOf('?view=calendar&week=2026-11-18')
    expect(daysIn(page)).toEqual({ '2026-11-15': ['sunday'], '2026-11-17': ['5', '4', '3', '2', '1'] })
    expect(page).toContain('<h2>Nov 15&#8201;&#8211;&#8201;21, 2026</h2>')
    expect(page).toContain(`href="${crud('?view=calendar&amp;week=2026-11-08')}" aria-label="Previous week"`)
    expect(page).toContain(`href="${crud('?view=calendar&amp;week=2026-11-22')}" aria-label="Next week"`)
    expect(page).toContain(`<a href="${crud('?view=calendar&amp;month=2026-11')}">Month</a>`)
    expect(page).toMatch(/<a href="[^"]*" aria-current="page">Week<\/a>/)
    expect(page).not.toMatch(/\+\d+ more/)
    // Most of its days are of the next month.
    expect(await pageOf('?view=calendar&week=2026-08-31')).toContain(`<a href="${crud('?view=calendar&amp;month=2026-09')}">Month</a>`)
    expect(await pageOf('?view=calendar&month=2026-10')).toContain(`<a href="${crud('?view=calendar&amp;week=2026-10-01')}">Week</a>`)
    const now = await pageOf('?view=calendar&week=2020-01-01')
    expect(now).toContain('No records in this week')
    expect(now).toMatch(/<a class="button" href="[^"]*week=\d{4}-\d\d-\d\d#today">Today<\/a>/)
    // The other views know nothing of it.
    expect(page).toContain(`href="${crud('?view=board')}"`)
  })

  test('a time is on its day in the time zone of the panel, with its hour', async () => {
    // In Berlin, the 5th ends at 23:00Z.
    await make({ title: 'late', startsAt: '2026-11-05T22:59:00Z' }, { title: 'night', startsAt: '2026-11-05T23:01:00Z' })
    const page = await pageOf('?view=hours&month=2026-11')
    expect(page).toContain('>By the hour</a>')
    expect(daysIn(page)).toEqual({ '2026-11-05': ['11:59 PM late'], '2026-11-06': ['12:01 AM night'] })
  })

  test('JSON is the same whatever the view, and refuses what is none', async () => {
    await make({ title: 'a', status: 'open', due: '2026-11-03' })
    const [plain, ...others] = await Promise.all(
      ['', '?view=table', '?view=board', '?view=calendar&month=2020-01'].map((query) => keeper().get(crud(query))),
    )
    const data = (one: typeof plain) => (one as NonNullable<typeof one>).json() as { data: object }
    for (const one of others) expect(data(one).data).toEqual(data(plain).data)
    const refused = async (query: string, uri = 'tasks') => {
      const answer = await keeper().get(crud(query, uri))
      expect(answer.status).toBe(422)
      return (answer.json() as { errors: object }).errors
    }
    expect(await refused('?view=gantt')).toEqual({ view: ['Unknown view "gantt". Valid: table, board, calendar, hours'] })
    expect(await refused('?month=2026-13')).toEqual({ month: ['"2026-13" is no month. Write it as 2026-11'] })
    expect(await refused('?week=2026-11-31')).toEqual({ week: ['"2026-11-31" is no day of a week. Write it as 2026-11-28'] })
    expect(await refused('?week=2026-11-28&month=2026-11')).toEqual({ week: ['Name a month or a week, not both'] })
    expect(await refused('?view=board&view=table')).toEqual({ view: ['"view" may be given only once'] })
    expect(await refused('?view=board', 'people')).toMatchObject({ view: [expect.stringContaining('Unknown parameter "view"')] })
    expect(await refused('?month=2026-11', 'uncounted')).toMatchObject({ month: [expect.stringContaining('Unknown parameter "month"')] })
    const page = await pageOf('?view=gantt')
    expect(page).toContain('Unknown view &quot;gantt&quot;')
    expect(page).toContain('<table')
  })

  test('a list begins as declared, and the table has an address of its own then', async () => {
    await make({ title: 'a', status: 'open' })
    expect(await pageOf('')).toContain('<table')
    const first = await pageOf('', keeper(), 'uncounted')
    expect(first).toContain('class="board"')
    expect(first).toContain('href="/admin/resource/uncounted/crud?view=table">Table</a>')
    expect(columnsIn(first)[0]).toMatchObject({ total: null })
    expect(await pageOf('?view=table', keeper(), 'uncounted')).not.toContain('class="board"')
  })

  test('what a page asks of the database depends on the declaration, not on the records', async () => {
    await make(
      ...Array.from({ length: 30 }, (_, i) => ({ title: `t${i}`, status: 'open', due: '2026-11-03' })),
      { title: 'x', status: 'done' },
      { title: 'y', status: 'doing' },
    )
    const all = [
      // The counts of the columns, that of other values, and the cards of each.
      await counted('?view=board'),
      // The count of each column, and the cards of those that have some.
      await counted('?view=board', 'capped'),
      await counted('', 'uncounted'),
      await counted('?view=calendar&month=2026-11'),
    ]
    if (opened.statements) expect(all).toEqual([5, 7, 4, 1])
    const fewer = await counted('?view=board')
    await make(...Array.from({ length: 60 }, (_, i) => ({ title: `more${i}`, status: 'done', due: '2026-11-20' })))
    expect(await counted('?view=board')).toBe(fewer)
  })
})

test('of a month with many records, a calendar has the first of each day, today as well as the last', async () => {
  const { panel, end } = await stores.memory()
  const app = testPanel(panel).as({ id: '7', name: 'Grace', roles: ['keeper'] })
  const days = [
    ['10', 490],
    ['20', 13],
    ['25', 4],
    ['26', 5],
    ['30', 1],
  ] as const
  for (const [day, count] of days)
    for (let i = 0; i < count; i++)
      expect((await app.post('/admin/resource/tasks/crud', { title: `${day}-${i}`, due: `2026-11-${day}` })).status).toBe(201)
  const page = (await app.html.get('/admin/resource/tasks/crud?view=calendar&month=2026-11')).text
  const entriesOf = (day: string) => [...page.matchAll(new RegExp(`<span class="label">${day}-(\\d+)`, 'g'))].map(([, i]) => i)
  expect(days.map(([day]) => entriesOf(day).length)).toEqual([3, 3, 4, 3, 1])
  expect(page).toContain('>+487 more</a>')
  // How many more a day has that was read by itself was not counted.
  expect(page).toContain('aria-label="Friday, November 20: show more">Show more</a>')
  expect(page).toContain('aria-label="Thursday, November 26: show more">Show more</a>')
  expect(page.match(/class="further"/g)).toHaveLength(3)
  await end()
})

test('where a column compares without case, a value written otherwise than its option is in the column of that', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'daymark-views-'))
  const client = new Sqlite(join(dir, 'jobs.db'))
  client.exec(`create table jobs (id integer primary key, state text collate nocase);
    insert into jobs (state) values ('OPEN'), ('Open'), ('done'), ('lost')`)
  client.close()
  const jobs = sqliteTable('jobs', { id: integer().primaryKey(), state: varchar() })
  const Jobs = defineResource({
    model: jobs,
    fields: { id: id(), state: select().options(['open', 'done']) },
    filters: ['state'],
    views: [view.board('state')],
  })
  const panel = definePanel({ auth: 'open', database: `sqlite:${join(dir, 'jobs.db')}`, resources: [Jobs] })
  const page = (await testPanel(panel).html.get('/admin/resource/jobs/crud?view=board')).text
  expect(columnsIn(page).map(({ name, total, cards }) => [name, total, cards.length])).toEqual([
    ['Open', '2', 2],
    ['Done', '1', 1],
    ['Other values', '1', 1],
  ])
  expect(page).toContain('<span class="total">4</span></h1>')
  await panel.close()
  rmSync(dir, { recursive: true, force: true })
})

test('a calendar has one month of its title and numbers, in locales of other calendars, too', async () => {
  const tasks = sqliteTable('tasks', { id: integer().primaryKey(), due: varchar() })
  const Tasks = defineResource({
    model: memoryStore(tasks),
    fields: { id: id(), due: date() },
    filters: ['due'],
    views: [view.calendar('due'), view.calendar('due', { uri: 'weeks', period: 'week' })],
  })
  const panel = definePanel({ auth: 'open', locale: 'fa', resources: [Tasks] })
  const page = (await testPanel(panel).html.get('/admin/resource/tasks/crud?view=calendar&month=2026-11')).text
  expect(page).toContain('<h2>نوامبر ۲۰۲۶</h2>')
  expect(page).toMatch(/<time datetime="2026-11-01"><span class="number" aria-hidden="true">۱</)
  // A calendar may begin with the week of today. There, a week begins on Saturday.
  const weeks = (await testPanel(panel).html.get('/admin/resource/tasks/crud?view=weeks')).text
  const [first, ...others] = [...weeks.matchAll(/<time datetime="([\d-]+)">/g)].map(([, day]) => day as string)
  expect([new Date(first as string).getUTCDay(), others.length]).toEqual([6, 6])
  expect(weeks).toContain('href="/admin/resource/tasks/crud?view=weeks#today"')
  await panel.close()
})

test('links to certain records of a list that begins as a calendar lead to all of them, and not to a month', async () => {
  const owners = sqliteTable('owners', { id: integer().primaryKey(), name: varchar().notNull() })
  const jobs = sqliteTable('jobs', { id: integer().primaryKey(), due: varchar(), ownerId: integer('owner_id').references(() => owners.id) })
  const linksOf = async (initial: boolean, isShown: boolean) => {
    const Jobs = defineResource({
      model: memoryStore(jobs, [{ id: 1, due: '1999-12-31', ownerId: 1 }]),
      fields: { id: id(), due: date(), ownerId: belongsTo('Owner', owners) },
      filters: ['due', 'ownerId'],
      views: [view.calendar('due', { initial })],
    })
    const Owners = defineResource({
      model: memoryStore(owners, [{ id: 1, name: 'Ann' }]),
      related: isShown ? [hasMany(Jobs, { perPage: 1 })] : [],
    })
    const panel = definePanel({ auth: 'open', resources: [Owners, Jobs] })
    const page = (await testPanel(panel).html.get('/admin/resource/owners/crud/1')).text
    await panel.close()
    return [...page.matchAll(/href="([^"]*jobs\/crud\?[^"]*)"/g)].map(([, one]) => decodeURIComponent(href(one)))
  }
  for (const isShown of [true, false]) {
    expect(await linksOf(false, isShown)).toEqual(['/admin/resource/jobs/crud?filter[ownerId]=1'])
    expect(await linksOf(true, isShown)).toEqual(['/admin/resource/jobs/crud?filter[ownerId]=1&view=table'])
  }
})
