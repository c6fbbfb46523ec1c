import { definePanel, defineResource, email, html, id, memoryStore, number, raw, type TableSettings, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterEach, describe, expect, test } from 'vitest'
import type { Panel } from '../../src/panel.js'

const cities = sqliteTable('cities', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  mail: varchar(),
  population: integer(),
  secret: varchar(),
})
type Spec = Parameters<typeof defineResource<typeof cities>>[0]

let panel: Panel
afterEach(() => panel.close())

/** The index page of three cities, with some settings. */
async function page(table: TableSettings<typeof cities>, more: Partial<Spec> = {}, query = ''): Promise<string> {
  const model = memoryStore(cities)
  const Cities = defineResource({
    model,
    fields: { id: id(), name: text('Name').copyable(), mail: email('Mail'), population: number('Population') },
    pages: { index: ['id', 'name', 'mail', 'population'] },
    sortColumn: 'id',
    sortDirection: 'ASC',
    filters: ['name'],
    ...(more as object),
    table,
  })
  panel = definePanel({ auth: 'open', resources: [Cities], log: () => {} })
  await model.transaction(async (tx) => {
    for (const [i, name] of ['Oslo', 'Rome & "co"', 'Lima'].entries())
      await tx.create(Cities.model, { id: i + 1, name, mail: 'a@b.no', population: 5 - i, secret: 'sesame' })
  })
  const response = await panel.fetch(new Request(`http://localhost/admin/resource/cities/crud${query}`))
  const text_ = await response.text()
  expect(response.status, text_).toBe(200)
  return text_
}

const rows = (markup: string) => [...(/<tbody>.*<\/tbody>/s.exec(markup)?.[0].matchAll(/<tr[^>]*>/g) ?? [])].map(([tag]) => tag)
const between = (markup: string, tag: string) => new RegExp(`<${tag}>(.*)</${tag}>`, 's').exec(markup)?.[1] ?? null

describe('trAttributes', () => {
  test('gets the record, the number of the row and what the row has anyway', async () => {
    const seen: unknown[] = []
    const markup = await page({
      trAttributes: (city, rowNumber, attributes) => {
        seen.push([city.secret, rowNumber, attributes])
        return { ...attributes, class: city.name === 'Oslo' ? 'capital' : null, 'data-row': rowNumber }
      },
    })
    expect(seen).toEqual([0, 1, 2].map((i) => ['sesame', i, { 'data-key': String(i + 1) }]))
    expect(rows(markup)).toEqual([
      '<tr data-key="1" class="capital" data-row="0">',
      '<tr data-key="2" data-row="1">',
      '<tr data-key="3" data-row="2">',
    ])
  })

  test('cannot take away what a row is found by, nor leave its place', async () => {
    const markup = await page(
      { trAttributes: () => ({ 'data-key': 'x', 'data-href': 'javascript:alert(1)', title: '"><script>x</script>' }) },
      { clickAction: 'DETAIL' },
    )
    expect(rows(markup)[0]).toBe(
      '<tr data-key="1" data-href="/admin/resource/cities/crud/1" title="&quot;&gt;&lt;script&gt;x&lt;/script&gt;">',
    )
  })

  test.each(['onclick', 'OnClick', 'style', 'a b', 'x"y', 'srcdoc'])('the attribute %s is a mistake in the declaration', async (name) => {
    await expect(page({ trAttributes: () => ({ [name]: 'x' }) })).rejects.toThrow('500')
  })
})

describe('tdAttributes', () => {
  test('gets the number of the cell among those that are shown and what the cell has anyway', async () => {
    const seen = new Map<number, unknown>()
    const markup = await page({
      tdAttributes: (city, rowNumber, cellNumber, attributes) => {
        if (rowNumber === 0) seen.set(cellNumber, attributes)
        return cellNumber === 3 && (city.population ?? 0) > 3 ? { ...attributes, class: `${attributes.class} many` } : {}
      },
    })
    expect([...seen]).toEqual([
      [0, { 'data-copy': true }],
      [1, { scope: 'row', class: 'first label', 'data-copy': true }],
      [2, { class: 'meta', 'data-copy': true }],
      [3, { class: 'end meta', 'data-label': 'Population' }],
    ])
    expect(markup.match(/<td class="end meta many" data-label="Population">/g)).toHaveLength(2)
    expect(markup.match(/<td class="end meta" data-label="Population">/g)).toHaveLength(1)
  })

  test('adds classes, takes a title away, and leaves a head of a row one', async () => {
    const markup = await page({ tdAttributes: () => ({ class: 'hot', scope: null, title: null }) })
    expect(markup).toContain('<th scope="row" class="first label hot" data-copy>')
  })
})

describe('parts of the table', () => {
  const row = (words: string) => html`<tr><td colspan="6">${words}</td></tr>`

  test('head and foot are what the resource says, with what would stand there', async () => {
    const markup = await page({
      thead: (_rows, ctx) =>
        html`${ctx.own()}${row(`${ctx.columns.map(({ label }) => label).join('|')} ${ctx.cells} ${ctx.user.username}`)}`,
      tfoot: (all, { total }) => row(`${all.reduce((sum, one) => sum + (one.population ?? 0), 0)} of ${total} <b>`),
    })
    expect(between(markup, 'thead')).toMatch(
      /^<tr><td class="pick">.*<\/td><th scope="col" class="sorted" aria-sort="ascending">.*ID\|Name\|Mail\|Population 6 local<\/td><\/tr>$/,
    )
    expect(between(markup, 'tfoot')).toBe('<tr><td colspan="6">12 of 3 &lt;b&gt;</td></tr>')
  })

  test('markup stands as it is', async () => {
    const markup = await page({ thead: raw('<tr><th>H</th></tr>'), tbody: raw('<tr><td>B</td></tr>'), tfoot: raw('<tr><td>F</td></tr>') })
    expect(markup).toContain(
      '<table class="rows picks"><thead><tr><th>H</th></tr></thead><tbody><tr><td>B</td></tr></tbody><tfoot><tr><td>F</td></tr></tfoot></table>',
    )
    expect(markup).not.toContain('data-key')
  })

  test('tbodyBefore and tbodyAfter stand directly before and after the first row', async () => {
    const markup = await page({ tbodyBefore: row('before'), tbodyAfter: ([first]) => row(`after ${first?.name}`) })
    const body = between(markup, 'tbody') ?? ''
    expect(body.startsWith('<tr><td colspan="6">before</td></tr><tr data-key="1">')).toBe(true)
    const [first = '', second = ''] = body.split('<tr><td colspan="6">after Oslo</td></tr>')
    expect([...first.matchAll(/data-key="(\d)"/g)].map(([, key]) => key)).toEqual(['1'])
    expect(second.startsWith('<tr data-key="2">')).toBe(true)
  })

  test('a body in place of ours may hold ours', async () => {
    const markup = await page({ tbody: (all, { own }) => html`${own()}${row(`${all.length} in all`)}`, tbodyBefore: row('before') })
    expect(between(markup, 'tbody')).toMatch(
      /^<tr><td colspan="6">before<\/td><\/tr><tr data-key="1">.*<tr><td colspan="6">3 in all<\/td><\/tr>$/s,
    )
  })

  test('a list without rows has no first row', async () => {
    const markup = await page({ tbodyBefore: row('before'), tbodyAfter: row('after') }, {}, '?filter[name]=nobody')
    expect(markup).toContain('<tbody></tbody>')
  })

  test('a list without pages has them too', async () => {
    const markup = await page(
      { tbodyBefore: row('before'), tbodyAfter: row('after'), tfoot: (all) => row(`foot ${all.length}`) },
      { usePagination: false },
    )
    expect(between(markup, 'tbody')).toMatch(/^<tr><td colspan="6">before<.*data-key="1".*after.*data-key="2".*data-key="3".*$/s)
    expect(markup.match(/>(?:before|after)</g)).toHaveLength(2)
    expect(between(markup, 'tfoot')).toBe('<tr><td colspan="6">foot 0</td></tr>')
  })
})

describe('what a client reads', () => {
  const listing = (markup: string) => /<div class="listing card"[^>]*>/.exec(markup)?.[0]

  test('isAsync and clickAction', async () => {
    expect(listing(await page({ name: 'own' }))).toBe(
      '<div class="listing card" id="own" data-async data-row="/admin/component/index-page/cities?_component_name=own">',
    )
    await panel.close()
    expect(listing(await page({}, { isAsync: false, clickAction: 'EDIT' }))).toBe(
      '<div class="listing card" id="index-table-cities" data-click="EDIT">',
    )
  })

  test.each([
    ['DETAIL', '/admin/resource/cities/crud/1'],
    ['EDIT', '/admin/resource/cities/form-page/1'],
  ] as const)('%s leads to the page of the record', async (clickAction, href) => {
    expect(rows(await page({}, { clickAction }))[0]).toBe(`<tr data-key="1" data-href="${href}">`)
  })

  test('a click leads nowhere that the caller may not go', async () => {
    const canRecord = { update: ({ record }: { record: { name: string } }) => record.name !== 'Oslo' }
    const tags = rows(await page({}, { clickAction: 'EDIT', canRecord } as never))
    expect(tags.slice(0, 2)).toEqual(['<tr data-key="1">', '<tr data-key="2" data-href="/admin/resource/cities/form-page/2">'])
  })

  test.each(['SELECT', 'DETAIL'])('%s or not, whoever may delete nothing has the boxes, too', async (clickAction) => {
    expect(await page({}, { clickAction, can: { delete: false } } as never)).toContain('name="ids[]"')
  })

  test('what is copied is the text of the cell, never what a resource displays', async () => {
    const display = { mail: () => 'hidden' }
    const markup = await page({}, { display } as never)
    expect(markup.match(/data-copy/g)).toHaveLength(6)
  })
})
