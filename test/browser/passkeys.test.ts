import { authenticate, passkeys, password } from 'daymark'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openWorld, secret, type World } from '../auth/world.js'
import { launchBrowser } from '../support/browser.js'
import { freePort } from '../support/free-port.js'
import { flawsOf } from '../support/own-browser.js'

const own = '/admin/profile/passkeys'
let world: World
let port: number
let listening: Awaited<ReturnType<World['panel']['listen']>>
let browser: Browser
let context: BrowserContext
let page: Page
let cdp: CDPSession
let device: string
let noticed: string[]

beforeAll(async () => {
  port = await freePort()
  const auth = { middleware: authenticate(), pipelines: [password(), passkeys()] }
  ;[world, browser] = await Promise.all([openWorld({ auth, url: `http://localhost:${port}` }), launchBrowser()])
  listening = await world.panel.listen({ port, host: 'localhost' })
})
afterAll(async () => {
  await browser?.close()
  await listening?.close()
  await world?.close()
})
beforeEach(async () => {
  await open()
  const editor = await world.inside.store?.users.byUsername('editor')
  await world.inside.store?.passkeys.removeOf(editor?.identity.id ?? '')
})

/** A browser with an authenticator of its own. Offered by the field of the username, it would be used at once: nobody has to choose. */
async function open(options: Parameters<Browser['newContext']>[0] = {}, offers = false): Promise<void> {
  await context?.close()
  context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  page = await context.newPage()
  page.setDefaultTimeout(10_000)
  noticed = []
  page.on('pageerror', ({ message }) => noticed.push(message))
  page.on('console', (message) => {
    // A refused sign-in is a 401, which the browser reports by itself.
    if (['error', 'warning'].includes(message.type()) && !/status of 4\d\d/.test(message.text())) noticed.push(message.text())
  })
  if (!offers)
    await page.addInitScript({
      content: 'if (window.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = async () => false',
    })
  cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  device = (
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
  ).authenticatorId
}

const go = (path: string, host = 'localhost') => page.goto(`http://${host}:${port}${path}`)
const path = () => new URL(page.url()).pathname + new URL(page.url()).search
/** Whether the user passes what the device asks for; as if they had cancelled its dialog. */
const passes = (isUserVerified: boolean) => cdp.send('WebAuthn.setUserVerified', { authenticatorId: device, isUserVerified })
const kept = async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId: device })).credentials

async function signIn(username = 'editor'): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(secret)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Adds a passkey, on the page. */
async function add(name = 'My laptop'): Promise<void> {
  const form = page.getByRole('form', { name: 'Add a passkey' })
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('Current password').fill(secret)
  await form.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByText(`The passkey "${name}" was added`).waitFor()
}

const byPasskey = () => page.getByRole('button', { name: 'Sign in with a passkey' })

test('a user adds a passkey, signs in with it where they were going, renames it and removes it', async () => {
  await go('/admin/profile')
  await signIn()
  await page.getByRole('region', { name: 'Passkeys' }).getByRole('link', { name: 'Add a passkey' }).click()
  await page.getByText('You have no passkeys yet.').waitFor()
  expect(await page.getByText('To add a passkey, open this page').count()).toBe(0)
  expect(await page.getByLabel('Name').inputValue()).toMatch(/^Chrome, /)
  await add()
  expect(path()).toBe(own)
  expect((await kept()).map(({ rpId, isResidentCredential }) => [rpId, isResidentCredential])).toEqual([['localhost', true]])

  await context.clearCookies()
  await go('/admin/resource/cities/crud?sort=-name')
  await page.getByLabel('Remember me').check()
  await byPasskey().click()
  await page.waitForURL('**/admin/resource/cities/crud?sort=-name')
  const cookie = (await context.cookies()).find(({ name }) => name === 'daymark-admin')
  expect(cookie?.expires).toBeGreaterThan(Date.now() / 1000 + 86_400)
  await go('/admin/profile')
  await page.getByText('This session · Passkey').waitFor()

  await page.getByRole('region', { name: 'Passkeys' }).getByRole('link', { name: 'Manage' }).click()
  await page.getByText('Rename').click()
  await page.getByRole('textbox', { name: 'Name' }).first().fill('Work laptop')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The passkey is called "Work laptop" now').waitFor()
  await page.getByRole('button', { name: 'Remove Work laptop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove the passkey "Work laptop"?' })
  await dialog.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Remove Work laptop' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('You have no passkeys yet.').waitFor()
  await page.getByText('The passkey "Work laptop" was removed').waitFor()

  // The device still has it, and offers it.
  await context.clearCookies()
  await go('/admin/profile')
  await byPasskey().click()
  await page.getByRole('alert').filter({ hasText: 'This passkey does not sign in here. Sign in in another way' }).waitFor()
  await signIn()
  await page.waitForURL('**/admin/profile')
  expect(noticed).toEqual([])
})

test('the browser offers it in the field of the username', async () => {
  await open({}, true)
  await go(own)
  await signIn()
  await add()
  await context.clearCookies()
  // It may be signed in before the sign-in page has loaded to its end.
  await page.goto(`http://localhost:${port}/admin/resource/cities/crud`, { waitUntil: 'commit' })
  await page.waitForURL('**/admin/resource/cities/crud')
  await page.getByRole('heading', { name: 'Cities' }).waitFor()
  expect(noticed).toEqual([])
})

test('whoever cancels the dialog of the device is told so, and loses nothing', async () => {
  await go(own)
  await signIn()
  const form = page.getByRole('form', { name: 'Add a passkey' })
  await passes(false)
  await form.getByLabel('Name').fill('Phone')
  await form.getByLabel('Current password').fill(secret)
  await form.getByRole('button', { name: 'Add passkey' }).click()
  await form.getByRole('status').filter({ hasText: 'No passkey was added. What you typed is still here' }).waitFor()
  expect([await form.getByLabel('Name').inputValue(), await form.getByLabel('Current password').inputValue()]).toEqual(['Phone', secret])
  await passes(true)
  await form.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByText('The passkey "Phone" was added').waitFor()

  await context.clearCookies()
  await go('/admin/profile')
  await page.getByLabel('Username').fill('editor')
  await page.getByLabel('Password').fill(secret)
  await passes(false)
  await byPasskey().click()
  await page.getByRole('status').filter({ hasText: 'No passkey was used. Try again, or sign in in another way' }).waitFor()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/admin/profile')
  expect(noticed).toEqual([])
})

test('what is wrong is said before the device makes anything', async () => {
  await go(own)
  await signIn()
  const form = page.getByRole('form', { name: 'Add a passkey' })
  await form.getByLabel('Name').fill('')
  await form.getByLabel('Current password').fill('wrong')
  await form.getByRole('button', { name: 'Add passkey' }).click()
  await form.getByText('Name is required').waitFor()
  await form.getByText('This is not the current password').waitFor()
  expect(await kept()).toEqual([])
  await add('Laptop')
  // It has one for this user.
  await form.getByLabel('Current password').fill(secret)
  await form.getByRole('button', { name: 'Add passkey' }).click()
  await form.getByRole('status').filter({ hasText: 'This device has a passkey for your account already' }).waitFor()
  expect(await page.locator('.passkeys li').count()).toBe(1)
  expect(noticed).toEqual([])
})

test('a browser without functions for what servers send signs in as well', async () => {
  await page.addInitScript({
    content: `if (window.PublicKeyCredential) {
      PublicKeyCredential.parseCreationOptionsFromJSON = undefined
      PublicKeyCredential.parseRequestOptionsFromJSON = undefined
      PublicKeyCredential.prototype.toJSON = undefined
    }`,
  })
  await go(own)
  await signIn()
  await add()
  // With one that it may not make again.
  const form = page.getByRole('form', { name: 'Add a passkey' })
  await form.getByLabel('Current password').fill(secret)
  await form.getByRole('button', { name: 'Add passkey' }).click()
  await form.getByText('This device has a passkey for your account already').waitFor()
  await context.clearCookies()
  await go('/admin/profile')
  await byPasskey().click()
  await page.waitForURL('**/admin/profile')
  expect(noticed).toEqual([])
})

test('at another address, and in a browser that knows none, there is no button, and the page says where', async () => {
  await go(own, '127.0.0.1')
  await page.getByLabel('Username').waitFor()
  expect(await byPasskey().count()).toBe(0)
  await signIn()
  await page.getByText(`To add a passkey, open this page at http://localhost:${port}`).waitFor()
  expect(await page.getByRole('button', { name: 'Add passkey' }).count()).toBe(0)
  await open()
  await page.addInitScript({ content: 'window.PublicKeyCredential = undefined' })
  await go(own)
  await page.getByLabel('Username').waitFor()
  expect(await byPasskey().count()).toBe(0)
  await signIn()
  await page.getByText('To add a passkey, open this page').waitFor()
  expect(noticed).toEqual([])
})

test('without script, there is no button, and passkeys are renamed and removed', async () => {
  await go(own)
  await signIn()
  await add()
  await open({ javaScriptEnabled: false })
  await go(own)
  expect(await byPasskey().count()).toBe(0)
  await signIn()
  await page.getByText(`To add a passkey, open this page at http://localhost:${port}`).waitFor()
  expect(await page.getByRole('button', { name: 'Add passkey' }).count()).toBe(0)
  await page.getByText('Rename').click()
  await page.getByRole('textbox', { name: 'Name' }).first().fill('Old')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The passkey is called "Old" now').waitFor()
  await page.getByRole('button', { name: 'Remove Old' }).click()
  await page.getByRole('heading', { name: 'Remove the passkey "Old"?' }).waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('You have no passkeys yet.').waitFor()
})

test('a double click asks the device once', async () => {
  await go(own)
  await signIn()
  await add()
  await context.clearCookies()
  await go('/admin/profile')
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') asked.push(new URL(request.url()).pathname)
  })
  await page.route('**/passkey/options', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  await byPasskey().dblclick()
  await page.waitForURL('**/admin/profile')
  expect(asked).toEqual(['/admin/authenticate/passkey/options', '/admin/authenticate/passkey'])
  expect(noticed).toEqual([])
})

test('an administrator removes the passkeys of a user, from the list', async () => {
  await go(own)
  await signIn()
  await add()
  await open()
  await go('/admin/resource/users/crud')
  await signIn('admin')
  await page.getByRole('button', { name: 'Actions for editor' }).click()
  await page.getByRole('button', { name: 'Remove passkeys' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Make sure that it is they who ask').waitFor()
  await dialog.getByRole('button', { name: 'Remove passkeys' }).click()
  await page.getByRole('status').filter({ hasText: 'Passkeys removed: editor' }).waitFor()
  await page.getByRole('button', { name: 'Actions for editor' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Remove passkeys' }).count()).toBe(0)
})

describe.each(['light', 'dark'] as const)('%s: axe finds nothing', (colorScheme) => {
  const clean = async () => {
    await page.emulateMedia({ colorScheme })
    expect(await flawsOf(page)).toEqual([])
  }
  test.each([1280, 360])('at %s pixels, on the sign-in page and on that of the passkeys', async (width) => {
    await page.setViewportSize({ width, height: 900 })
    await go(own)
    await byPasskey().waitFor()
    await clean()
    await passes(false)
    await byPasskey().click()
    await page.getByText('No passkey was used').waitFor()
    await clean()
    await passes(true)
    await signIn()
    await page.getByText('You have no passkeys yet.').waitFor()
    await clean()
    await add('A name of a passkey that is longer than most people would give to one of theirs')
    await page.getByText('Rename').click()
    await clean()
    await passes(false)
    const form = page.getByRole('form', { name: 'Add a passkey' })
    await form.getByLabel('Current password').fill(secret)
    await form.getByRole('button', { name: 'Add passkey' }).click()
    await form.getByRole('status').filter({ hasText: /\S/ }).waitFor()
    await clean()
    await page.getByRole('button', { name: /^Remove A name/ }).click()
    await page.getByRole('dialog').waitFor()
    await clean()
  })
})
