import {
  belongsTo,
  controlAttributes,
  date,
  dateTime,
  defineKind,
  definePanel,
  defineResource,
  html,
  id,
  number,
  type Panel,
  refuse,
  select,
  text,
  view,
} from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { z } from 'zod'
import type { Sqlite } from '../support/sqlite.js'

const people = sqliteTable('people', { id: integer().primaryKey(), name: varchar().notNull() })
const tasks = sqliteTable('tasks', {
  id: integer().primaryKey(),
  title: varchar().notNull(),
  status: varchar(),
  hours: integer(),
  personId: integer('person_id').references(() => people.id),
  due: varchar(),
  startsAt: integer('starts_at', { mode: 'timestamp' }),
})

export const schema = `create table people (id integer primary key, name text not null);
  create table tasks (id integer primary key, title text not null, status text, hours integer, person_id integer references people (id), due text, starts_at integer)`

const People = defineResource({ model: people, fields: { id: id(), name: text('Name') } })
const shared = {
  model: tasks,
  fields: {
    id: id(),
    title: text('Title').required().searchable().sortable(),
    status: select('Status')
      .options({ open: 'Open', doing: 'In work', review: 'Under review', done: 'Done' })
      .tones({ doing: 'info', review: 'warn', done: 'good' })
      .transitions({ open: ['doing'], doing: ['open', 'review'], review: ['doing', 'done'], done: [] })
      .event('moved-{row-id}'),
    hours: number('Hours').unit('h'),
    personId: belongsTo('Person', people),
    due: date('Due').sortable(),
    startsAt: dateTime('Starts'),
  },
  pages: { index: ['title', 'status', 'personId', 'due'] },
  filters: ['status', 'personId', 'due', 'startsAt'],
  queryTags: { dated: { label: 'With a day', where: { due: { null: false } } } },
  sortColumn: 'title',
  sortDirection: 'ASC',
  views: [
    view.board('status', { card: ['personId', 'due', 'hours'], limit: 5 }),
    view.calendar('due', { card: ['status'] }),
    view.calendar('startsAt', { uri: 'hours', label: 'Hours', tone: 'status' }),
    view.board('status', { uri: 'long', label: 'Long', limit: 40 }),
  ],
} as const
const Tasks = defineResource({
  ...shared,
  title: 'Tasks',
  canRecord: { update: ({ record }: { record: { title: string } }) => record.title !== 'Fixed' },
  hooks: {
    beforeSave: ({ before }: { before: { title: string } | null }) => {
      if (before?.title === 'Stuck') refuse('status', 'It is stuck')
    },
  },
} as never)
const Plain = defineResource({ ...shared, uriKey: 'plain', isAsync: false } as never)

/** A kind of one's own, whose values are some whole numbers. */
const floor = defineKind<number>({
  name: 'floor',
  columns: ['integer'],
  operators: ['eq'],
  schema: () => z.int().min(1).max(20),
  read: (typed) => Number(typed),
  words: (value) => `Floor ${value}`,
  options: () => Array.from({ length: 20 }, (_, i) => i + 1),
  cell: (value) => html`<i>Floor ${value}</i>`,
  input: (typed, field, ctx) => html`<input value="${typed}"${controlAttributes(field, ctx)}>`,
})
const Floors = defineResource({
  ...shared,
  uriKey: 'floors',
  fields: { id: id(), title: text('Title'), hours: floor('Floor') },
  pages: { index: ['title'] },
  filters: ['hours'],
  queryTags: {},
  views: [view.board('hours', { initial: true })],
} as never)

export const panelOver = (database: string): Panel =>
  definePanel({
    auth: 'open',
    title: 'Works',
    database,
    timeZone: 'Europe/Berlin',
    resources: [Tasks, Plain, Floors, People],
    log: () => {},
  } as never)

export function fill(client: Sqlite): void {
  client.exec(`delete from tasks; delete from people; insert into people values (1, 'Ada Lovelace'), (2, 'Grace Hopper')`)
  const add = client.prepare('insert into tasks (title, status, hours, person_id, due, starts_at) values (?, ?, ?, ?, ?, ?)')
  const at = (text: string) => Date.parse(text) / 1000
  add.run('Answer letters', 'open', 2, 1, '2026-11-03', at('2026-11-03T08:30:00Z'))
  add.run('Fixed', 'open', null, null, null, null)
  add.run('Stuck', 'open', 1, 2, '2026-11-12', null)
  add.run('Paint the beacon', 'doing', 12, 2, '2026-11-12', at('2026-11-12T12:00:00Z'))
  add.run(
    'A title that is so long that no card has room for all of it, with Donaudampfschifffahrtsgesellschaftskapitänsmützenknopf in it, and further words behind',
    'doing',
    3,
    1,
    '2026-11-12',
    null,
  )
  add.run('Sound the harbour', 'done', 40, 1, '2026-10-30', null)
}
