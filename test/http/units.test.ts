import {
  chart,
  countOf,
  definePage,
  definePanel,
  defineResource,
  figure,
  groups,
  id,
  memoryStore,
  metric,
  number,
  repeater,
  text,
} from 'daymark'
import { oag } from 'daymark/oag'
import { testPanel } from 'daymark/testing'
import { bigint, jsonb, numeric, integer as pgInteger, pgTable, text as pgText, real } from 'drizzle-orm/pg-core'
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { numberShown } from '../../src/field/number-text.js'

const parcels = pgTable('parcels', {
  id: pgInteger().primaryKey(),
  name: pgText(),
  weight: real(),
  exact: numeric(),
  steps: bigint({ mode: 'bigint' }),
  full: pgInteger(),
  angle: pgInteger(),
  parts: jsonb(),
})
const records = [
  { id: 1, name: 'a', weight: 1234.5, exact: '0.1', steps: 9007199254740993n, full: 5, angle: 45, parts: [{ mass: 2 }] },
  { id: 2, name: 'b', weight: 0.1 + 0.2, exact: '7', steps: 5n, full: null, angle: null, parts: null },
  { id: 3, name: 'c', weight: 1, exact: null, steps: null, full: 100, angle: null, parts: null },
]
const open = (locale: string) => {
  const Parcels = defineResource({
    model: memoryStore(parcels, records),
    fields: {
      id: id(),
      name: text('Name'),
      weight: number('Weight').unit('kg').hint('With its box'),
      exact: number('Exact').unit('kg').decimals(1),
      steps: number('Steps').unit('steps'),
      full: number('Full').unit('%').updateOnPreview(),
      angle: number('Angle').unit('°'),
      parts: repeater('Parts').of({ mass: number('Mass').unit('g') }),
    },
    computed: { half: { label: 'Half', needs: ['weight'], unit: 't', decimals: 2, value: ({ weight }) => (weight ?? 0) / 2 } },
    filters: ['weight', 'full'],
    summary: { weight: ['sum', 'average', 'largest'], exact: 'sum' },
  })
  const home = definePage({
    uri: 'home',
    title: 'Home',
    components: [
      metric({ name: 'all', label: 'All', value: figure.sum(Parcels, 'weight') }),
      metric({ name: 'average', label: 'Average', value: figure.average(Parcels, 'weight') }),
      metric({ name: 'most', label: 'Most', value: figure.largest(Parcels, 'exact') }),
      chart({ name: 'chart', label: 'Chart', data: groups.sum(Parcels, 'weight', { by: 'name' }) }),
      chart({ name: 'columns', label: 'Columns', type: 'column', data: groups.sum(Parcels, 'weight', { by: 'name' }) }),
    ],
  })
  return testPanel(definePanel({ auth: 'open', locale, resources: [Parcels], home, plugins: [oag()] }))
}
const path = '/admin/resource/parcels/crud'
const plainly = (page: string) =>
  page
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('\u202f', '_')
    .replaceAll('\u00a0', '~')
const numbersIn = (page: string) => [...plainly(page).matchAll(/<span class="number">(.*?)<\/span>/g)].map(([, one]) => one)
const numbers = async (key: number, locale = 'en') => numbersIn((await open(locale).html.get(`${path}/${key}`)).text)

test('a unit stands behind the number, with a space that keeps them together; a percent sign as the locale has it', async () => {
  expect(await numbers(1)).toEqual(['1,234.5_kg', '0.1_kg', '9,007,199,254,740,993_steps', '5%', '45°', '2_g', '617.25_t'])
  expect((await numbers(1, 'de')).slice(0, 4)).toEqual(['1.234,5_kg', '0,1_kg', '9.007.199.254.740.993_steps', '5~%'])
  // A double keeps 15 digits of a decimal number; the others are of the binary one. JSON has it as it is.
  expect((await numbers(2)).slice(0, 2)).toEqual(['0.3_kg', '7.0_kg'])
  expect(((await open('en').get(`${path}/2`)).json() as { data: object }).data).toMatchObject({ weight: 0.30000000000000004 })
  const list = numbersIn((await open('en').html.get(path)).text)
  expect(list).toEqual(expect.arrayContaining(['1,234.5_kg', '100%']))
  // A vast double has one, too; and where the sign comes first, it does.
  expect(plainly(numberShown(1e300, { unit: 'kg' }, 'en'))).toBe('1E300_kg')
  expect([numberShown(5, { unit: '%' }, 'tr'), numberShown(5, { unit: '%' }, 'en')]).toEqual(['%5', '5%'])
})

test('so do sums, averages, figures and charts, with no more digits than are read', async () => {
  const list = plainly((await open('en').html.get(path)).text)
  const sums = [...list.matchAll(/<td class="end" data-label="(.*?)">(.*?)<\/td>/g)].map(([, label, value]) => `${label} ${value}`)
  expect(sums).toEqual(['Weight 1,235.8_kg', 'Exact 7.1_kg', 'Weight 411.933_kg', 'Weight 1,234.5_kg'])
  const home = plainly((await open('en').html.get('/admin')).text)
  for (const value of ['1,235.8_kg', '411.933_kg', '<span class="number">7.0_kg</span>', '0.3_kg', '<li>1,500_kg</li>'])
    expect(home).toContain(value)
})

test('it stands beside the control, which it describes, in forms and filters; what is typed and sent is the plain number', async () => {
  const app = open('de')
  const form = (await app.html.get('/admin/resource/parcels/form-page/1')).text
  const control = /<span class="affixed">(<input[^>]*name="weight"[^>]*>)(.*?)<\/span><\/span>/.exec(form) as RegExpExecArray
  expect(control[1]).toContain('value="1234,5"')
  const described = /aria-describedby="([^"]*)"/.exec(control[1] as string)?.[1]?.split(' ') ?? []
  expect(described).toHaveLength(2)
  for (const one of described) expect(form.split(`id="${one}"`)).toHaveLength(2)
  expect(control[2]).toBe(`<span class="affix" id="${described[0]}">kg`)
  expect(form).toContain('">g</span>')
  const list = (await app.html.get(path)).text
  expect(list).toMatch(/<span class="affixed"><input[^>]*id="filter-weight-from"[^>]*aria-describedby="filter-weight-from-unit"/)
  expect(plainly((await app.html.get(`${path}?filter[weight][from]=7`)).text)).toContain('7_kg')
  // The control in a cell has no room for it.
  expect(list).toMatch(/<form class="live typed".*?<input type="text"[^>]*name="value"/s)
  const sent = await app.html.post(`${path}/1`, new URLSearchParams({ _method: 'PUT', weight: '12,5' }))
  expect([sent.status, ((await app.get(`${path}/1`)).json() as { data: { weight: number } }).data.weight]).toEqual([303, 12.5])
})

test('JSON and exports have the plain number, and the document says the unit', async () => {
  const app = open('en')
  expect(((await app.get(`${path}/1`)).json() as { data: object }).data).toMatchObject({
    weight: 1234.5,
    exact: '0.1',
    full: 5,
    half: 617.25,
  })
  const csv = (await app.get('/admin/resource/parcels/export')).text
  expect(csv).not.toMatch(/kg|steps,|%/)
  const { components } = (await app.get('/oag.json')).json() as {
    components: { schemas: Record<string, { properties: Record<string, object> }> }
  }
  expect(components.schemas['parcels.Record']?.properties.weight).toMatchObject({ description: 'With its box\nIn kg.' })
})

const things = sqliteTable('things', { id: integer().primaryKey(), size: integer(), boxId: integer('box_id') })
const start =
  (size: unknown, computed: object = {}) =>
  () =>
    definePanel({
      auth: 'open',
      title: 'Things',
      resources: [defineResource({ model: memoryStore(things), fields: { id: id(), size }, computed } as never)],
    })

test('a unit that is none, or one of an amount, stops the start', () => {
  expect(start(number().unit('cm'))).not.toThrow()
  expect(start(number().unit(' '))).toThrow('unit(" ") is no text, such as "kg"')
  expect(start(number().unit('cm').currency('EUR'))).toThrow('is an amount of a currency or has a unit, and not both: EUR, cm')
  const computed = (more: object) => ({ x: { label: 'X', needs: ['size'], value: () => 1, ...more } })
  expect(start(number(), computed({ unit: 'cm' }))).not.toThrow()
  expect(start(number(), computed({ unit: 'cm', currency: 'EUR' }))).toThrow('computed-unit')
})

test('numbers of related records have one', async () => {
  const boxes = sqliteTable('boxes', { id: integer().primaryKey() })
  const Boxes = defineResource({ model: boxes, fields: { id: id(), things: countOf('Things', things, 'boxId').unit('pcs') } })
  expect(Boxes.fields.get('things')?.own).toMatchObject({ unit: 'pcs' })
  const field = Boxes.fields.get('things')
  expect(field && plainly(field.kind.words(3 as never, field, { locale: 'en', timeZone: 'UTC' }))).toBe('3_pcs')
})
