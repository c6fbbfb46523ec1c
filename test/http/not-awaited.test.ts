import { setTimeout } from 'node:timers/promises'
import { definePanel, defineResource, id, type Panel, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openFile, panelIn } from '../support/own-database.js'
import { openDatabase } from '../support/postgresql-shared.js'

const things = sqliteTable('things', { id: integer().primaryKey(), name: varchar().notNull().unique() })
const notes = sqliteTable('notes', { id: integer().primaryKey(), name: varchar().notNull() })
const tables = { things, notes }
const key = { id: pg.serial().primaryKey() }
const inPostgresql = {
  things: pg.pgTable('things', { ...key, name: pg.text().notNull().unique() }),
  notes: pg.pgTable('notes', { ...key, name: pg.text().notNull() }),
} as unknown as typeof tables

let log: string[]

function panelOver(database: string, { things, notes }: typeof tables): Panel {
  const Notes = defineResource({ model: notes, history: true, fields: { id: id(), name: text('Name') } })
  const Things = defineResource({
    model: things,
    history: true,
    fields: { id: id(), name: text('Name') },
    hooks: {
      async afterSave({ after, of }) {
        if (after.name === 'hooked') of(Notes).create({ name: 'saved' })
      },
    },
    handlers: {
      each: {
        run({ ids, update }) {
          for (const one of ids) update(one, { name: `each ${one}` })
          return 'Done'
        },
      },
      inFunctions: {
        run({ ids, update }) {
          ids.forEach(async (one) => {
            await update(one, { name: `first ${one}` })
            await update(one, { name: `then ${one}` })
          })
          return 'Done'
        },
      },
      afterReads: {
        run({ ids, find, update }) {
          ids.forEach(async (one) => {
            if (await find(one)) await update(one, { name: `read ${one}` })
          })
          return 'Done'
        },
      },
      afterSelected: {
        run({ selected, update }) {
          const work = async () => {
            for await (const some of selected()) for (const one of some) await update(one.id, { name: `selected ${one.id}` })
          }
          work()
          return 'Done'
        },
      },
      refused: {
        async run({ ids, update, find }) {
          update(ids[0] as string, { name: 'taken' })
          for (let i = 0; i < 20; i++) await find(ids[0] as string)
          return 'Done'
        },
      },
      refusedAtTheEnd: {
        run({ ids, update }) {
          update(ids[0] as string, { name: 'taken' })
          return 'Done'
        },
      },
      throws: {
        run({ ids, update }) {
          ids.forEach(async (one) => {
            await update(one, { name: `before ${one}` })
            await update(one, { name: `after ${one}` })
          })
          throw new Error('It failed')
        },
      },
      reads: {
        run({ ids, find }) {
          for (const one of ids) find(one)
          return 'Done'
        },
      },
      together: {
        async run({ ids, update }) {
          await Promise.all(ids.map((one) => update(one, { name: `together ${one}` })))
          return 'Done'
        },
      },
    },
  })
  return definePanel({ auth: 'open', database, resources: [Things, Notes], log: (entry) => log.push(entry.message) })
}

const schema = (made: string) =>
  `create table things (id ${made}, name text not null unique); create table notes (id ${made}, name text not null)`

const stores = {
  SQLite: async () => {
    const statements = [`pragma journal_mode = wal; ${schema('integer primary key')}`]
    return panelIn(await openFile(), statements, (url) => panelOver(url, tables))
  },
  PostgreSQL: async () => panelIn(await openDatabase(), [schema('serial primary key')], (url) => panelOver(url, inPostgresql)),
}

describe.each(Object.entries(stores))('over %s', (_, open) => {
  let opened: Awaited<ReturnType<typeof open>>
  let unhandled: unknown[]
  const hear = (thrown: unknown) => unhandled.push(thrown)
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened?.end())
  beforeEach(async () => {
    log = []
    unhandled = []
    process.on('unhandledRejection', hear)
    await opened.query(`delete from things; delete from notes; insert into things (id, name) values (1, 'one'), (2, 'two'), (3, 'taken')`)
  })
  afterEach(() => {
    process.off('unhandledRejection', hear)
  })

  const app = () => testPanel(opened.panel)
  const rows = async (of: string) =>
    ((await app().get(`/admin/resource/${of}/crud?sort=id`)).json() as { data: { name: string }[] }).data.map(({ name }) => name)
  const history = async () => ((await app().get('/admin/resource/things/crud/1/history')).json() as { data: unknown[] }).data.length
  const act = (handler: string) => app().post(`/admin/resource/things/handler/${handler}`, { ids: [1, 2] })

  test.each([
    ['each', 'A write was not awaited: `update` of "things"'],
    ['inFunctions', 'A write was not awaited: `update` of "things"'],
    ['afterReads', 'A write was not awaited: `update` of "things"'],
    ['afterSelected', 'A write was not awaited: `update` of "things"'],
    ['refusedAtTheEnd', 'A write was not awaited: `update` of "things"'],
    ['throws', 'It failed'],
  ])('a handler that does not await its writes fails, and nothing is written: %s', async (handler, message) => {
    const before = await history()
    expect((await act(handler)).status).toBe(500)
    await setTimeout(50)
    expect(log).toEqual([message])
    expect(unhandled).toEqual([])
    expect(await rows('things')).toEqual(['one', 'two', 'taken'])
    expect(await history()).toBe(before)
  })

  test('a write that was refused before the end is what the caller is told', async () => {
    expect((await act('refused')).status).toBe(409)
    await setTimeout(50)
    expect([log, unhandled]).toEqual([[], []])
  })

  test('nor does a hook', async () => {
    expect((await app().put('/admin/resource/things/crud/1', { name: 'hooked' })).status).toBe(500)
    await setTimeout(50)
    expect(log).toEqual(['A write was not awaited: `create` of "notes"'])
    expect(unhandled).toEqual([])
    expect([await rows('things'), await rows('notes')]).toEqual([['one', 'two', 'taken'], []])
  })

  test('reads, and writes that are awaited together, are no fault', async () => {
    expect([(await act('reads')).status, (await act('together')).status]).toEqual([200, 200])
    await setTimeout(50)
    expect([log, unhandled]).toEqual([[], []])
    expect(await rows('things')).toEqual(['together 1', 'together 2', 'taken'])
  })
})
