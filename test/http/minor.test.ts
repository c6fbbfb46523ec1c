import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  averageOf,
  belongsTo,
  chart,
  definePage,
  definePanel,
  defineResource,
  figure,
  groups,
  id,
  largestOf,
  metric,
  number,
  type Panel,
  repeater,
  sumOf,
  text,
} from 'daymark'
import { oag } from 'daymark/oag'
import { testPanel } from 'daymark/testing'
import { xlsx } from 'daymark/xlsx'
import * as pg from 'drizzle-orm/pg-core'
import { blob, integer, numeric, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inlined } from '../support/inlined.js'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const makers = sqliteTable('makers', { id: integer().primaryKey(), name: varchar().notNull(), budget: integer() })
const items = sqliteTable('items', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  makerId: integer('maker_id').references(() => makers.id),
  price: integer().notNull(),
  big: blob({ mode: 'bigint' }),
  yen: integer(),
  dinar: integer(),
})
const tables = { makers, items }
const pgMakers = pg.pgTable('makers', { id: pg.integer().primaryKey(), name: pg.text().notNull(), budget: pg.integer() })
const inPostgresql = {
  makers: pgMakers,
  items: pg.pgTable('items', {
    id: pg.integer().primaryKey(),
    name: pg.text().notNull(),
    makerId: pg.integer('maker_id').references(() => pgMakers.id),
    price: pg.integer().notNull(),
    big: pg.bigint({ mode: 'bigint' }),
    yen: pg.integer(),
    dinar: pg.integer(),
  }),
} as unknown as typeof tables
const schemaIn = (sqlite: boolean) => `create table makers (id integer primary key, name text not null, budget integer);
  create table items (id integer primary key, name text not null, maker_id integer references makers, price integer not null, big ${sqlite ? 'blob' : 'bigint'}, yen integer, dinar integer)`
const rowsIn = (sqlite: boolean) => {
  const big = (digits: string) => (sqlite ? `cast('${digits}' as blob)` : digits)
  return `delete from items; delete from makers;
    insert into makers values (1, 'Ada', 5000), (2, 'Bo', null);
    insert into items values (1, 'a', 1, 1234, ${big('9007199254740991')}, 1500, 1005), (2, 'b', 1, 7, ${big('-5')}, 7, -1), (3, 'c', 2, -200000, null, null, null)`
}

const seen: unknown[] = []
const euro = (label: string) => number(label).currency('EUR', { minor: true })

function panelOver({ makers, items }: typeof tables, database: string, locale: string): Panel {
  const Items = defineResource({
    model: items,
    fields: {
      id: id(),
      name: text('Name'),
      makerId: belongsTo('Maker', makers),
      price: euro('Price').min(-5000).max(10_000).sortable().searchable().updateOnPreview(),
      big: euro('Big').sortable(),
      yen: number('Yen').currency('JPY', { minor: true }),
      dinar: number('Dinar').currency('KWD', { minor: true }),
    },
    computed: {
      gross: {
        label: 'Gross',
        needs: ['price'],
        currency: 'EUR',
        minor: true,
        value: ({ price }) => {
          seen.push(['computed', price])
          return Math.round(price * 1.2)
        },
      },
    },
    pages: {
      index: ['id', 'name', 'makerId.budget', 'price', 'big', 'yen', 'dinar', 'gross'],
      form: ['id', 'name', 'makerId', 'price', 'big', 'yen', 'dinar'],
    },
    filters: ['price', 'big', 'dinar', 'makerId.budget'],
    summary: { price: ['sum', 'average', 'smallest', 'largest'], big: 'smallest' },
    queryTags: { cheap: { label: 'Cheap', where: { price: { lt: 100 } } } },
    sortColumn: 'id',
    sortDirection: 'ASC',
    history: true,
    import: true,
    massUpdate: ['price'],
    handlers: {
      pay: {
        fields: { amount: euro('Amount').required() },
        run: ({ input }) => {
          seen.push(['handler', input.amount])
          return {}
        },
      },
    },
    hooks: {
      beforeSave: ({ values }) => {
        seen.push(['hook', values.price])
      },
    },
  })
  const Makers = defineResource({
    model: makers,
    fields: {
      id: id(),
      name: text('Name'),
      budget: euro('Budget'),
      sum: sumOf('Sum', items, 'makerId', 'price').currency('EUR', { minor: true }).sortable(),
      average: averageOf('Average', items, 'makerId', 'price').currency('EUR', { minor: true }),
      most: largestOf('Most', items, 'makerId', 'price').currency('EUR', { minor: true }),
      all: sumOf('All', items, 'makerId', 'big').currency('EUR', { minor: true }),
    },
    filters: ['sum', 'average', 'all'],
    sortColumn: 'id',
    sortDirection: 'ASC',
  })
  const home = definePage({
    uri: 'home',
    title: 'Home',
    components: [
      metric({ name: 'sum', label: 'Sum', value: figure.sum(Items, 'price') }),
      metric({ name: 'most', label: 'Most', value: figure.largest(Items, 'price') }),
      chart({ name: 'sums', label: 'Sums', type: 'column', data: groups.sum(Items, 'price', { by: 'makerId' }) }),
      chart({ name: 'averages', label: 'Averages', data: groups.average(Items, 'price', { by: 'makerId' }) }),
    ],
  })
  return definePanel({
    auth: 'open',
    database,
    locale,
    resources: [Items, Makers],
    home,
    formats: [xlsx()],
    plugins: [oag()],
    log: () => {},
  })
}

const stores = {
  async SQLite() {
    const folder = mkdtempSync(join(tmpdir(), 'daymark-minor-'))
    const client = new Sqlite(join(folder, 'minor.db'))
    client.exec(schemaIn(true))
    return {
      tables,
      url: `sqlite:${join(folder, 'minor.db')}`,
      query: async (sql: string) => client.prepare(sql).all() as Record<string, unknown>[],
      reset: async () => void client.exec(rowsIn(true)),
      end: async () => {
        client.close()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  },
  async PostgreSQL() {
    const database = await openDatabase()
    await database.query(schemaIn(false))
    return {
      tables: inPostgresql,
      url: database.url,
      query: async (sql: string) => (await database.query(sql)).rows as Record<string, unknown>[],
      reset: async () => void (await database.query(rowsIn(false))),
      end: database.drop,
    }
  },
}

const path = '/admin/resource/items/crud'
const plainly = (page: string) =>
  page.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))).replaceAll(/[\u00a0\u202f]/g, ' ')
const numbersIn = (page: string) => [...plainly(page).matchAll(/<span class="number">(.*?)<\/span>/g)].map(([, one]) => one)

describe.each(Object.entries(stores))('amounts in minor units, over %s', (_, open) => {
  let world: Awaited<ReturnType<(typeof stores)[keyof typeof stores]>>
  let panels: readonly Panel[]
  beforeAll(async () => {
    world = await open()
    panels = ['en', 'de'].map((locale) => panelOver(world.tables, world.url, locale))
  })
  afterAll(async () => {
    for (const panel of panels) await panel.close()
    await world.end()
  })
  beforeEach(async () => {
    await world.reset()
    seen.length = 0
  })
  const app = () => testPanel(panels[0] as Panel)
  const german = () => testPanel(panels[1] as Panel)
  const dataOf = async (query: string) => ((await app().get(`${path}${query}`)).json() as { data: { id: number }[] }).data
  const idsOf = async (query: string) => (await dataOf(`?${query}`)).map(({ id }) => id)
  const storedPrice = async (id = 1) => Number((await world.query(`select price from items where id = ${id}`))[0]?.price)

  test('programs and people have the amounts, code and the database whole numbers', async () => {
    expect((await app().get(`${path}/1`)).json()).toEqual({
      data: { id: 1, name: 'a', makerId: 1, price: 12.34, big: '90071992547409.91', yen: 1500, dinar: 1.005, gross: 14.81 },
    })
    expect(seen).toContainEqual(['computed', 1234])
    const list = (await dataOf('')) as unknown as Record<string, unknown>[]
    expect(list.map((one) => [one['makerId.budget'], one.price, one.big])).toEqual([
      [50, 12.34, '90071992547409.91'],
      [50, 0.07, '-0.05'],
      [null, -2000, null],
    ])
    const page = numbersIn((await app().html.get(path)).text)
    for (const one of [
      '€50.00',
      '€12.34',
      '€90,071,992,547,409.91',
      '¥1,500',
      'KWD 1.005',
      '€14.81',
      '€0.07',
      '-€0.05',
      '-€2,000.00',
      '-KWD 0.001',
    ])
      expect(page).toContain(one)
    expect(numbersIn((await german().html.get(`${path}/1`)).text)).toEqual(expect.arrayContaining(['12,34 €', '90.071.992.547.409,91 €']))
  })

  test.each([
    ['filter[price][gte]=12.34', [1]],
    ['filter[price]=0.07', [2]],
    ['filter[price][from]=-2000&filter[price][to]=0.07', [2, 3]],
    ['filter[big]=90071992547409.91', [1]],
    ['filter[big][lt]=0', [2]],
    ['filter[dinar]=1.005', [1]],
    ['filter[makerId.budget]=50', [1, 2]],
    ['search=12.34', [1]],
    ['search=1234', []],
    ['query-tag=cheap', [2, 3]],
    ['sort=-price', [1, 2, 3]],
  ])('a URL means the same to people and programs: %s', async (query, found) => {
    expect(await idsOf(query)).toEqual(found)
    const page = (await app().html.get(`${path}?${query}`)).text
    expect([1, 2, 3].filter((id) => page.includes(`<span class="id">${id}</span>`))).toEqual([...found].sort())
  })

  test('of a filter, people type what their language writes, and the page has the URL of programs', async () => {
    const page = plainly((await german().html.get(`${path}?filter[price][from]=12,34`)).text)
    expect(page).toContain('12,34 €')
    expect(page).toMatch(/filter\[price\]\[from\]=12\.34|filter%5Bprice%5D%5Bfrom%5D=12\.34/)
    // No amount of cents has three digits behind its point.
    expect((await german().html.get(`${path}?filter[price][from]=1.234`)).text).not.toContain('<span class="id">1</span>')
    expect((await app().get(`${path}?filter[price]=12.345`)).json()).toMatchObject({ status: 422, title: expect.any(String) })
    const says = async (filter: string) => JSON.stringify((await app().get(`${path}?filter[price]${filter}`)).json())
    expect(await says('=12.345')).toContain('at most 2 digits after the point')
    expect(await says('[to]=1e20')).toContain('Price must be at most 90071992547409.9"')
    expect(await says('[to]=-1e20')).toContain('Price must be at least -90071992547409.9"')
  })

  test('pages by cursor, in the order of the amounts', async () => {
    const first = (await app().get(`${path}?sort=price&perPage=2`)).json() as {
      data: { id: number }[]
      meta: { nextCursor?: string }
      links: { next: string }
    }
    expect(first.data.map(({ id }) => id)).toEqual([3, 2])
    const next = (await app().get(first.links.next)).json() as { data: { id: number }[] }
    expect(next.data.map(({ id }) => id)).toEqual([1])
  })

  test.each([
    [{ price: 1.1 }, 110],
    [{ price: 4.35 }, 435],
    [{ price: 0 }, 0],
    [{ price: -0.07 }, -7],
    [{ price: 10_000 }, 1_000_000],
  ])('%j is stored as %i', async (sent, stored) => {
    expect((await app().patch(`${path}/1`, sent)).json()).toMatchObject({ data: sent })
    expect([await storedPrice(), seen.filter((one) => (one as unknown[])[0] === 'hook')]).toEqual([stored, [['hook', stored]]])
  })

  test.each<[object, string]>([
    [{ price: 1.005 }, 'Price: an amount in EUR has at most 2 digits after the point'],
    [{ price: 0.1 + 0.2 }, 'Price: an amount in EUR has at most 2 digits after the point'],
    [{ price: 10_000.01 }, 'Price must be at most 10000'],
    [{ price: '12.34' }, 'Price must be a number'],
    [{ price: 'a' }, 'Price must be a number'],
    [{ big: 12.34 }, 'Big must be a number, sent as a string'],
    [{ big: '1.234' }, 'Big: an amount in EUR has at most 2 digits after the point'],
    [{ big: '92233720368547758.08' }, 'Big has more digits than the column can hold'],
    [{ big: 'x' }, 'Big must be a number'],
    [{ yen: 1.5 }, 'Yen must be a whole number'],
    [{ dinar: 1.0005 }, 'Dinar: an amount in KWD has at most 3 digits after the point'],
    [{ dinar: 9_999_999_999_999 }, 'Dinar must be at most'],
  ])('%j is refused at its field: %s', async (sent, says) => {
    const answer = await app().patch(`${path}/1`, sent)
    expect([answer.status, answer.json()]).toEqual([
      422,
      expect.objectContaining({ errors: { [Object.keys(sent)[0] as string]: [expect.stringContaining(says)] } }),
    ])
    expect(await storedPrice()).toBe(1234)
  })

  test('bigint columns keep every digit, and take amounts of fewer digits', async () => {
    for (const [sent, kept] of [
      ['92233720368547758.07', '92233720368547758.07'],
      ['12.3', '12.30'],
      ['-0.05', '-0.05'],
      ['7', '7.00'],
    ])
      expect((await app().patch(`${path}/1`, { big: sent })).json()).toMatchObject({ data: { big: kept } })
  })

  test('forms', async () => {
    const form = (await german().html.get('/admin/resource/items/form-page/2')).text
    const control = (name: string) => new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(form)?.[0] ?? ''
    expect([control('price'), control('yen'), control('dinar'), control('big')]).toEqual([
      expect.stringMatching(/inputmode="decimal" value="0,07".* data-step="0.01" data-min="-5000" data-max="10000"/),
      expect.stringMatching(/inputmode="numeric" value="7".* data-step="1"/),
      expect.stringMatching(/inputmode="decimal" value="-0,001".* data-step="0.001"/),
      expect.stringMatching(/inputmode="decimal" value="-0,05"/),
    ])
    const send = (texts: Record<string, string>) => german().html.put(`${path}/2`, new URLSearchParams({ name: 'b', ...texts }))
    expect((await send({ price: '1.234,5', big: '1.234,56' })).status).toBe(303)
    expect((await app().get(`${path}/2`)).json()).toMatchObject({ data: { price: 1234.5, big: '1234.56' } })
    const refused = await send({ price: '1,2345' })
    expect([refused.status, refused.text.includes('value="1,2345"')]).toEqual([422, true])
    expect(refused.text).toContain('Price: Ein Betrag in EUR hat höchstens 2 Nachkommastellen')
    expect((await send({ price: '12.340000000000000001' })).status).toBe(422)
    expect((await app().html.get('/admin/resource/items/form-page/1')).text).toMatch(/value="90071992547409.91"[^>]*name="big"/)
  })

  test('a value in a list is changed in place', async () => {
    const page = (await app().html.get(path)).text
    expect(page).toMatch(/<form class="live typed".*?name="was" value="12.34".*?data-step="0.01"/s)
    const [, action = ''] = /<form class="live typed" method="post" action="([^"]*)"/.exec(page) ?? []
    const send = (value: string) =>
      app().html.post(action.replaceAll('&amp;', '&'), new URLSearchParams({ _method: 'PUT', field: 'price', was: '12.34', value }))
    expect([(await send('99.555')).status, await storedPrice()]).toEqual([422, 1234])
    expect([(await send('99.5')).status < 400, await storedPrice()]).toEqual([true, 9950])
    const inJson = (value: number, was: number) => app().put('/admin/update-field/column/items/1', { field: 'price', value, was })
    expect([(await inJson(1, 12.34)).status, (await inJson(0.07, 99.5)).status, await storedPrice()]).toEqual([412, 200, 7])
  })

  test('sums, averages, figures and charts', async () => {
    const { summary } = (await app().get(`${path}?summary=1`)).json() as { summary: object }
    expect(summary).toEqual({
      price: { sum: -1987.59, average: -662.53, smallest: -2000, largest: 12.34 },
      big: { smallest: -0.05 },
    })
    const list = plainly((await app().html.get(path)).text)
    for (const one of ['-€1,987.59', '-€662.53', '-€2,000.00', '€12.34', '-€0.05'])
      expect(list).toMatch(new RegExp(`data-label="(Price|Big)">${one.replace('.', '\\.')}<`))
    const { data } = (await app().get('/admin')).json() as { data: Record<string, { value?: unknown; series?: { values: unknown[] }[] }> }
    expect([data.sum?.value, data.most?.value]).toEqual([-1987.59, 12.34])
    expect(data.sums?.series?.[0]?.values.toSorted()).toEqual([-2000, 12.41])
    expect(data.averages?.series?.[0]?.values.toSorted()).toEqual([-2000, 6.205])
    const home = plainly((await app().html.get('/admin')).text)
    for (const one of ['-€1,987.59', '€12.34', '-€2,000.00', '€12.41', '€6.21']) expect(home).toContain(one)
    // The lines of its scale are amounts, too.
    expect(home).toContain('<li>-€2,000</li>')
  })

  test('numbers of related records', async () => {
    const { data } = (await app().get('/admin/resource/makers/crud')).json() as { data: object[] }
    expect(data).toEqual([
      { id: 1, name: 'Ada', budget: 50, sum: 12.41, average: 6.205, most: 12.34, all: '90071992547409.86' },
      { id: 2, name: 'Bo', budget: null, sum: -2000, average: -2000, most: -2000, all: expect.stringMatching(/^0/) },
    ])
    const found = async (query: string) =>
      ((await app().get(`/admin/resource/makers/crud?${query}`)).json() as { data: { id: number }[] }).data?.map(({ id }) => id)
    expect(await found('filter[sum]=12.41')).toEqual([1])
    expect(await found('filter[average][gte]=6.205')).toEqual([1])
    expect(await found('filter[all]=90071992547409.86')).toEqual([1])
    expect(numbersIn((await app().html.get('/admin/resource/makers/crud')).text)).toEqual(
      expect.arrayContaining(['€12.41', '€6.205', '€90,071,992,547,409.86', '-€2,000.00']),
    )
  })

  test('files, and the records that they bring', async () => {
    const csv = (await app().get('/admin/resource/items/export')).text
    expect(csv).toContain('12.34')
    expect(csv).toContain('90071992547409.91')
    expect(csv).not.toContain('1234,')
    const bytes = new Uint8Array(
      await (await (panels[0] as Panel).fetch(new Request('http://localhost/admin/resource/items/export?format=xlsx'))).arrayBuffer(),
    )
    const sheet = Buffer.from(unzipSync(bytes)['xl/worksheets/sheet1.xml'] as Uint8Array).toString()
    const styles = Buffer.from(unzipSync(bytes)['xl/styles.xml'] as Uint8Array).toString()
    expect(sheet).toMatch(/<v>12\.34<\/v>/)
    expect(sheet).toMatch(/<v>-0\.05<\/v>/)
    expect(styles).toContain('#,##0.00')
    const bring = async (lines: string) => {
      const file = new Blob([lines])
      const form = new FormData()
      form.set('file', file, 'items.csv')
      form.set('mode', 'create')
      const answer = await (panels[1] as Panel).fetch(
        new Request('http://localhost/admin/resource/items/import', {
          method: 'POST',
          headers: { accept: 'application/json' },
          body: form,
        }),
      )
      return { status: answer.status, text: await answer.text() }
    }
    const brought = await bring('id,name,price,big,dinar\n4,d,"1.234,50","0,1",1.5\n5,e,12.3,7,"0,005"\n')
    expect(brought.status, brought.text).toBeLessThan(300)
    expect((await dataOf('?filter[price][gt]=12&sort=price')).map((one) => (one as unknown as Record<string, unknown>).price)).toEqual([
      12.3, 12.34, 1234.5,
    ])
    expect((await bring('id,name,price\n6,f,"1,005"\n')).text).toContain('lines[2].price')
    const again = new FormData()
    again.set('file', new Blob([bytes]), 'items.xlsx')
    again.set('mode', 'update')
    const updated = await (panels[0] as Panel).fetch(
      new Request('http://localhost/admin/resource/items/import', { method: 'POST', headers: { accept: 'application/json' }, body: again }),
    )
    expect(await updated.text()).toContain('"unchanged":3')
  })

  test('history, several at once, and what an action is given', async () => {
    await app().patch(`${path}/1`, { price: 20 })
    const history = (await app().get(`${path}/1/history`)).json() as { data: { changes: object }[] }
    expect(history.data[0]?.changes).toEqual({ price: { before: 12.34, after: 20 } })
    expect(plainly((await app().html.get(`${path}/1/history`)).text)).toContain('€12.34')
    const many = await app().post('/admin/resource/items/handler?handlerUri=massUpdate', { ids: [1, 2], price: 3.5 })
    expect([many.status, await storedPrice(1), await storedPrice(2)]).toEqual([200, 350, 350])
    const paid = await app().post('/admin/resource/items/handler?handlerUri=pay', { ids: [1], amount: 12.34 })
    expect([paid.status, seen]).toEqual([200, expect.arrayContaining([['handler', 1234]])])
    expect((await app().post('/admin/resource/items/handler?handlerUri=pay', { ids: [1], amount: 1.005 })).status).toBe(422)
  })
})

test('the document says how amounts are written', async () => {
  const panel = panelOver(tables, 'sqlite::memory:', 'en')
  const { components, paths } = inlined((await testPanel(panel).get('/oag.json')).json()) as {
    components: { schemas: Record<string, { properties: Record<string, object> }> }
    paths: Record<string, { get?: { parameters: { name: string; schema: object }[] } }>
  }
  const { price, big, yen } = components.schemas['items.Update']?.properties ?? {}
  const description = 'In EUR, with at most 2 digits after the point.'
  expect(price).toMatchObject({ type: 'number', minimum: -5000, maximum: 10_000, description })
  // Doubles are multiples of a hundredth to no validator.
  expect(price).not.toHaveProperty('multipleOf')
  expect(big).toMatchObject({ type: ['string', 'null'], description })
  expect(yen).toMatchObject({ type: ['integer', 'null'], description: 'In JPY.' })
  expect(components.schemas['items.Record']?.properties.price).toMatchObject({ type: 'number' })
  expect(JSON.stringify(paths)).toContain('filter[price][gte]')
  await panel.close()
})

const things = sqliteTable('things', {
  id: integer().primaryKey(),
  size: integer(),
  big: blob({ mode: 'bigint' }),
  weight: real(),
  exact: numeric(),
  lines: varchar({ mode: 'json' }),
})
const start =
  (fields: object, computed: object = {}) =>
  () =>
    definePanel({
      auth: 'open',
      title: 'Things',
      database: 'sqlite::memory:',
      resources: [defineResource({ model: things, fields: { id: id(), ...fields }, computed } as never)],
    })

test.each<[object, object, string | null]>([
  [{ size: euro('Size') }, {}, null],
  [{ size: euro('Size').min(0.01).step(0.05).default(996) }, {}, null],
  [{ big: euro('Big').max(10).default('9.95') }, {}, null],
  [{ big: euro('Big').max(10).default(995n) }, {}, null],
  [{ big: euro('Big').max(10).default('10.01') }, {}, 'field-methods'],
  [{ size: euro('Size').default(995) }, {}, null],
  [{ size: euro('Size').default(9.95) }, {}, 'field-methods'],
  [{ size: euro('Size').min(0.01).step(0.05).default(995) }, {}, 'field-methods'],
  [{ weight: euro('Weight') }, {}, 'needs a column of whole numbers, integer or bigint: this one is real'],
  [{ exact: euro('Exact') }, {}, 'this one is numeric'],
  [{ size: number().currency('EURO', { minor: true }) }, {}, 'is no code of a currency'],
  [{ size: euro('Size').step(0.005) }, {}, 'no numbers of 2 digits after the point go in steps of 0.005'],
  [{ lines: repeater('Lines').of({ price: euro('Price') }) }, {}, 'the part price cannot be in minor units'],
  [{ size: euro('Size').min(2).max(1) }, {}, 'no value can be at least 2 and at most 1'],
  [{ count: sumOf('Sum', things, 'size', 'weight').currency('EUR', { minor: true }) }, {}, 'needs a column of whole numbers'],
  [{ size: euro('Size') }, { x: { label: 'X', needs: ['size'], minor: true, value: () => 1 } }, 'computed-currency'],
])('%#: a declaration that can mean nothing stops the start', (fields, computed, says) => {
  if (says === null) expect(start(fields, computed)).not.toThrow()
  else expect(start(fields, computed)).toThrow(says)
})
