import type { Mail } from 'daymark'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeReset } from '../../src/crud/account/reset-password.js'
import { openWorld, secret, type World } from '../auth/world.js'
import { launchBrowser } from '../support/browser.js'
import { freePort } from '../support/free-port.js'
import { flawsOf } from '../support/own-browser.js'

const cities = '/admin/resource/cities/crud'
let world: World
let listening: Awaited<ReturnType<World['panel']['listen']>>
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  ;[world, browser] = await Promise.all([openWorld(), launchBrowser()])
  listening = await world.panel.listen({ port: 0 })
})
afterAll(async () => {
  await browser?.close()
  await listening?.close()
  await world?.close()
})
beforeEach(async () => {
  await context?.close()
  context = await browser.newContext({ reducedMotion: 'reduce' })
  page = await context.newPage()
  page.setDefaultTimeout(10_000)
})

const go = (path: string) => page.goto(listening.url + path)
const path = () => new URL(page.url()).pathname + new URL(page.url()).search
async function signIn(username: string, password = secret): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('one is led to the sign-in, refused, let in to where one was going, and out again; the back button shows nothing', async () => {
  await go(`${cities}?sort=-name`)
  expect(path()).toMatch(/^\/admin\/login\?to=/)
  // The focus comes with the first frame, which a busy machine draws after the page has loaded.
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('username')
  await signIn('editor', 'not the password')
  await expect.poll(() => page.getByRole('alert').innerText()).toBe('Wrong username or password')
  expect(await page.getByLabel('Username').inputValue()).toBe('editor')
  expect(await page.getByLabel('Password').inputValue()).toBe('')
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('password')
  await signIn('editor')
  expect(path()).toBe(`${cities}?sort=-name`)
  expect(await page.locator('tbody .label').allInnerTexts()).toEqual(['Paris', 'Berlin'])
  // What one may not do is not offered.
  expect(await page.getByRole('link', { name: 'Vaults' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Actions for Paris' }).click()
  expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
  await page.keyboard.press('Escape')

  await page.getByTitle('Signed in as editor').click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  // A click is done before what it leads to: the way back starts where that has loaded.
  await page.waitForURL('**/admin/login')
  await page.waitForLoadState()
  expect(path()).toBe('/admin/login')
  await page.goBack({ waitUntil: 'load' })
  expect(await page.locator('body').innerText()).not.toContain('Berlin')
  expect(path()).toMatch(/^\/admin\/login/)
})

test('who signs in after somebody else in the same tab is not led to the lists that the other one left', async () => {
  await go(`${cities}?sort=-name`)
  await signIn('editor')
  const crumb = () => page.locator(`.crumbs a[href*="${cities}"]`).getAttribute('href')
  await page.getByRole('link', { name: 'Paris', exact: true }).click()
  await page.locator('.crumbs').waitFor()
  expect(await crumb()).toContain(`${cities}?sort=-name`)
  await page.getByTitle('Signed in as editor').click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/admin/login')
  await page.waitForLoadState()
  await signIn('admin')
  await page.getByTitle('Signed in as admin').waitFor()
  await go(`${cities}/1`)
  expect(await crumb()).toMatch(/crud$/)
})

test('what was typed outlasts a session that ends, for its user alone, and no sign-out; of another panel, nothing is lost', async () => {
  const form = '/admin/resource/cities/form-page/1'
  const population = page.getByLabel('Population')
  const restored = page.getByText('What you typed here before is back.')
  const drafts = () => page.evaluate("Object.keys(sessionStorage).filter((name) => name.startsWith('daymark-draft ')).sort()")
  const elsewhere = 'daymark-draft /other/admin/resource/cities/crud/1'
  const own = 'daymark-draft /admin/resource/cities/crud/1'
  page.on('dialog', (dialog) => dialog.accept())
  const type = async () => {
    await population.fill('3456789')
    await expect.poll(drafts).toContain(own)
  }
  const end = async () => {
    await context.clearCookies()
    await page.reload()
    await page.getByLabel('Username').waitFor()
  }
  await go(form)
  await signIn('editor')
  await population.waitFor()
  await page.evaluate(`sessionStorage.setItem('${elsewhere}', '{}')`)
  await type()
  await end()
  await signIn('editor')
  await restored.waitFor()
  expect(await population.inputValue()).toBe('3456789')
  // Another user never sees it, and it is gone then.
  await end()
  await signIn('admin')
  await population.waitFor()
  await expect.poll(drafts).toEqual([elsewhere])
  expect([await population.inputValue(), await restored.count()]).toEqual(['3000000', 0])
  await type()
  await page.getByTitle('Signed in as admin').click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/admin/login')
  await expect.poll(drafts).toEqual([elsewhere])
})

test('a form that is saved after the session has ended stays, says so, and is saved after a sign-in in another tab', async () => {
  const form = '/admin/resource/cities/form-page/1'
  await go(form)
  await signIn('editor')
  await page.getByLabel('Population').fill('3456789')
  await context.route('**/admin/login', (route) => route.abort('internetdisconnected'))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const lost = page.getByRole('alert').filter({ hasText: 'The panel cannot be reached. Nothing was saved; what you typed is still here' })
  await lost.waitFor()
  await context.unroute('**/admin/login')
  await page.route('**/cities/crud/1', (route) => route.fulfill({ status: 500, body: '<p>', contentType: 'text/html' }), { times: 1 })
  await lost.getByRole('button', { name: 'Try again' }).click()
  await page
    .getByRole('alert')
    .filter({ hasText: 'That did not work. Nothing was saved' })
    .getByRole('button', { name: 'Try again' })
    .waitFor()
  await page.route('**/cities/crud/1', (route) => route.abort('connectionreset'), { times: 1 })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'It is unclear whether this was saved' }).waitFor()
  await context.clearCookies()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('alert').filter({ hasText: 'You are signed out, and this has not been saved' }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(1)
  expect(path()).toBe(form)
  expect(await page.getByLabel('Population').inputValue()).toBe('3456789')
  expect(await page.evaluate('document.activeElement.innerText')).toBe('Sign in')
  // It still is not saved anywhere.
  expect(await page.evaluate("dispatchEvent(new Event('beforeunload', { cancelable: true }))")).toBe(false)

  const [other] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Enter')])
  await other.getByLabel('Username').fill('editor')
  await other.getByLabel('Password').fill(secret)
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.getByTitle('Signed in as editor').waitFor()
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await page.locator('.toast').waitFor()
  expect(path()).toBe(form)
  expect(await page.getByLabel('Population').inputValue()).toBe('3456789')
})

test('a list that is sorted after the session has ended offers the sign-in, and comes back sorted', async () => {
  await go(cities)
  await signIn('editor')
  await page.getByTitle('Signed in as editor').waitFor()
  await context.clearCookies()
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('link').click()
  const alert = page.getByRole('alert').filter({ hasText: 'You are signed out' })
  await alert.waitFor()
  const sorted = path()
  expect(sorted).toContain('sort=')
  expect(await alert.getByRole('button').count()).toBe(0)
  await alert.getByRole('link', { name: 'Sign in' }).click()
  await signIn('editor')
  await expect.poll(path).toBe(sorted)
})

test.each([true, false])(
  'who has forgotten the password asks for a link, sets another one and signs in (script: %s)',
  async (javaScriptEnabled) => {
    const port = await freePort()
    const sent: Mail[] = []
    const other = await openWorld({ url: `http://127.0.0.1:${port}`, mail: (mail) => sent.push(mail) })
    const passwordHash = (await other.inside.store?.users.byUsername('editor'))?.passwordHash ?? null
    await other.inside.store?.admin?.create({ username: 'ada@example.com', name: 'Ada', roles: ['editor'], passwordHash })
    const served = await other.panel.listen({ port })
    await context.close()
    context = await browser.newContext({ reducedMotion: 'reduce', javaScriptEnabled })
    page = await context.newPage()
    page.setDefaultTimeout(10_000)
    try {
      await page.goto(`${served.url}/admin/login`)
      await page.getByRole('link', { name: 'Forgot your password?' }).click()
      await page.getByLabel('Username').fill('ada@example.com')
      await page.keyboard.press('Enter')
      await expect.poll(() => page.getByRole('status').or(page.getByText('is on its way')).first().innerText()).toContain('is on its way')
      await expect.poll(() => sent.length).toBe(1)
      await page.goto(/http:\S+/.exec(sent[0]?.text ?? '')?.[0] ?? '')
      await page.getByLabel('New password').fill('a quite different battery')
      await page.getByRole('button', { name: 'Set password' }).click()
      await page.getByRole('link', { name: 'Sign in' }).click()
      await signIn('ada@example.com', 'a quite different battery')
      await expect.poll(() => page.title()).not.toContain('Sign in')
      expect(new URL(page.url()).pathname).toBe('/admin')
    } finally {
      await served.close()
      await other.close()
    }
  },
)

test('who has no role yet is told so', async () => {
  await go(cities)
  await signIn('nobody')
  await page.getByText('Your account has no role yet').waitFor()
  // Whatever else there is would say the same.
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Sign out' }).waitFor()
  expect(await main.getByRole('link').count()).toBe(0)
})

test('without script a form that is saved too late leads to the sign-in, which says why, and from there back to the form', async () => {
  await context.close()
  context = await browser.newContext({ javaScriptEnabled: false })
  page = await context.newPage()
  const form = '/admin/resource/cities/form-page/2'
  await go(form)
  await signIn('editor')
  await page.getByLabel('Population').fill('1')
  await context.clearCookies()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('status').filter({ hasText: 'You are signed out. Sign in to continue' }).waitFor()
  await signIn('editor')
  expect(path()).toBe(form)
  // What was sent is not sent again.
  expect(await page.getByLabel('Population').inputValue()).toBe('2000000')
})

test('a profile is changed, and another browser signed out', async () => {
  const other = await browser.newContext()
  const elsewhere = await other.newPage()
  await elsewhere.goto(`${listening.url}/admin/login`)
  await elsewhere.getByLabel('Username').fill('reader')
  await elsewhere.getByLabel('Password').fill(secret)
  await elsewhere.getByRole('button', { name: 'Sign in' }).click()
  await elsewhere.getByRole('heading', { level: 1 }).waitFor()
  await go('/admin/profile')
  await signIn('reader')
  await page.getByLabel('Name', { exact: true }).fill('Rita')
  await page.getByLabel('New password').fill('a much better password')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.locator('#currentPassword-error').innerText()).toBe('Current password is required')
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Rita')
  await page.getByLabel('Current password').fill(secret)
  await page.getByLabel('New password').fill('a much better password')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.getByRole('status').innerText()).toBe('Profile saved')
  await elsewhere.goto(listening.url + cities)
  expect(new URL(elsewhere.url()).pathname).toBe('/admin/login')
  await other.close()
})

describe.each(['light', 'dark'] as const)('%s: axe finds nothing', (colorScheme) => {
  const clean = async () => {
    await page.emulateMedia({ colorScheme })
    expect(await flawsOf(page)).toEqual([])
  }
  test('on the sign-in, before and after a refusal', async () => {
    await go('/admin/login')
    await clean()
    await signIn('nobody', 'wrong')
    await page.getByRole('alert').waitFor()
    await clean()
  })
  test('on the profile', async () => {
    await go('/admin/profile')
    await signIn('admin')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await clean()
  })
  test('on the page of a forgotten password', async () => {
    const port = await freePort()
    const other = await openWorld({ url: `http://127.0.0.1:${port}`, mail: () => {} })
    const served = await other.panel.listen({ port })
    try {
      await page.goto(`${served.url}/admin/forgot`)
      await clean()
      await page.getByLabel('Username').fill('ada')
      await page.keyboard.press('Enter')
      await page.getByText('is on its way').waitFor()
      await clean()
    } finally {
      await served.close()
      await other.close()
    }
  })
  test('on the form of a new password', async () => {
    const { services } = world.inside.realm.auth
    const account = await services.users.byUsername('nobody')
    if (!account) throw new Error('No such user')
    await go(`/admin/reset/${await makeReset(services, account)}`)
    await page.getByLabel('New password').waitFor()
    await clean()
  })
})
