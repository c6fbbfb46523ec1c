import { setTimeout } from 'node:timers/promises'
import {
  belongsTo,
  belongsToMany,
  dateTime,
  definePanel,
  defineResource,
  id,
  memoryStore,
  number,
  type Panel,
  select,
  switcher,
  text,
  trashResource,
} from 'daymark'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, primaryKey, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openFile, panelIn } from '../support/own-database.js'
import { openDatabase } from '../support/postgresql-shared.js'

const people = sqliteTable('people', { id: integer().primaryKey(), name: varchar().notNull() })
const labels = sqliteTable('labels', { id: integer().primaryKey(), name: varchar().notNull() })
const tasks = sqliteTable('tasks', {
  id: integer().primaryKey(),
  title: varchar().notNull(),
  state: varchar().notNull().default('open'),
  ownerId: integer('owner_id').references(() => people.id),
  hours: integer(),
  urgent: integer({ mode: 'boolean' }).notNull().default(false),
  secret: varchar(),
  due: integer({ mode: 'timestamp_ms' }),
})
const taskLabels = sqliteTable(
  'task_labels',
  {
    taskId: integer('task_id')
      .notNull()
      .references(() => tasks.id),
    labelId: integer('label_id')
      .notNull()
      .references(() => labels.id),
  },
  (table) => [primaryKey({ columns: [table.taskId, table.labelId] })],
)
const tables = { people, labels, tasks, taskLabels }

const pgPeople = pg.pgTable('people', { id: pg.integer().primaryKey().generatedByDefaultAsIdentity(), name: pg.text().notNull() })
const pgLabels = pg.pgTable('labels', { id: pg.integer().primaryKey().generatedByDefaultAsIdentity(), name: pg.text().notNull() })
const pgTasks = pg.pgTable('tasks', {
  id: pg.integer().primaryKey().generatedByDefaultAsIdentity(),
  title: pg.text().notNull(),
  state: pg.text().notNull().default('open'),
  ownerId: pg.integer('owner_id').references(() => pgPeople.id),
  hours: pg.integer(),
  urgent: pg.boolean().notNull().default(false),
  secret: pg.text(),
  due: pg.timestamp({ withTimezone: true, precision: 3 }),
})
const pgTaskLabels = pg.pgTable(
  'task_labels',
  {
    taskId: pg
      .integer('task_id')
      .notNull()
      .references(() => pgTasks.id),
    labelId: pg
      .integer('label_id')
      .notNull()
      .references(() => pgLabels.id),
  },
  (table) => [pg.primaryKey({ columns: [table.taskId, table.labelId] })],
)
const inPostgresql = { people: pgPeople, labels: pgLabels, tasks: pgTasks, taskLabels: pgTaskLabels } as unknown as typeof tables

const schema = (key: string, yes: string, time: string) => [
  `create table people (id ${key}, name text not null)`,
  `create table labels (id ${key}, name text not null)`,
  `create table tasks (id ${key}, title text not null, state text not null default 'open', owner_id integer references people (id), hours integer, urgent ${yes}, secret text, due ${time})`,
  'create table task_labels (task_id integer not null references tasks (id), label_id integer not null references labels (id), primary key (task_id, label_id))',
]

// biome-ignore lint/suspicious/noExplicitAny: what callbacks get, over tables of two databases
type Given = any

let hooked: string[]

function panelOver(database: string | null, { people, labels, tasks, taskLabels }: typeof tables): Panel {
  const over = <T>(table: T): T => (database === null ? (memoryStore(table as never) as never) : table)
  const linked = database !== null
  const Tasks = defineResource({
    model: over(tasks),
    title: 'Tasks',
    fields: {
      id: id(),
      title: text('Title').required(),
      state: select('State').options({ open: 'Open', done: 'Done' }).required(),
      ownerId: belongsTo('Owner'),
      hours: number('Hours').min(0),
      urgent: switcher('Urgent'),
      secret: text('Secret').visible(['admin']).editable(['admin']),
      due: dateTime('Due'),
      ...(linked && { labelIds: belongsToMany('Labels', taskLabels.labelId) }),
    },
    filters: ['state'],
    massUpdate: ['state', 'ownerId', 'hours', 'urgent', 'secret', 'due', ...(linked ? ['labelIds'] : [])],
    maxMassDelete: 5,
    history: linked,
    can: { view: true, viewAny: true, update: ['admin', 'editor'], create: ['admin'], delete: ['admin'] },
    canRecord: { update: ({ user, record }: Given) => user.roles.includes('admin') || record.title !== 'Locked' },
    scope: ({ user }: Given) => (user.roles.includes('admin') ? {} : { title: { ne: 'Hidden' } }),
    validate: ({ values, before }: Given) =>
      (values.state ?? before?.state) === 'done' && (values.hours === undefined ? before?.hours : values.hours) === null
        ? { hours: 'Say how long it took' }
        : {},
    hooks: {
      afterSave: ({ after }: Given) => {
        hooked.push(after.title)
      },
    },
  } as never)
  const People = defineResource({ model: over(people), fields: { id: id(), name: text('Name').searchable() } })
  const Labels = defineResource({ model: over(labels), fields: { id: id(), name: text('Name').searchable() } })
  return definePanel({ auth: 'open', ...(database !== null && { database }), resources: [Tasks, People, Labels] } as never)
}

const stores = {
  async memory() {
    const panel = panelOver(null, tables)
    return { panel, tables, linked: false, end: () => panel.close() }
  },
  async SQLite() {
    const statements = schema('integer primary key', 'integer not null default 0', 'integer')
    return { tables, linked: true, ...(await panelIn(await openFile(), statements, (url) => panelOver(url, tables))) }
  },
  async PostgreSQL() {
    const key = 'integer primary key generated by default as identity'
    const statements = schema(key, 'boolean not null default false', 'timestamptz(3)')
    return {
      tables: inPostgresql,
      linked: true,
      ...(await panelIn(await openDatabase(), statements, (url) => panelOver(url, inPostgresql))),
    }
  },
}

type Data = Record<string, unknown>
const path = '/admin/resource/tasks'
const change = `${path}/handler/massUpdate`

describe.each(Object.entries(stores))('changing several records, over %s', (_, open) => {
  let opened: Awaited<ReturnType<typeof open>>
  let admin: ReturnType<typeof testPanel>
  let editor: ReturnType<typeof testPanel>
  beforeEach(async () => {
    opened = await open()
    admin = testPanel(opened.panel)
    editor = admin.as({ roles: ['editor'] })
    hooked = []
    await admin.create(opened.tables.people, { id: 1, name: 'Ann' })
    await admin.create(opened.tables.labels, { id: 1, name: 'Red' })
    for (const [key, title] of ['One', 'Two', 'Three', 'Locked', 'Hidden', 'Six'].entries())
      await admin.create(opened.tables.tasks, { id: key + 1, title, hours: key === 2 ? null : 1, ownerId: 1 })
  })
  afterEach(() => opened?.end())

  const records = async () =>
    ((await admin.get(`${path}/crud?sort=id&perPage=50`)).json() as { data: Data[] }).data.map(
      ({ title, state, hours, ownerId, urgent }) => ({
        title,
        state,
        hours,
        ownerId,
        urgent,
      }),
    )
  const states = async () => (await records()).map(({ state }) => state).join()

  test('changes the named fields of the named records, and nothing else', async () => {
    const answer = await admin.post(change, { ids: [1, 2], state: 'done', urgent: true, ownerId: null })
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({ message: '2 saved' })
    expect((await records()).slice(0, 3)).toEqual([
      { title: 'One', state: 'done', hours: 1, ownerId: null, urgent: true },
      { title: 'Two', state: 'done', hours: 1, ownerId: null, urgent: true },
      { title: 'Three', state: 'open', hours: null, ownerId: 1, urgent: false },
    ])
    expect(hooked).toEqual(['One', 'Two'])
  })

  test.each<[what: string, more: object, name: string]>([
    ['nested', { _all: true, _total: 6, filter: { state: 'open' } }, 'filter'],
    ['without _all', { ids: [1], 'filter[state]': 'open' }, 'filter[state]'],
    ['of a search without _all', { ids: [1], search: 'One' }, 'search'],
  ])('a filter %s is refused, and how one is sent is said', async (_, more, name) => {
    const answer = await admin.post(change, { ...more, state: 'done' })
    expect([answer.status, answer.json<{ errors: unknown }>().errors]).toEqual([
      422,
      {
        [name]: [
          `"${name}" selects no records: send _all and _total, and each filter beside them under its name in the query, such as filter[name]`,
        ],
      },
    ])
    expect(await states()).not.toContain('done')
  })

  test('what a record has already is not written again', async () => {
    await admin.post(change, { ids: [1], hours: 7 })
    hooked = []
    expect((await admin.post(change, { ids: [1, 2], hours: 7 })).json()).toMatchObject({ message: '2 saved' })
    expect(hooked).toEqual(['Two'])
  })

  test('a record that refuses says which it is, and none is changed', async () => {
    const answer = await admin.post(change, { ids: [1, 3], state: 'done' })
    expect(answer.status).toBe(422)
    expect(answer.json()).toMatchObject({ message: 'Three: Say how long it took', errors: { hours: ['Three: Say how long it took'] } })
    expect(await states()).toBe('open,open,open,open,open,open')
    // Of a single one, nobody wonders which it is.
    expect((await admin.post(change, { ids: [3], state: 'done' })).json()).toMatchObject({ errors: { hours: ['Say how long it took'] } })
  })

  test.each<[string, object, number, object]>([
    ['no field', { ids: [1] }, 422, { errors: { input: ['Choose what to change: state, ownerId, hours, urgent, due'] } }],
    [
      'a field that is not among them',
      { ids: [1], title: 'x' },
      422,
      { errors: { title: [expect.stringContaining('Unknown field "title"')] } },
    ],
    ['one that others may change', { ids: [1], secret: 'x' }, 422, { errors: { secret: [expect.stringContaining('Unknown field')] } }],
    ['a wrong value', { ids: [1], hours: -1 }, 422, { errors: { hours: ['Hours must be at least 0'] } }],
    ['an unknown option', { ids: [1], state: 'gone' }, 422, { errors: { state: [expect.any(String)] } }],
    ['nothing for what is required', { ids: [1], state: null }, 422, { errors: { state: [expect.any(String)] } }],
    ['no related record', { ids: [1], ownerId: 99 }, 422, { errors: { ownerId: ['Owner: no such record'] } }],
    ['no records', { state: 'done' }, 422, { errors: { ids: [expect.any(String)] } }],
    ['a record that is not there', { ids: [1, 99], hours: 2 }, 404, { errors: { ids: ['No such record: 99'] } }],
    ['a record out of scope', { ids: [1, 5], hours: 2 }, 404, { errors: { ids: ['No such record: 5'] } }],
    ['a record they may not change', { ids: [1, 4], hours: 2 }, 403, {}],
    ['more than allowed', { ids: [1, 2, 3, 4, 5, 6], hours: 2 }, 422, { errors: { ids: ['At most 5 records at once'] } }],
  ])('refuses %s, and changes nothing', async (_what, body, status, said) => {
    const before = await records()
    const answer = await editor.post(change, body)
    expect(answer.status).toBe(status)
    const all = opened.linked ? JSON.parse(JSON.stringify(said).replace('urgent, due', 'urgent, due, labelIds')) : null
    expect(answer.json()).toMatchObject('errors' in said && all && 'input' in (said.errors as object) ? all : said)
    expect(await records()).toEqual(before)
    expect(hooked).toEqual([])
  })

  test('who may not update records may not do this either, and is not offered it', async () => {
    const reader = admin.as({ roles: ['reader'] })
    expect((await reader.post(change, { ids: [1], hours: 2 })).status).toBe(403)
    expect((await reader.html.get(`${path}/crud`)).text.includes('massUpdate')).toBe(false)
    expect((await editor.html.get(`${path}/crud`)).text.includes(`formaction="${change}?_ask=1`)).toBe(true)
  })

  const form = (fields: readonly (readonly [string, string])[]) => new URLSearchParams(fields as [string, string][])

  test('a page changes what is ticked alone, whatever its other controls hold', async () => {
    const asked = await editor.html.post(
      `${change}?_ask=1`,
      form([
        ['ids[]', '1'],
        ['ids[]', '2'],
      ]),
    )
    expect(asked.status).toBe(200)
    expect(asked.text.includes('<input type="checkbox" name="_change" value="state" aria-describedby="action-state-error">')).toBe(true)
    expect(asked.text.includes('For 2 records')).toBe(true)
    expect(asked.text.includes('value="secret"')).toBe(false)
    // Controls begin empty: what a new record begins with is nothing to change others to.
    expect(asked.text.includes(' selected>')).toBe(false)
    const sent = form([
      ['ids[]', '1'],
      ['ids[]', '2'],
      ['_change', 'hours'],
      ['hours', '8'],
      ['state', 'done'],
      ['urgent', '1'],
      ['ownerId', ''],
    ])
    expect((await editor.html.post(change, sent)).status).toBe(303)
    expect((await records()).slice(0, 2)).toEqual([
      { title: 'One', state: 'open', hours: 8, ownerId: 1, urgent: false },
      { title: 'Two', state: 'open', hours: 8, ownerId: 1, urgent: false },
    ])
  })

  test('what is ticked and empty is emptied', async () => {
    await editor.html.post(
      change,
      form([
        ['ids[]', '1'],
        ['_change', 'hours'],
        ['_change', 'ownerId'],
        ['hours', ''],
        ['ownerId', ''],
      ]),
    )
    expect((await records())[0]).toMatchObject({ hours: null, ownerId: null })
  })

  test('a refused page keeps what was ticked and typed', async () => {
    const sent = [
      ['ids[]', '1'],
      ['ids[]', '2'],
      ['_change', 'hours'],
      ['hours', '-3'],
      ['state', 'done'],
      ['_once', 'a'],
    ] as const
    const { status, text } = await editor.html.post(change, form(sent))
    expect(status).toBe(422)
    expect(text.includes('<input type="checkbox" name="_change" value="hours" checked aria-describedby="action-hours-error">')).toBe(true)
    expect(text.includes('<input type="checkbox" name="_change" value="state" aria-describedby="action-state-error">')).toBe(true)
    expect(text.includes('value="-3"')).toBe(true)
    expect(text.includes('Hours must be at least 0')).toBe(true)
    const none = await editor.html.post(
      change,
      form([
        ['ids[]', '1'],
        ['hours', '3'],
        ['_once', 'b'],
      ]),
    )
    expect(none.status).toBe(422)
    expect(none.text.includes('Choose what to change: State, Owner, Hours')).toBe(true)
    expect(none.text.includes('value="3"')).toBe(true)
  })

  test('all that match a list are changed, together up to the maximum', async () => {
    expect((await admin.post(change, { ids: [1, 2], state: 'done' })).status).toBe(200)
    const open = `${change}?filter[state]=open`
    // "Locked" is one of them.
    expect((await editor.post(open, { _all: true, _total: 3, hours: 4 })).status).toBe(403)
    expect((await admin.post(open, { _all: true, _total: 5, hours: 4 })).status).toBe(409)
    expect((await records()).map(({ hours }) => hours)).toEqual([1, 1, null, 1, 1, 1])
    expect((await admin.post(open, { _all: true, _total: 4, hours: 4 })).json()).toMatchObject({ message: '4 saved' })
    expect((await records()).map(({ hours }) => hours)).toEqual([1, 1, 4, 4, 4, 4])
  })

  test('and beyond it as a job', async () => {
    const answer = await admin.post(change, { _all: true, _total: 6, hours: 4, urgent: true })
    expect(answer.status).toBe(202)
    const { url } = (answer.json() as { data: { url: string } }).data
    const job = async () => ((await admin.get(url)).json() as { data: Data }).data
    for (let left = 400; (await job()).state === 'running' && left > 0; left--) await setTimeout(5)
    expect(await job()).toMatchObject({ state: 'done', label: 'Edit', done: 6, total: 6, text: '6 saved' })
    expect((await records()).every(({ hours, urgent }) => hours === 4 && urgent)).toBe(true)
  })

  test('links are changed, and the history tells of each record', async () => {
    if (!opened.linked) {
      // A store of one's own has no link tables, and so no such field.
      expect((await admin.post(change, { ids: [1], labelIds: [1] })).json()).toMatchObject({
        status: 422,
        errors: { labelIds: [expect.any(String)] },
      })
      return
    }
    expect((await admin.post(change, { ids: [1, 2], labelIds: [1] })).status).toBe(200)
    expect((await admin.post(change, { ids: [1], labelIds: [2] })).json()).toMatchObject({
      errors: { labelIds: ['Labels: no such record'] },
    })
    const { data } = (await admin.get(`${path}/crud/1`)).json() as { data: Data }
    expect(data.labelIds).toEqual([1])
    const { data: told } = (await admin.get(`${path}/crud/2/history`)).json() as { data: { changes: object }[] }
    expect(told).toHaveLength(1)
  })
})

const places = sqliteTable('places', { id: integer().primaryKey(), place: integer().notNull() })
const Plain = { model: people, fields: { id: id(), name: text('Name') } }

test.each<[string, object, string]>([
  ['an unknown field', { massUpdate: ['nome'] }, '"nome" is not declared. Valid: name'],
  ['the key', { massUpdate: ['id'] }, '"id" cannot be changed in a form. Valid: name'],
  ['a field that no form has', { massUpdate: ['name'], pages: { form: [] } }, '"name" cannot be changed in a form. Valid: '],
  [
    'the order of the records',
    { model: places, fields: { id: id(), place: number('Place') }, massUpdate: ['place'], reorderable: 'place' },
    '"place" is the order of the records',
  ],
  ['a handler of that name', { massUpdate: ['name'], handlers: { massUpdate: { run: () => 'x' } } }, 'is a handler of yours, too'],
])('start-up refuses %s', (_, more, text) => {
  expect(() =>
    definePanel({ auth: 'open', database: 'sqlite::memory:', resources: [defineResource({ ...Plain, ...more } as never)] }),
  ).toThrow(text)
})

test('a single field is ticked from the start', async () => {
  const panel = definePanel({
    auth: 'open',
    resources: [defineResource({ model: memoryStore(people), fields: { id: id(), name: text('Name') }, massUpdate: ['name'] })],
  })
  const app = testPanel(panel)
  await app.create(people, { id: 1, name: 'Ann' })
  const { text: page } = await app.html.post('/admin/resource/people/handler/massUpdate?_ask=1', new URLSearchParams({ 'ids[]': '1' }))
  expect(page.includes('<input type="checkbox" name="_change" value="name" checked aria-describedby="action-name-error">')).toBe(true)
  expect(page.includes('For Ann')).toBe(true)
})

test('what is ticked and not sent is emptied, whatever a new record begins with', async () => {
  const notes = sqliteTable('notes', { id: integer().primaryKey(), name: varchar().notNull(), hours: integer() })
  const app = testPanel(
    definePanel({
      auth: 'open',
      resources: [
        defineResource({
          model: memoryStore(notes),
          fields: { id: id(), name: text('Name'), hours: number('Hours').default(8) },
          massUpdate: ['hours'],
        }),
      ],
    }),
  )
  await app.create(notes, { id: 1, name: 'One', hours: 3 })
  const sent = new URLSearchParams([
    ['ids[]', '1'],
    ['_change', 'hours'],
  ])
  expect((await app.html.post('/admin/resource/notes/handler/massUpdate', sent)).status).toBe(303)
  expect(((await app.get('/admin/resource/notes/crud/1')).json() as { data: Data }).data.hours).toBeNull()
})

test('a refusal names records by what their user may see of them: no label to whoever may change them unseen', async () => {
  const files = sqliteTable('files', {
    id: integer().primaryKey(),
    name: varchar().notNull(),
    hours: integer(),
    gone: integer({ mode: 'boolean' }),
  })
  const Files = defineResource({
    model: memoryStore(files),
    fields: { id: id(), name: text('Name').readOnly(), hours: number('Hours') },
    massUpdate: ['hours'],
    softDelete: 'gone',
    can: { viewAny: true, view: ['admin'], update: true, create: true, delete: true },
    validate: ({ values }: Given) => (values.hours === 9 || values.gone === false ? { hours: 'No' } : {}),
  } as never)
  const app = testPanel(definePanel({ auth: 'open', resources: [Files, trashResource(Files)] }))
  for (const key of [1, 2]) await app.create(files, { id: key, name: `Hush ${key}` } as never)
  const blind = app.as({ roles: ['clerk'] })
  const change = '/admin/resource/files/handler/massUpdate'
  const asked = await blind.html.post(
    `${change}?_ask=1`,
    new URLSearchParams([
      ['ids[]', '1'],
      ['ids[]', '2'],
    ]),
  )
  expect(asked.status).toBe(200)
  expect(asked.text.includes('Hush')).toBe(false)
  expect((await blind.post(change, { ids: [1, 2], hours: 9 })).json()).toMatchObject({ errors: { hours: ['1: No'] } })
  expect((await app.as({ roles: ['admin'] }).post(change, { ids: [1, 2], hours: 9 })).json()).toMatchObject({
    errors: { hours: ['Hush 1: No'] },
  })
  await blind.delete('/admin/resource/files/crud?ids[]=1&ids[]=2')
  const restored = await blind.post('/admin/resource/files-trash/handler/restore', { ids: [1, 2] })
  expect(restored.text.includes('Hush')).toBe(false)
})

test('what is said to be saved leaves out what has left the list meanwhile', async () => {
  const parts = sqliteTable('parts', { id: integer().primaryKey(), state: varchar().notNull(), hours: integer() })
  const last = 502
  const Parts = defineResource({
    model: memoryStore(parts),
    fields: { id: id(), state: select('State').options({ open: 'Open', done: 'Done' }), hours: number('Hours') },
    filters: ['state'],
    massUpdate: ['hours'],
    hooks: {
      // Records are read by 500.
      beforeSave: async ({ before, unrestricted }) => {
        if (before?.id === 1) await unrestricted.update(last, { state: 'done' })
      },
    },
  })
  const app = testPanel(definePanel({ auth: 'open', resources: [Parts] }))
  for (let key = 1; key <= last; key++) await app.create(parts, { id: key, state: 'open', hours: null })
  const saved = await app.post(`/admin/resource/parts/handler/massUpdate?filter[state]=open&_all=1&_total=${last}`, { hours: 3 })
  expect([saved.status, saved.json<{ message: string }>().message]).toEqual([200, '501 saved'])
  expect((await app.get(`/admin/resource/parts/crud/${last}`)).json<{ data: Data }>().data.hours).toBeNull()
})
