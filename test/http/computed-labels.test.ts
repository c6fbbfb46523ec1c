import {
  belongsTo,
  belongsToMany,
  definePanel,
  defineResource,
  hasMany,
  id,
  memoryStore,
  number,
  type Panel,
  text,
  trashResource,
} from 'daymark'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, primaryKey, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openFile, panelIn } from '../support/own-database.js'
import { openDatabase } from '../support/postgresql-shared.js'

const people = sqliteTable('people', {
  id: integer().primaryKey(),
  firstName: varchar('first_name').notNull(),
  lastName: varchar('last_name').notNull(),
  badge: integer(),
  mail: varchar(),
  deletedAt: integer('deleted_at', { mode: 'timestamp_ms' }),
})
const tasks = sqliteTable('tasks', { id: integer().primaryKey(), title: varchar().notNull(), personId: integer('person_id') })
const taskPeople = sqliteTable(
  'task_people',
  {
    taskId: integer('task_id')
      .notNull()
      .references(() => tasks.id),
    personId: integer('person_id')
      .notNull()
      .references(() => people.id),
  },
  (table) => [primaryKey({ columns: [table.taskId, table.personId] })],
)
const tables = { people, tasks, taskPeople }
const peopleInPg = pg.pgTable('people', {
  id: pg.integer().primaryKey(),
  firstName: pg.text('first_name').notNull(),
  lastName: pg.text('last_name').notNull(),
  badge: pg.integer(),
  mail: pg.text(),
  deletedAt: pg.timestamp('deleted_at', { withTimezone: true, precision: 3 }),
})
const tasksInPg = pg.pgTable('tasks', {
  id: pg.integer().primaryKey().generatedByDefaultAsIdentity({ startWith: 10 }),
  title: pg.text().notNull(),
  personId: pg.integer('person_id'),
})
const inPostgresql = {
  people: peopleInPg,
  tasks: tasksInPg,
  taskPeople: pg.pgTable(
    'task_people',
    {
      taskId: pg
        .integer('task_id')
        .notNull()
        .references(() => tasksInPg.id),
      personId: pg
        .integer('person_id')
        .notNull()
        .references(() => peopleInPg.id),
    },
    (table) => [pg.primaryKey({ columns: [table.taskId, table.personId] })],
  ),
} as unknown as typeof tables

const schema = (time: string, key: string) => [
  `create table people (id integer primary key, first_name text not null, last_name text not null, badge integer, mail text, deleted_at ${time})`,
  `create table tasks (id ${key}, title text not null, person_id integer)`,
  'create table task_people (task_id integer references tasks (id), person_id integer references people (id), primary key (task_id, person_id))',
]

// biome-ignore lint/suspicious/noExplicitAny: over tables of two databases
type Given = any

function panelOver(database: string | null, { people, tasks, taskPeople }: typeof tables, observe?: (sql: string) => void): Panel {
  const shared = memoryStore()
  const over = <T>(table: T): T => (database === null ? ({ ...shared, table } as never) : table)
  const fields = {
    id: id(),
    firstName: text('First name'),
    lastName: text('Last name').visible(['keeper', 'admin']),
    badge: number('Badge'),
    mail: text('Mail'),
  }
  const fullName = {
    label: 'Name',
    needs: ['firstName', 'lastName'],
    value: (one: Given) => (one.firstName === '' ? null : `${one.lastName}, ${one.firstName}`),
  }
  const People = defineResource({
    model: over(people),
    column: 'fullName',
    fields,
    computed: { fullName },
    pages: { index: ['id', 'badge', 'fullName'] },
    softDelete: 'deletedAt',
    history: database !== null,
    related: [hasMany('tasks', { by: 'personId' } as never)],
  } as never)
  // Without a text that is declared to be searched.
  const Badges = defineResource({
    model: over(people),
    uriKey: 'badges',
    column: 'sign',
    fields: { ...fields, mail: text('Mail').searchable() },
    computed: { sign: { label: 'Sign', needs: ['badge', 'lastName'], value: (one: Given) => `#${one.badge} ${one.lastName}` } },
  } as never)
  const Tasks = defineResource({
    model: over(tasks),
    fields: {
      id: id(),
      title: text('Title'),
      personId: belongsTo('Person', people).resource('people'),
      ...(database !== null && { peopleIds: belongsToMany('People', taskPeople.personId).resource('people') }),
    },
    filters: ['personId'],
    import: true,
  } as never)
  return definePanel({
    auth: 'open',
    ...(database !== null && { database }),
    ...(observe && { observe }),
    resources: [People, Badges, Tasks, trashResource(People as never)],
  } as never)
}

const statements: string[] = []
const stores = {
  async memory() {
    const panel = panelOver(null, tables)
    return { panel, tables, isSql: false, end: () => panel.close() }
  },
  async SQLite() {
    const made = schema('integer', 'integer primary key')
    return {
      tables,
      isSql: true,
      ...(await panelIn(await openFile(), made, (url) => panelOver(url, tables, (sql) => statements.push(sql)))),
    }
  },
  async PostgreSQL() {
    const made = schema('timestamptz(3)', 'integer primary key generated by default as identity (start with 10)')
    return {
      tables: inPostgresql,
      isSql: true,
      ...(await panelIn(await openDatabase(), made, (url) => panelOver(url, inPostgresql, (sql) => statements.push(sql)))),
    }
  },
}

describe.each(Object.entries(stores))('records whose label is computed, over %s', (_, open) => {
  let opened: Awaited<ReturnType<(typeof stores)[keyof typeof stores]>>
  let app: ReturnType<typeof testPanel>
  beforeEach(async () => {
    opened = await open()
    app = testPanel(opened.panel)
    const { people, tasks } = opened.tables
    await app.create(people, { id: 1, firstName: 'Ada', lastName: 'Lovelace', badge: 7, mail: null, deletedAt: null })
    await app.create(people, { id: 2, firstName: 'Grace', lastName: 'Hopper', badge: 1042, mail: 'ada@example.com', deletedAt: null })
    await app.create(people, { id: 3, firstName: '', lastName: 'Nobody', badge: null, mail: null, deletedAt: null })
    await app.create(tasks, { id: 1, title: 'Write', personId: 1 })
    await app.create(tasks, { id: 2, title: 'Read', personId: 3 })
    if (opened.isSql) await app.put('/admin/resource/tasks/crud/1', { peopleIds: [1, 2] })
  })
  afterEach(() => opened?.end())

  const page = async (path: string, who = app) => {
    const answer = await who.html.get(`/admin/resource/${path}`)
    expect(answer.status, answer.text.slice(0, 300)).toBe(200)
    return answer.text
  }
  const titled = async (path: string, who = app) => /<title>(.*?) &#183; Daymark<\/title>/.exec(await page(path, who))?.[1]

  test('names the record on its pages, in its list, and wherever it is related', async () => {
    expect(await titled('people/crud/1')).toBe('Lovelace, Ada')
    expect(await page('people/form-page/1')).toContain('Lovelace, Ada')
    const list = await page('people/crud')
    expect(list).toContain('<th scope="row" class="first label"><a href="/admin/resource/people/crud/1">Lovelace, Ada</a></th>')
    expect(list).toContain('aria-label="Select Lovelace, Ada"')
    // Without a name, it is its key.
    expect(await titled('people/crud/3')).toBe('3')
    const tasks = await page('tasks/crud')
    expect(tasks).toContain('<a href="/admin/resource/people/crud/1">Lovelace, Ada</a>')
    expect(tasks).toContain('<a href="/admin/resource/people/crud/3">3</a>')
    expect(await page('tasks/crud/1')).toContain('Lovelace, Ada')
    expect(await page('tasks/form-page/1')).toContain('Lovelace, Ada')
    expect(await page('tasks/crud?filter[personId]=1')).toContain('Lovelace, Ada')
    if (!opened.isSql) return
    expect((await page('tasks/crud/1')).replaceAll(/<[^>]*>/g, ' ')).toMatch(/Hopper, Grace.*Lovelace, Ada/s)
    expect(await page('people/crud/1/history')).toContain('Lovelace, Ada')
  })

  test('in JSON it is the label of a related record, and the computed value of its own', async () => {
    const { data } = (await app.get('/admin/resource/tasks/crud/1?include=person')).json() as { data: { person: object } }
    expect(data.person).toEqual({ id: 1, label: 'Lovelace, Ada', badge: 7, fullName: 'Lovelace, Ada' })
    const found = (await app.get('/admin/async-search/tasks/personId?query=')).json()
    expect(found).toEqual({
      data: [
        { key: '3', label: '3' },
        { key: '1', label: 'Lovelace, Ada' },
        { key: '2', label: 'Hopper, Grace' },
      ],
    })
  })

  test('a relation is searched by the texts that it needs', async () => {
    const keys = async (query: string, path = 'tasks/personId') => {
      const { data } = (await app.get(`/admin/async-search/${path}?${new URLSearchParams({ query })}`)).json() as {
        data: { key: string }[]
      }
      return data.map(({ key }) => key)
    }
    expect(await keys('love')).toEqual(['1'])
    expect(await keys('ada love')).toEqual(['1'])
    expect(await keys('hopper gr')).toEqual(['2'])
    expect(await keys('example')).toEqual([])
    expect(await keys('2')).toEqual(['2'])
    // A declared text is searched in their place, and a number that the label needs is found as a whole.
    expect(await keys('ada', 'badges/id')).toEqual(['2'])
    expect(await keys('1042', 'badges/id')).toEqual(['2'])
    expect(await keys('104', 'badges/id')).toEqual([])
  })

  test('who may not see one of its columns reads the key, and cannot search by it', async () => {
    const clerk = app.as({ roles: ['clerk'] })
    expect(await titled('people/crud/1', clerk)).toBe('1')
    const tasks = await page('tasks/crud', clerk)
    expect(tasks).not.toContain('Lovelace')
    expect(tasks).toContain('<a href="/admin/resource/people/crud/1">1</a>')
    const { data } = (await clerk.get('/admin/resource/tasks/crud/1?include=person')).json() as { data: { person: object } }
    expect(data.person).toEqual({ id: 1, label: '1', badge: 7 })
    for (const query of ['love', 'ada'])
      expect((await clerk.get(`/admin/async-search/tasks/personId?query=${query}`)).json()).toEqual({ data: [] })
  })

  test('questions, messages and the trash call the record so', async () => {
    const form = (fields: Record<string, string>) => new URLSearchParams(fields)
    const question = await app.html.post('/admin/resource/people/crud/1', form({ _method: 'DELETE' }))
    expect(question.text).toContain('Lovelace, Ada')
    const done = await app.html.post('/admin/resource/people/crud/1', form({ _method: 'DELETE', _confirmed: '1' }))
    const cookie = (done.headers.get('set-cookie') ?? '').split(';', 1)[0] as string
    expect((await app.html.get('/admin/resource/people/crud', { headers: { cookie } })).text).toContain('Lovelace, Ada deleted')
    expect(await page('people-trash/crud')).toContain('Lovelace, Ada')
    expect(await page('tasks/crud')).toContain('Lovelace, Ada (in the trash)')
    const restored = await app.post('/admin/resource/people-trash/handler/restore', { ids: [1] })
    expect((restored.json() as { message: string }).message).toBe('Lovelace, Ada restored')
  })

  test('an export has it beside the key, by which it is imported', async () => {
    const csv = (await app.get('/admin/resource/tasks/export?sort=id')).text
    const [head, first] = csv.split('\r\n') as [string, string]
    expect(head).toContain('Person (key),Person')
    expect(first).toContain('1,"Lovelace, Ada"')
    const importing = async (text: string) => {
      const body = new FormData()
      body.set('mode', 'create')
      body.set('file', new Blob([text], { type: 'text/csv' }), 'tasks.csv')
      return app.post('/admin/resource/tasks/import', body)
    }
    const byKey = await importing('Title,Person,Person (key)\r\nAgain,"Lovelace, Ada",2\r\n')
    expect(byKey.status, byKey.text).toBe(200)
    const { data } = (await app.get('/admin/resource/tasks/crud?sort=-id&perPage=1')).json() as {
      data: { title: string; personId: number }[]
    }
    expect(data[0]).toMatchObject({ title: 'Again', personId: 2 })
    const byLabel = await importing('Title,Person\r\nAgain,"Lovelace, Ada"\r\n')
    expect([byLabel.status, byLabel.text]).toEqual([422, expect.stringContaining('Person')])
  })

  test('its columns come with the statement that reads the related records', async () => {
    if (!opened.isSql) return
    const counted = async (path: string, who: ReturnType<typeof testPanel>) => {
      await who.get(path)
      await app.put('/admin/resource/people/crud/3', { badge: Math.floor(Math.random() * 1e6) })
      statements.length = 0
      expect((await who.get(path)).status).toBe(200)
      return statements.filter((sql) => /from "people"/i.test(sql))
    }
    for (const [path, who] of [
      ['/admin/resource/tasks/crud?fields=title,personId&include=person', app],
      ['/admin/async-search/tasks/personId?query=ada', app],
    ] as const) {
      const read = await counted(path, who)
      expect(read, path).toHaveLength(1)
      expect(read[0]).toMatch(/first_name.*last_name/)
    }
    // A page reads one for the relation to one record, and one for that to several.
    expect(await counted('/admin/resource/tasks/crud', app.html)).toHaveLength(2)
  })

  test('the palette finds it, and calls it so', async () => {
    const { data } = (await app.get('/admin/palette?query=ada')).json() as { data: { label: string; url: string }[] }
    expect(data.map(({ label, url }) => [label, url])).toContainEqual(['#1042 Hopper', '/admin/resource/badges/crud/2'])
  })
})

test('a label that is neither a column nor a computed value stops the start', () => {
  const wrong = defineResource({ model: people, column: 'fullName' } as never)
  expect(() => definePanel({ auth: 'open', database: 'sqlite::memory:', resources: [wrong] })).toThrow(
    /label-column.*"fullName" is neither a column nor a computed value/s,
  )
})

test('on the page of its record it is the heading, and no value beside it unless the declaration names it there', async () => {
  const of = (more: object) => {
    const table = sqliteTable('names', { id: integer().primaryKey(), first: varchar().notNull(), last: varchar().notNull() })
    const Names = defineResource({
      model: memoryStore(table, [{ first: 'Ada', last: 'Byron' }]),
      column: 'whole',
      fields: { id: id(), first: text('First'), last: text('Last') },
      computed: {
        whole: {
          label: 'Whole name',
          needs: ['first', 'last'],
          value: (row: { first: string; last: string }) => `${row.first} ${row.last}`,
        },
        short: { label: 'Initials', needs: ['first'], value: (row: { first: string }) => row.first[0] },
      },
      ...more,
    } as never)
    return testPanel(definePanel({ auth: 'open', title: 'Names', resources: [Names] }))
  }
  const page = async (more: object) => (await of(more).html.get('/admin/resource/names/crud/1')).text
  const plain = await page({})
  expect(plain).toMatch(/<h1><span>Ada Byron<\/span><\/h1>/)
  expect([plain.includes('Whole name'), plain.includes('Initials')]).toEqual([false, true])
  expect(await page({ pages: { detail: ['whole', 'first'] } })).toContain('Whole name')
  // A number is written otherwise as a value.
  expect(await page({ column: 'size', computed: { size: { label: 'Size', needs: ['first'], unit: 'kg', value: () => 5 } } })).toMatch(
    /Size.*5.*kg/s,
  )
  expect((await of({}).get('/admin/resource/names/crud/1')).json()).toMatchObject({ data: { whole: 'Ada Byron' } })
})
