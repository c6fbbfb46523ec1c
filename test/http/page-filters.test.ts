import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  allOf,
  anyOf,
  belongsTo,
  chart,
  DeclarationError,
  dateTime,
  definePage,
  definePanel,
  defineResource,
  figure,
  groups,
  id,
  memoryStore,
  metric,
  not,
  number,
  pageFilter,
  select,
  tableBuilder,
  text,
  valuesOf,
} from 'daymark'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'
import { Sqlite } from '../support/sqlite.js'

const companies = sqliteTable('companies', { id: integer().primaryKey(), name: varchar().notNull() })
const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  status: varchar({ enum: ['open', 'paid', 'late'] }),
  companyId: integer('company_id').references(() => companies.id),
  total: real().notNull(),
  at: integer({ mode: 'timestamp_ms' }).notNull(),
})
const day = 86_400_000
const [today] = [Date.parse(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`)]
const text10 = (time: number) => new Date(time).toISOString().slice(0, 10)
const ago = (days: number) => new Date(today - days * day)

const Companies = defineResource({
  model: memoryStore(companies, [
    { id: 1, name: 'Anvil' },
    { id: 2, name: 'Bolt & Sons' },
  ]),
  fields: { id: id(), name: text('Name') },
})
const Orders = defineResource({
  model: memoryStore(orders, [
    { id: 1, status: 'open', companyId: 1, total: 1, at: ago(0) },
    { id: 2, status: 'paid', companyId: 1, total: 10, at: ago(3) },
    { id: 3, status: 'paid', companyId: 2, total: 100, at: ago(10) },
    { id: 4, status: 'late', companyId: 2, total: 1000, at: ago(40) },
    { id: 5, status: null, companyId: null, total: 10_000, at: ago(400) },
  ]),
  fields: {
    id: id(),
    status: select('Status').tones({ paid: 'good', late: 'bad' }),
    companyId: belongsTo('Company', companies),
    total: number('Total'),
    at: dateTime('At'),
  },
  filters: ['status', 'companyId', 'at'],
})
const period = pageFilter.period({ initial: 'last-7-days', options: ['today', 'last-7-days', 'last-30-days', 'this-year'] })
const status = pageFilter.of(Orders, 'status')
const company = pageFilter.of(Orders, 'companyId', { label: 'Customer' })
const within = { at: { within: period } } as const

const sales = definePage({
  uri: 'sales',
  title: 'Sales',
  filters: { period, status, company },
  components: [
    metric({
      name: 'total',
      label: 'Total',
      value: figure.sum(Orders, 'total', { ...within, status, companyId: company }),
      before: { value: figure.sum(Orders, 'total', { at: { within: period.before } }) },
    }),
    metric({ name: 'orders', label: 'Orders', value: figure.count(Orders, { ...within, status }), link: Orders }),
    metric({
      name: 'own',
      label: 'Own',
      value: ({ chosen }) => {
        const [days, before] = [chosen(period), chosen(period.before)]
        return `${text10(Number(days?.from))} ${text10(Number(days?.until))} ${text10(Number(before?.from))} ${chosen(status)}`
      },
    }),
    chart({ name: 'by-status', label: 'By status', data: groups.count(Orders, { by: 'status', where: within }) }),
    chart({ name: 'days', label: 'A day', data: groups.count(Orders, { by: 'at', within: period, where: { status } }) }),
    tableBuilder(Orders, { name: 'orders-table', columns: ['id', 'status'], where: { ...within, status }, sort: 'id', perPage: 1 }),
  ],
})
const panel = definePanel({ auth: 'open', resources: [Orders, Companies], pages: [sales] })
const asked = testPanel(panel)
const get = async (query: string) => (await asked.get(`/admin/page/sales${query}`)).json() as Record<string, never>
const page = async (query: string) => (await asked.get(`/admin/page/sales${query}`, { headers: { accept: 'text/html' } })).text

interface Answer {
  readonly data: {
    readonly total: { readonly value: number; readonly before?: number }
    readonly orders: { readonly value: number }
    readonly own: { readonly value: string }
    readonly 'by-status': { readonly groups: readonly { readonly value: string }[] }
    readonly days: { readonly groups: readonly object[]; readonly series: readonly { readonly values: readonly number[] }[] }
    readonly 'orders-table': { readonly data: readonly { readonly id: number }[]; readonly meta: { readonly total: number } }
  }
  readonly filters: unknown
}
const answer = async (query = '') => (await get(query)) as unknown as Answer

test('a chart without data says of which days it has none', async () => {
  const none = async (query: string) =>
    [...(await page(query)).matchAll(/<p class="nothing">(.*?)<\/p>/g)].map(([, words = '']) =>
      words.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))).replaceAll('\u2009', ' '),
    )
  const days = 'Jan 2 – 5, 2001'
  // Of groups by values, the condition says it; of periods, they are it.
  expect((await none('?period[from]=2001-01-02&period[to]=2001-01-05')).filter((one) => one.includes('2001'))).toEqual([
    `No data: ${days}`,
    `No data: ${days}`,
  ])
})

test('a page begins with the period that it declares, and says what is chosen', async () => {
  const { data, filters } = await answer()
  expect(filters).toEqual({
    period: { within: 'last-7-days', from: text10(today - 6 * day), to: text10(today) },
    status: null,
    company: null,
  })
  expect(data.total).toEqual({ label: 'Total', value: 11, before: 100 })
  expect(data.orders.value).toBe(2)
  expect(data['orders-table'].meta.total).toBe(2)
  expect(data['by-status'].groups.map(({ value }) => value).sort()).toEqual(['open', 'paid'])
  expect(data.days.groups).toHaveLength(7)
  expect(data.days.series[0]?.values).toEqual([0, 0, 0, 1, 0, 0, 1])
  expect(data.own.value).toBe(`${text10(today - 6 * day)} ${text10(today + day)} ${text10(today - 13 * day)} null`)
})

test('the URL chooses a ready period, or days, and a value', async () => {
  expect((await answer('?period=last-30-days')).data.total).toMatchObject({ value: 111, before: 1000 })
  const days = await answer(`?period[from]=${text10(today - 10 * day)}&period[to]=${text10(today - 3 * day)}&status=paid`)
  expect(days.filters).toEqual({
    period: { within: null, from: text10(today - 10 * day), to: text10(today - 3 * day) },
    status: 'paid',
    company: null,
  })
  expect(days.data.total.value).toBe(110)
  expect(days.data.days.series[0]?.values).toEqual([1, 0, 0, 0, 0, 0, 0, 1])
  expect(days.data.own.value).toBe(`${text10(today - 10 * day)} ${text10(today - 2 * day)} ${text10(today - 18 * day)} paid`)
  expect((await answer(`?period[from]=${text10(today - 41 * day)}&company=2`)).data.total.value).toBe(1100)
})

test('a long period is divided by longer ones, and only its own days count', async () => {
  const { data } = await answer(`?period[from]=${text10(today - 400 * day)}`)
  expect(data.days.groups.length).toBeGreaterThanOrEqual(14)
  expect(data.days.groups.length).toBeLessThanOrEqual(15)
  expect(data.days.groups[0]).toMatchObject({ from: `${text10(today - 400 * day)}T00:00:00.000Z` })
  expect(data.days.groups.at(-1)).toMatchObject({ until: `${text10(today + day)}T00:00:00.000Z` })
  expect(data.days.series[0]?.values.reduce((sum, value) => sum + value, 0)).toBe(5)
  expect((await answer('?period=today')).data.days.groups).toHaveLength(24)
})

test.each([
  ['?period=never', 'period', 'Period must be one of: today, last-7-days, last-30-days, this-year'],
  ['?period=last-month', 'period', 'Period must be one of: today, last-7-days, last-30-days, this-year'],
  ['?period=today&period=last-7-days', 'period', '"period" may be given only once'],
  ['?period[from]=2026-02-30', 'period[from]', 'From must be a date: YYYY-MM-DD'],
  ['?period[from]=0001-01-01', 'period[from]', 'From must be a date: YYYY-MM-DD'],
  ['?period[from]=2026-02-01&period[to]=2026-01-01', 'period[to]', 'The last day is before the first one'],
  ['?period[to]=2026-01-01', 'period[from]', 'Choose the first day, too'],
  ['?period=today&period[from]=2026-01-01', 'period', 'Use either "period" or "period[from]" and "period[to]", not both'],
  ['?status=lost', 'status', 'Status must be one of: open, paid, late'],
  ['?company=x', 'company', 'Customer is not a record key'],
  ['?perid=today', 'perid', 'Unknown parameter "perid". Valid: period, period[from], period[to], status, company, orders-table[…]'],
])('programs are told what is wrong with %s', async (query, name, said) => {
  const answer = await asked.get(`/admin/page/sales${query}`)
  expect(answer.status).toBe(422)
  expect((answer.json() as { readonly errors: unknown }).errors).toEqual({ [name]: [said] })
})

test('a page leaves out what is wrong, says so where it is chosen, and keeps what was typed', async () => {
  const shown = await page('?period[from]=2026-02-01&period[to]=2026-01-01')
  expect(shown).toContain('The last day is before the first one')
  expect(shown).toMatch(/id="filter-period\[to\]" name="period\[to\]" value="2026-01-01" aria-invalid="true"/)
  expect(shown).toMatch(/<details class="filter" name="page-filter" id="page-filter-period" open>/)
  expect(shown).toContain('Period: Last 7 days')
})

test('a page calls its periods as its people read them, and names each filter that is wrong', async () => {
  const shown = await page('?period=never&status=paid')
  expect(shown).toContain('Period must be one of: Today, Last 7 days, Last 30 days, This year')
  expect(await page('?period=today&period[from]=2026-01-01')).toContain(
    'Use either &quot;Period&quot; or &quot;From&quot; and &quot;To&quot;',
  )
  // One is open where it is wrong; of several, only one can be.
  const notices = (text: string) => [...text.matchAll(/<div class="notice warn"[^>]*>(.*?)<\/div>/gs)].map(([, inside]) => inside)
  expect(notices(shown)).toEqual([])
  const [both] = notices(await page('?period[from]=2026-02-01&period[to]=2026-01-01&status=lost'))
  expect(both).toMatch(/The last day is before the first one.*Status must be one of: open, paid, late/s)
})

test('the bar says what is chosen, by words and by days, and its links and forms keep the rest', async () => {
  const shown = await page('?status=paid&company=2&orders-table[page]=2&orders-table[sort]=-id')
  expect(shown).toContain('Status: Paid')
  expect(shown).toContain('Customer: Bolt &amp; Sons')
  // Another page of another list is none.
  expect(shown).toContain('href="/admin/page/sales?status=paid&amp;company=2&amp;orders-table%5Bsort%5D=-id&amp;period=today"')
  expect(shown).toContain('href="/admin/page/sales?orders-table%5Bsort%5D=-id">Reset')
  const form = /<form class="panel"[^>]*>(.*?)<select/.exec(shown)?.[1] ?? ''
  expect([...form.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [name, value])).toEqual([
    ['company', '2'],
    ['orders-table[sort]', '-id'],
  ])
})

test('lists, tabs and parts keep what is chosen, and what leads to a list asks for the same records', async () => {
  const shown = await page('?period=last-30-days&status=paid')
  expect(shown).toMatch(/href="\/admin\/page\/sales\?period=last-30-days&amp;status=paid&amp;orders-table%5Bpage%5D=2"/)
  expect(shown).toContain('data-fragment="/admin/page/sales?period=last-30-days&amp;status=paid&amp;_fragment-load=total"')
  const query = 'filter%5Bat%5D%5Bwithin%5D=last-30-days&amp;filter%5Bstatus%5D=paid'
  expect(shown).toContain(`href="/admin/resource/orders/crud?${query}"`)
  expect(shown).toContain('href="/admin/resource/orders/crud?filter%5Bat%5D%5Bwithin%5D=last-30-days&amp;filter%5Bstatus%5D=open"')
  const part = await asked.get('/admin/page/sales?period=last-30-days&_fragment-load=orders', { headers: { accept: 'text/html' } })
  expect(part.text).toContain('>3<')
})

test('days lead to a list of the same records, too', async () => {
  const shown = await page(`?period[from]=${text10(today - 10 * day)}&period[to]=${text10(today - 3 * day)}`)
  const [, href = ''] = /<a href="([^"]*)">Orders</.exec(shown) ?? []
  const list = await asked.get(href.replaceAll('&amp;', '&'))
  expect((list.json() as { readonly data: readonly { readonly id: number }[] }).data.map(({ id }) => id).sort()).toEqual([2, 3])
})

test('a group of what is chosen leads to a list that is asked for it once', async () => {
  const both = definePage({
    uri: 'both',
    title: 'Both',
    filters: { period, status },
    components: [
      chart({ name: 'state', label: 'State', data: groups.count(Orders, { by: 'status', where: { status } }) }),
      chart({ name: 'day', label: 'Day', data: groups.count(Orders, { by: 'at', every: 'year', last: 3, where: within }) }),
    ],
  })
  const other = testPanel(definePanel({ auth: 'open', resources: [Orders, Companies], pages: [both] }))
  const { text } = await other.html.get(`/admin/page/both?status=paid&period[from]=${text10(today - 10 * day)}&period[to]=${text10(today)}`)
  expect(text).toContain('href="/admin/resource/orders/crud?filter%5Bstatus%5D=paid"')
  // Two ranges of the same column are none that a list can be asked for.
  expect(text).not.toContain('filter%5Bat%5D%5Bfrom%5D')
})

test('a table in which nothing is left names what was chosen, in place of asking for the first record', async () => {
  const shown = await page('?period=today&status=paid')
  expect(shown).toContain('<h2>No matches</h2>')
  expect(shown).toContain('No records match: Period, Status')
})

test('without a script, a relation is searched in the form of its filter', async () => {
  const shown = await page('?_find[company]=bolt')
  expect(shown).toMatch(/<details class="filter" name="page-filter" id="page-filter-company" open>/)
  expect(shown).toContain('<input type="radio" name="company" value="2">')
})

test('where nothing is chosen, a test is left out, and a condition of nothing else is, too', async () => {
  const any = pageFilter.period()
  const one = pageFilter.of(Orders, 'status')
  type Order = typeof orders.$inferSelect
  const open = definePage({
    uri: 'open',
    title: 'Open',
    filters: { any, one },
    components: [
      metric({ name: 'all', label: 'All', value: figure.count(Orders, { at: { within: any }, status: one }) }),
      metric({ name: 'either', label: 'Either', value: figure.count(Orders, anyOf<Order>({ status: one }, { id: 5 })) }),
      metric({ name: 'not', label: 'Not', value: figure.count(Orders, not<Order>({ status: { eq: one } })) }),
      metric({ name: 'both', label: 'Both', value: figure.count(Orders, allOf<Order>({ status: one }, { id: { lte: 3 } })) }),
      metric({ name: 'before', label: 'Before', value: 1, before: { value: figure.count(Orders, { at: { within: any.before } }) } }),
      metric({ name: 'long-ago', label: 'Long ago', value: figure.count(Orders, { at: { within: any.before } }) }),
      chart({ name: 'chart', label: 'Chart', data: groups.count(Orders, { by: 'at', within: any, last: 3 }) }),
    ],
  })
  const other = testPanel(definePanel({ auth: 'open', resources: [Orders, Companies], pages: [open] }))
  const values = async (query: string) => {
    const { data } = (await other.get(`/admin/page/open${query}`)).json() as { readonly data: Record<string, { readonly value?: number }> }
    return Object.fromEntries(Object.entries(data).map(([name, { value }]) => [name, value]))
  }
  expect(await values('')).toMatchObject({ all: 5, either: 1, not: 5, both: 3, before: 1, 'long-ago': 0 })
  expect(await values('?one=paid')).toMatchObject({ all: 2, either: 3, not: 3, both: 2 })
  const { data } = (await other.get('/admin/page/open')).json() as { readonly data: Record<string, object> }
  expect(data.before).toEqual({ label: 'Before', value: 1 })
  expect(data.chart).toMatchObject({ groups: { length: 3 } })
  const html = (await other.get('/admin/page/open', { headers: { accept: 'text/html' } })).text
  expect(html).toContain('<a href="/admin/page/open" aria-current="true">Any time</a>')
})

test('users who may not see a field do not choose by it', async () => {
  const Hidden = defineResource({
    model: memoryStore(orders, [{ id: 1, status: 'open', companyId: null, total: 1, at: ago(0) }]),
    fields: { id: id(), status: select('Status').visible(['boss']) },
  })
  const one = pageFilter.of(Hidden, 'status')
  const hiding = definePage({
    uri: 'hiding',
    title: 'Hiding',
    filters: { one },
    components: [metric({ name: 'all', label: 'All', value: figure.count(Hidden, { status: one }) })],
  })
  const other = testPanel(definePanel({ auth: 'open', resources: [Hidden], pages: [hiding] }))
  expect((await other.get('/admin/page/hiding')).json()).toEqual({ data: { all: { label: 'All', value: 1 } } })
  expect((await other.get('/admin/page/hiding?one=paid')).status).toBe(422)
})

test('what is compared with a choice is shown to nobody who may not see the field: what it holds could be found out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-choices-'))
  const client = new Sqlite(join(folder, 'a.db'))
  client.exec(`create table companies (id integer primary key, name text not null);
    create table orders (id integer primary key, status text, company_id integer references companies, total real not null, at integer not null);
    insert into companies values (1, 'Anvil');
    insert into orders values (1, 'open', 1, 1, ${today - 3 * day})`)
  client.close()
  const Firms = defineResource({ model: companies, fields: { id: id(), name: text('Name') } })
  const Hidden = defineResource({
    model: orders,
    fields: {
      id: id(),
      status: select('Status'),
      companyId: belongsTo('Company', companies).visible(['boss']),
      at: dateTime('At').visible(['boss']),
    },
  })
  const [when, whose, which] = [pageFilter.period(), pageFilter.of(Firms, 'id'), pageFilter.of(Hidden, 'status')]
  const picks = { at: { within: when } } as const
  const probing = definePage({
    uri: 'probing',
    title: 'Probing',
    filters: { when, whose, which },
    components: [
      metric({ name: 'count', label: 'Count', value: figure.count(Hidden, anyOf(picks, { companyId: whose })) }),
      metric({ name: 'before', label: 'Before', value: 1, before: { value: figure.count(Hidden, { at: { within: when.before } }) } }),
      chart({ name: 'chart', label: 'Chart', data: groups.count(Hidden, { by: 'status', where: { companyId: whose } }) }),
      tableBuilder(Hidden, { name: 'table', where: picks }),
      metric({ name: 'owners', label: 'Owners', value: figure.count(Firms, { id: { in: valuesOf(orders, 'companyId', picks) } }) }),
      tableBuilder(Hidden, { name: 'open', where: { status: which } }),
      metric({ name: 'total', label: 'Total', value: figure.count(Hidden, { total: { gt: 0 }, id: whose }) }),
    ],
  })
  const panel = definePanel({ auth: 'open', database: `sqlite:${join(folder, 'a.db')}`, resources: [Hidden, Firms], pages: [probing] })
  const seen = async (role: string, query: string) => {
    const { data } = (
      await testPanel(panel)
        .as({ roles: [role] })
        .get(`/admin/page/probing${query}`)
    ).json() as { readonly data: object }
    return Object.keys(data)
  }
  expect(await seen('boss', '?when=today')).toEqual(['count', 'before', 'chart', 'table', 'owners', 'open', 'total'])
  for (const query of ['', '?when=today', '?whose=1']) expect(await seen('clerk', query)).toEqual(['open', 'total'])
  const html = testPanel(panel).as({ roles: ['clerk'] })
  expect((await html.get('/admin/page/probing/part/table')).status).toBe(404)
  await panel.close()
  rmSync(folder, { recursive: true })
})

test('start-up says which filters cannot be', () => {
  const other = pageFilter.period()
  const wrong = definePage({
    uri: 'wrong',
    title: 'Wrong',
    filters: {
      page: pageFilter.period({ options: [] }),
      'Is wrong': pageFilter.of('orders', 'none'),
      total: pageFilter.of('nowhere', 'x'),
    },
    components: [
      metric({ name: 'total', label: 'Total', value: figure.count(Orders, { at: { within: other } }) }),
      metric({ name: 'text', label: 'Text', value: figure.count('orders', { status: { within: period } }) }),
      chart({ name: 'chart', label: 'Chart', data: groups.count(Orders, { by: 'at', within: other }) }),
    ],
  })
  try {
    definePanel({ auth: 'open', resources: [Orders, Companies], pages: [wrong] })
    expect.unreachable()
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(DeclarationError)
    const said = (thrown as DeclarationError).problems.map(({ where, text }) => `${where}: ${text}`).join('\n')
    for (const part of [
      'pages.wrong.filters.page: "page" is a parameter of lists; choose another name',
      'pages.wrong.filters.page: it has no periods to choose from',
      'pages.wrong.filters.Is wrong: "Is wrong" must be letters, digits and hyphens, beginning with a lower-case letter',
      'pages.wrong.filters.Is wrong: "none" is not a field of orders',
      'pages.wrong.filters.total: the panel has no resource "nowhere"',
      'pages.wrong.filters.total: a component of the page is named "total", too',
      'pages.wrong.total: it names a filter that its page does not have. Its `filters`: page, Is wrong, total',
      'pages.wrong.chart: it names a filter that its page does not have',
    ])
      expect(said).toContain(part)
  }
  expect(() => pageFilter.period({ inital: 'today' } as never)).toThrow('unknown setting "inital"')
})

test('a condition elsewhere cannot name a filter of a page', () => {
  expect(() => defineResource({ model: orders, queryTags: { now: { label: 'Now', where: { at: { within: period } } } } })).toThrow(
    'a filter of a page has a value only in the components of that page',
  )
})
