import { dateTime, definePanel, defineResource, id, memoryStore, number, select, switcher, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import { sql } from 'drizzle-orm'
import { blob, integer, numeric, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const books = sqliteTable('books', {
  id: integer().primaryKey(),
  title: varchar().notNull().default('Untitled'),
  inPrint: integer({ mode: 'boolean' }).notNull().default(true),
  state: varchar({ enum: ['draft', 'live'] })
    .notNull()
    .default('live'),
  copies: integer().default(5),
  // What only the database or the schema knows, and what the field would refuse, is left to them.
  at: integer().default(sql`(1 + 1)`),
  made: integer().$defaultFn(() => 7),
  few: integer().default(9),
  own: integer().default(3),
})
const fields = {
  id: id(),
  title: text('Title'),
  inPrint: switcher('In print'),
  state: select('State').options({ draft: 'Draft', live: 'Live' }),
  copies: number('Copies'),
  at: number('At'),
  made: number('Made'),
  few: number('Few').max(5),
  own: number('Own').default(4),
}
const panel = () => testPanel(definePanel({ auth: 'open', resources: [defineResource({ model: memoryStore(books), fields })] }))
const crud = '/admin/resource/books/crud'

test('a form for a new record begins with the defaults of its columns', async () => {
  const { text: page } = await panel().html.get('/admin/resource/books/form-page')
  expect(page).toContain('value="Untitled" id="field-title"')
  expect(page).toMatch(/<input type="checkbox" role="switch" value="1" checked[^>]* id="field-inPrint"/)
  expect(page).toContain('<option value="live" selected>')
  const shown = Object.fromEntries(
    [...page.matchAll(/<input type="text" inputmode="numeric" value="([^"]*)"[^>]* name="(\w+)"/g)].map(([, value, name]) => [name, value]),
  )
  expect(shown).toEqual({ copies: '5', at: '', made: '', few: '', own: '4' })
  const { data } = (await panel().get('/admin/resource/books/form-page?value[copies]=2')).json() as { data: object }
  expect(data).toEqual({ title: 'Untitled', inPrint: true, state: 'live', copies: 2, at: null, made: null, few: null, own: 4 })
})

test('what is taken out of it stays out, where it may be empty; what nothing is said of is the default', async () => {
  const own = panel()
  // A store in memory computes no SQL.
  const sent = { title: '', at: '1', inPrint: '0', state: 'draft', copies: '', few: '', own: '' }
  await own.html.post(crud, new URLSearchParams({ ...sent, _once: 'a-form-of-ours' }))
  await own.html.post(crud, new URLSearchParams(sent))
  await own.post(crud, { at: 1 })
  const { data } = (await own.get(`${crud}?sort=id&fields=title,inPrint,state,copies,few,own`)).json() as { data: object[] }
  expect(data).toEqual([
    { id: 1, title: 'Untitled', inPrint: false, state: 'draft', copies: null, few: 9, own: null },
    { id: 2, title: 'Untitled', inPrint: false, state: 'draft', copies: 5, few: 9, own: 4 },
    { id: 3, title: 'Untitled', inPrint: true, state: 'live', copies: 5, few: 9, own: 4 },
  ])
})

test('the page of a record says Yes and No in words, a list has a tick and No: a dash is no value', async () => {
  const lamps = sqliteTable('lamps', {
    id: integer().primaryKey(),
    lit: integer({ mode: 'boolean' }),
    kept: integer({ mode: 'boolean' }).notNull(),
  })
  const rows = [
    { id: 1, lit: false, kept: false },
    { id: 2, lit: null, kept: true },
  ]
  const Lamps = defineResource({ model: memoryStore(lamps, rows), fields: { id: id(), lit: switcher('Lit'), kept: switcher('Kept') } })
  const own = testPanel(definePanel({ auth: 'open', resources: [Lamps] }))
  const facts = async (key: number) => {
    const { text: page } = await own.html.get(`/admin/resource/lamps/crud/${key}`)
    return [...page.matchAll(/<dt>(?:Lit|Kept)<\/dt><dd>(.*?)<\/dd>/g)].map(([, cell]) => cell)
  }
  expect(await facts(1)).toEqual(['No', 'No'])
  expect(await facts(2)).toEqual(['<span class="none">&mdash;</span>', 'Yes'])
  const { text: list } = await own.html.get('/admin/resource/lamps/crud')
  const cells = [...list.matchAll(/<td class="center meta"[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell)
  const tick = '<span class="tick" role="img" aria-label="Yes">&#10003;</span>'
  const no = '<span class="no">No</span>'
  expect([...new Set(cells)].sort()).toEqual([no, '<span class="none">&mdash;</span>', tick])
})

test('a default is stored as its column stores it, whichever way it is written', async () => {
  const parts = sqliteTable('parts', {
    id: integer().primaryKey(),
    price: numeric().notNull(),
    exact: numeric().notNull(),
    big: blob({ mode: 'bigint' }).notNull(),
    other: blob({ mode: 'bigint' }).notNull(),
    at: integer({ mode: 'timestamp' }).notNull(),
    on: integer({ mode: 'timestamp_ms' }).notNull(),
  })
  const shown = {
    price: number('Price').default(5),
    exact: number('Exact').default('0.1').example('1.25'),
    big: number('Big').default(7),
    other: number('Other').default('8'),
    at: dateTime('At').default('2026-01-01T01:00:00+01:00'),
    on: dateTime('On').default(new Date('2026-01-01T00:00:00.500Z')),
  }
  const Parts = defineResource({ model: memoryStore(parts), fields: { id: id(), ...shown } })
  const own = testPanel(definePanel({ auth: 'open', resources: [Parts] }))
  const made = (await own.post('/admin/resource/parts/crud', {})).json()
  expect(made).toMatchObject({
    data: { price: '5', exact: '0.1', big: '7', other: '8', at: '2026-01-01T00:00:00.000Z', on: '2026-01-01T00:00:00.500Z' },
  })
  const { text: page } = await own.html.get('/admin/resource/parts/form-page')
  for (const text of ['5', '0.1', '7', '8', '2026-01-01T00:00', '2026-01-01T00:00:00.5']) expect(page).toContain(`value="${text}"`)
})
