import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  belongsTo,
  date,
  dateTime,
  definePanel,
  defineResource,
  id,
  memoryStore,
  number,
  type Panel,
  select,
  switcher,
  text,
  textarea,
} from 'daymark'
import { type TestPanel, testPanel } from 'daymark/testing'
import { type FileFormat, xlsx } from 'daymark/xlsx'
import * as pg from 'drizzle-orm/pg-core'
import { blob, integer, numeric, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import { strToU8, unzipSync, type Zippable, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const makers = sqliteTable('makers', { id: integer().primaryKey(), name: varchar().notNull() })
const items = sqliteTable('items', {
  id: integer().primaryKey(),
  name: varchar(),
  notes: varchar(),
  count: integer(),
  weight: real(),
  big: blob({ mode: 'bigint' }),
  price: numeric(),
  on: integer({ mode: 'boolean' }),
  day: varchar(),
  at: integer({ mode: 'timestamp_ms' }),
  makerId: integer('maker_id').references(() => makers.id),
  sizes: varchar({ mode: 'json' }).$type<readonly string[]>(),
})
const pgMakers = pg.pgTable('makers', { id: pg.integer().primaryKey(), name: pg.text().notNull() })
const pgItems = pg.pgTable('items', {
  id: pg.integer().primaryKey(),
  name: pg.text(),
  notes: pg.text(),
  count: pg.integer(),
  weight: pg.doublePrecision(),
  big: pg.bigint({ mode: 'bigint' }),
  price: pg.numeric({ precision: 20, scale: 2 }),
  on: pg.boolean(),
  day: pg.date({ mode: 'string' }),
  at: pg.timestamp({ withTimezone: true, precision: 3 }),
  makerId: pg.integer('maker_id').references(() => pgMakers.id),
  sizes: pg.jsonb().$type<readonly string[]>(),
})
const schemaIn = (sqlite: boolean) => `create table makers (id integer primary key, name text not null);
  create table items (id integer primary key, name text, notes text, count integer, weight ${sqlite ? 'real' : 'double precision'}, big ${sqlite ? 'blob' : 'bigint'}, price ${sqlite ? 'numeric' : 'numeric(20, 2)'}, "on" ${sqlite ? 'integer' : 'boolean'}, day ${sqlite ? 'text' : 'date'}, at ${sqlite ? 'integer' : 'timestamptz(3)'}, maker_id integer references makers, sizes ${sqlite ? 'text' : 'jsonb'})`

type Row = typeof items.$inferInsert

function panelOver(model: object, maker: object, database: string | null, formats: readonly FileFormat[] = [xlsx()]): Panel {
  const Makers = defineResource({ model: maker as typeof makers, column: 'name' })
  const related = (maker === pgMakers ? pgMakers : makers) as typeof makers
  const Items = defineResource({
    model: model as typeof items,
    uriKey: 'items',
    title: 'Items',
    fields: {
      id: id(),
      name: text('Name').searchable(),
      notes: textarea('Notes'),
      count: number('Count'),
      weight: number('Weight'),
      big: number('Big'),
      price: number('Price').currency('EUR'),
      on: switcher('On'),
      day: date('Day'),
      at: dateTime('At'),
      makerId: belongsTo('Maker', related),
      sizes: select('Sizes').options(['S', 'M', 'L']).multiple(),
    },
    filters: ['name'],
    pages: {
      index: ['id', 'name', 'notes', 'count', 'weight', 'big', 'price', 'on', 'day', 'at', 'makerId', 'sizes'],
      more: [{ uri: 'short', title: 'Short', type: 'index', fields: ['id', 'name'], where: { count: { gte: 5 } } }],
    },
    import: true,
    sortColumn: 'id',
    sortDirection: 'ASC',
  })
  return definePanel({
    auth: 'open',
    ...(database !== null && { database }),
    resources: [Makers, Items],
    formats,
    locale: 'de',
    timeZone: 'Europe/Berlin',
    log: () => {},
  })
}

const path = '/admin/resource/items'
const columns = 'ID,Name,Notes,Count,Weight,Big,Price,On,Day,At,Maker (Schlüssel),Maker,Sizes'.split(',')

/** The cells of the first sheet, by their places, as they are written. */
function cellsIn(bytes: Uint8Array): ReadonlyMap<string, string> {
  const xml = Buffer.from(unzipSync(bytes)['xl/worksheets/sheet1.xml'] as Uint8Array).toString()
  const cells = [...xml.matchAll(/<c r="([A-Z]+\d+)"((?: [a-z]+="[^"]*")*)>(.*?)<\/c>/gs)]
  return new Map(
    cells.map(([, at = '', how = '', inside = '']) => {
      const type = / t="(\w+)"/.exec(how)?.[1] ?? 'n'
      return [at, `${type} ${inside.replace(/<[^>]*>/g, '')}`]
    }),
  )
}

async function bytesOf(panel: Panel, query: string): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await panel.fetch(new Request(`http://localhost${path}/export?${query}`))
  expect(answer.status).toBe(200)
  return new Uint8Array(await answer.arrayBuffer())
}

function formOf(bytes: Uint8Array<ArrayBuffer>, fields: Readonly<Record<string, string>>): FormData {
  const made = new FormData()
  made.set('file', new Blob([bytes]), 'items.xlsx')
  for (const [name, value] of Object.entries(fields)) made.set(name, value)
  return made
}

interface World {
  readonly panel: Panel
  readonly ask: TestPanel
  fill(rows: readonly Row[]): Promise<unknown>
  end(): Promise<unknown>
}

const worlds: Readonly<Record<string, () => Promise<World>>> = {
  memory: async () => {
    const [model, maker] = [memoryStore(items), memoryStore(makers)]
    const panel = panelOver(model, maker, null)
    const ask = testPanel(panel)
    await ask.create(makers, { id: 1, name: '=Acme' })
    return worldOf(panel, items, () => Promise.resolve())
  },
  SQLite: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'daymark-xlsx-'))
    const client = new Sqlite(join(folder, 'a.db'))
    client.exec(`${schemaIn(true)}; insert into makers values (1, '=Acme')`)
    const panel = panelOver(items, makers, `sqlite:${join(folder, 'a.db')}`)
    return worldOf(panel, items, async () => {
      client.close()
      rmSync(folder, { recursive: true, force: true })
    })
  },
  PostgreSQL: async () => {
    const database = await openDatabase()
    await database.query(`${schemaIn(false)}; insert into makers values (1, '=Acme')`)
    const panel = panelOver(pgItems, pgMakers, database.url)
    return worldOf(panel, pgItems as unknown as typeof items, () => database.drop())
  },
}

function worldOf(panel: Panel, table: typeof items, then: () => Promise<unknown>): World {
  const ask = testPanel(panel)
  return {
    panel,
    ask,
    async fill(rows) {
      const { data } = (await ask.get(`${path}/crud?perPage=100&fields=id`)).json() as { data: readonly { id: number }[] }
      if (data.length > 0) expect((await ask.delete(`${path}/crud`, { ids: data.map(({ id }) => id) })).status).toBe(200)
      for (const row of rows) await ask.create(table, row)
    },
    end: () => panel.close().then(then),
  }
}

const hostile = [
  '=1+1',
  '+1',
  '-1',
  '@a',
  "'=1",
  '\t=1',
  '<b>&amp;"',
  ']]>',
  '_x0041_',
  '_x004',
  '1',
  '007',
  '1.234',
  'true',
  '2026-01-01',
  ' a ',
  '\n',
  '😀',
  '\u200b',
  'é',
  '\u0001',
  '\u0008',
  '\u001f',
  '\ufffe',
  '\u202e',
  'ein, "Wort"',
]
// What a form takes for one line end, an import does too.
const words = fc
  .array(fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'grapheme', maxLength: 6 })), { minLength: 1, maxLength: 4 })
  .map((all) => all.join('').replaceAll('\0', '').toWellFormed().replace(/\r\n?/g, '\n'))
  .filter((one) => one.trim() !== '')
const option = <T>(one: fc.Arbitrary<T>) => fc.option(one, { freq: 4 })
const anyRow = fc.record({
  name: option(words.map((one) => one.replace(/\n/g, ' ')).filter((one) => one.trim() !== '')),
  notes: option(words),
  count: option(fc.integer({ min: -2_147_483_648, max: 2_147_483_647 })),
  weight: option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (Object.is(one, -0) ? 0 : one))),
  big: option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  price: option(fc.integer({ min: -1e14, max: 1e14 }).map((cents) => (cents / 100).toFixed(2))),
  on: option(fc.boolean()),
  day: option(
    fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }).map((one) => one.toISOString().slice(0, 10)),
  ),
  at: option(
    fc.oneof(
      fc.date({ min: new Date('1850-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
      // Around the hour that the clocks show twice.
      fc.date({ min: new Date('2026-10-25T00:00:00Z'), max: new Date('2026-10-25T02:00:00Z'), noInvalidDate: true }),
    ),
  ),
  makerId: option(fc.constant(1)),
  sizes: option(fc.subarray(['S', 'M', 'L'], { minLength: 1 })),
})

describe.each(Object.keys(worlds))('over %s', (name) => {
  let at: World
  beforeAll(async () => {
    at = await (worlds[name] as () => Promise<World>)()
  })
  afterAll(() => at?.end())

  test('values are in the sheet what they are, and in the language of nobody', async () => {
    await at.fill([
      {
        id: 1,
        name: '=1+1',
        notes: 'a\u0008 _x0041_\n<&>',
        count: -7,
        weight: 0.1,
        big: 9_007_199_254_740_993n,
        price: '1234.50',
        on: true,
        day: '2026-11-26',
        at: new Date('2026-11-26T09:00:00.123Z'),
        makerId: 1,
        sizes: ['S', 'L'],
      },
      { id: 2, big: 12n, day: '1899-12-31', at: new Date('2026-10-25T00:30:00Z'), on: false, price: '12345678901234.25' },
    ])
    const answer = await at.panel.fetch(new Request(`http://localhost${path}/export?format=xlsx`, { headers: { accept: 'text/html' } }))
    expect(answer.headers.get('content-type')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="items-\d{4}-\d\d-\d\d\.xlsx"$/)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const cells = cellsIn(bytes)
    expect(columns.map((_, i) => cells.get(`${'ABCDEFGHIJKLM'[i]}1`))).toEqual(columns.map((label) => `inlineStr ${label}`))
    const row = (line: number) => columns.map((_, i) => cells.get(`${'ABCDEFGHIJKLM'[i]}${line}`) ?? null)
    expect(row(2)).toEqual([
      'n 1',
      'inlineStr =1+1',
      'inlineStr a_x0008_ _x005F_x0041_\n&lt;&amp;&gt;',
      'n -7',
      'n 0.1',
      'inlineStr 9007199254740993',
      name === 'PostgreSQL' ? 'n 1234.5' : expect.stringMatching(/1234\.50?$/),
      'b 1',
      'n 46352',
      // Ten o'clock in Berlin.
      expect.stringMatching(/^n 46352\.416668/),
      'n 1',
      'inlineStr =Acme',
      'inlineStr [&quot;S&quot;,&quot;L&quot;]',
    ])
    expect(row(3)).toEqual([
      'n 2',
      null,
      null,
      null,
      null,
      'n 12',
      'inlineStr 12345678901234.25',
      'b 0',
      'inlineStr 1899-12-31',
      'inlineStr 2026-10-25T00:30:00.000Z',
      null,
      null,
      null,
    ])
    const parts = unzipSync(bytes)
    const sheet = Buffer.from(parts['xl/worksheets/sheet1.xml'] as Uint8Array).toString()
    expect(sheet).not.toContain('<f')
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
    expect(sheet).toContain('<autoFilter ref="A1:M3"/>')
    expect(Buffer.from(parts['xl/styles.xml'] as Uint8Array).toString()).toContain('formatCode="#,##0.00&quot;\u00a0€&quot;"')
    const { status, headers } = await at.panel.fetch(new Request(`http://localhost${path}/export?format=xlsx`, { method: 'HEAD' }))
    expect([status, headers.get('content-type')]).toEqual([200, answer.headers.get('content-type')])
  })

  test('some rows, or those of a further index page, are a workbook, too', async () => {
    await at.fill([1, 2, 3, 4].map((key) => ({ id: key, name: `n${key}`, count: key * 2 })))
    const some = await at.panel.fetch(
      new Request(`http://localhost${path}/export?format=xlsx&sort=-id&fields=id,name`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ ids: [2, 4] }),
      }),
    )
    expect([...cellsIn(new Uint8Array(await some.arrayBuffer())).values()]).toEqual([
      'inlineStr ID',
      'inlineStr Name',
      'n 4',
      'inlineStr n4',
      'n 2',
      'inlineStr n2',
    ])
    expect([...cellsIn(await bytesOf(at.panel, 'format=xlsx&_list=short')).values()].slice(2)).toEqual([
      'n 3',
      'inlineStr n3',
      'n 4',
      'inlineStr n4',
    ])
    const wrong = await at.ask.get(`${path}/export?format=ods`)
    expect([wrong.status, wrong.json()]).toMatchObject([422, { errors: { format: [expect.stringContaining('csv, xlsx')] } }])
  })

  test('whatever is stored comes back from a workbook, and nothing that is as it says is written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 6 }), async (some) => {
        const rows = some.map((one, i) => ({
          ...one,
          id: i + 1,
          price: name === 'PostgreSQL' ? one.price : one.price && String(Number(one.price)),
        }))
        await at.fill(rows as Row[])
        const all = async () => (await at.ask.get(`${path}/crud?perPage=100`)).json() as { data: readonly object[] }
        const before = (await all()).data
        const file = await bytesOf(at.panel, 'format=xlsx')
        const same = await at.ask.post(`${path}/import`, formOf(file, { mode: 'update', check: '1' }))
        expect(same.json()).toMatchObject({ data: { created: 0, updated: 0, unchanged: rows.length } })
        await at.fill(rows.map(({ id }) => ({ id })))
        const written = await at.ask.post(`${path}/import`, formOf(file, { mode: 'update' }))
        expect(written.status, written.text).toBe(200)
        expect((await all()).data).toEqual(before)
      }),
      { numRuns: name === 'memory' ? 60 : 15 },
    )
  })

  test('a workbook alone is imported like one of a form', async () => {
    await at.fill([{ id: 1, name: 'a' }])
    const file = await bytesOf(at.panel, 'format=xlsx&fields=id,name')
    await at.fill([{ id: 1, name: 'b' }])
    const answer = await at.panel.fetch(
      new Request(`http://localhost${path}/import?mode=update`, {
        method: 'POST',
        headers: { 'content-type': xlsx().type, accept: 'application/json' },
        body: file,
      }),
    )
    expect(await answer.json()).toMatchObject({ data: { updated: 1 } })
    expect((await at.ask.get(`${path}/crud/1`)).json()).toMatchObject({ data: { name: 'a' } })
  })
})

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A workbook as others make them. */
function bookOf(
  rows: string,
  more: { readonly strings?: string; readonly styles?: string; readonly book?: string; readonly sheet?: string } = {},
) {
  const files: Zippable = {
    '_rels/.rels': strToU8(
      `<Relationships><Relationship Id="r1" Type="${office}/officeDocument" Target="/xl/workbook.xml"/></Relationships>`,
    ),
    'xl/workbook.xml': strToU8(
      `<?xml version="1.0"?><workbook>${more.book ?? ''}<sheets><sheet name="One &amp; only" sheetId="4" r:id="rId7"/><sheet name="Two" sheetId="5" r:id="rId8"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<Relationships><Relationship Id="rId8" Type="${office}/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="rId7" Type='${office}/worksheet' Target="worksheets/sheet1.xml"/><Relationship Id="a" Type="${office}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="b" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    ),
    'xl/worksheets/sheet1.xml': strToU8(more.sheet ?? `<worksheet><sheetData>${rows}</sheetData></worksheet>`),
    'xl/worksheets/sheet2.xml': strToU8('<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>'),
    ...(more.strings !== undefined && { 'xl/sharedStrings.xml': strToU8(`<sst>${more.strings}</sst>`) }),
    ...(more.styles !== undefined && { 'xl/styles.xml': strToU8(`<styleSheet>${more.styles}</styleSheet>`) }),
  }
  return zipSync(files) as Uint8Array<ArrayBuffer>
}
const inline = (words: string) => `<c t="inlineStr"><is><t>${words}</t></is></c>`
const row = (...cells: readonly string[]) => `<row>${cells.join('')}</row>`

describe('a workbook that others have made', () => {
  let panel: Panel
  let ask: TestPanel
  beforeAll(() => {
    panel = panelOver(memoryStore(items), memoryStore(makers), null)
    ask = testPanel(panel)
  })
  afterAll(() => panel.close())
  const check = async (bytes: Uint8Array<ArrayBuffer>) => {
    const answer = await ask.post(`${path}/import`, formOf(bytes, { mode: 'create', check: '1' }))
    // biome-ignore lint/suspicious/noExplicitAny: whatever shape a test expects
    return { status: answer.status, ...(answer.json() as any) }
  }
  const write = async (bytes: Uint8Array<ArrayBuffer>) => {
    const answer = await ask.post(`${path}/import`, formOf(bytes, { mode: 'create' }))
    expect(answer.status, answer.text).toBe(200)
    const { data } = (await ask.get(`${path}/crud?sort=-id&perPage=1`)).json() as { data: readonly Record<string, unknown>[] }
    return data[0]
  }

  test('numbers are those that they are in German, too, and dates those of the zone', async () => {
    const file = bookOf(
      row(...['Name', 'Weight', 'Count', 'Price', 'On', 'Day', 'At', 'Big'].map(inline)) +
        `<row r="5" x="a>b"><c r="A5" t="s"><v>1</v></c><c r="B5"><v>1.234</v></c><c r="C5"><v>1E3</v></c><c r="D5"><f>1+1</f><v>0.30000000000000004</v></c><c r="E5" t="b"><v>0</v></c><c r="F5" s="1"><v>46352</v></c><c r="G5" s="2"><v>46352.416666666664</v></c><c r="H5"><v>12</v></c></row>`,
      {
        strings:
          '<si><t>no</t></si><si><r><t xml:space="preserve">Zwei </t></r><r><t>&lt;Teile&#x3e;_x000D_</t></r><rPh sb="0" eb="1"><t>laut</t></rPh></si>',
        styles:
          '<numFmts><numFmt numFmtId="170" formatCode="[$-407]dd\\.mm\\.yyyy\\ hh:mm;@"/><numFmt numFmtId="171" formatCode="0.00&quot; days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="171"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs>',
      },
    )
    expect(await write(file)).toMatchObject({
      name: 'Zwei <Teile>\n',
      weight: 1.234,
      count: 1000,
      price: '0.3',
      on: false,
      day: '2026-11-26',
      at: '2026-11-26T09:00:00.000Z',
      big: '12',
    })
  })

  test('prefixes, comments, days from 1904 and the days before March 1900 are read', async () => {
    const sheet = `<?xml version="1.0"?><!-- a > b --><x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c t="str"><x:v>Name</x:v></x:c><x:c t="str"><x:v>Day</x:v></x:c></x:row><x:row/><x:row><x:c t="str"><x:v><![CDATA[<raw>]]></x:v></x:c><x:c s="0"><x:v>0</x:v></x:c></x:row></x:sheetData></x:worksheet>`
    const styles = '<cellXfs><xf numFmtId="14"/></cellXfs>'
    expect(await write(bookOf('', { sheet, styles, book: '<workbookPr date1904="1"/>' }))).toMatchObject({
      name: '<raw>',
      day: '1904-01-01',
    })
    const early = (serial: number) => bookOf(row(inline('Day')) + row(`<c s="0"><v>${serial}</v></c>`), { styles })
    expect(await write(early(1))).toMatchObject({ day: '1900-01-01' })
    expect(await write(early(59))).toMatchObject({ day: '1900-02-28' })
    expect(await write(early(61))).toMatchObject({ day: '1900-03-01' })
    // Excel has a 29th of February 1900.
    expect((await check(early(60))).errors).toHaveProperty(['lines[2].day'])
  })

  test('what is wrong is told by row and column', async () => {
    const file = bookOf(
      row(...['Name', 'Count', 'Big', 'Notes'].map(inline)) +
        `<row r="7"><c r="A7" t="e"><v>#REF!</v></c><c r="B7"><v>1.5</v></c><c r="C7"><v>9007199254740993</v></c><c r="D7" t="inlineStr"><is><t>${'x'.repeat(32_767)}</t></is></c></row>` +
        `<row r="9"><c r="A9"><v>1</v></c><c r="F9"><v>1</v></c></row>`,
    )
    const { status, errors } = await check(file)
    expect(status).toBe(422)
    expect(Object.keys(errors).sort()).toEqual(['lines[7].big', 'lines[7].count', 'lines[7].name', 'lines[7].notes', 'lines[9]'])
    expect(errors['lines[7].name'][0]).toContain('#REF!')
    expect(errors['lines[7].big'][0]).toContain('15')
    expect(errors['lines[7].notes'][0]).toContain('32767')
  })

  const lying = () => {
    const bytes = bookOf('', { sheet: `<worksheet><sheetData>${row(inline('Name')).repeat(50_000)}</sheetData></worksheet>` })
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    // Every size in the directory.
    for (let i = 0; i < bytes.length - 30; i++) if (view.getUint32(i, true) === 0x02014b50) view.setUint32(i + 24, 900, true)
    return bytes
  }
  const two = row(inline('Name')) + row(inline('a'))
  const attributes = Array.from({ length: 4000 }, (_, i) => `a${i}=""`).join(' ')
  const long = (begin: string, repeated: string, end: string) =>
    bookOf('', { sheet: `<worksheet><sheetData>${two}${begin}${repeated.repeat(3_000_000)}${end}</sheetData></worksheet>` })
  const many = () => {
    const bytes = bookOf(row(inline('Name')) + row(inline('a')))
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (const from of [14, 12]) view.setUint16(bytes.length - from, 65_534, true)
    return bytes
  }
  test.each<[string, () => Uint8Array<ArrayBuffer>, RegExp]>([
    ['an archive of something else', () => zipSync({ 'a.txt': strToU8('a') }) as Uint8Array<ArrayBuffer>, /Arbeitsmappe/],
    ['one with a password', () => new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]), /Kennwort/],
    ['half of one', () => bookOf(row(inline('Name')) + row(inline('a'))).slice(0, 300), /Arbeitsmappe/],
    ['no more than a beginning', () => new Uint8Array([0x50, 0x4b, 3, 4]), /Arbeitsmappe/],
    ['a sheet that breaks off', () => bookOf('', { sheet: `<worksheet><sheetData>${row(inline('Name'))}<row><c` }), /Arbeitsmappe/],
    [
      'a sheet without an end',
      () => bookOf('', { sheet: `<worksheet><sheetData>${row(inline('Name'))}${row(inline('a'))}` }),
      /Arbeitsmappe/,
    ],
    ['entities of its own', () => bookOf('', { sheet: '<!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet/>' }), /Arbeitsmappe/],
    ['an entity that nobody knows', () => bookOf(row(inline('Name')) + row(inline('&lol;'))), /Arbeitsmappe/],
    ['no rows', () => bookOf(row(inline('Name'))), /keine Zeilen/],
    ['a bomb', () => bookOf('', { sheet: `<worksheet>${' '.repeat(70_000_000)}</worksheet>` }), /zu groß/],
    ['a bomb that says that it is none', lying, /Arbeitsmappe/],
    ['an archive that says that it has many files', many, /Arbeitsmappe/],
    // A few kilobytes, which would take gigabytes of memory and end the process.
    [
      'very many elements in one another',
      () => bookOf('', { sheet: `<worksheet>${'<a>'.repeat(4000)}${'</a>'.repeat(4000)}<sheetData>${two}</sheetData></worksheet>` }),
      /Arbeitsmappe/,
    ],
    [
      'an element of very many attributes',
      () => bookOf('', { sheet: `<worksheet ${attributes}><sheetData>${two}</sheetData></worksheet>` }),
      /Arbeitsmappe/,
    ],
    ['a very long text', () => long('<![CDATA[', ']a', ']]>'), /Arbeitsmappe/],
    ['a very long comment', () => long('<!--', '-a', '-->'), /Arbeitsmappe/],
    ['a very long instruction', () => long('<?a ', '?a', '?>'), /Arbeitsmappe/],
    [
      'one text in very many cells',
      () =>
        bookOf(row(inline('Name')) + row('<c t="s"><v>0</v></c>').repeat(9_000), { strings: `<si><t>${"\n'=".repeat(20_000)}</t></si>` }),
      /zu groß/,
    ],
    [
      'nothing but spaces in very many cells',
      () => bookOf(row(inline('Name')) + row('<c t="s"><v>0</v></c>').repeat(9_000), { strings: `<si><t>${' '.repeat(60_000)}</t></si>` }),
      /zu groß/,
    ],
    ['too many rows', () => bookOf(row(inline('Name')) + row(inline('a')).repeat(10_001)), /10000/],
    [
      'too many columns',
      () => bookOf(`${row(inline('Name'))}<row><c r="A2" t="str"><v>a</v></c><c r="XFD2" t="str"><v>b</v></c></row>`),
      /500/,
    ],
  ])('%s is refused, and soon', async (_, bytes, says) => {
    const began = performance.now()
    const { status, errors } = await check(bytes())
    expect([status, errors]).toEqual([422, { file: [expect.stringMatching(says)] }])
    expect(performance.now() - began).toBeLessThan(15_000)
  })

  test('the format of a number costs no more than its length, however many cells have it', async () => {
    const codes = ['[a', '&quot;a&quot;[', '\\\\[', '_['].map((part) => part.repeat(20_000))
    const formats = codes.map((code, i) => `<numFmt numFmtId="${170 + i}" formatCode="${code}"/>`).join('')
    const cells = codes.map((_, i) => `<xf numFmtId="${170 + i}"/>`.repeat(1000)).join('')
    const began = performance.now()
    const file = bookOf(row(inline('Name')) + row(inline('a')), { styles: `<numFmts>${formats}</numFmts><cellXfs>${cells}</cellXfs>` })
    expect((await check(file)).status).toBe(200)
    expect(performance.now() - began).toBeLessThan(5000)
  })

  test('quotes in tags cost no more than their length', async () => {
    const sheet = `<worksheet a="${'>'.repeat(3_000_000)}" b='${'"'.repeat(1_000_000)}'><sheetData>${row(inline('Name'))}${row(inline('a'))}</sheetData></worksheet>`
    const began = performance.now()
    expect((await check(bookOf('', { sheet }))).status).toBe(200)
    expect(performance.now() - began).toBeLessThan(5000)
  })
})

test('an empty workbook of the columns can be filled in and imported', async () => {
  const panel = panelOver(memoryStore(items), memoryStore(makers), null)
  const ask = testPanel(panel)
  const { text: page } = await ask.get(`${path}/import`, { headers: { accept: 'text/html' } })
  expect([...page.matchAll(/<a href="([^"]*)" download>([^<]*)</g)].map(([, href, said]) => [said, href])).toEqual([
    ['Vorlage als CSV', `${path}/import/template`],
    ['Vorlage als Excel', `${path}/import/template?format=xlsx`],
  ])
  const answer = await panel.fetch(new Request(`http://localhost${path}/import/template?format=xlsx`))
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="items.xlsx"')
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const names = [...cellsIn(bytes)].map(([at, said]) => `${at} ${said.replace(/^\w+ /, '')}`)
  expect(names.slice(0, 3)).toEqual(['A1 ID', 'B1 Name', 'C1 Notes'])
  expect(names.at(-1)).toBe('L1 Sizes')
  expect((await ask.post(`${path}/import`, formOf(bytes, {}))).json()).toMatchObject({ errors: { file: [expect.any(String)] } })
  const parts = unzipSync(bytes)
  const sheet = Buffer.from(parts['xl/worksheets/sheet1.xml'] as Uint8Array).toString()
  const row = '<row r="2"><c r="B2" t="inlineStr"><is><t>Bolt</t></is></c></row>'
  const filled = zipSync({ ...parts, 'xl/worksheets/sheet1.xml': strToU8(sheet.replace('</sheetData>', `${row}</sheetData>`)) })
  expect((await ask.post(`${path}/import`, formOf(Uint8Array.from(filled), {}))).json()).toMatchObject({ data: { created: 1 } })
  expect((await ask.get(`${path}/import/template?format=ods`)).json()).toMatchObject({
    status: 422,
    errors: { format: [expect.any(String)] },
  })
})

test('without the format, a workbook is no file that is known, and none is offered', async () => {
  const panel = panelOver(memoryStore(items), memoryStore(makers), null, [])
  const ask = testPanel(panel)
  const wrong = await ask.get(`${path}/export?format=xlsx`)
  expect([wrong.status, wrong.json()]).toMatchObject([422, { errors: { format: [expect.stringMatching(/csv$/)] } }])
  const answer = await ask.post(`${path}/import`, formOf(bookOf(row(inline('Name')) + row(inline('a'))), {}))
  expect([answer.status, answer.json()]).toMatchObject([422, { errors: { file: [expect.stringContaining('UTF-8')] } }])
  expect((await ask.html.get(`${path}/crud`)).text).not.toContain('format=')
  expect((await ask.html.get(`${path}/import`)).text).not.toContain('.xlsx')
  await panel.close()
})

test('a list that a sheet cannot hold is refused before anything is sent, and never sent in part', async () => {
  const small: FileFormat = { ...xlsx(), mostRows: 2 }
  const model = memoryStore(
    items,
    [1, 2, 3].map((key) => ({ id: key })),
  )
  const panel = panelOver(model, memoryStore(makers), null, [small])
  const ask = testPanel(panel)
  const answer = await ask.get(`${path}/export?format=xlsx`)
  expect([answer.status, answer.json()]).toMatchObject([422, { errors: { format: [expect.stringMatching(/2 .*Excel.*CSV/)] } }])
  expect((await ask.post(`${path}/export?format=xlsx`, { ids: [1, 3] })).status).toBe(200)
  expect((await ask.get(`${path}/export`)).status).toBe(200)
  await panel.close()
  const { workbook } = await import('../../src/xlsx/workbook.js')
  const t = (() => '') as never
  const sheet = { title: 'T', columns: [{ label: 'A', field: null }], timeZone: 'UTC', locale: 'en', t }
  const send = async () => {
    const chunks = (async function* () {
      yield [[1], [2]]
      yield [[3]]
    })()
    for await (const _ of workbook({ ...sheet, chunks }, 2));
  }
  await expect(send()).rejects.toThrow('More than 2 rows')
})

test('a workbook is read no faster than it is taken, and not at all once nobody takes it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-xlsx-'))
  const client = new Sqlite(join(folder, 'a.db'))
  client.exec(
    `${schemaIn(true)}; with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000) insert into items (id, name, notes) select i, hex(randomblob(40)), hex(randomblob(60)) from n`,
  )
  const statements: string[] = []
  const Items = defineResource({ model: items, fields: { id: id(), name: text('Name'), notes: text('Notes') }, sortColumn: 'id' })
  const panel = definePanel({
    auth: 'open',
    database: `sqlite:${join(folder, 'a.db')}`,
    resources: [Items],
    formats: [xlsx()],
    observe: (sql) => statements.push(sql),
  })
  const selects = () => statements.filter((sql) => /^select/i.test(sql)).length
  const slow = (await panel.fetch(new Request(`http://localhost${path}/export?format=xlsx`))).body?.getReader()
  for (let i = 0; i < 8; i++) await slow?.read()
  await new Promise((resolve) => setTimeout(resolve, 200))
  // Of sixty chunks those that were taken, and the few that wait to be.
  expect(selects()).toBeLessThan(12)
  await slow?.cancel()
  await new Promise((resolve) => setTimeout(resolve, 50))
  const then = selects()
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(selects()).toBe(then)
  const all = await bytesOf(panel, 'format=xlsx')
  expect(cellsIn(all).size).toBe(30_001 * 3)
  await panel.close()
  client.close()
  rmSync(folder, { recursive: true, force: true })
}, 120_000)
