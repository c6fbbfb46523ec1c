import { readFileSync } from 'node:fs'
import { authenticate, password } from 'daymark'
import { Secret, TOTP } from 'otpauth'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openWorld, secret, type World } from '../auth/world.js'
import { launchBrowser } from '../support/browser.js'
import { flawsOf } from '../support/own-browser.js'

const cities = '/admin/resource/cities/crud'
let world: World
let listening: Awaited<ReturnType<World['panel']['listen']>>
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  const twoFactor = { required: ['reader'] }
  ;[world, browser] = await Promise.all([
    openWorld({ auth: { middleware: authenticate(), pipelines: [password()], twoFactor } }),
    launchBrowser(),
  ])
  listening = await world.panel.listen({ port: 0 })
})
afterAll(async () => {
  await browser?.close()
  await listening?.close()
  await world?.close()
})
beforeEach(async () => {
  await open()
  for (const name of ['admin', 'editor', 'reader']) {
    const account = await world.inside.store?.users.byUsername(name)
    if (account?.twoFactor) await world.inside.store?.users.changeTwoFactor(account.identity.id, account.twoFactor, null)
  }
})

async function open(options: Parameters<Browser['newContext']>[0] = {}): Promise<void> {
  await context?.close()
  context = await browser.newContext({ reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'], ...options })
  page = await context.newPage()
  page.setDefaultTimeout(10_000)
}

const go = (path: string) => page.goto(listening.url + path)
const path = () => new URL(page.url()).pathname + new URL(page.url()).search
const focused = () => page.evaluate('document.activeElement.id')
async function signIn(username: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** The code of an authenticator app that has the key which the page shows. Each is valid once: those of other half minutes, too. */
const codeOf = (key: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(key.replace(/\s/g, '')) }).generate({ timestamp: Date.now() + steps * 30_000 })

/** Turns it on, on the page. Returns the key and the recovery codes. */
async function setUp(): Promise<{ key: string; codes: string[] }> {
  const key = await page.locator('code.key').innerText()
  await page.getByLabel('Code', { exact: true }).fill(codeOf(key))
  if (await page.getByLabel('Current password').isVisible()) await page.getByLabel('Current password').fill(secret)
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
  return { key, codes: (await page.locator('.recovery pre').innerText()).split('\n') }
}

test('a form that is sent by a double click is sent once', async () => {
  let sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
  })
  /** Clicks twice before the answer comes. */
  const twice = async (name: string) => {
    await page.route('**/admin/**', async (route) => {
      if (route.request().method() === 'POST') await new Promise((resolve) => setTimeout(resolve, 1000))
      await route.continue()
    })
    const box = await page.getByRole('button', { name }).boundingBox()
    if (!box) throw new Error('No such button')
    for (let i = 0; i < 2; i++) {
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
      await page.waitForTimeout(150)
    }
  }
  await go('/admin/profile/two-factor')
  await page.getByLabel('Username').fill('editor')
  await page.getByLabel('Password').fill(secret)
  await twice('Sign in')
  await page.getByLabel('Current password').fill(secret)
  const key = await page.locator('code.key').innerText()
  await page.getByLabel('Code', { exact: true }).fill(codeOf(key))
  await twice('Turn on')
  expect((await page.locator('.recovery pre').innerText()).split('\n')).toHaveLength(10)
  expect(sent).toEqual(['/admin/authenticate', '/admin/profile/two-factor'])

  sent = []
  await context.clearCookies()
  await go('/admin/profile')
  await signIn('editor')
  await page.getByLabel('Code', { exact: true }).fill(codeOf(key, 1))
  await twice('Verify')
  await page.waitForURL('**/admin/profile')
  expect(sent).toEqual(['/admin/authenticate', '/admin/authenticate/code'])
  expect(await page.getByText('wrong codes').count()).toBe(0)
})

describe.each([true, false])('with JavaScript %s', (javaScriptEnabled) => {
  test('a user sets it up, signs in with a code, then with a recovery code, and turns it off', async () => {
    await open({ javaScriptEnabled })
    await go('/admin/profile')
    await signIn('editor')
    const section = page.getByRole('region', { name: 'Two-factor sign-in Off' })
    await section.getByRole('link', { name: 'Set up' }).click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    const key = await page.locator('code.key').innerText()
    const link = await page.getByRole('link', { name: 'Open an app on this device' }).getAttribute('href')
    expect(link).toContain(`otpauth://totp/Daymark:editor?issuer=Daymark&secret=${key.replaceAll(' ', '')}`)
    // What is wrong stands at its field; the key and the code stay.
    const code = codeOf(key)
    await page.getByLabel('Code', { exact: true }).fill(code)
    await page.getByLabel('Current password').fill('not the password')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('This is not the current password').first().waitFor()
    expect(await page.locator('code.key').innerText()).toBe(key)
    expect(await page.getByLabel('Code', { exact: true }).inputValue()).toBe(code)
    await page.getByLabel('Current password').fill(secret)
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('Two-factor sign-in is on').waitFor()
    const codes = (await page.locator('.recovery pre').innerText()).split('\n')
    expect(codes).toHaveLength(10)
    await page.getByRole('link', { name: 'I have kept them' }).click()
    await page.getByRole('region', { name: 'Two-factor sign-in On' }).waitFor()

    await context.clearCookies()
    await go(`${cities}?sort=-name`)
    await signIn('editor')
    await page.getByText('Signing in as editor').waitFor()
    await expect.poll(focused).toBe('code')
    await page.getByLabel('Code', { exact: true }).fill('123')
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('This code is wrong or has been used already').waitFor()
    await expect.poll(focused).toBe('code')
    await page.getByLabel('Code', { exact: true }).fill(codeOf(key, 1))
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${cities}?sort=-name`)

    await context.clearCookies()
    await go('/admin/profile')
    await signIn('editor')
    await page.getByText('Use a recovery code').click()
    await page.getByLabel('Recovery code').fill('nonsense')
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('This is none of your recovery codes').waitFor()
    await expect.poll(focused).toBe('recoveryCode')
    await page.getByLabel('Recovery code').fill(codes[3] as string)
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('You used a recovery code. Left: 9').waitFor()
    expect(path()).toBe('/admin/profile')

    await page.getByRole('link', { name: 'Manage' }).click()
    const off = page.getByRole('form', { name: 'Turn it off' })
    await off.getByLabel('Current password').fill('wrong')
    await off.getByRole('button', { name: 'Turn off' }).click()
    await off.getByText('This is not the current password').waitFor()
    expect(await page.getByRole('form', { name: 'New recovery codes' }).getByText('This is not').count()).toBe(0)
    await page.getByRole('form', { name: 'New recovery codes' }).getByLabel('Current password').fill(secret)
    await page.getByRole('button', { name: 'New recovery codes' }).click()
    await page.getByText('New recovery codes; the old ones are void').waitFor()
    await page.getByRole('link', { name: 'I have kept them' }).click()
    await page.getByRole('link', { name: 'Manage' }).click()
    await off.getByLabel('Current password').fill(secret)
    await off.getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('status').filter({ hasText: 'Two-factor sign-in is off' }).waitFor()
    expect(path()).toBe('/admin/profile')
  })
})

test('whoever must have it is led to it, can only leave, and goes on to where they were going', async () => {
  await go(`${cities}?sort=-name`)
  await signIn('reader')
  await page.getByText('Your account needs two-factor sign-in. Set it up first').waitFor()
  expect(path()).toBe(`/admin/profile/two-factor?to=${encodeURIComponent(`${cities}?sort=-name`)}`)
  expect(await page.getByRole('navigation').count()).toBe(0)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/admin/login')
  await go(`${cities}?sort=-name`)
  await signIn('reader')
  await setUp()
  await page.getByRole('link', { name: 'I have kept them' }).click()
  await page.waitForURL(`**${cities}?sort=-name`)
  await go('/admin/profile/two-factor')
  expect(await page.getByRole('button', { name: 'Turn off' }).count()).toBe(0)
})

test('the key and the codes are copied by a click, and the codes saved as a file', async () => {
  await go('/admin/profile/two-factor')
  await signIn('editor')
  const key = await page.locator('code.key').innerText()
  const copied = () => page.evaluate('navigator.clipboard.readText()')
  await page.locator('code.key').hover()
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect.poll(copied).toBe(key)
  const { codes } = await setUp()
  await page.locator('.recovery pre').hover()
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect.poll(copied).toBe(codes.join('\n'))
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Save as a file' }).click()])
  expect(saved.suggestedFilename()).toBe('recovery-codes.txt')
  expect(readFileSync(await saved.path(), 'utf8')).toBe(`Daymark, editor\n\n${codes.join('\n')}\n`)
})

test('an administrator turns it off for a user, from the list', async () => {
  await go('/admin/profile/two-factor')
  await signIn('editor')
  await setUp()
  await open()
  await go('/admin/resource/users/crud?filter[twoFactor][null]=0')
  await signIn('admin')
  await page.getByRole('button', { name: 'Actions for editor' }).click()
  await page.getByRole('button', { name: 'Turn off two-factor sign-in' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Make sure that it is they who ask').waitFor()
  await dialog.getByRole('button', { name: 'Turn off two-factor sign-in' }).click()
  await page.getByRole('status').filter({ hasText: 'Two-factor sign-in is off for editor' }).waitFor()
  await expect.poll(() => page.locator('tbody .label').count()).toBe(0)
})

describe.each(['light', 'dark'] as const)('%s: axe finds nothing', (colorScheme) => {
  const clean = async () => {
    await page.emulateMedia({ colorScheme })
    expect(await flawsOf(page)).toEqual([])
  }
  test('from the set-up to the second step', async () => {
    await go('/admin/profile/two-factor')
    await signIn('editor')
    await page.locator('code.key').waitFor()
    await clean()
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('alert').waitFor()
    await clean()
    await setUp()
    await clean()
    await go('/admin/profile')
    await clean()
    await go('/admin/profile/two-factor')
    await clean()
    await context.clearCookies()
    await go('/admin/login')
    await signIn('editor')
    await page.getByText('Use a recovery code').click()
    await clean()
  })
  test('where nothing else may be done', async () => {
    await go('/admin')
    await signIn('reader')
    await page.locator('code.key').waitFor()
    await clean()
  })
})
