import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { date, dateTime, definePanel, defineResource, id, number, select } from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, describe, expect, test } from 'vitest'
import { Sqlite } from '../support/sqlite.js'

const counts = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'] as const
const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  state: text({ enum: ['new', 'in_review'] }),
  tags: text({ mode: 'json' }).$type<string[]>(),
  born: text(),
  at: integer({ mode: 'timestamp_ms' }),
  ...(Object.fromEntries(counts.map((name) => [name, integer(name)])) as Record<(typeof counts)[number], ReturnType<typeof integer>>),
})
const folder = mkdtempSync(join(tmpdir(), 'daymark-filters-'))
const file = join(folder, 'orders.db')
const db = new Sqlite(file)
db.exec(`create table orders (id integer primary key, state text, tags text, born text, at integer, ${counts.map((name) => `${name} integer`)});
  insert into orders (id, state, tags, born) values (1, 'in_review', '["red"]', '2011-01-01'), (2, 'new', null, null), (3, 'new', '["blue", "red"]', null), (4, 'new', '["blue", "gone"]', null)`)
db.close()
const fields = {
  id: id(),
  state: select('State').sortable(),
  tags: select('Tags').options(['red', 'blue']).multiple(),
  born: date('Born'),
  at: dateTime('At'),
  ...(Object.fromEntries(counts.map((name) => [name, number().sortable()])) as Record<(typeof counts)[number], ReturnType<typeof number>>),
}
const panelIn = (locale: string, timeZone: string) =>
  definePanel({
    auth: 'open',
    database: `sqlite:${file}`,
    locale,
    timeZone,
    resources: [
      defineResource({
        model: orders,
        fields,
        filters: ['state', 'tags', 'born', 'at', 'a'],
        queryTags: { reds: { label: 'Reds', where: { tags: { has: 'red' } } } },
      }),
    ],
  })
const [english, german, arabic] = [panelIn('en', 'UTC'), panelIn('de-DE', 'Europe/Berlin'), panelIn('ar', 'UTC')]
afterAll(async () => {
  await Promise.all([english, german, arabic].map((panel) => panel.close()))
  rmSync(folder, { recursive: true, force: true })
})

const ask = async (panel: typeof english, query: string, accept = 'application/json') => {
  const answer = await panel.fetch(new Request(`http://localhost/admin/resource/orders/crud?${query}`, { headers: { accept } }))
  const text = await answer.text()
  return { status: answer.status, text, json: accept === 'application/json' ? JSON.parse(text) : null }
}
const chips = async (panel: typeof english, query: string) => {
  const { text } = await ask(panel, query, 'text/html')
  const shown = (written: string) => written.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))).replaceAll('\u202f', ' ')
  return [...text.matchAll(/class="chip[^>]*>(?:<span[^>]*>)?([^<]+)/g)].map(([, words = '']) => shown(words))
}

describe('several values in one field', () => {
  const found = async (query: string) => (await ask(english, `${query}&sort=id`)).json.data.map(({ id }: { id: number }) => id)

  test('are filtered by one of them and by whether there are any, and by nothing else', async () => {
    expect(await found('filter[tags][contains]=red')).toEqual([1, 3])
    expect(await found('filter[tags][contains]=blue')).toEqual([3, 4])
    expect(await found('query-tag=reds')).toEqual([1, 3])
    expect(await found('filter[tags][null]=1')).toEqual([2])
    expect(await found('filter[tags][null]=0')).toEqual([1, 3, 4])
    // A text that is not an option is one that may have been: the whole of it is looked for, and nothing is taken for a list.
    expect(await found('filter[tags][contains]=re')).toEqual([])
    expect(await found('filter[tags][contains]=%5B%22red%22%5D')).toEqual([])
    for (const query of [
      'filter[tags]=red',
      'filter[tags][ne]=red',
      'filter[tags]=%5B%22red%22%5D',
      'filter[tags][]=red',
      'filter[tags][contains]=red&filter[tags][contains]=blue',
    ])
      expect([query, (await ask(english, query)).status]).toEqual([query, 422])
  })

  test('a filter that is written as none is named as it is written', async () => {
    const { json } = await ask(english, 'filter[tags][contains][]=red')
    expect(Object.values(json.errors).flat()).toEqual(['Cannot filter by "filter[tags][contains][]". Filters: state, tags, born, at, a'])
  })

  test('have a control that asks for one of them, and a chip that says it in words', async () => {
    const { status, text } = await ask(english, 'filter[tags][contains]=red', 'text/html')
    expect(status).toBe(200)
    expect(text).toContain('name="filter[tags][contains]"')
    expect(text).toContain('<option value="red" selected>Red</option>')
    expect(text).not.toContain('name="filter[tags]"')
    expect(await chips(english, 'filter[tags][contains]=red')).toEqual(['Tags: Red'])
    expect((await ask(english, 'filter[tags][contains]=green', 'text/html')).status).toBe(200)
  })

  test('that are no list are refused where they are sent', async () => {
    const answer = await english.fetch(
      new Request('http://localhost/admin/resource/orders/crud/1', {
        method: 'PUT',
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: 'tags=%7Bnot',
      }),
    )
    expect([answer.status, Object.keys(((await answer.json()) as { errors: object }).errors)]).toEqual([422, ['tags']])
  })
})

test('a chip says what a cell would, in the words of the panel', async () => {
  const query = 'filter[state]=in_review&filter[born][from]=2010-01-31&filter[at][to]=2024-02-01T10:00&filter[a][from]=1234'
  expect(await chips(english, query)).toEqual(['State: In review', 'Born ≥ Jan 31, 2010', 'At ≤ Feb 1, 2024, 10:00 AM', 'A ≥ 1,234'])
  expect(await chips(german, query)).toEqual(['State: In review', 'Born ≥ 31.01.2010', 'At ≤ 01.02.2024, 10:00', 'A ≥ 1.234'])
})

test('what runs from right to left in a chip leaves the order of what is beside it', async () => {
  expect(await chips(arabic, 'filter[born][from]=2026-01-01')).toEqual(['\u2068Born\u2069 ≥ \u206801\u200f/01\u200f/2026\u2069'])
  expect(await chips(english, 'filter[tags][contains]=أحمر')).toEqual(['\u2068Tags\u2069: \u2068أحمر\u2069'])
  expect(await chips(arabic, 'filter[a][from]=5')).toEqual(['A ≥ 5'])
})

test('a list is sorted by eight fields at most, which any database reads', async () => {
  const sort = (count: number) => counts.slice(0, count).map((name, i) => (i % 2 === 0 ? name : `-${name}`))
  expect((await ask(english, `sort=${sort(8)}&perPage=1&page=2`)).status).toBe(200)
  const { status, json } = await ask(english, `sort=${sort(9)}`)
  expect([status, json.errors]).toEqual([422, { sort: ['Sort by at most 8 fields'] }])
  expect((await ask(english, `sort=${sort(9)}`, 'text/html')).status).toBe(200)
})

describe('a day, and a time, of clocks that move', () => {
  const havana = panelIn('en', 'America/Havana')
  afterAll(() => havana.close())

  test.each([
    ['without a midnight', '2026-03-08'],
    ['with two', '2026-11-01'],
  ])('a day %s begins at its first instant', async (_, day) => {
    for (const operator of ['from', 'to', 'gt', 'eq']) expect((await ask(havana, `filter[at][${operator}]=${day}`)).status).toBe(200)
  })

  test.each([
    ['skip', '2026-03-08T00:30', 'the clocks in America/Havana skip this time. Choose 2026-03-07T23:30 or 2026-03-08T01:30'],
    [
      'show twice',
      '2026-11-01T00:30',
      'the clocks in America/Havana show this time twice. Write 2026-11-01T00:30-04:00 or 2026-11-01T00:30-05:00',
    ],
  ])('a time that they %s is refused with both that may be meant', async (_, time, words) => {
    const { status, json } = await ask(havana, `filter[at][from]=${time}`)
    expect([status, Object.values(json.errors).flat()]).toEqual([422, [`At: ${words}`]])
    expect((await ask(havana, `filter[at][from]=${time}`, 'text/html')).text).toContain(words)
  })
})
