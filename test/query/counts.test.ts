import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Asked, type Entries, makeEntries } from './entries.js'
import { openWorld, type Thing } from './things.js'

// Of a page of 25 rows, whatever the size of the table: a leaf of the index, and for each row a leaf of the table with the page above it.
const byKey = 4
const byIndex = 2 * 26 + 6
/** Each sort that the key or an index serves, and the most pages of the file that 25 rows take. */
const indexed: [string, number][] = [
  ['-id', byKey],
  ['id', byKey],
  ['views', byIndex],
  ['-views', byIndex],
  ['grade', byIndex],
  ['-grade', byIndex],
]

describe.each([10_000, 1_000_000])('%i rows', (rows) => {
  let entries: Entries
  const depth = (share: number) => Math.floor((rows * share) / 25)

  beforeAll(async () => {
    entries = makeEntries(rows)
    // What is loaded at the first request is read by this process too.
    await entries.ask('counted', '')
  }, 60_000)
  afterAll(() => entries.remove())

  test('the first page: one COUNT and one list, which reads its rows and no more', async () => {
    const { statements, body } = await entries.ask('counted', '')
    expect(kindsOf(statements)).toEqual(['count', 'list'])
    expect(statements[1]?.pages).toBeLessThanOrEqual(byKey)
    expect(body.meta).toMatchObject({ total: rows, lastPage: rows / 25 })
  })

  test('without a total: no COUNT, on no page', async () => {
    for (const query of ['', `page=${depth(0.1)}`, 'search=entry&sort=-views', 'filter[grade][from]=3']) {
      expect(kindsOf((await entries.ask('walked', query)).statements), query).toEqual(['list'])
    }
    expect(pagesOf(await entries.ask('walked', ''))).toBeLessThanOrEqual(byKey)
  })

  test.each(indexed)('sorted by %s: a cursor page costs the same anywhere, both ways', async (sort, most) => {
    const first = await entries.ask('walked', `sort=${sort}`)
    expect(pagesOf(first)).toBeLessThanOrEqual(most)
    for (const share of [0.1, 0.5, 0.9]) {
      // A page by its number gives a cursor at that depth.
      const { meta, data } = (await entries.ask('walked', `sort=${sort}&page=${depth(share)}`)).body
      for (const cursor of [meta.nextCursor, meta.prevCursor]) {
        const asked = await entries.ask('walked', `sort=${sort}&cursor=${cursor}`)
        expect(kindsOf(asked.statements)).toEqual(['list'])
        expect(pagesOf(asked), `at ${share}`).toBeLessThanOrEqual(most)
        expect(asked.body.data).toHaveLength(25)
        expect(asked.body.data.map(({ id }) => id)).not.toContain(data[0]?.id)
      }
      // A list that counts does not count for a cursor either.
      expect(kindsOf((await entries.ask('counted', `sort=${sort}&cursor=${meta.nextCursor}`)).statements)).toEqual(['list'])
    }
  })

  test.each(['-id', 'views', '-views'])('sorted by %s: a cursor is searched for in an index, and nothing is sorted', async (sort) => {
    const { meta } = (await entries.ask('walked', `sort=${sort}&page=3`)).body
    for (const cursor of [meta.nextCursor, meta.prevCursor]) {
      const { statements } = await entries.ask('walked', `sort=${sort}&cursor=${cursor}`)
      const plan = entries.plan(statements[0]?.sql as string)
      expect(plan).toContain('SEARCH entries USING')
      expect(plan).not.toContain('TEMP B-TREE')
    }
  })

  test('page=N is counted from the nearer end', async () => {
    const [early, middle, late, last] = [await ask(depth(0.1)), await ask(depth(0.5)), await ask(depth(0.9)), await ask(rows / 25)]
    expect(Math.abs(late - early)).toBeLessThanOrEqual(early * 0.1 + 2)
    expect(middle).toBeGreaterThan(3 * late)
    expect(last).toBeLessThanOrEqual(byKey)

    async function ask(page: number) {
      const asked = await entries.ask('counted', `page=${page}`)
      expect(kindsOf(asked.statements)).toEqual(['count', 'list'])
      expect(asked.body.data[0]?.id).toBe(rows - (page - 1) * 25)
      return pagesOf(asked)
    }
  })

  test.each(['-id', 'id'])('sorted by %s: the pages beside one far into the list cost what those of a cursor do', async (sort) => {
    // In the very middle it would change which end is counted from, and walk once.
    const middle = depth(0.4)
    for (const way of ['counted', 'walked', 'capped'] as const) {
      // Without a count a page has one row more, which says whether there is a next one: going back, it would be the wrong one.
      const back = way === 'counted' ? [middle - 1, middle - 2] : []
      const pages = [middle, middle + 1, middle + 2, ...back]
      const [here, ...beside] = await entries.walk(
        way,
        pages.map((page) => `sort=${sort}&page=${page}`),
      )
      for (const [i, asked] of beside.entries()) {
        expect(pagesOf(asked), `${way} ${pages[i + 1]}`).toBeLessThanOrEqual(byKey)
        // SQLite still has what it walked past, so that what it reads does not tell.
        expect(asked.statements.at(-1)?.sql).not.toContain('offset')
      }
      // As a panel that has to walk there reads them.
      for (const [i, asked] of [here, ...beside].entries())
        expect(keysOf(asked)).toEqual(keysOf(await entries.ask(way, `sort=${sort}&page=${pages[i]}`)))
    }
  })

  test('a capped count stops at its cap', async () => {
    const { statements, body } = await entries.ask('capped', '')
    expect(kindsOf(statements)).toEqual(['count', 'list'])
    // Ten thousand keys of an index.
    expect(statements[0]?.pages).toBeLessThanOrEqual(30)
    expect(body.meta.total).toBe(10_000)
    expect(body.meta.totalExact).toBe(rows > 10_000 ? false : undefined)
    const links = async (page: number) => (await entries.ask('capped', `page=${page}`)).body.links
    expect((await links(1)).next).not.toBeNull()
    // Beyond the cap nothing is counted: one row more tells whether there is another page.
    if (rows > 10_000) expect((await links(rows / 25 - 1)).next).toContain(`page=${rows / 25}`)
    expect((await links(rows / 25)).next).toBeNull()
    const exact = await entries.ask('capped', 'total=exact')
    expect(exact.body.meta.total).toBe(rows)
    expect(exact.body.meta).not.toHaveProperty('totalExact')
  })

  test('a list without pages: a short statement for each 500 rows, when they are asked for', async () => {
    const { first, all } = await entries.leave('sort=-views', 4)
    expect(first).toHaveLength(1)
    expect(all.length).toBeGreaterThan(1)
    expect(all.length).toBeLessThanOrEqual(6)
    for (const { sql } of all) expect(sql).not.toMatch(/count\(\*\) from "entries"/)
    for (const { pages } of all.slice(0, -1)) expect(pages).toBeLessThanOrEqual(2 * 500 + 6)
  })

  test('a list without pages that is read to its end: every row that is asked for, and their number', async () => {
    const { body } = await entries.ask('streamed', 'filter[views][lt]=1200&sort=-views')
    expect(body.data.map((row) => (row as { views?: number }).views)).toEqual(Array.from({ length: 1200 }, (_, i) => 1199 - i))
    expect(body.meta).toEqual({ total: 1200 })
  })
})

test('relations: one statement each, whatever the number of rows', async () => {
  const rows = Array.from({ length: 40 }, (_, i): Thing => ({ ...plain, id: i + 1, parent: (i % 7) + 1 }))
  const world = await openWorld('SQLite', rows)
  try {
    world.statements.length = 0
    expect((await world.get('things', 'include=above&perPage=40')).status).toBe(200)
    expect(world.statements).toHaveLength(3)
    world.statements.length = 0
    expect((await world.get('walks', 'include=above&perPage=2')).status).toBe(200)
    expect(world.statements).toHaveLength(2)
  } finally {
    await world.close()
  }
})

const plain = { name: 'n', notes: null, kind: null, rank: null, score: 1, mint: null, done: false, parent: null, day: null, at: null }

function kindsOf(statements: Asked['statements']): string[] {
  return statements.map(({ sql }) => (/^select count\(/i.test(sql) ? 'count' : 'list'))
}

const keysOf = (asked: Asked | undefined) => asked?.body.data.map(({ id }) => id) ?? []

/** What the list itself read. */
function pagesOf({ statements }: Asked): number {
  return statements.at(-1)?.pages as number
}
