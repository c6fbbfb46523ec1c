import { chart, date, dateTime, definePage, definePanel, defineResource, groups, id } from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
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
