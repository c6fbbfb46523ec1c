import {
  alert,
  badge,
  belongsTo,
  box,
  date,
  dateTime,
  definePage,
  definePanel,
  defineResource,
  formBuilder,
  grid,
  html,
  id,
  memoryStore,
  metric,
  modal,
  number,
  paragraph,
  progress,
  select,
  switcher,
  tabs,
  text,
} from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beyond, launchBrowser } from '../support/browser.js'

const groups = sqliteTable('groups', { id: integer().primaryKey(), name: varchar().notNull() })
const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  title: varchar().notNull(),
  state: varchar().notNull(),
  words: integer().notNull(),
  at: integer({ mode: 'timestamp' }),
  born: varchar().notNull(),
  pinned: integer({ mode: 'boolean' }).notNull(),
  groupId: integer('group_id').references(() => groups.id),
})
const tagged = sqliteTable('tagged', {
  id: integer().primaryKey(),
  title: varchar().notNull(),
  state: varchar().notNull(),
  tags: varchar({ mode: 'json' }).$type<string[]>(),
  due: varchar(),
})
// A word that no line can hold, and words that none can hold together.
const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const words = 'Withdrawn by the author long after the publication'
const arabic = 'تقرير الربع الثالث (نسخة 2) عن المبيعات في المنطقة الشمالية والجنوبية والشرقية'.repeat(2)
const list = '/admin/resource/orders/crud'

let base: string
let close: () => Promise<unknown>
let browser: Browser

beforeAll(async () => {
  const store = memoryStore()
  const Groups = defineResource({
    model: { ...store, table: groups },
    title: 'Groups',
    fields: { id: id(), name: text('Name').searchable() },
  })
  const Orders = defineResource({
    model: { ...store, table: orders },
    title: 'Orders of the house',
    fields: {
      id: id(),
      title: text('Title').required().searchable(),
      state: select('State').options({ draft: 'Draft', gone: words }),
      words: number('Words').sortable(),
      at: dateTime('At'),
      born: date('Born'),
      pinned: switcher('Pinned').updateOnPreview(),
      groupId: belongsTo(`${words}, ${words}`, groups),
    },
    pages: { index: ['id', 'title', 'state', 'words', 'born', 'pinned', 'groupId'] },
    filters: ['title', 'groupId', 'state', 'words', 'born', 'pinned', 'at'],
    queryTags: { all: { label: 'Every one', where: { words: { gte: 0 } } } },
    sortColumn: 'id',
    sortDirection: 'ASC',
    itemsPerPage: 10,
    stickyTable: true,
    handlers: {
      say: { label: word, run: () => ({ html: html`<p>${word}</p>` }) },
      slow: { label: words, long: true, run: () => 'done' },
    },
    indexButtons: [
      { label: 'Statistics of everything', href: '/admin', at: 'toolbar' },
      { label: 'Say it', handler: 'say', at: 'toolbar', confirm: word },
      { label: words, handler: 'slow', bulk: true, confirm: words },
    ],
    buttons: [
      { label: 'Say it to everybody', handler: 'say', on: 'detail' },
      { label: 'Send it to the press', handler: 'say' },
      { label: 'Recount', handler: 'say' },
    ],
  })
  const Tagged = defineResource({
    model: { ...store, table: tagged },
    title: 'Tagged',
    fields: {
      id: id(),
      title: text('Title'),
      state: select('State').options({ published: 'Published' }),
      tags: select('Tags').options(['early', 'fragile', 'heavy']).multiple(),
      due: date('Due'),
    },
    pages: { index: ['title', 'state', 'tags', 'due'] },
  })
  await store.transaction(async (tx) => {
    await tx.create(Tagged.model, { id: 1, title: 'One', state: 'published', tags: ['early', 'fragile', 'heavy'], due: '2026-03-17' })
    await tx.create(Groups.model, { id: 1, name: word })
    for (let i = 2; i <= 40; i++) await tx.create(Groups.model, { id: i, name: `Group ${i}` })
    await tx.create(Groups.model, { id: 41, name: arabic })
    for (let i = 1; i <= 30; i++) {
      const title = i % 2 ? word : `Order ${i}`
      await tx.create(Orders.model, {
        id: i,
        title,
        state: 'gone',
        words: i * 1_234_567,
        born: '2024-12-28',
        pinned: i % 2 === 0,
        groupId: i === 30 ? 41 : 1,
      })
    }
  })
  const desk = definePage({
    uri: 'desk',
    title: 'Desk',
    components: [
      alert('warn', word, { text: word }),
      badge({ name: 'b', label: 'Badge', value: words }),
      progress({ name: 'p', label: 'Progress', value: 55 }),
      paragraph(word),
      box([formBuilder(Groups, { name: 'new-group' })], { title: 'A new group' }),
      grid(2, [
        progress({ name: 'q', label: 'Progress so far', value: 5555, max: 9999 }),
        metric({ name: 'm', label: 'Metric', value: () => 1 }),
      ]),
      modal('more-groups', [formBuilder(Groups, { name: 'more' })], { label: 'More groups' }),
      tabs({
        name: 'by',
        label: 'By',
        tabs: [
          { uri: 'a', label: 'One', components: [] },
          { uri: 'b', label: 'Two', components: [] },
        ],
      }),
    ],
  })
  const panel = definePanel({ auth: 'open', secret: 'of these tests', resources: [Orders, Groups, Tagged], pages: [desk] })
  const listening = await panel.listen({ port: 0 })
  base = listening.url
  close = () => listening.close().then(() => panel.close())
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await close?.()
})

async function open(path: string, width: number, more: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce', ...more })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  await page.goto(base + path)
  return page
}

test('in colours of a person’s own, what backgrounds say is said in those', async () => {
  const page = await open(`${list}?query-tag=all&page=2`, 1280, { forcedColors: 'active' })
  const style = (selector: string, pseudo: string | null, property: string) =>
    page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)}), ${JSON.stringify(pseudo)}).${property}`)
  const highlight = await page.evaluate(`(() => {
    const one = document.body.appendChild(document.createElement('i'))
    Object.assign(one.style, { forcedColorAdjust: 'none', backgroundColor: 'Highlight' })
    return getComputedStyle(one).backgroundColor
  })()`)
  expect(await style('.rows .dots', null, 'backgroundImage')).toContain('radial-gradient')
  expect(await style('.live > [aria-checked=true]', '::before', 'backgroundColor')).toBe(highlight)
  expect(await style('.live > [aria-checked=false]', '::before', 'backgroundColor')).not.toBe(highlight)
  expect(await style('.menu-groups [aria-current]', null, 'backgroundColor')).toBe(highlight)
  expect(await style('.pager [aria-current]', null, 'backgroundColor')).toBe(highlight)
  expect(await style('.tabs [aria-current]', '::after', 'backgroundColor')).toBe(highlight)
  await page.goto(`${base}/admin/page/desk`)
  expect(await style('progress', null, 'borderTopWidth')).toBe('1px')
  await page.context().close()
})

test('a related record whose name is Arabic is cut where it ends', async () => {
  const page = await open(`${list}?page=3`, 1280)
  const [cell, first, isCut] = (await page.evaluate(`(() => {
    const link = document.querySelector('tr[data-key="30"] a[href*="/groups/"]')
    const range = document.createRange()
    range.setStart(link.firstChild, 0)
    range.setEnd(link.firstChild, 1)
    const cell = link.closest('td')
    return [cell.getBoundingClientRect().right, range.getBoundingClientRect().right, [cell, link].some((one) => one.scrollWidth > one.clientWidth)]
  })()`)) as [number, number, boolean]
  expect(isCut).toBe(true)
  expect(first).toBeLessThanOrEqual(cell)
  await page.context().close()
})

test.each(['en', 'ar'])('a head that stays in place lies above the rest of the head when it is scrolled sideways (%s)', async (locale) => {
  const page = await open(list, 800)
  if (locale === 'ar') await page.evaluate("document.documentElement.dir = 'rtl'")
  await page.evaluate("document.querySelector('.scroller').scrollBy(document.dir === 'rtl' ? -360 : 360, 100)")
  const onTop = `[...document.querySelectorAll('thead :is(.pick, .first, .act)')].map((cell) => {
    const { left, top, width, height } = cell.getBoundingClientRect()
    return cell.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  })`
  expect(await page.evaluate(onTop)).toEqual([true, true, true])
  await page.context().close()
})

test.each([1280, 1024, 390, 320])('what stands in the filters keeps to its place, %i wide', async (width) => {
  const page = await open(list, width)
  await page.locator('.more > summary').click()
  const outside = `[...document.querySelectorAll('.sheet .button, .more-panel :is(input, select)')].filter((one) => {
    const place = (one.closest('.control-group') ?? document.querySelector('.listing')).getBoundingClientRect()
    const { left, right } = one.getBoundingClientRect()
    // A filter that is applied at once shows no button.
    return getComputedStyle(one).display !== 'none' && (left < place.left - 1 || right > Math.min(place.right, innerWidth) + 1)
  }).length`
  expect(await page.evaluate(outside)).toBe(0)
  await page.context().close()
})

test.each([390, 320])('long words are broken and read whole, %i wide', async (width) => {
  const page = await open('/admin/page/desk', width)
  const wider = () => beyond(page)
  expect(await wider()).toBe(0)
  for (const path of ['detail-page/1', `crud?search=${word}${word}x`]) {
    await page.goto(`${base}/admin/resource/orders/${path}`)
    expect(await wider()).toBe(0)
  }
  await page.goto(base + list)
  const dialog = page.getByRole('dialog')
  const within = () => dialog.evaluate((one) => one.scrollWidth - one.clientWidth)
  await page
    .getByRole('checkbox', { name: /^Select/ })
    .first()
    .check()
  await page.locator('.bulk').getByText(words).click()
  expect(await within()).toBe(0)
  await dialog.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Say it' }).click()
  expect(await within()).toBe(0)
  await dialog.getByRole('button', { name: word }).click()
  await dialog.getByRole('button', { name: 'Close' }).waitFor()
  expect(await within()).toBe(0)
  await page.context().close()
})

test.each([390, 320])('a title keeps its place beside buttons of one’s own, %i wide', async (width) => {
  const page = await open(list, width)
  const title = page.locator('h1 > span:first-child')
  const cut = await title.evaluate((one) => one.scrollWidth - one.clientWidth)
  expect(cut).toBe(0)
  await page.goto(`${base}/admin/resource/orders/detail-page/1`)
  expect((await title.boundingBox())?.width).toBeGreaterThan(120)
  await page.context().close()
})

test.each([1280, 768, 390, 320])(
  'the buttons of a page stand as the tab key goes through them, the primary one last, %i wide',
  async (width) => {
    const page = await open(list, width)
    for (const [path, primary] of [
      [list, 'New'],
      ['/admin/resource/orders/detail-page/1', 'Edit'],
      ['/admin/resource/orders/detail-page/2', 'Edit'],
    ]) {
      await page.goto(base + path)
      const buttons = await page.locator('.heading .button:visible').all()
      const places = await Promise.all(buttons.map((one) => one.boundingBox()))
      expect(places.length).toBeGreaterThan(2)
      for (const [i, place] of places.entries()) {
        const before = places[i - 1]
        if (!place || !before) continue
        const [isBeside, isBelow] = [place.x >= before.x + before.width, place.y >= before.y + before.height]
        expect({ width, path, i, isNext: isBelow || (isBeside && place.y === before.y) }).toMatchObject({ isNext: true })
      }
      expect((await buttons.at(-1)?.innerText())?.trim()).toBe(primary)
      expect((places.at(-1)?.x ?? 0) + (places.at(-1)?.width ?? 0)).toBeLessThanOrEqual(width)
    }
    await page.context().close()
  },
)

test.each([1440, 1280, 1024, 768])(
  'a title is read as far as 320 pixels go before buttons of one’s own stand beside it, %i wide',
  async (width) => {
    const page = await open('/admin/resource/orders/detail-page/1', width)
    const short = () =>
      page.evaluate("Math.min(320, document.querySelector('.heading').clientWidth) - document.querySelector('h1 > span').clientWidth")
    expect(await short()).toBeLessThanOrEqual(0)
    await page.goto(`${base}/admin/resource/orders/form-page/1`)
    expect(await short()).toBeLessThanOrEqual(0)
    // One that is shorter leaves what it does not need.
    await page.goto(`${base}/admin/resource/orders/detail-page/2`)
    const [title, button] = await Promise.all(['h1', '.heading .button'].map((one) => page.locator(one).first().boundingBox()))
    expect(button?.y).toBeLessThan((title?.y ?? 0) + (title?.height ?? 0))
    await page.context().close()
  },
)

test('a delete, an action and a window of a page have one kind of title, and begin at the first field or at Cancel', async () => {
  const page = await open(list, 1280)
  const looks = (open: string, title: string) =>
    page.evaluate(`(() => {
      const style = getComputedStyle(document.querySelector('${open} ${title}'))
      return [style.fontSize, style.lineHeight, style.fontWeight, document.querySelector('${open}').offsetWidth]
    })()`)
  const cancel = page.getByRole('dialog').getByRole('link', { name: 'Cancel' })
  const place = async () => {
    await cancel.and(page.locator(':focus')).waitFor()
    const [dialog, link] = await Promise.all([page.getByRole('dialog').boundingBox(), cancel.boundingBox()])
    return [await cancel.getAttribute('class'), (dialog?.y ?? 0) + (dialog?.height ?? 0) - (link?.y ?? 0) - (link?.height ?? 0)]
  }
  for (const i of [0, 1]) await page.locator('tbody [name="ids[]"]').nth(i).check()
  await page.locator('.bulk .danger').click()
  // The dialog is there where Cancel is.
  const at = await place()
  const asked = await looks('dialog', 'h1')
  await cancel.click()
  await page.locator('.bulk').getByText(words).click()
  expect([await place(), await looks('dialog', 'h1')]).toEqual([at, asked])
  await page.goto(`${base}/admin/page/desk`)
  await page.getByRole('button', { name: 'More groups' }).click()
  await page.locator('#more-groups #more-name:focus').waitFor()
  expect(await looks('#more-groups', 'h2')).toEqual(asked)
  await page.context().close()
})

test.each([1024, 768])('what a finger touches is as large as that takes, %i wide', async (width) => {
  const page = await open(`${list}?query-tag=all&filter[words][from]=10`, width, { hasTouch: true, isMobile: true })
  const small = (least: number, of: string) =>
    page.evaluate(`[...document.querySelectorAll('${of}')].flatMap((one) => {
      const seen = one.matches('[type=checkbox]') ? (one.closest('label') ?? one) : one
      const { width, height } = seen.getBoundingClientRect()
      const isSmall = width < 24 || height < ${least}
      return one.checkVisibility() && !one.closest('.unseen, .skip') && isSmall ? [one.outerHTML] : []
    })`)
  const all = 'a[href], button, summary, select, input:not([type=hidden])'
  const large = '.button, .menu-groups a, .pager a, .menu a, .menu button, .tabs a, .rows .pick input, .rows .label > a'
  expect(await small(24, all)).toEqual([])
  expect(await small(39, large)).toEqual([])
  // What is larger leaves the rows as high as they are.
  expect(await page.evaluate("[...document.querySelectorAll('tbody tr')].every((row) => row.offsetHeight === 40)")).toBe(true)
  await page.locator('.dots').first().click()
  expect(await small(39, large)).toEqual([])
  for (const path of ['detail-page/1', 'form-page/1']) {
    await page.goto(`${base}/admin/resource/orders/${path}`)
    expect(await small(24, all)).toEqual([])
    expect(await small(39, large)).toEqual([])
  }
  await page.context().close()
})

test.each([1280, 390])(
  'where one reads from the right, a column and its head begin there, and what is cut is cut at its end, %i wide',
  async (width) => {
    const page = await open(list, width)
    await page.evaluate("document.documentElement.dir = 'rtl'")
    const sides = (of: string) =>
      page.evaluate(`[...new Set([...document.querySelectorAll('${of}')].map((one) => getComputedStyle(one).textAlign))]`)
    expect(await sides('tbody :is(.label, .meta, .end)')).toEqual(['right'])
    if (width === 1280) expect(await sides('thead .end')).toEqual(['right'])
    // Its first letters are the ones that are read.
    const cut = `(() => {
    const label = document.querySelector('tbody .label a')
    const [text, box] = [document.createRange(), label.getBoundingClientRect()]
    text.setStart(label.firstChild, 0)
    text.setEnd(label.firstChild, 3)
    return [label.scrollWidth > label.clientWidth, text.getBoundingClientRect().left >= box.left - 1]
  })()`
    expect(await page.evaluate(cut)).toEqual([true, true])
    await page.goto(`${base}/admin/resource/orders/detail-page/1`)
    await page.evaluate("document.documentElement.dir = 'rtl'")
    expect(await sides('dd')).toEqual(['right'])
    await page.context().close()
  },
)

test.each([390, 320])('a row on a phone has two lines, and nothing in them meets, %i wide', async (width) => {
  const page = await open(list, width)
  const wrong = `[...document.querySelectorAll('.rows tbody tr')].filter((row) => {
    const cells = [...row.querySelectorAll('.label, .meta')].map((cell) => cell.getBoundingClientRect())
    const { left, right, top, bottom } = row.getBoundingClientRect()
    const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 5 || b.bottom <= a.top + 5
    return cells.length !== 4 || cells.some((one, i) => one.width < 1 || one.top < top || one.bottom > bottom || one.left < left || one.right > right
      || cells.some((other, j) => i !== j && !apart(one, other)))
  }).length`
  expect(await page.evaluate(wrong)).toBe(0)
  // All of it leads to the record, what stands beside its words too.
  const { x, y, height } = (await page.locator('.rows tbody tr').first().boundingBox()) ?? { x: 0, y: 0, height: 0 }
  expect(await page.evaluate(`document.elementFromPoint(${x + width - 60}, ${y + height - 3}).closest('.label') !== null`)).toBe(true)
  await page.context().close()
})

test('what a relation offers lies above the bar with which a form is saved', async () => {
  const page = await open('/admin/resource/orders/form-page/2', 390)
  const relation = page.locator('.combobox')
  await relation.getByRole('combobox').fill('Group')
  await page.getByRole('option').nth(5).waitFor()
  await page.evaluate("scrollBy(0, document.querySelector('.combobox').getBoundingClientRect().bottom - innerHeight + 160)")
  const onTop = `(() => {
    const [bar, options] = ['.form-page > .actions', '.combobox > .options'].map((one) => document.querySelector(one).getBoundingClientRect())
    return options.bottom > bar.top + 20 && document.elementFromPoint(100, bar.top + 10).closest('.options') !== null
  })()`
  expect(await page.evaluate(onTop)).toBe(true)
  await page.context().close()
})

test.each([1280, 390])('what a relation offers is seen, however low it stands, %i wide', async (width) => {
  const page = await open('/admin/resource/orders/form-page/2', width)
  const box = page.locator('.combobox').getByRole('combobox')
  const outside = () =>
    page.evaluate(`(() => {
      const { top, bottom } = document.querySelector('.combobox > .options').getBoundingClientRect()
      return Math.max(0, -top, bottom - innerHeight)
    })()`)
  for (const height of [800, 420]) {
    await page.setViewportSize({ width, height })
    await page.evaluate(
      "scrollTo(0, 0); scrollBy(0, document.querySelector('.combobox').getBoundingClientRect().bottom - innerHeight + 30)",
    )
    await box.focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option').nth(5).waitFor()
    expect(await outside()).toBe(0)
    await page.keyboard.press('Escape')
  }
  await page.context().close()
})

test('what is too long for its place on a page leaves room for what stands beside it, and a title is said once', async () => {
  const page = await open('/admin/page/desk', 360)
  expect(await beyond(page)).toBe(0)
  const apart = `[...document.querySelectorAll('.meter')].map((one) => {
    const range = document.createRange()
    range.selectNodeContents(one.querySelector('label'))
    const [label, text] = [range.getBoundingClientRect(), one.querySelector('.text').getBoundingClientRect()]
    return text.top >= label.bottom || text.left >= label.right + 8
  })`
  expect(await page.evaluate(apart)).toEqual([true, true])
  expect(await page.locator('.boxed').getByRole('heading').allInnerTexts()).toEqual(['A new group'])
  await page.context().close()
})

test('of several badges a row on a phone shows one that can be read, and how many more there are', async () => {
  const page = await open('/admin/resource/tagged/crud', 360)
  const cut =
    "[...document.querySelectorAll('tbody .badge')].filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth).length"
  expect(await page.evaluate(cut)).toBe(0)
  const badges = page.locator('.badges').first()
  expect(await badges.locator('.badge:visible').allInnerTexts()).toEqual(['Early'])
  expect(await page.evaluate("getComputedStyle(document.querySelector('.badges'), '::after').content")).toBe('"+2"')
  await page.context().close()
})

test.each([1280, 360])('the ends of a time stand one below the other, each beside its word, %i wide', async (width) => {
  const page = await open(list, width)
  await page.locator('.more > summary').click()
  const [from, to] = await Promise.all([0, 1].map((i) => page.locator('.more-panel [type=datetime-local]').nth(i).boundingBox()))
  expect([to?.x, to?.width]).toEqual([from?.x, from?.width])
  expect(to?.y).toBeGreaterThan(from?.y ?? 0)
  expect(await page.locator('.pair:has([type=datetime-local]) > span').isVisible()).toBe(false)
  await page.context().close()
})
