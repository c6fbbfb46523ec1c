import { chart, defineKind, definePage, definePanel, defineResource, figure, groups, html, id, metric, number, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { testPanel } from '../../src/testing.js'

const rates = sqliteTable('rates', { id: integer().primaryKey(), name: varchar().notNull(), cents: integer(), at: varchar() })
const db = new Libsql(':memory:')
db.exec('create table rates (id integer primary key, name text not null, cents integer, at text)')
afterAll(() => db.close())
beforeEach(() => {
  db.exec(`delete from rates; insert into rates values (1, 'Crane', 1250, '2026-03-04 05:06:07'), (2, 'Lift', 99, 'yesterday')`)
})

// Hundredths in an integer column, written as a decimal.
const cents = defineKind<number>({
  name: 'cents',
  columns: ['integer'],
  schema: () =>
    z
      .string()
      .regex(/^-?\d+\.\d{2}$/, 'Must be an amount such as 12.50')
      .refine((amount) => !amount.startsWith('-'), 'Must not be negative')
      .refine((amount) => amount !== '0.00'),
  value: (wire) => Math.round(Number(wire) * 100),
  wire: (value) => (value / 100).toFixed(2),
  text: (value) => (value / 100).toFixed(2),
  input: (typed, field) => html`<input name="${field.key}" value="${typed}">`,
})

// Times as SQLite writes them, which throw where there is none.
const instant = defineKind<string>({
  name: 'instant',
  columns: ['text'],
  schema: () => z.iso.datetime(),
  wire: (value) => new Date(`${value.replace(' ', 'T')}Z`).toISOString(),
  text: (value) => new Date(`${value.replace(' ', 'T')}Z`).toISOString(),
  input: (typed, field) => html`<input name="${field.key}" value="${typed}">`,
})

const Rates = defineResource({
  model: rates,
  fields: { id: id(), name: text('Name'), cents: cents('Rate'), at: instant('At') },
  pages: { index: ['id', 'name', 'cents', 'at'] },
})
const app = testPanel(definePanel({ auth: 'open', database: { $client: db }, resources: [Rates] }))
const base = '/admin/resource/rates/crud'

describe('messages of its schema', () => {
  test.each([
    ['abc', 'Must be an amount such as 12.50'],
    ['1.5', 'Must be an amount such as 12.50'],
    ['-1.00', 'Must not be negative'],
    // Those that it does not state are the panel's.
    ['0.00', 'Rate must be a whole number'],
    [12, 'Rate must be a whole number'],
  ])('%j', async (sent, says) => {
    const answer = await app.patch(`${base}/1`, { cents: sent })
    expect([answer.status, answer.json()]).toEqual([422, expect.objectContaining({ errors: { cents: [says] } })])
    const page = await app.html.put(`${base}/1`, new URLSearchParams({ cents: String(sent) }))
    expect(page.status).toBe(422)
    if (sent !== 12) expect(page.text).toContain(says)
  })

  test('a value that it takes is stored as it says', async () => {
    expect((await app.patch(`${base}/1`, { cents: '13.37' })).json()).toMatchObject({ data: { cents: '13.37' } })
    expect(db.prepare('select cents from rates where id = 1').raw().get()).toEqual([1337])
  })
})

test('one value that it throws at is shown as empty, and nothing else is lost', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const rows = [
    { id: 2, name: 'Lift', cents: '0.99', at: null },
    { id: 1, name: 'Crane', cents: '12.50', at: '2026-03-04T05:06:07.000Z' },
  ]
  for (const _ of [1, 2]) expect((await app.get(base)).json()).toMatchObject({ data: rows })
  expect((await app.get(`${base}/2`)).json()).toMatchObject({ data: { at: null } })
  const page = await app.html.get('/admin/resource/rates/index-page')
  expect([page.status, page.text.includes('Lift'), page.text.includes('yesterday')]).toEqual([200, true, false])
  expect((await app.html.get('/admin/resource/rates/form-page/2')).status).toBe(200)
  expect(warned.mock.calls.map(String)).toEqual(['The kind "instant" threw at a stored value of the field "at", which is shown as empty'])
  warned.mockRestore()
  // What was sent back as it was read changes nothing.
  const { data } = (await app.get(`${base}/2`)).json() as { data: object }
  expect((await app.put(`${base}/2`, { ...data, name: 'Lift 2' })).status).toBe(200)
  expect(db.prepare('select name, at from rates where id = 2').raw().get()).toEqual(['Lift 2', 'yesterday'])
  const form = new URLSearchParams({ name: 'Lift 3', cents: '0.99', at: '' })
  expect((await app.html.put(`${base}/2`, form)).status).toBe(303)
  expect(db.prepare('select name, at from rates where id = 2').raw().get()).toEqual(['Lift 3', 'yesterday'])
  // Anything else overwrites it.
  expect((await app.patch(`${base}/2`, { at: '2026-01-02T03:04:05Z' })).status).toBe(200)
  expect(db.prepare('select at from rates where id = 2').raw().get()).toEqual(['2026-01-02T03:04:05Z'])
})

describe('sums, averages and charts', () => {
  const spec = {
    name: 'hundredths',
    columns: ['integer'],
    align: 'end',
    schema: () => z.string().regex(/^\d+\.\d{2}$/),
    value: (wire: unknown) => Math.round(Number(wire) * 100),
    wire: (value: number) => (value / 100).toFixed(2),
    text: (value: number) => (value / 100).toFixed(2),
    input: (typed: string) => html`<input name="cents" value="${typed}">`,
  } as const
  const told = defineKind<number>({ ...spec, over: (sum) => sum / 100 })
  const untold = defineKind<number>({ ...spec, open: true })
  const priced = defineKind<number, { currency(code: string): { currency: string } }>({
    ...spec,
    own: { currency: (currency) => ({ currency }) },
    over: (sum) => sum / 100,
  })
  const open = (cents: unknown, more: object = {}, components: (rates: typeof Rates) => unknown[] = () => []) => {
    const All = defineResource({
      model: rates,
      fields: { id: id(), name: text('Name'), cents },
      pages: { index: ['id', 'name', 'cents'] },
      ...more,
    } as never) as unknown as typeof Rates
    const home = definePage({ uri: 'home', title: 'Home', components: components(All) as never })
    return definePanel({ auth: 'open', database: { $client: db }, resources: [All], home })
  }
  const all = (of: typeof Rates) => [
    metric({ name: 'sum', label: 'Sum', value: figure.sum(of, 'cents') }),
    metric({ name: 'most', label: 'Most', value: figure.largest(of, 'cents') }),
    chart({ name: 'chart', label: 'Chart', type: 'column', data: groups.sum(of, 'cents', { by: 'name' }) }),
  ]
  const summary = { summary: { cents: ['sum', 'average', 'smallest'] } }

  test('go through `over` on both faces; the smallest and the largest are values of the kind', async () => {
    for (const [kind, sums] of [
      [told('Rate'), ['13.49', '6.745', '0.99']],
      [priced('Rate').currency('EUR'), ['&#8364;13.49', '&#8364;6.75', '0.99']],
    ] as const) {
      const its = testPanel(open(kind, summary, all))
      const list = (await its.get(`${base}?summary=1`)).json() as { summary: object }
      expect(list.summary).toEqual({ cents: { sum: 13.49, average: 6.745, smallest: 0.99 } })
      const page = (await its.html.get(base)).text
      expect([...page.matchAll(/data-label="Rate">([^<]*)<\/td>/g)].slice(-3).map(([, one]) => one)).toEqual(sums)
      const { data } = (await its.get('/admin')).json() as { data: Record<string, { value?: unknown; series?: { values: unknown }[] }> }
      expect([data.sum?.value, data.most?.value, data.chart?.series?.[0]?.values]).toEqual([13.49, '12.50', [12.5, 0.99]])
      const home = (await its.html.get('/admin')).text
      expect(home).toContain(sums[0])
      expect(home).not.toMatch(/1,?349|1,?250/)
    }
  })

  test.each([
    () => Number.NaN,
    () => {
      throw new RangeError('too many')
    },
  ])('one that returns no number, or throws, leaves a sum empty, and the list readable: %#', async (over) => {
    const broken = defineKind<number>({ ...spec, over: over as () => number })
    const its = testPanel(open(broken('Rate'), summary, all))
    expect((await its.get(`${base}?summary=1`)).json()).toMatchObject({ summary: { cents: { sum: null, average: null, smallest: null } } })
    const page = await its.html.get(base)
    expect([page.status, page.text.includes('NaN')]).toEqual([200, false])
    const home = await its.html.get('/admin')
    expect([home.status, home.text.includes('NaN')]).toEqual([200, false])
  })

  test('without it, they stop the start, and the smallest and the largest do not', () => {
    expect(() => open(untold('Rate'), summary)).toThrow('is of the kind "hundredths", whose JSON is not what is stored')
    for (const index of [0, 2]) expect(() => open(untold('Rate'), {}, (of) => [all(of)[index]])).toThrow('component-field')
    expect(() => open(untold('Rate'), {}, (of) => [all(of)[1]])).not.toThrow()
    expect(() => open(number('Rate'), summary, all)).not.toThrow()
  })
})
