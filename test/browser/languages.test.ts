import { definePanelIn, defineResource, memoryStore, type Panel, usersResource } from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.js'
import { flawsOf } from '../support/own-browser.js'

const cities = sqliteTable('cities', { id: integer().primaryKey(), name: text().notNull() })
const stored = memoryStore(cities, [{ id: 1, name: 'Lisboa' }])
const titles = { en: 'Cities', de: 'Städte', 'pt-BR': 'Cidades' } as const
const list = '/admin/resource/cities/crud'
let panel: Panel
let listening: Awaited<ReturnType<Panel['listen']>>
let browser: Browser

beforeAll(async () => {
  panel = definePanelIn(['en', 'de', 'pt-BR'], (locale) => ({
    database: 'sqlite::memory:',
    resources: [defineResource({ model: stored, title: titles[locale] }), usersResource({ locale })],
  }))
  // One for each run, since a user keeps what was chosen.
  for (const username of ['ann', 'bob', 'eve'])
    await panel.ensureUser({ username, name: username, password: 'correct horse battery', roles: ['admin'] })
  ;[listening, browser] = await Promise.all([panel.listen({ port: 0 }), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await listening?.close()
  await panel?.close()
})

test.each([true, false])(
  'guests and users choose the language of pages, and the browser keeps it (script: %s)',
  async (javaScriptEnabled) => {
    const context = await browser.newContext({ baseURL: listening.url, locale: 'de-CH', javaScriptEnabled, reducedMotion: 'reduce' })
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    const noticed: string[] = []
    page.on('pageerror', ({ message }) => noticed.push(message))
    await page.goto(`${list}?perPage=10`)
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.getByRole('link', { name: 'Português (Brasil)' }).click()
    await page.locator('html[lang=pt-BR]').waitFor()
    if (javaScriptEnabled) expect(await flawsOf(page)).toEqual([])
    const signIn = async (password: string) => {
      await page.locator('[name=username]').fill(javaScriptEnabled ? 'ann' : 'bob')
      await page.locator('[name=password]').fill(password)
      await page.keyboard.press('Enter')
    }
    // After a refused sign-in, too, at whose address there is no page.
    await signIn('wrong')
    await page.getByRole('alert').first().waitFor()
    await page.getByRole('link', { name: 'English' }).click()
    await page.locator('html[lang=en]').waitFor()
    expect(page.url()).toContain('/admin/login')
    await page.goto(`${list}?perPage=10`)
    await page.getByRole('link', { name: 'Português (Brasil)' }).click()
    await page.locator('html[lang=pt-BR]').waitFor()
    await signIn('correct horse battery')
    // The way back to the list was kept, though the language was changed on the page in between.
    await page.getByRole('heading', { name: 'Cidades', level: 1 }).waitFor()
    expect(page.url()).toBe(`${listening.url}${list}?perPage=10`)

    await page.locator('.user > button').click()
    const languages = page.getByRole('group', { name: 'Idioma' })
    expect(await languages.getByRole('button').allTextContents()).toEqual(['English', 'Deutsch', 'Português (Brasil)'])
    expect(await languages.locator('[aria-pressed=true]').getAttribute('lang')).toBe('pt-BR')
    if (javaScriptEnabled) expect(await flawsOf(page)).toEqual([])
    await languages.getByRole('button', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { name: 'Städte', level: 1 }).waitFor()
    expect(page.url()).toBe(`${listening.url}${list}?perPage=10`)
    const other = await context.newPage()
    await other.goto('/admin/resource/users/crud')
    expect(await other.locator('html').getAttribute('lang')).toBe('de')
    await context.close()
    // The user's choice holds in another browser, from the sign-in on.
    const away = await browser.newContext({ baseURL: listening.url, locale: 'en', javaScriptEnabled })
    const there = await away.newPage()
    await there.goto(list)
    expect(await there.locator('html').getAttribute('lang')).toBe('en')
    await there.locator('[name=username]').fill(javaScriptEnabled ? 'ann' : 'bob')
    await there.locator('[name=password]').fill('correct horse battery')
    await there.keyboard.press('Enter')
    await there.getByRole('heading', { name: 'Städte', level: 1 }).waitFor()
    expect(noticed).toEqual([])
    await away.close()
  },
)

test('where somebody else has changed a record, buttons with long labels leave room for its name', async () => {
  const context = await browser.newContext({ baseURL: listening.url, locale: 'de', viewport: { width: 1280, height: 720 } })
  const page = await context.newPage()
  await page.goto(`${list}?perPage=10`)
  await page.locator('[name=username]').fill('eve')
  await page.locator('[name=password]').fill('correct horse battery')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Städte', level: 1 }).waitFor()
  const save = async (on: Page, name: string) => {
    await on.locator('[name=name]').fill(name)
    await on.locator('[name=name]').press('Enter')
  }
  const form = '/admin/resource/cities/form-page/1'
  await page.goto(form)
  const other = await context.newPage()
  await other.goto(form)
  await save(other, 'Lisboa, die Stadt am Tejo mit ihren sieben Hügeln')
  await other.getByText('Lisboa, die Stadt am Tejo').first().waitFor()
  await save(page, 'Lissabon')
  await page.getByText('Jemand anderes hat diesen Eintrag geändert').waitFor()
  const cut = await page
    .locator('h1 > span')
    .first()
    .evaluate((one) => one.scrollWidth > one.clientWidth)
  expect(cut).toBe(false)
  // The longer value takes two lines. The other one is chosen by a click anywhere in its cell, below its text, too.
  const [mine, theirs] = [page.locator('.compare td').nth(0), page.locator('.compare td').nth(1)]
  await theirs.getByRole('radio').check()
  const box = await mine.boundingBox()
  await mine.click({ position: { x: 40, y: (box?.height ?? 0) - 3 } })
  expect(await mine.getByRole('radio').isChecked()).toBe(true)
  expect(await flawsOf(page)).toEqual([])
  await context.close()
})
