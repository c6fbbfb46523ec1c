import { belongsTo, chart, definePage, definePanel, defineResource, groups, hasMany, id, metric, number, select, text, view } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'

// Words and units that no line of a phone can hold.
const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const unit = 'Kilowattstunden je Quadratmeter beheizter Nutzfläche und Jahr, witterungsbereinigt'

const houses = sqliteTable('houses', { id: integer().primaryKey(), name: varchar().notNull() })
const meters = sqliteTable('meters', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  kind: varchar(),
  used: integer().notNull(),
  houseId: integer('house_id').references(() => houses.id),
})
const Meters = defineResource({
  model: meters,
  title: 'Außergewöhnlich lange Bezeichnungen für Verwaltungszwecke',
  uriKey: 'meters',
  fields: {
    id: id(),
    name: text('Rechtsschutzversicherungsgesellschaftenangestelltenverhältnis').required().hint(word),
    kind: select('Bearbeitungszustandsbezeichnung des Vorgangs insgesamt')
      .options({ a: word, b: `${word} 2`, c: 'Kurz' })
      .tones({ a: 'good' }),
    used: number('Zahl mit zwanzig Stellen und einer langen Beschriftung').unit(unit),
    houseId: belongsTo('Haus', houses),
  },
  pages: { index: ['name', 'kind', 'used'] },
  filters: ['used', 'kind'],
  summary: { used: 'sum' },
  views: [view.board('kind')],
  sortColumn: 'id',
  import: true,
})
const Houses = defineResource({
  model: houses,
  title: 'Houses',
  uriKey: 'houses',
  fields: { id: id(), name: text('Name') },
  related: [hasMany('meters')],
  comments: true,
})
const Home = definePage({
  uri: 'start',
  title: 'Start',
  components: [
    metric({ name: 'one', label: word, value: async () => word }),
    chart({ name: 'kinds', label: word, type: 'column', data: groups.count(Meters, { by: 'kind' }) }),
  ],
})

let url: string
let page: Page
const open = ownBrowser({
  schema:
    'create table houses (id integer primary key, name text not null); create table meters (id integer primary key, name text not null, kind text, used integer not null, house_id integer references houses (id))',
  panel: (database) => definePanel({ auth: 'open', database, resources: [Meters, Houses], home: Home, menu: [Home, Meters, Houses] }),
  before: (client) => {
    client.exec('delete from meters; delete from houses')
    client.prepare('insert into houses values (1, ?)').run(word)
    const meter = client.prepare('insert into meters values (?, ?, ?, ?, 1)')
    for (let i = 1; i <= 6; i++) meter.run(i, word + i, 'abc'[i % 3], Number.MAX_SAFE_INTEGER - i)
  },
  opened: (given) => {
    ;({ url, page } = given)
  },
})

const list = '/admin/resource/meters/crud'
const form = '/admin/resource/meters/form-page/1'
const phone = () => open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
const box = async (selector: string) => {
  const found = await page.locator(selector).first().boundingBox()
  if (!found) throw new Error(`${selector} is not shown`)
  return { ...found, right: found.x + found.width, bottom: found.y + found.height }
}

test.each([
  '/admin',
  list,
  `${list}?view=board`,
  form,
  `${list}/1`,
  '/admin/resource/houses/crud/1',
  '/admin/resource/meters/import',
  '/admin/resource/meters/none',
])('long words and units make no page wider than a phone: %s', async (path) => {
  await phone()
  await page.goto(url + path)
  expect(await page.evaluate('innerWidth')).toBe(390)
  expect(await flawsOf(page)).toEqual([])
})

test.each([1280, 390])('a number keeps its control, whatever its unit, %i wide', async (width) => {
  if (width < 640) await phone()
  await page.goto(url + form)
  expect((await box('.affixed > input')).width).toBe(160)
  const [control, affix] = [await box('.control:has(> .affixed)'), await box('.affix')]
  expect(affix.right).toBeLessThanOrEqual(control.right)
  await page.goto(url + list)
  await page.locator('.filter > summary, .more > summary').filter({ visible: true }).first().click()
  if (width < 640) await page.locator('.filter > summary').first().click()
  for (const input of await page.locator('.pair input').all()) expect((await input.boundingBox())?.width).toBeGreaterThan(150)
  for (const one of await page.locator('.pair .affix').all()) {
    const { x, width: wide } = (await one.boundingBox()) ?? { x: 0, width: 0 }
    const panel = await box('.filter[open] > .panel')
    expect(x + wide).toBeLessThanOrEqual(panel.right)
  }
})

test('what is wrong stands right below its control, beside a label of several lines', async () => {
  await page.goto(`${url}/admin/resource/meters/form-page`)
  await page.keyboard.press('Control+s')
  await page.locator('.field > .error').first().waitFor()
  const [label, control, error] = [await box('.field > label'), await box('.field > .control'), await box('.field > .error')]
  expect(label.height).toBeGreaterThan(60)
  expect(control.height).toBeLessThan(40)
  expect(error.y).toBe(control.bottom)
})

test.each([1280, 390])('the labels of columns do not touch, %i wide', async (width) => {
  if (width < 640) await phone()
  await page.goto(`${url}/admin`)
  const labels = await Promise.all((await page.locator('.slots .at').all()).map((one) => one.boundingBox()))
  expect(labels.length).toBe(3)
  const edges = labels.map((one) => [one?.x ?? 0, (one?.x ?? 0) + (one?.width ?? 0)] as const).sort(([a], [b]) => a - b)
  for (const [index, [left, right]] of edges.entries()) {
    expect(right - left).toBeGreaterThan(20)
    expect(right).toBeLessThanOrEqual(edges[index + 1]?.[0] ?? width)
  }
})

test('on a phone, a column of a board has its number beside its name, and a card leaves room for its badge', async () => {
  await phone()
  await page.goto(`${url}${list}?view=board`)
  expect((await box('.board h2 .what')).right).toBeLessThanOrEqual((await box('.board h2 .total')).x)
  await page.goto(url + list)
  expect((await box('.rows .badge')).width).toBeGreaterThan(60)
  expect((await box('.rows .act .dots')).right).toBeLessThanOrEqual(390)
})

test('on a phone, a comment has the whole width, below its author and its buttons', async () => {
  await phone()
  await page.goto(`${url}/admin/resource/houses/crud/1`)
  const area = page.getByLabel('Write a comment')
  await area.fill('A comment of some words, which takes two lines of a phone')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.locator('.comments .said').waitFor()
  const [said, avatar, remove] = [await box('.comments .said'), await box('.comments .avatar'), await box('.comments li form button')]
  expect(said.x).toBe(avatar.x)
  expect(said.width).toBeGreaterThan(300)
  expect(said.y).toBeGreaterThan(avatar.bottom - 1)
  expect([remove.width, remove.height]).toEqual([44, 44])
  expect(await flawsOf(page)).toEqual([])
})
