import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { memoryPreferences } from '../../src/auth/preferences.js'
import type { Json } from '../../src/field/field.js'
import { panelStore } from '../../src/store/panel/open.js'
import { openSqlStore } from '../../src/store/sql/open.js'
import type { SqlStore } from '../../src/store/sql/sql-store.js'
import { openDatabase, type TestDatabase } from '../support/postgresql-shared.js'

let store: SqlStore
let database: TestDatabase | null

describe.each(['SQLite', 'PostgreSQL'])('preferences over %s', (dialect) => {
  beforeEach(async () => {
    database = dialect === 'PostgreSQL' ? await openDatabase() : null
    store = openSqlStore({ database: database?.url ?? 'sqlite::memory:' })
  })
  afterEach(async () => {
    await store.close()
    await database?.drop()
  })

  const of = (panel: string) => panelStore(store, undefined, panel).preferences

  test('are kept by panel, user and name, until they are taken back', async () => {
    await of('admin').change(
      '1',
      new Map<string, Json>([
        ['theme', 'dark'],
        ['columns:cities', ['a', 'é😀']],
      ]),
    )
    await of('admin').change('1', new Map<string, Json>([['theme', 'light']]))
    expect([...(await of('admin').of('1'))]).toEqual([
      ['theme', 'light'],
      ['columns:cities', ['a', 'é😀']],
    ])
    expect((await of('admin').of('2')).size).toBe(0)
    expect((await of('other').of('1')).size).toBe(0)
    await of('admin').change(
      '1',
      new Map<string, Json>([
        ['theme', null],
        ['never', null],
      ]),
    )
    expect([...(await of('admin').of('1')).keys()]).toEqual(['columns:cities'])
  })

  test('those that begin with shared: are of everybody in the panel, whoever wrote them', async () => {
    await of('admin').change(
      '1',
      new Map<string, Json>([
        ['view:cities:a', 'x'],
        ['shared:view:cities:a', 'y'],
      ]),
    )
    await of('admin').change('2', new Map<string, Json>([['shared:view:cities:a', 'z']]))
    expect([...(await of('admin').of('1'))]).toEqual([
      ['view:cities:a', 'x'],
      ['shared:view:cities:a', 'z'],
    ])
    expect([...(await of('admin').of('2'))]).toEqual([['shared:view:cities:a', 'z']])
    expect((await of('other').of('1')).size).toBe(0)
    await of('admin').change('2', new Map<string, Json>([['shared:view:cities:a', null]]))
    expect([...(await of('admin').of('1')).keys()]).toEqual(['view:cities:a'])
  })

  test('of two that make the same choice at once, both succeed and one is kept', async () => {
    await of('admin').of('1')
    const values = Array.from({ length: 8 }, (_, i) => `v${i}`)
    await Promise.all(values.map((value) => of('admin').change('1', new Map<string, Json>([['view:cities:a', value]]))))
    const kept = await of('admin').of('1')
    expect([...kept.keys()]).toEqual(['view:cities:a'])
    expect(values).toContain(kept.get('view:cities:a'))
  })

  test('of several at once, each is checked against what the others have kept, and one that is refused keeps nothing', async () => {
    await of('admin').of('1')
    const check = (kept: ReadonlyMap<string, Json>) => {
      if (kept.size > 0) throw new RangeError('enough')
    }
    const names = Array.from({ length: 8 }, (_, i) => `shared:view:cities:${i}`)
    const changing = names.map((name, i) => of('admin').change(String(i), new Map<string, Json>([[name, 'x']]), check))
    const came = await Promise.allSettled(changing)
    expect(came.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(came.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))).toEqual(Array(7).fill(new RangeError('enough')))
    expect((await of('admin').of('1')).size).toBe(1)
  })
})

test('a panel without users keeps them in its process', async () => {
  const kept = memoryPreferences()
  await kept.change(
    'local',
    new Map<string, Json>([
      ['theme', 'dark'],
      ['density', 'compact'],
    ]),
  )
  await kept.change('local', new Map<string, Json>([['theme', null]]))
  expect([...(await kept.of('local'))]).toEqual([['density', 'compact']])
  expect((await memoryPreferences().of('local')).size).toBe(0)
})
