import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Libsql from 'libsql'
import { afterAll, expect, test } from 'vitest'
import { always } from '../../../resource/condition/condition.js'
import { models } from '../../contract/tables.js'
import { contractSchema } from '../../contract.js'
import { openSqlStore } from '../open.js'
import { databaseOf } from './database.js'

const { places, regions } = models
const folder = mkdtempSync(join(tmpdir(), 'daymark-busy-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

function open() {
  const path = join(folder, `${++files}.db`)
  // With the same library: two copies of SQLite in one process break each other's locks.
  const other = databaseOf(`sqlite:${path}`).connect()
  for (const statement of contractSchema) other.exec(statement)
  return { path, other, store: openSqlStore({ database: `sqlite:${path}` }) }
}

test('while somebody else writes, this process goes on', async () => {
  const { other, store } = open()
  await store.count(regions, always)
  other.exec('begin immediate')
  other.exec("insert into contract_regions (name) values ('theirs')")
  let ticks = 0
  const ticking = setInterval(() => ticks++, 5)
  const writing = store.transaction((tx) => tx.create(regions, { name: 'ours' }))
  let written = false
  writing.then(() => {
    written = true
  })
  while (ticks <= 10) await sleep(5)
  expect(await store.count(regions, always)).toBe(0)
  // It was waiting all the time.
  expect(written).toBe(false)
  other.exec('commit')
  await writing
  clearInterval(ticking)
  expect(await store.count(regions, always)).toBe(2)
  await store.close()
})

test('who waits too long for another process gets a 503, and the next one gets its turn', async () => {
  const { other, store } = open()
  await store.count(regions, always)
  other.exec('begin immediate')
  const late = store.transaction((tx) => tx.create(regions, { name: 'late' }), { until: performance.now() + 60 })
  let waits = true
  const next = store
    .transaction((tx) => tx.create(regions, { name: 'next' }), { until: performance.now() + 60_000 })
    .finally(() => {
      waits = false
    })
  await expect(late).rejects.toMatchObject({ code: 'unavailable', headers: { 'retry-after': '1' } })
  // It has waited no longer than it may: this one, which may wait longer, still does.
  expect(waits).toBe(true)
  other.exec('commit')
  await next
  expect(await store.list(regions, { columns: ['name'], where: always, order: [{ column: 'id', direction: 'ASC' }], limit: 10 })).toEqual([
    ['next'],
  ])
  await store.close()
})

test('two processes write to one file, and every write counts', async () => {
  const { path, store } = open()
  await store.transaction((tx) => tx.create(places, { name: 'x', people: 0 }))
  const child = spawn(process.execPath, ['--input-type=module', '-e', counting, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  await started(child)
  for (let turn = 0; turn < 100; turn++) {
    await store.transaction(async (tx) => {
      const row = await tx.find(places, 1, ['people'])
      await tx.update(places, 1, { people: Number(row?.[0]) + 1 })
    })
  }
  expect(await exit).toEqual([0, null])
  expect(await store.find(places, 1, ['people'])).toEqual([200])
  await store.close()
})

const counting = `
import { createRequire } from 'node:module'
const Libsql = createRequire(${JSON.stringify(import.meta.url)})('libsql')
const other = new Libsql(process.argv[1], { timeout: 10000 })
other.exec('pragma busy_timeout = 10000')
console.log('ready')
for (let turn = 0; turn < 100; turn++) {
  other.exec('begin immediate')
  const { people } = other.prepare('select people from contract_places where id = 1').get()
  other.prepare('update contract_places set people = ? where id = 1').run(people + 1)
  other.exec('commit')
}
other.close()
`

async function started(child: ChildProcess): Promise<void> {
  await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data')
}

test('a read beside a long write waits for nothing', async () => {
  const { store } = open()
  await store.transaction((tx) => tx.create(regions, { name: 'old' }))
  await store.transaction(async (tx) => {
    await tx.update(regions, 1, { name: 'new' })
    // Waiting for the write would end in a 503.
    expect(await store.find(regions, 1, ['name'])).toEqual(['old'])
  })
  expect(await store.find(regions, 1, ['name'])).toEqual(['new'])
  await store.close()
})

test('with one connection, a read of the store inside its own transaction is refused, and not waited for', async () => {
  const client = new Libsql(':memory:')
  for (const statement of contractSchema) client.exec(statement)
  const store = openSqlStore({ database: { $client: client } })
  await expect(store.transaction(() => store.count(regions, always))).rejects.toThrow('only the store that it was given')
  expect(await store.count(regions, always)).toBe(0)
})
