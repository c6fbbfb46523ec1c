import { describe, expect, test } from 'vitest'
import { openWorld, type StoreName, stores, type Thing, type World } from './things.js'

const none = { name: null, notes: null, kind: null, rank: null, mint: null, parent: null, day: null, at: null }
const rows: readonly Thing[] = [
  {
    ...none,
    id: 1,
    name: 'Äpfel',
    notes: '100 % sweet_ones',
    kind: 'red',
    rank: 10,
    score: 0.5,
    mint: 9_007_199_254_740_993n,
    done: true,
    parent: 2,
    day: '2024-02-29',
    at: new Date('2024-02-29T12:00:00Z'),
  },
  {
    ...none,
    id: 2,
    name: 'äpfel',
    notes: "it's [not] sweet",
    kind: 'green',
    rank: 20,
    score: 1.5,
    mint: -9n,
    done: false,
    parent: 2,
    day: '2025-01-01',
    at: new Date('2025-01-01T00:00:00.001Z'),
  },
  { ...none, id: 3, name: 'Pears, two', kind: 'blue', rank: 30, score: -2, done: false, at: new Date(0) },
  { ...none, id: 4, score: 1.5, done: true },
]

/** A query as one would write it, and the keys that it gives, in their order. */
const answers: readonly (readonly [query: string, keys: readonly number[]])[] = [
  ['', [4, 3, 2, 1]],
  // Equals, and one of several.
  ['filter[name]=%C3%84pfel', [1]],
  ['filter[name][]=%C3%84pfel&filter[name][]=Pears%2C+two', [3, 1]],
  ['filter[name][0]=%C3%84pfel&filter[name][1]=Pears%2C+two', [3, 1]],
  ['filter[id]=3', [3]],
  ['filter[id][]=3&filter[id][]=4', [4, 3]],
  ['filter[rank]=20', [2]],
  ['filter[score]=1.5', [4, 2]],
  ['filter[mint]=9007199254740993', [1]],
  ['filter[done]=1', [4, 1]],
  ['filter[done]=true', [4, 1]],
  ['filter[done]=0', [3, 2]],
  ['filter[done]=false', [3, 2]],
  ['filter[kind]=green', [2]],
  ['filter[kind][]=green&filter[kind][]=blue', [3, 2]],
  ['filter[parent]=2', [2, 1]],
  ['filter[day]=2024-02-29', [1]],
  ['filter[at]=2024-02-29T12:00:00Z', [1]],
  ['filter[at]=2024-02-29T13:00:00%2B01:00', [1]],
  // Not: what has no value is not that value either.
  ['filter[name][ne]=%C3%84pfel', [4, 3, 2]],
  ['filter[id][ne]=4', [3, 2, 1]],
  ['filter[rank][ne]=20', [4, 3, 1]],
  ['filter[kind][ne]=red', [4, 3, 2]],
  ['filter[parent][ne]=2', [4, 3]],
  ['filter[day][ne]=2024-02-29', [4, 3, 2]],
  ['filter[at][ne]=1970-01-01T00:00:00Z', [4, 2, 1]],
  ['filter[mint][ne]=-9', [4, 3, 1]],
  // Greater and smaller; without a value it is neither.
  ['filter[rank][gt]=10', [3, 2]],
  ['filter[rank][gte]=10', [3, 2, 1]],
  ['filter[rank][lt]=30', [2, 1]],
  ['filter[rank][lte]=30', [3, 2, 1]],
  ['filter[rank][from]=20', [3, 2]],
  ['filter[rank][to]=20', [2, 1]],
  ['filter[rank][from]=15&filter[rank][to]=25', [2]],
  ['filter[score][lt]=0', [3]],
  ['filter[score][gt]=1e0', [4, 2]],
  ['filter[id][from]=2&filter[id][to]=3', [3, 2]],
  ['filter[mint][gt]=9007199254740992', [1]],
  ['filter[mint][lt]=0', [2]],
  ['filter[day][from]=2024-03-01', [2]],
  ['filter[day][to]=2024-02-29', [1]],
  ['filter[at][gt]=2025-01-01T00:00:00Z', [2]],
  ['filter[at][lte]=1970-01-01T00:00:00Z', [3]],
  ['filter[at][from]=2024-01-01T00:00:00Z&filter[at][to]=2024-12-31T23:59:59Z', [1]],
  // Text: whatever the case, beyond ASCII too; no character is a pattern.
  ['filter[name][contains]=%C3%84PF', [2, 1]],
  ['filter[name][contains]=,%20t', [3]],
  ['filter[name][startsWith]=%C3%A4', [2, 1]],
  ['filter[name][startsWith]=pfel', []],
  ['filter[notes][contains]=%25', [1]],
  ['filter[notes][contains]=_', [1]],
  ['filter[notes][contains]=*', []],
  ['filter[notes][contains]=[not]', [2]],
  ["filter[notes][contains]='", [2]],
  // Without a value, with one.
  ['filter[name][null]=1', [4]],
  ['filter[name][null]=true', [4]],
  ['filter[name][null]=0', [3, 2, 1]],
  ['filter[rank][null]=false', [3, 2, 1]],
  ['filter[day][null]=1', [4, 3]],
  ['filter[kind][null]=1&filter[done]=1', [4]],
  ['filter[done][null]=1', []],
  // All of them must hold. An empty value means that nothing was given.
  ['filter[score]=1.5&filter[done]=1', [4]],
  ['filter[name]=&filter[rank][gt]=&search=&sort=&query-tag=&page=&cursor=', [4, 3, 2, 1]],
  // Any of them is enough: the ends of a range are one, several values too.
  ['filter[rank]=10&filter[name][null]=1&match=any', [4, 1]],
  ['filter[rank][from]=15&filter[rank][to]=25&match=any', [2]],
  ['filter[rank][from]=15&filter[rank][to]=25&filter[kind]=red&match=any', [2, 1]],
  ['filter[rank][gt]=25&filter[rank][null]=1&match=any', [4, 3]],
  ['filter[kind][]=green&filter[kind][]=blue&filter[day]=2024-02-29&match=any', [3, 2, 1]],
  ['filter[name][contains]=pears&filter[name][startsWith]=%C3%A4&match=any', [3, 2, 1]],
  ['filter[day][null]=1&filter[score]=1.5&search=pears&match=any', [3]],
  ['filter[rank]=10&filter[kind]=green&query-tag=open&match=any', [2]],
  ['filter[rank]=10&filter[name][null]=1&match=all', []],
  ['filter[rank]=10&filter[name][null]=1&match=', []],
  ['filter[rank]=10&filter[kind]=&match=any', [1]],
  ['match=any', [4, 3, 2, 1]],
  ['match=any&search=sweet_', [1]],
  // Search: every word in some searchable field.
  ['search=apfel', []],
  ['search=%C3%84PFEL+sweet', [2, 1]],
  ['search=sweet_', [1]],
  ['search=two%20pears', [3]],
  ['search=%20%20', [4, 3, 2, 1]],
  ['query-tag=open', [3, 2]],
  ['query-tag=open&search=pears', [3]],
  // Order: nulls last whatever the direction, the key breaks ties in the direction of the step before it.
  ['sort=id', [1, 2, 3, 4]],
  ['sort=rank', [1, 2, 3, 4]],
  ['sort=-rank', [3, 2, 1, 4]],
  ['sort=score', [3, 1, 2, 4]],
  ['sort=-score', [4, 2, 1, 3]],
  ['sort=done,-rank', [3, 2, 1, 4]],
  ['sort=-done,rank', [1, 4, 2, 3]],
  ['sort=name', [3, 1, 2, 4]],
  ['sort=-mint', [1, 2, 4, 3]],
  ['sort=day,-id', [1, 2, 4, 3]],
  ['sort=rank,rank', [1, 2, 3, 4]],
  // Pages.
  ['perPage=3', [4, 3, 2]],
  ['perPage=3&page=2', [1]],
  ['perPage=3&page=3', []],
  ['perPage=2&page=2&sort=id', [3, 4]],
]

describe.each(Object.keys(stores) as StoreName[])('over %s', (store) => {
  test.each(answers)('%s', async (query, keys) => {
    await using(store, async (world) => {
      const { data, meta } = await answer(world, query)
      expect(data.map(({ id }: { id: number }) => id)).toEqual(keys)
      if (!query.includes('page=')) expect(meta.total).toBe(/perPage=/.test(query) ? 4 : keys.length)
    })
  })

  test('fields, and the record of a relation', async () => {
    await using(store, async (world) => {
      expect((await answer(world, 'fields=name,done&filter[id]=3')).data).toEqual([{ id: 3, name: 'Pears, two', done: false }])
      const [one] = (await answer(world, 'fields=parent&include=above&filter[id]=1')).data
      expect(one).toMatchObject({ id: 1, parent: 2, above: { id: 2, label: 'äpfel', rank: 20 } })
      expect((await answer(world, 'include=above&filter[id]=4')).data[0].above).toBeNull()
    })
  })

  test('the page without JavaScript holds the same rows, and says which filters are on', async () => {
    await using(store, async (world) => {
      const path = `${world.panel.route('crud.index', { resource: 'things' })}?filter[rank][from]=15&sort=name&search=pears`
      const page = await (await world.panel.fetch(new Request(`http://localhost${path}`))).text()
      expect(page).toContain('Pears, two')
      expect(page).not.toContain('Äpfel')
      expect(page).toContain('value="15"')
      expect(page).toContain('value="pears"')
    })
  })
})

async function using(store: StoreName, work: (world: World) => Promise<void>): Promise<void> {
  const world = await openWorld(store, rows)
  try {
    await work(world)
  } finally {
    await world.close()
  }
}

async function answer(world: World, query: string) {
  const { status, body } = await world.get('things', query)
  expect(status, body).toBe(200)
  return JSON.parse(body)
}
