// What comes and goes with each request leaves nothing behind that only a full collection of garbage would find.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { Line } from '../src/base/line.js'
import { remembered } from '../src/field/remembered.js'
import { ReplyCache } from '../src/http/reply-cache.js'
import { always } from '../src/resource/condition/condition.js'
import { modelOf } from '../src/resource/model/model.js'
import { openSqlStore } from '../src/store/sql/open.js'
import type { ListQuery } from '../src/store/store.js'
import { Sqlite } from './support/sqlite.js'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (how?: { readonly type: 'minor' }) => void
const old = () => getHeapSpaceStatistics().find((one) => one.space_name === 'old_space')?.space_used_size ?? Number.NaN

const times = 3000

/** By how many bytes what V8 holds to be old grows with each time that something is done, where only young garbage is collected. */
async function grown(work: (turn: number) => unknown): Promise<number> {
  const run = async () => {
    for (let turn = 0; turn < times; turn++) {
      await work(turn)
      // What is there now is old after two of them.
      if (turn % 30 < 2) collect({ type: 'minor' })
    }
  }
  // What is compiled is there by then.
  await run()
  collect()
  const before = old()
  await run()
  return (old() - before) / times
}

/** Some four kilobytes of what a request may hold. */
const much = (turn: number) => Array.from({ length: 500 }, (_, i) => turn + i)

test('an answer that is kept in the place of another', async () => {
  const cache = new ReplyCache(() => 1)
  const keep = (turn: number) => {
    for (const mark of [1, 2, 3]) {
      const reply = { status: 200, headers: { much: much(turn) as never }, body: 'an answer' }
      cache.keep({ mark, text: () => `/${mark}` }, '::1', { reply, at: { requests: 0, version: turn }, until: Number.POSITIVE_INFINITY })
    }
  }
  expect(await grown(keep)).toBeLessThan(500)
})

test('what is remembered, and forgotten', async () => {
  let value: number[] = []
  const remember = remembered((_: number) => value, 10)
  let key = 0
  const work = (turn: number) => {
    value = much(turn)
    remember(key++)
  }
  // Ten of them are there each time.
  expect(await grown(work)).toBeLessThan(2500)
})

test('who waits, and leaves', async () => {
  const line = new Line<number[]>()
  for (let turn = 0; turn < 3; turn++) line.enter(much(turn))
  const work = (turn: number) => {
    line.enter(much(turn))
    if (line.first) line.leave(line.first)
  }
  expect(await grown(work)).toBeLessThan(500)
})

test('a page of which a row has changed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-garbage-'))
  const file = join(folder, 'notes.db')
  const other = new Sqlite(file)
  other.exec(
    `create table notes (id integer primary key, title text not null);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 25) insert into notes select i, 'A note with a title of its own, the ' || i || 'th' from n`,
  )
  const notes = modelOf(sqliteTable('notes', { id: integer().primaryKey(), title: text().notNull() }))
  const store = openSqlStore({ database: `sqlite:${file}` })
  try {
    const query: ListQuery = {
      columns: ['id', 'title'],
      where: always,
      order: [{ column: 'id', direction: 'ASC' }],
      limit: 25,
      shared: true,
    }
    const work = async (turn: number) => {
      other.exec(`update notes set title = '${turn}' where id = 1`)
      for (const limit of [20, 22, 25]) await store.list(notes, { ...query, limit })
    }
    expect(await grown(work)).toBeLessThan(500)
  } finally {
    await store.close()
    other.close()
    rmSync(folder, { recursive: true })
  }
})
