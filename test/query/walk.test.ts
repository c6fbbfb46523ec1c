import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { filters, match, order, queryText, row, rows } from './arbitrary.js'
import { evaluate } from './evaluate.js'
import { openWorld, type StoreName, stores, type Thing, type World } from './things.js'

/** What happens behind the back of somebody who walks through a list. */
type Change = { readonly add: Thing } | { readonly removeOne: number }

// Which row goes is picked among those that are there.
const change: fc.Arbitrary<Change> = fc.oneof(
  row().map((add) => ({ add })),
  fc.nat(60).map((removeOne) => ({ removeOne })),
)

describe.each(Object.keys(stores) as StoreName[])('over %s', (store) => {
  test('a walk by cursor visits each row once, forwards and backwards', async () => {
    const perPage = fc.integer({ min: 1, max: 7 })
    const visits = fc.asyncProperty(rows, filters, order, perPage, match, async (all, filters, order, perPage, match) => {
      const world = await openWorld(store, all)
      try {
        const wanted = evaluate(all, filters, '', order, match)
        const query = queryText(filters, '', order, { perPage, match })
        const there = await walk(world, query, 'next')
        expect(
          there.flatMap(({ keys }) => keys),
          query,
        ).toEqual(wanted)
        expect(
          there.every(({ keys }, i) => keys.length === perPage || i === there.length - 1),
          query,
        ).toBe(true)
        const back = await walk(world, there.at(-1)?.prev ?? null, 'prev')
        expect([...back.map(({ keys }) => keys).reverse(), there.at(-1)?.keys ?? []].flat(), query).toEqual(wanted)
        // Page by page it is the same list.
        const pages: number[][] = []
        for (let page = 1; page <= there.length; page++) pages.push((await read(world, `${query}&page=${page}`)).keys)
        expect(pages, query).toEqual(there.map(({ keys }) => keys))
      } finally {
        await world.close()
      }
    })
    await fc.assert(visits, { numRuns: 100 })
  }, 60_000)

  test('while rows come and go, a row that is there throughout is visited once, each way', async () => {
    const changes = fc.array(fc.array(change, { maxLength: 3 }), { minLength: 1, maxLength: 12 })
    const perPage = fc.integer({ min: 1, max: 5 })
    const visits = fc.asyncProperty(rows, order, perPage, changes, async (all, order, perPage, changes) => {
      const world = await openWorld(store, all)
      try {
        const throughout = new Map(all.map((one) => [one.id, one]))
        const now = new Set(throughout.keys())
        let turn = 0
        const disturb = async () => {
          for (const one of changes[turn++] ?? []) {
            if ('add' in one) {
              if (now.has(one.add.id)) continue
              await world.add(one.add)
              now.add(one.add.id)
            } else if (now.size > 0) {
              const key = [...now][one.removeOne % now.size] as number
              await world.remove(key)
              now.delete(key)
              // It may come back under its key, behind the walker.
              throughout.delete(key)
            }
          }
        }
        const query = queryText([], '', order, { perPage })
        const there = await walk(world, query, 'next', disturb)
        expect(seen(there, throughout)).toEqual(evaluate([...throughout.values()], [], '', order))
        const back = await walk(world, there.at(-1)?.prev ?? null, 'prev', disturb)
        const last = new Set(there.at(-1)?.keys)
        const others = [...throughout.values()].filter(({ id }) => !last.has(id))
        expect(seen(back.toReversed(), throughout), query).toEqual(evaluate(others, [], '', order))
      } finally {
        await world.close()
      }
    })
    await fc.assert(visits, { numRuns: 150 })
  }, 60_000)

  test('where all that was left has gone, the page is empty and leads back', async () => {
    const world = await openWorld(
      store,
      fc.sample(
        rows.filter((all) => all.length > 3),
        { numRuns: 1, seed: 7 },
      )[0] ?? [],
    )
    try {
      const keys = (await read(world, 'sort=id&perPage=100')).keys
      const most = keys.length - 1
      const first = await read(world, `sort=id&perPage=${most}`)
      await world.remove(keys.at(-1) as number)
      const empty = await read(world, first.next as string)
      expect(empty).toMatchObject({ keys: [], next: null })
      const last = await read(world, empty.prev as string)
      expect(last).toMatchObject({ keys: keys.slice(0, -1), next: null, prev: null })
      // Far behind the end by number, too.
      expect((await read(world, (await read(world, `sort=id&perPage=${most}&page=9`)).prev as string)).keys).toEqual(last.keys)
      // And the other way.
      const back = await read(world, `sort=-id&perPage=${most - 1}`)
      const one = await read(world, back.next as string)
      for (const key of back.keys) await world.remove(key)
      const none = await read(world, one.prev as string)
      expect(none).toMatchObject({ keys: [], prev: null })
      expect((await read(world, none.next as string)).keys).toEqual(one.keys)
    } finally {
      await world.close()
    }
  })
})

interface Read {
  readonly keys: number[]
  readonly next: string | null
  readonly prev: string | null
}

/** The keys of these rows in the order in which they were seen. */
function seen(pages: readonly Read[], rows: ReadonlyMap<number, Thing>): number[] {
  return pages.flatMap(({ keys }) => keys).filter((key) => rows.has(key))
}

/** All pages from a query on, by the links that each gives. */
async function walk(world: World, from: string | null, way: 'next' | 'prev', between = async () => {}): Promise<Read[]> {
  const pages: Read[] = []
  for (let query = from; query !== null; ) {
    const page = await read(world, query)
    pages.push(page)
    query = page[way]
    await between()
    if (pages.length > 200) throw new Error('The walk does not end')
  }
  return pages
}

async function read(world: World, query: string): Promise<Read> {
  const { status, body } = await world.get('walks', query)
  expect(status, `${query}\n${body}`).toBe(200)
  const { data, meta, links } = JSON.parse(body)
  expect(links.next === null, 'a link for each cursor').toBe(meta.nextCursor === null)
  return { keys: data.map(({ id }: { id: number }) => id), next: queryOf(links.next), prev: queryOf(links.prev) }
}

function queryOf(link: string | null): string | null {
  return link === null ? null : link.slice(link.indexOf('?') + 1)
}
