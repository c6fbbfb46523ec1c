import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { definePanel, defineResource, id, number, type Panel, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const things = sqliteTable('things', { id: integer().primaryKey(), name: varchar().notNull(), n: integer().notNull().default(0) })
const inPostgresql = pg.pgTable('things', {
  id: pg.serial().primaryKey(),
  name: pg.text().notNull(),
  n: pg.integer().notNull().default(0),
}) as unknown as typeof things

const schema = (key: string) => `create table things (id ${key}, name text not null, n integer not null default 0)`
const filled = (rows: number) => [
  'delete from things',
  `with recursive i (n) as (select 1 union all select n + 1 from i where n < ${rows}) insert into things (id, name) select n, 'a' from i`,
]

// What happens to records between two batches of a job, or while a handler runs.
let meanwhile: () => unknown = () => {}
let log: string[]

function panelOver(database: string, model: typeof things): Panel {
  const Things = defineResource({
    model,
    fields: { id: id(), name: text('Name'), n: number('N') },
    filters: ['name'],
    maxMassDelete: 600,
    handlers: {
      copy: {
        selection: 'required',
        async run({ selected, create, ids }) {
          let count = 0
          for await (const some of selected()) {
            for (const { name, n } of some) await create({ name, n })
            count += some.length
            if (count > 2000) throw new Error('It goes on for ever')
          }
          return `${count} of ${ids.length} copied`
        },
      },
      copyLong: {
        long: true,
        async run({ ids, create, done }) {
          if (done > 2000) throw new Error('It goes on for ever')
          for (const _ of ids) await create({ name: 'a' })
        },
      },
      mark: {
        long: true,
        async run({ ids, update, done, selected }) {
          for (const key of ids) await update(key, { n: 1 })
          let count = 0
          for await (const some of selected()) count += some.length
          if (done === 0) await meanwhile()
          return `${count} in this batch`
        },
      },
      late: {
        long: true,
        async run({ ids, update, done }) {
          if (done > 0) await meanwhile()
          for (const key of ids) await update(key, { n: 1 })
        },
      },
      clear: {
        long: true,
        ability: 'delete',
        async run({ ids, done, delete: remove }) {
          log.push(`${ids.length} from ${done}`)
          if (done === 0) for (let key = 501; key <= 600; key++) await remove(key)
        },
      },
      drain: {
        ability: 'delete',
        async run({ selected, delete: remove }) {
          const counts = []
          for (let times = 0; times < 2; times++) {
            let count = 0
            for await (const some of selected()) {
              count += some.length
              await remove(some[0]?.id as number)
            }
            counts.push(count)
          }
          return counts.join()
        },
      },
      raiseOnce: {
        canRecord: ({ record }) => record.n === 0,
        async run({ selected, update }) {
          for await (const some of selected()) for (const one of some) await update(one.id, { n: one.n + 1 })
        },
      },
      raise: {
        async run({ selected, update }) {
          for await (const some of selected()) {
            await meanwhile()
            for (const one of some) await update(one.id, { n: one.n + 1 })
          }
        },
      },
    },
  })
  return definePanel({ auth: 'open', database, resources: [Things], log: (entry) => log.push(entry.message) })
}

interface Opened {
  readonly panel: Panel
  readonly hasOneWriter: boolean
  readonly run: (statement: string) => Promise<unknown>
  readonly number: (query: string) => Promise<number>
  readonly end: () => unknown
}

const stores: Readonly<Record<string, () => Promise<Opened>>> = {
  async SQLite() {
    const folder = mkdtempSync(join(tmpdir(), 'daymark-selected-'))
    const client = new Sqlite(join(folder, 'things.db'))
    client.exec(`pragma journal_mode = wal; ${schema('integer primary key')}`)
    const panel = panelOver(`sqlite:${join(folder, 'things.db')}`, things)
    return {
      panel,
      hasOneWriter: true,
      run: async (statement) => client.exec(statement),
      number: async (query) => (client.prepare(query).get() as { n: number }).n,
      async end() {
        await panel.close()
        client.close()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  },
  async PostgreSQL() {
    const database = await openDatabase()
    await database.query(schema('integer generated by default as identity (start with 100000) primary key'))
    const panel = panelOver(database.url, inPostgresql)
    return {
      panel,
      hasOneWriter: false,
      run: (statement) => database.query(statement),
      number: async (query) => Number((await database.query(query)).rows[0].n),
      end: () => panel.close().then(database.drop),
    }
  },
}

describe.each(Object.entries(stores))('the records of an action, over %s', (_, open) => {
  let opened: Opened
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened?.end())
  beforeEach(async () => {
    meanwhile = () => {}
    log = []
    for (const statement of filled(600)) await opened.run(statement)
  })

  const act = (handler: string, body: object) => testPanel(opened.panel).post(`/admin/resource/things/handler/${handler}`, body)
  const all = { _all: true, _total: 600 }
  /** Deletes one of the last records once it is begun: by a caller of its own, since a handler cannot await one that waits for it. */
  const deletedMeanwhile = () => {
    let begin: () => void
    const answer = new Promise<void>((resolve) => {
      begin = resolve
    }).then(() => testPanel(opened.panel).delete('/admin/resource/things/crud/550'))
    const begun = async (waits: boolean) => {
      begin()
      await (waits ? setTimeout(200) : answer)
    }
    return { answer, begun }
  }
  const ended = async (handler: string, body: object) => {
    const { status, json } = await act(handler, body)
    expect(status).toBe(202)
    const { url } = (json() as { data: { url: string } }).data
    for (;;) {
      const { data } = (await testPanel(opened.panel).get(url)).json() as { data: { state: string; done: number; text: string } }
      if (data.state !== 'running') return data
      await setTimeout(5)
    }
  }

  test('of all that match are those that were there when it began, whatever it makes', async () => {
    expect((await act('copy', all)).json()).toMatchObject({ message: '600 of 600 copied' })
    expect(await opened.number('select count(*) as n from things')).toBe(1200)
  })

  test('and so are those of a job', async () => {
    expect(await ended('copyLong', all)).toMatchObject({ state: 'done', done: 600, total: 600 })
    expect(log).toEqual([])
    expect(await opened.number('select count(*) as n from things')).toBe(1200)
  })

  test.each([
    ['named', { ids: [1, 2, 3] }, '3,2'],
    ['all', all, '600,598'],
  ])('what a handler has deleted is passed over, where the records are %s', async (_, body, message) => {
    expect((await act('drain', body)).json()).toMatchObject({ message })
  })

  test.each([
    ['named', { ids: Array.from({ length: 600 }, (_, i) => i + 1) }],
    ['all', all],
  ])('and a job passes over what somebody else has deleted, where they are %s', async (_, body) => {
    const deleted = deletedMeanwhile()
    // Where there is one writer, the delete waits for its turn, before the next batch does.
    meanwhile = () => deleted.begun(opened.hasOneWriter)
    expect(await ended('mark', body)).toMatchObject({ state: 'done', done: 600, total: 600, text: '99 in this batch' })
    expect((await deleted.answer).status).toBe(200)
    expect(await opened.number('select count(*) as n from things where n = 1')).toBe(599)
  })

  test('what somebody else deletes while its batch runs, goes after that', async () => {
    const deleted = deletedMeanwhile()
    meanwhile = () => deleted.begun(true)
    expect(await ended('late', all)).toMatchObject({ state: 'done', done: 600 })
    expect((await deleted.answer).status).toBe(200)
    expect(await opened.number('select count(*) as n from things where n = 1')).toBe(599)
  })

  test.each([
    ['named', { ids: Array.from({ length: 600 }, (_, i) => i + 1) }],
    ['all', all],
  ])('a batch of which nothing is left does not run, where they are %s', async (_, body) => {
    expect(await ended('clear', body)).toMatchObject({ state: 'done', done: 600, total: 600 })
    expect(log).toEqual(['500 from 0'])
  })

  test.each([
    ['named', { ids: [7] }],
    ['all', all],
  ])('what it has read stays as it is until it ends, where they are %s', async (_, body) => {
    const reached = new Promise<void>((resolve) => {
      meanwhile = async () => {
        resolve()
        await setTimeout(100)
      }
    })
    const raised = act('raise', body)
    await reached
    const edited = testPanel(opened.panel).put('/admin/resource/things/crud/7', { n: 500 })
    expect([(await raised).status, (await edited).status]).toEqual([200, 200])
    expect(await opened.number('select n from things where id = 7')).toBe(500)
  })

  test.each([
    ['named', { ids: Array.from({ length: 600 }, (_, i) => i + 1) }],
    ['all', all],
  ])('whether it may run over them holds until it ends, where they are %s', async (_, body) => {
    const answers = await Promise.all([act('raiseOnce', body), act('raiseOnce', body)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    expect(await opened.number('select max(n) as n from things')).toBe(1)
  })
})
