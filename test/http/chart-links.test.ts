import { chart, date, dateTime, definePage, definePanel, defineResource, groups, id, number } from 'daymark'
import { integer, numeric, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { testPanel } from '../../src/testing.js'

const things = sqliteTable('things', { id: integer().primaryKey(), day: text(), at: integer({ mode: 'timestamp_ms' }) })
const db = new Libsql(':memory:')
db.exec('create table things (id integer primary key, day text, at integer)')
// Days as others may have stored them.
for (const day of ['2026-10-30', '2026-10-31', '2026-10-31 23:59:59', '2026-10-31T10:00', '2026-11-01', '2026-11-01 00:00:00'])
  db.prepare('insert into things (day) values (?)').run(day)
const Things = defineResource({
  model: things,
  fields: { id: id(), day: date('Day'), at: dateTime('At') },
  filters: ['day', 'at'],
})
const panelOf = (...components: Parameters<typeof definePage>[0]['components'][number][]) =>
  definePanel({
    auth: 'open',
    database: { $client: db },
    resources: [Things],
    pages: [definePage({ uri: 'all', title: 'All', components })],
    timeZone: 'Europe/Berlin',
  })

beforeAll(() => void vi.useFakeTimers({ now: Date.parse('2026-11-01T12:00:00Z'), toFake: ['Date'] }))
afterAll(() => void vi.useRealTimers())

/** The groups of a chart: its label, its number, and the list that it leads to. */
async function groupsOf(app: ReturnType<typeof testPanel>) {
  const { text: shown } = await app.html.get('/admin/page/all')
  const rows = shown.matchAll(
    /<tr><th scope="row"><a href="([^"]+)">([^<]*)<\/a><\/th>(?:<td class="bar".*?<\/td>)?<td class="number">([^<]*)/g,
  )
  return [...rows].map(([, href = '', label, number]) => ({ label, number: Number(number), href: href.replaceAll('&amp;', '&') }))
}

test.each(['day', 'month'] as const)('the list of a %s has the records of its group, however their days are written', async (every) => {
  const app = testPanel(
    panelOf(chart({ name: 'one', label: 'One', type: 'bar', data: groups.count(Things, { by: 'day', every, last: 2 }) })),
  )
  const found = await groupsOf(app)
  expect(found.map(({ number }) => number)).toEqual(every === 'day' ? [3, 2] : [4, 2])
  for (const { href, number } of found) expect((await app.get(href)).json()).toMatchObject({ meta: { total: number } })
})

test('a list by times has the same records for a program, whose time zone is another', async () => {
  const panel = panelOf(
    chart({ name: 'one', label: 'One', type: 'bar', data: groups.count(Things, { by: 'at', every: 'month', last: 2 }) }),
  )
  db.exec('update things set at = null')
  for (const [index, at] of [
    '2026-09-30T22:30Z',
    '2026-10-01T02:00Z',
    '2026-10-31T23:30Z',
    '2026-11-01T02:00Z',
    '2026-11-01T05:30Z',
  ].entries())
    db.prepare('update things set at = ? where id = ?').run(Date.parse(at), index + 1)
  const app = testPanel(panel)
  const [october, november] = await groupsOf(app)
  expect([october?.number, november?.number]).toEqual([2, 3])
  expect(decodeURIComponent(november?.href ?? '')).toBe(
    '/admin/resource/things/crud?filter[at][from]=2026-11-01T00:00+01:00&filter[at][lt]=2026-12-01T00:00+01:00',
  )
  const elsewhere = testPanel(definePanel({ auth: 'open', database: { $client: db }, resources: [Things], timeZone: 'America/New_York' }))
  for (const { href, number } of [october, november].flatMap((one) => one ?? []))
    expect((await elsewhere.get(href)).json()).toMatchObject({ meta: { total: number } })
})

test('a time that is typed into a filter is in the links of its list with its offset, and in its control without', async () => {
  const { text: shown } = await testPanel(panelOf()).html.get(
    '/admin/resource/things/crud?filter[at][from]=2026-11-01T06:30&filter[at][to]=2026-11-02',
  )
  expect(shown).toContain('value="2026-11-01T06:30"')
  expect(shown).toContain('value="2026-11-02T00:00"')
  const href = /data-address="([^"]*)"/.exec(shown)?.[1] ?? ''
  expect(decodeURIComponent(href.replaceAll('&amp;', '&'))).toBe(
    '/admin/resource/things/crud?filter[at][from]=2026-11-01T06:30+01:00&filter[at][to]=2026-11-02T00:00+01:00',
  )
  const exported = [...shown.matchAll(/href="([^"]*\/export[^"]*)"/g)].map(([, to = '']) => decodeURIComponent(to.replaceAll('&amp;', '&')))
  expect(exported.length).toBeGreaterThan(0)
  for (const one of exported) expect(one).toContain('filter[at][from]=2026-11-01T06:30+01:00')
})

test('a time that the clocks show twice, or skip, stays as it is typed', async () => {
  for (const time of ['2026-10-25T02:30', '2026-03-29T02:30', 'yesterday'])
    expect((await testPanel(panelOf()).html.get(`/admin/resource/things/crud?filter[at][from]=${time}`)).text).toContain('notice warn')
})

test('a number of many digits leads to its own records, or nowhere', async () => {
  const sums = sqliteTable('sums', { id: integer().primaryKey(), cents: integer(), whole: integer(), big: numeric({ mode: 'bigint' }) })
  const all = [1_234_567_890_123_456n, 9_007_199_254_740_990n, 9_007_199_254_740_991n]
  db.exec('create table sums (id integer primary key, cents integer, whole integer, big numeric)')
  for (const one of all) db.exec(`insert into sums (cents, whole, big) values (${one}, ${one}, ${one + 1000n})`)
  const Sums = defineResource({
    model: sums,
    fields: { id: id(), cents: number('Cents').currency('EUR', { minor: true }), whole: number('Whole'), big: number('Big') },
    filters: ['cents', 'whole', 'big'],
  })
  const components = (['cents', 'whole', 'big'] as const).map((by) =>
    chart({ name: by, label: by, data: groups.count(Sums, { by, order: 'group' }) }),
  )
  const app = testPanel(
    definePanel({
      auth: 'open',
      database: { $client: db },
      resources: [Sums],
      pages: [definePage({ uri: 'all', title: 'All', components })],
    }),
  )
  const found = await groupsOf(app)
  const asked = found.map(({ href }) => decodeURIComponent(href).replace('/admin/resource/sums/crud?', ''))
  // Of amounts in an integer column, fifteen digits are kept, and of sixteen those that a double has.
  const amounts = ['filter[cents]=12345678901234.56', 'filter[cents]=90071992547409.90']
  expect(asked).toEqual([...amounts, ...all.map((one) => `filter[whole]=${one}`), ...all.map((one) => `filter[big]=${one + 1000n}`)])
  for (const [index, { href }] of found.entries()) {
    const { data } = (await app.html.get(href, { headers: { accept: 'application/json' } })).json() as { data: readonly { id: number }[] }
    expect(data.map(({ id }) => id)).toEqual([[1, 2, 1, 2, 3, 1, 2, 3][index]])
  }
})
