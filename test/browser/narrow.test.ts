import {
  dateTime,
  definePage,
  definePanel,
  defineResource,
  file,
  folder,
  html,
  id,
  image,
  number,
  paragraph,
  select,
  tags,
  text,
} from 'daymark'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'

// Long words of a long-winded language, where there is little room.
const jobs = sqliteTable('jobs', {
  id: integer().primaryKey(),
  title: varchar().notNull(),
  state: varchar(),
  words: varchar({ mode: 'json' }),
  photo: varchar(),
  papers: varchar({ mode: 'json' }),
  hours: integer(),
  cost: real(),
})
const texts = Array.from({ length: 9 }, (_, i) => `text${i}`)
const handlers = { send: { label: 'Benachrichtigung verschicken', run: () => 'ok' }, count: { label: 'Neu berechnen', run: () => 'ok' } }
const Jobs = defineResource({
  model: jobs,
  title: 'Arbeitsaufträge',
  singular: 'Arbeitsauftrag',
  fields: {
    id: id(),
    title: text('Bezeichnung').required().searchable(),
    state: select('Bearbeitungsstand').options({ review: 'In der Qualitätsprüfung', open: 'Offen' }).updateOnPreview(),
    words: tags('Schlagwörter'),
    photo: image('Fotografie'),
    papers: file('Unterlagen').multiple(),
    hours: number('Stunden').unit('h'),
    cost: number('Gesamtkosten').currency('EUR'),
  },
  pages: { index: ['id', 'title', 'state', 'words', 'papers', 'hours', 'cost'] },
  filters: ['title', 'state', 'words', 'hours', 'cost'],
  handlers,
  massUpdate: ['state'],
  indexButtons: [
    { label: 'Auswertung', handler: 'count', at: 'toolbar' },
    { label: 'Neu berechnen', handler: 'count', at: 'toolbar' },
    { label: 'Benachrichtigung verschicken', handler: 'send', bulk: true },
    { label: 'Neu berechnen', handler: 'count', bulk: true },
  ],
  buttons: [
    { label: 'Neu berechnen', handler: 'count' },
    { label: 'Auswertung', handler: 'count' },
  ],
  table: {
    tfoot: (rows: readonly unknown[], { cells }: { readonly cells: number }) =>
      html`<tr><td colspan="${cells}">${rows.length} auf dieser Seite</td></tr>`,
  },
  sortColumn: 'id',
  sortDirection: 'ASC',
  stickyTable: true,
} as never)

const days = sqliteTable('days', {
  id: integer().primaryKey(),
  day: integer({ mode: 'timestamp' }),
  ...Object.fromEntries(texts.map((name) => [name, varchar()])),
})
const Days = defineResource({
  model: days,
  title: 'Tage',
  column: 'day',
  fields: { day: dateTime('Tag'), ...Object.fromEntries(texts.map((name) => [name, text(name)])) },
} as never)

const pages = ['Kundenzufriedenheit und Antwortzeiten im letzten Quartal', 'Donaudampfschifffahrtsgesellschaften'].map((title, i) =>
  definePage({
    uri: `page-${i}`,
    title,
    components: [paragraph('Text')],
    methods: { count: { run: () => 'ok' } },
    buttons: [
      { label: 'Neu berechnen', method: 'count' },
      { label: 'Auswertung', method: 'count' },
    ],
  }),
)

let url: string
let page: Page
const open = ownBrowser({
  schema: `create table jobs (id integer primary key, title text not null, state text, words text, photo text, papers text, hours integer, cost real);
    create table days (id integer primary key, day integer, ${texts.join()});
    insert into days values (1, 1796077800, ${texts.map(() => "'Donaudampfschiff'")})`,
  panel: (database, place) =>
    definePanel({
      auth: 'open',
      database,
      files: folder(`${place}/files`),
      locale: 'de',
      resources: [Jobs, Days],
      pages,
      log: () => {},
    } as never),
  before: (client) => {
    client.exec('delete from jobs')
    const job = client.prepare('insert into jobs (id, title, state, words, hours, cost) values (?, ?, ?, ?, ?, ?)')
    const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
    for (let i = 1; i <= 40; i++)
      job.run(i, i === 3 ? word : `Auftrag ${i}`, 'review', JSON.stringify(i === 1 ? [] : [word, 'Hafen']), i, i)
  },
  opened: (given) => {
    ;({ url, page } = given)
  },
})

const list = '/admin/resource/jobs/crud'
const form = '/admin/resource/jobs/form-page/3'
const go = (path: string) => page.goto(url + path)
const wide = (width: number, height = 800) => open({ viewport: { width, height }, ...(width < 640 && { hasTouch: true, isMobile: true }) })

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
async function box(selector: string): Promise<Box> {
  const found = await page.locator(selector).first().boundingBox()
  if (!found) throw new Error(`${selector} is not shown`)
  return found
}
const boxes = async (selector: string) => (await Promise.all((await page.locator(selector).all()).map((one) => one.boundingBox()))) as Box[]

/** The lines that boxes stand in, from above. */
function linesOf(all: readonly Box[]): readonly (readonly Box[])[] {
  const tops = [...new Set(all.map(({ y }) => Math.round(y)))].sort((a, b) => a - b)
  return tops.map((top) => all.filter(({ y }) => Math.round(y) === top))
}

test.each([1280, 768, 660])('a form’s own buttons leave the title its room beside those that save, %i wide', async (width) => {
  await wide(width, 500)
  await go(form)
  const [title, save, own] = await Promise.all(['.heading .titles', '.form-page > .actions', '.heading .buttons'].map(box))
  expect(title?.width).toBeGreaterThanOrEqual(239)
  expect(title && save && title.x + title.width <= save.x).toBe(true)
  expect(own && title && own.y >= title.y + title.height).toBe(true)
  expect(own?.x).toBe(title?.x)
  expect(await flawsOf(page)).toEqual([])
  // They scroll with the page, and what saves stays.
  await page.evaluate('scrollTo(0, 400)')
  await expect.poll(async () => (await box('.heading .buttons')).y).toBeLessThan(0)
  expect((await box('.form-page > .actions')).y).toBe(0)
})

test.each([420, 390, 375, 320])('the bar that saves a form has two lines at most, which its buttons fill, %i wide', async (width) => {
  await wide(width)
  for (const path of [form, '/admin/resource/jobs/form-page']) {
    await go(path)
    const all = await boxes('.form-page > .actions .button')
    const lines = linesOf(all)
    expect(lines.length).toBe(2)
    for (const line of lines) expect(line.reduce((sum, one) => sum + one.width, 8 * (line.length - 1))).toBeCloseTo(width - 32, 0)
    // Tab goes through them as they are read. What leaves the form is beside what saves it, in the lower line.
    expect(lines.flatMap((line) => line.toSorted((a, b) => a.x - b.x))).toEqual(all)
    expect(lines[1]?.[0]).toEqual(await box('.actions a'))
    expect(lines[1]?.[1]).toEqual(await box('.actions .primary'))
  }
})

test.each([
  ['list', 390, list],
  ['list', 320, list],
  ['form', 390, form],
  ['record', 320, `${list}/3`],
  ['page of one’s own', 390, '/admin/page/page-0'],
  ['page of one’s own', 320, '/admin/page/page-1'],
])('on a phone, the buttons of a page fill the lines below its title: %s, %i wide', async (_, width, path) => {
  await wide(width)
  await go(path)
  const lines = linesOf(await boxes('.heading .buttons > .button:visible'))
  const title = await box('.heading .titles')
  const [first = []] = lines
  expect(first[0]?.y).toBeGreaterThanOrEqual(title.y + title.height)
  expect(first[0]?.x).toBe(16)
  const last = first.at(-1)
  expect(Math.round((last?.x ?? 0) + (last?.width ?? 0))).toBe(width - 16)
  expect(await flawsOf(page)).toEqual([])
})

test('the bar of a selection does not scroll on a tablet, and lies over a toolbar of two lines', async () => {
  await wide(660)
  await go(list)
  const toolbar = await box('.toolbar')
  expect(toolbar.height).toBeGreaterThan(80)
  await page.locator('tbody [name="ids[]"]').nth(1).check()
  const bar = await box('.bulk')
  expect([bar.y, bar.height]).toEqual([toolbar.y, toolbar.height])
  expect(await page.locator('.bulk').evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
  const cut = (selector: string) => page.locator(selector).evaluate((one) => one.scrollWidth - one.clientWidth)
  expect(await cut('.bulk .danger .text')).toBe(0)
  for (const { width } of await boxes('.bulk > .button:not(.plain):visible')) expect(width).toBeGreaterThanOrEqual(87)
})

test('on a phone, the bar of a selection says how many there are and has the way out in its first line', async () => {
  await wide(390)
  await go(list)
  await page.locator('tbody [name="ids[]"]').nth(1).check()
  const [count, out] = await Promise.all(['.bulk .count', '.bulk [type=reset]'].map(box))
  if (!count || !out) throw new Error('They are there')
  expect(Math.abs(count.y + count.height / 2 - out.y - out.height / 2)).toBeLessThan(2)
  const lines = linesOf(await boxes('.bulk .button:not([type=reset]):visible'))
  expect(lines[0]?.[0]?.y).toBeGreaterThanOrEqual(out.y + out.height)
  for (const line of lines) expect(Math.round((line.at(-1)?.x ?? 0) + (line.at(-1)?.width ?? 0))).toBe(374)
  expect(await flawsOf(page)).toEqual([])
  // Tab goes as one reads: to the way out first.
  await page.locator('.bulk .button:visible:not([type=reset])').first().focus()
  await page.keyboard.press('Shift+Tab')
  expect(await page.evaluate('document.activeElement.type')).toBe('reset')
})

test('a long name in the menu has as many lines as it needs, and beside a collapsed menu, too', async () => {
  await go(list)
  const cut = () =>
    page.evaluate("[...document.querySelectorAll('.menu-groups .text')].filter((one) => one.scrollWidth > one.clientWidth).length")
  expect(await cut()).toBe(0)
  await page.locator('.rail-switch input').check({ force: true })
  const entry = page.locator('.menu-groups a', { hasText: 'Kundenzufriedenheit' })
  await entry.hover()
  expect(await entry.locator('.text').evaluate((one) => [one.scrollWidth > one.clientWidth, one.clientWidth > 200])).toEqual([false, true])
  expect(await page.locator('.menu-groups').evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0)
})

test('the foot of a list stands below records, and not above their absence', async () => {
  await go(list)
  expect(await page.locator('tfoot').innerText()).toBe('25 auf dieser Seite')
  await go(`${list}?search=nothing`)
  await page.locator('.empty').waitFor()
  expect(await page.locator('tfoot').isVisible()).toBe(false)
})

test('filters that are open leave rows to be seen on a tablet', async () => {
  await wide(660)
  await go(list)
  await page.locator('.more > summary').click()
  await page.locator('.more-panel').waitFor()
  expect((await box('.scroller')).height).toBeGreaterThan(300)
  expect(await flawsOf(page)).toEqual([])
})

test('tags and files have the height of other controls, and tags look as they do elsewhere', async () => {
  await go('/admin/resource/jobs/form-page')
  const heights = ['[name=title]', '.tags > .all', '[type=file]'].map(async (one) => (await box(one)).height)
  expect(await Promise.all(heights)).toEqual([36, 36, 36])
  const looks = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((one) => {
        const style = one.ownerDocument.defaultView?.getComputedStyle(one)
        return [style?.backgroundColor, style?.borderRadius]
      })
  await go(form)
  const typed = await looks('.tags li')
  await go(`${list}/3`)
  expect(typed).toEqual(await looks('.badge.tag'))
})

test('what is there already leaves of a file’s control its button alone', async () => {
  await go('/admin/resource/jobs/form-page')
  const control = () => box('[type=file]')
  expect((await control()).width).toBeGreaterThan(300)
  await page
    .locator('[type=file]')
    .first()
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('89504e470d0a1a0a0000', 'hex') })
  await expect.poll(async () => (await control()).width).toBe(176)
})

test('on paper, no column is cut off, sums stand once, and a title is whole', async () => {
  // As wide as A4 between its margins.
  await wide(718)
  await go(list)
  await page.emulateMedia({ media: 'print' })
  const [last] = (await boxes('thead th')).slice(-1)
  expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(718)
  for (const { width } of await boxes('tbody tr:nth-child(3) > :is(th, td):not(.pick, .act)')) expect(width).toBeGreaterThan(50)
  expect(await page.evaluate(`getComputedStyle(document.querySelector('tfoot')).display`)).toBe('table-row-group')
  expect((await box('h1')).x).toBeLessThan(30)
  await go(`${list}/3`)
  expect(await page.locator('h1 > span').evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
  // A day stays in one line where it is what its record is called, too.
  await go('/admin/resource/days/crud')
  expect(
    await page
      .locator('tbody time')
      .first()
      .evaluate((one) => one.getClientRects().length),
  ).toBe(1)
})
