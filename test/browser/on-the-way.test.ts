import { date, definePanel, defineResource, id, memoryStore, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.js'

const orders = sqliteTable('orders', { id: integer().primaryKey(), title: varchar().notNull(), note: varchar() })
const list = '/admin/resource/orders/crud'
const form = '/admin/resource/orders/form-page'

// What a handler waits for, so that a test says how long it takes.
let held: Promise<void> = Promise.resolve()
let base: string
let close: () => Promise<unknown>
let browser: Browser

beforeAll(async () => {
  const store = memoryStore()
  const Orders = defineResource({
    model: { ...store, table: orders },
    title: 'Orders',
    fields: { id: id(), title: text('Title').required(), note: text('Note') },
    pages: { index: ['id', 'title'] },
    sortColumn: 'id',
    sortDirection: 'ASC',
    itemsPerPage: 10,
    maxMassDelete: 25,
    clickAction: 'DETAIL',
    handlers: {
      fails: {
        long: true,
        async run() {
          await held
          throw new Error('Not this time')
        },
      },
      slow: {
        async run() {
          await held
          return 'It took its time'
        },
      },
      asks: {
        fields: { when: date('When').required() },
        async run() {
          await held
          return 'Asked'
        },
      },
    },
    indexButtons: [
      { label: 'Fail', handler: 'fails', bulk: true },
      { label: 'Take time', handler: 'slow', at: 'toolbar' },
    ],
    buttons: [
      { label: 'Take time', handler: 'slow' },
      { label: 'Ask', handler: 'asks' },
      { label: 'Lose it', handler: 'slow', tone: 'danger' },
    ],
    hooks: {
      beforeSave({ values }) {
        if (values.title === 'break') throw new Error('Broken')
      },
    },
  })
  await store.transaction(async (tx) => {
    for (let i = 1; i <= 30; i++) await tx.create(Orders.model, { id: i, title: `Order ${i}`, note: null })
  })
  const panel = definePanel({ auth: 'open', secret: 'of these tests', resources: [Orders], log: () => {} })
  const listening = await panel.listen({ port: 0 })
  base = listening.url
  close = () => listening.close().then(() => panel.close())
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await close?.()
})
afterEach(() => Promise.all(browser.contexts().map((one) => one.close())))

async function open(path: string, more: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...more })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  await page.goto(base + path)
  return page
}

/** What is begun from here on ends when this is called. */
function hold(): () => void {
  let go = () => {}
  held = new Promise((resolve) => {
    go = resolve
  })
  return go
}

test('a job that failed says so in its panel alone, whose buttons can be pressed', async () => {
  const page = await open(list)
  const go = hold()
  await page.locator('tbody [type=checkbox]').first().check()
  await page.locator('.bulk').getByRole('button', { name: 'Fail' }).click()
  const panel = page.getByRole('region', { name: 'Fail' })
  await panel.getByRole('status').filter({ hasText: /./ }).waitFor()
  go()
  await panel.getByRole('alert').filter({ hasText: 'Something went wrong' }).waitFor()
  await panel.getByRole('button', { name: 'Close' }).click({ timeout: 3000 })
  expect(await page.locator('.toast').count()).toBe(0)
})

test.each([list, '/admin/resource/orders/detail-page/1', `${form}/1`])(
  'a button that takes its time says so, and moves nothing (%s)',
  async (path) => {
    const page = await open(path)
    const button = page.getByRole('button', { name: 'Take time' })
    const shown = () =>
      page.evaluate(
        `[getComputedStyle(document.body, '::after').content, getComputedStyle(document.querySelector('.button[aria-busy=true]') ?? document.body, '::after').opacity]`,
      )
    const [before, go] = [await button.boundingBox(), hold()]
    await button.click()
    await expect.poll(shown).toEqual(['""', '1'])
    expect(await button.boundingBox()).toEqual(before)
    go()
    await page.locator('.toast', { hasText: 'It took its time' }).waitFor()
    expect(await page.locator('[aria-busy=true], [data-busy]').count()).toBe(0)
  },
)

test('so does the one of a dialog', async () => {
  const page = await open('/admin/resource/orders/detail-page/1')
  await page.getByRole('button', { name: 'Ask' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('When').fill('2026-01-01')
  const go = hold()
  await dialog.getByRole('button', { name: 'asks', exact: false }).click()
  await dialog.locator('.button.primary[aria-busy=true]').waitFor()
  go()
  await page.locator('.toast', { hasText: 'Asked' }).waitFor()
})

test.each([1280, 360])('a form says that it is not saved without moving, %i wide', async (width) => {
  const page = await open(`${form}/2`, { viewport: { width, height: 800 } })
  const places = () =>
    page.evaluate(`[...document.querySelectorAll('.form-page :is(.heading, .actions, .field, .actions > .button)')].map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect()
      return [x, y, width, height].join()
    })`)
  const before = await places()
  await page.getByLabel('Title').fill('Another')
  await page.getByText('Unsaved changes').waitFor()
  expect(await places()).toEqual(before)
})

test.each([true, false])(
  'the page of two who changed a record has the focus on what happened, with script: %s',
  async (javaScriptEnabled) => {
    const page = await open(`${form}/3`, { javaScriptEnabled })
    await page.request.put(`${base}${list}/3`, { data: { title: `Theirs ${javaScriptEnabled}` }, headers: { accept: 'application/json' } })
    await page.getByLabel('Title').fill('Mine')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('.notice:focus', { hasText: 'Someone else changed this record' }).waitFor()
  },
)

test('a save that breaks, or cannot be sent, keeps the page with what was typed, and says so', async () => {
  const page = await open(`${form}/4`)
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await page.getByLabel('Note').fill('Typed')
  await page.getByLabel('Title').fill('break')
  await save.click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Title').fill('Mended')
  // The probe arrives, the form itself does not.
  await page.route(`**${list}/4`, (route) => route.abort('internetdisconnected'))
  await save.click()
  await page.getByRole('alert').filter({ hasText: 'The panel cannot be reached' }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(1)
  expect([new URL(page.url()).pathname, await page.getByLabel('Note').inputValue()]).toEqual([`${form}/4`, 'Typed'])
  await page.unroute(`**${list}/4`)
  await save.click()
  await page.locator('.toast', { hasText: 'Saved' }).waitFor()
  await page.getByRole('heading', { level: 1, name: 'Mended' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`${list}/4`)
})

test('a save that breaks without script has the focus on what happened', async () => {
  const page = await open(`${form}/5`, { javaScriptEnabled: false })
  await page.getByLabel('Title').fill('break')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('.problem h1:focus').waitFor()
})

test('who selects all that match by keyboard stays at the selection', async () => {
  const page = await open(list)
  await page.locator('.pick-all').check()
  await page.getByRole('button', { name: 'Select all 30' }).press('Enter')
  await page.locator('.bulk :focus', { hasText: 'All 30 selected' }).waitFor()
})

test('more rows than may be deleted at once cannot be, and it says why; other buttons take them', async () => {
  const page = await open(list)
  const [remove, fail] = ['Delete', 'Fail'].map((name) => page.locator('.bulk').getByRole('button', { name })) as [Locator, Locator]
  const reason = page.locator('.bulk').getByText('At most 25 records at once')
  await page.locator('.pick-all').check()
  expect([await remove.isEnabled(), await reason.isVisible()]).toEqual([true, false])
  await page.getByRole('button', { name: 'Select all 30' }).click()
  expect([await remove.isDisabled(), await reason.isVisible(), await fail.isEnabled()]).toEqual([true, true, true])
  await page.locator('[name="ids[]"]').first().uncheck()
  expect([await remove.isEnabled(), await reason.isVisible()]).toEqual([true, false])
})

test('exactly one button of a record is filled, whatever the others lose', async () => {
  const page = await open(`${form}/1`)
  const filled = `[...document.querySelectorAll('main .button')].filter((one) => !['rgb(255, 255, 255)', 'rgba(0, 0, 0, 0)'].includes(getComputedStyle(one).backgroundColor)).map((one) => one.innerText)`
  expect(await page.evaluate(filled)).toEqual(['Save'])
})

test('what was said of a field in a dialog is gone when it is asked again', async () => {
  const page = await open('/admin/resource/orders/detail-page/1')
  await page.getByRole('button', { name: 'Ask' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'asks' }).click()
  await dialog.locator('.error').waitFor()
  await dialog.getByLabel('When').fill('2026-01-01')
  await page.context().setOffline(true)
  await page.route('**/handler/**', (route) => route.abort('internetdisconnected'))
  await dialog.getByRole('button', { name: 'asks' }).click()
  await dialog.getByRole('alert').waitFor()
  expect(await dialog.locator('.error').count()).toBe(0)
})
