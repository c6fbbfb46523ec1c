import { join } from 'node:path'
import { definePanel, defineResource, file, folder, id, image, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { describe, expect, test, vi } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'
import { cutNetwork, mendNetwork } from './world.js'

const cities = sqliteTable('cities', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  photo: varchar(),
  plan: varchar(),
  sound: varchar(),
})
const Cities = defineResource({
  model: cities,
  title: 'Cities',
  fields: {
    id: id(),
    name: text('Name').required(),
    photo: image('Photo').hint('From the air'),
    plan: file('Plan').extensions('pdf', 'txt').maxBytes(2000),
    sound: file('Sound'),
  },
  pages: { index: ['name', 'photo', 'plan'] },
})

const crud = '/admin/resource/cities/crud'
const form = '/admin/resource/cities/form-page'
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const picture = { name: 'Bern.png', mimeType: 'image/png', buffer: png }
/** A tone of so many seconds. */
function wav(seconds: number): Buffer<ArrayBuffer> {
  const rate = 8000
  const [head, tone] = [Buffer.alloc(44), Buffer.from(Array.from({ length: rate * seconds }, (_, i) => 128 + 60 * Math.sin(i / 5)))]
  head.write('RIFF    WAVEfmt ')
  head.writeUInt32LE(36 + tone.length, 4)
  // PCM, one channel, 8 bits.
  for (const [at, value] of [
    [16, 16],
    [20, 0x1_0001],
    [24, rate],
    [28, rate],
    [32, 0x8_0001],
    [40, tone.length],
  ] as const)
    head.writeUInt32LE(value, at)
  head.write('data', 36)
  return Buffer.concat([head, tone])
}
interface Player {
  readonly duration: number
}
const pdf = (name: string) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') })

let client: Sqlite
let url: string
let context: BrowserContext
let page: Page
const open = ownBrowser({
  schema: 'create table cities (id integer primary key, name text not null, photo text, plan text, sound text)',
  panel: (database, place) =>
    definePanel({ auth: 'open', database, resources: [Cities], files: folder(join(place, 'uploads')), log: () => {} }),
  // A second after a test gave files up, the panel writes about them, and holds its lock for a turn.
  before: (client) => vi.waitFor(() => client.exec('delete from cities'), 10_000),
  opened: (all) => {
    ;({ client, url, context, page } = all)
  },
})

const go = (path: string) => page.goto(url + path)
const stored = () => client.prepare('select name, photo, plan from cities').all() as { name: string; photo: string; plan: string }[]
const plans = () => stored().map(({ plan }) => plan?.replace(/^.*\//, '') ?? null)
const choose = (name: 'photo' | 'plan' | 'sound', one: typeof picture) => page.setInputFiles(`#field-${name}`, one)
const save = () => page.locator('.actions button.primary').click()
const saved = () => page.waitForURL(/\/crud\/\d+/)
/** What stands at a field, without its controls. */
const at = (name: string, what: string) => page.locator(`.field:has(#field-${name}) ${what}`)
const unsaved = () => page.locator('.unsaved')

/** A record that has both files. */
async function made(): Promise<string> {
  await go(form)
  await page.fill('#field-name', 'Bern')
  await choose('photo', picture)
  await choose('plan', pdf('Old.pdf'))
  await at('photo', '.file-now img').waitFor()
  await save()
  await saved()
  return new URL(page.url()).pathname.split('/').at(-1) as string
}

/** Holds what is uploaded back, until it is let go. */
async function held(): Promise<Route[]> {
  const routes: Route[] = []
  await page.route('**/admin/upload/**', (route) => void routes.push(route))
  return routes
}

test('a chosen file is sent at once, named, and saved with the record; its limits and its arrival are told', async () => {
  await go(form)
  const routes = await held()
  await page.fill('#field-name', 'Bern')
  await choose('plan', pdf('Plan.pdf'))
  await page.getByRole('progressbar', { name: 'The file is being sent' }).waitFor()
  await expect.poll(() => routes.length).toBe(1)
  await routes[0]?.continue()
  await expect.poll(() => at('plan', '.file-now').innerText()).toBe('Plan.pdf')
  await expect.poll(() => at('plan', '[role=status]').innerText()).toBe('Plan.pdf is chosen')
  expect(await page.getByRole('progressbar').count()).toBe(0)
  expect(await unsaved().innerText()).toBe('Unsaved changes')
  const describing = await page.evaluate(
    "document.querySelector('#field-photo').getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id).innerText)",
  )
  expect(describing).toEqual(['At most 10 MB: png, jpg, jpeg, gif, webp, avif', 'From the air'])
  await save()
  await saved()
  expect(plans()).toEqual(['Plan.pdf'])
  const answer = await page.request.get(new URL((await page.locator('a.file').getAttribute('href')) as string, page.url()).href)
  expect(await answer.text()).toContain('%PDF-1.4')
})

test('a chosen picture is shown before it is saved, and small in the list, whose rows do not grow', async () => {
  await go(form)
  await page.fill('#field-name', 'Bern')
  await choose('photo', picture)
  const preview = at('photo', '.file-now img')
  await preview.waitFor()
  expect(await preview.getAttribute('alt')).toBe('Bern.png')
  await expect.poll(() => page.evaluate("document.querySelector('.file-now img').naturalWidth")).toBe(1)
  await save()
  await saved()
  await page.locator('img.preview').waitFor()
  client.exec("insert into cities (name) values ('Biel')")
  await go(crud)
  await page.locator('img.thumb').waitFor()
  await expect.poll(() => page.evaluate("document.querySelector('img.thumb').naturalWidth")).toBe(1)
  const heights = await page.evaluate(
    "[...document.querySelectorAll('tbody tr')].map((row) => Math.round(row.getBoundingClientRect().height))",
  )
  expect(new Set(heights as number[]).size).toBe(1)
})

test('a file of another type or too large is refused at its field, and the one that is there stays', async () => {
  const key = await made()
  await go(`${form}/${key}`)
  await choose('plan', { ...picture, name: 'Plan.png' })
  await expect.poll(() => at('plan', '> .error').innerText()).toBe('Plan must be one of these: pdf, txt')
  expect(await page.locator('#field-plan').getAttribute('aria-describedby')).toBe('field-plan-takes field-plan-error')
  await expect.poll(() => at('plan', '[role=status]').innerText()).toBe('Plan must be one of these: pdf, txt')
  await choose('plan', { ...pdf('Large.pdf'), buffer: Buffer.alloc(2001, 'x') })
  await expect.poll(() => at('plan', '> .error').innerText()).toMatch(/^Plan must have at most /)
  // Its name is right, its bytes are not.
  await choose('photo', { ...pdf('Photo.png') })
  await at('photo', '> .error').waitFor()
  expect(await at('plan', '.file-now').innerText()).toBe('Old.pdf')
  await save()
  await saved()
  expect(plans()).toEqual(['Old.pdf'])
})

test('a sound is played on the page of its record, from any place of it, and on a page of its own', async () => {
  const sound = wav(1000)
  await go(form)
  await page.fill('#field-name', 'Bern')
  await choose('sound', { name: 'Sound.wav', mimeType: 'audio/wav', buffer: sound })
  await save()
  await saved()
  const parts: string[] = []
  page.on('response', (response) => void parts.push(`${response.status()} ${response.headers()['content-range'] ?? ''}`))
  const player = page.locator('audio')
  const lasts = () => player.evaluate((audio) => (audio as unknown as Player).duration)
  await expect.poll(lasts).toBe(1000)
  await player.evaluate((audio) => new Promise((done) => Object.assign(audio, { onseeked: done, currentTime: 900 })))
  expect(parts.some((part) => /^206 bytes [1-9]/.test(part))).toBe(true)
  expect(await page.getByRole('link', { name: 'Sound.wav' }).count()).toBe(1)
  await page.getByRole('link', { name: 'Sound.wav' }).click()
  await expect.poll(() => page.locator('video').evaluate((video) => (video as unknown as Player).duration)).toBe(1000)
  expect(page.url()).toMatch(/\/file\/sound$/)
  await go(crud)
  expect(await page.locator('audio, video').count()).toBe(0)
})

test('a form that is refused for another field keeps the chosen file', async () => {
  await go(form)
  await choose('plan', pdf('Kept.pdf'))
  await expect.poll(() => at('plan', '.file-now').innerText()).toBe('Kept.pdf')
  await save()
  await page.locator('#field-name[aria-invalid=true]').waitFor()
  expect(stored()).toEqual([])
  expect(await at('plan', '.file-now').innerText()).toBe('Kept.pdf')
  await page.fill('#field-name', 'Bern')
  await save()
  await saved()
  expect(plans()).toEqual(['Kept.pdf'])
})

test('a file that is chosen before its script is there is sent once it is; without it, the file comes with its form', async () => {
  const scripts: Route[] = []
  await page.route('**/uploads.js', (route) => void scripts.push(route))
  await go(form)
  await page.fill('#field-name', 'Bern')
  await choose('plan', pdf('Plan.pdf'))
  await expect.poll(() => scripts.length).toBe(1)
  await scripts[0]?.continue()
  await expect.poll(() => at('plan', '.file-now').innerText()).toBe('Plan.pdf')
  await page.reload({ waitUntil: 'domcontentloaded' })
  await expect.poll(() => scripts.length).toBe(2)
  await scripts[1]?.abort()
  await page.fill('#field-name', 'Bern')
  await choose('plan', pdf('Other.pdf'))
  await save()
  await saved()
  expect(plans()).toEqual(['Other.pdf'])
})

test('what is ticked to be removed is an unsaved change, and is gone once it is saved', async () => {
  const key = await made()
  await go(`${form}/${key}`)
  expect(await unsaved().count()).toBe(0)
  await page.getByRole('checkbox', { name: 'Remove Plan' }).check()
  expect(await unsaved().count()).toBe(1)
  await save()
  await saved()
  expect(plans()).toEqual([null])
  expect(stored()[0]?.photo).toMatch(/\/Bern\.png$/)
})

test('an upload is cancelled: the focus goes to the control, and what was there is saved', async () => {
  const key = await made()
  await go(`${form}/${key}`)
  const routes = await held()
  await choose('plan', pdf('New.pdf'))
  await expect.poll(() => routes.length).toBe(1)
  await at('plan', '.uploading').getByRole('button', { name: 'Cancel' }).click()
  await at('plan', '.uploading').waitFor({ state: 'detached' })
  expect(await page.evaluate('document.activeElement.id')).toBe('field-plan')
  expect(await at('plan', '.file-now').innerText()).toBe('Old.pdf')
  expect(await unsaved().count()).toBe(0)
  await save()
  await saved()
  expect(plans()).toEqual(['Old.pdf'])
})

test('saving waits for a file that is being sent, and does not go on without one that is cancelled', async () => {
  await go(form)
  const routes = await held()
  await page.fill('#field-name', 'Bern')
  await choose('plan', pdf('First.pdf'))
  await expect.poll(() => routes.length).toBe(1)
  await save()
  await page.locator('form[aria-busy=true]').waitFor()
  await at('plan', '.uploading').getByRole('button', { name: 'Cancel' }).click()
  await page.locator('form.form-page:not([aria-busy=true])').waitFor()
  expect(stored()).toEqual([])

  await choose('plan', pdf('Second.pdf'))
  await expect.poll(() => routes.length).toBe(2)
  await save()
  await page.locator('form[aria-busy=true]').waitFor()
  expect(stored()).toEqual([])
  await routes[1]?.continue()
  await saved()
  expect(plans()).toEqual(['Second.pdf'])
})

test('of two files that are chosen one after the other the second is saved, whichever arrives first', async () => {
  await go(form)
  const routes = await held()
  await page.fill('#field-name', 'Bern')
  await choose('plan', pdf('First.pdf'))
  await expect.poll(() => routes.length).toBe(1)
  await choose('plan', pdf('Second.pdf'))
  await expect.poll(() => routes.length).toBe(2)
  expect(await page.getByRole('progressbar').count()).toBe(1)
  await routes[1]?.continue()
  await expect.poll(() => at('plan', '.file-now').innerText()).toBe('Second.pdf')
  await routes[0]?.continue().catch(() => {})
  // Long enough for an answer that would have come.
  await page.evaluate("fetch('/admin/resource/cities/crud').then((response) => response.text())")
  await save()
  await saved()
  expect(plans()).toEqual(['Second.pdf'])
})

test('a file is dropped at its control, and one that misses it does not replace the page', async () => {
  await go(form)
  await page.fill('#field-name', 'Bern')
  await page.evaluate("files = new DataTransfer(); files.items.add(new File(['x'], 'Dropped.txt', { type: 'text/plain' }))")
  const over = (selector: string) =>
    page.evaluate(
      `!document.querySelector('${selector}').dispatchEvent(new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer: files }))`,
    )
  expect(await over('h1')).toBe(true)
  expect(await over('.field:has(#field-plan) .takes')).toBe(true)
  expect(await page.locator('.file-control.over').count()).toBe(1)
  await at('plan', '.takes').dispatchEvent('drop', { dataTransfer: await page.evaluateHandle('files') })
  await expect.poll(() => at('plan', '.file-now').innerText()).toBe('Dropped.txt')
  expect(await page.locator('.file-control.over').count()).toBe(0)
  await save()
  await saved()
  expect(plans()).toEqual(['Dropped.txt'])
})

test('a lost network is said at the field, and the file can be chosen again', async () => {
  await go(form)
  await page.fill('#field-name', 'Bern')
  await cutNetwork(context)
  await choose('plan', pdf('Plan.pdf'))
  await at('plan', '> .error').waitFor()
  expect(await page.getByRole('progressbar').count()).toBe(0)
  await mendNetwork(context)
  await choose('plan', pdf('Plan.pdf'))
  await expect.poll(() => at('plan', '.file-now').innerText()).toBe('Plan.pdf')
  expect(await at('plan', '> .error').count()).toBe(0)
  await save()
  await saved()
  expect(plans()).toEqual(['Plan.pdf'])
})

test('an ended session is said at the field', async () => {
  await go(form)
  await page.route('**/admin/upload/**', (route) => route.fulfill({ status: 401, json: { message: 'x' } }))
  await choose('plan', pdf('Plan.pdf'))
  await expect.poll(() => at('plan', '> .error').innerText()).toMatch(/signed out|session/i)
  expect(await at('plan', '.file-now').isVisible()).toBe(false)
})

test('a file is chosen, cancelled, removed and saved by the keyboard alone', async () => {
  const key = await made()
  await go(`${form}/${key}`)
  // The browser opens its own chooser where it has not heard yet that the test waits for one: asking for the focus takes that time.
  const opened = page.waitForEvent('filechooser')
  await page.locator('#field-plan').focus()
  const [chooser] = await Promise.all([opened, page.keyboard.press('Enter')])
  const routes = await held()
  await chooser.setFiles(pdf('New.pdf'))
  await expect.poll(() => routes.length).toBe(1)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await at('plan', '.uploading').waitFor({ state: 'detached' })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  expect(await page.getByRole('checkbox', { name: 'Remove Plan' }).isChecked()).toBe(true)
  await page.keyboard.press('Control+s')
  await saved()
  expect(plans()).toEqual([null])
})

test('without script a file comes with its form, a refused form keeps it, and a box removes it', async () => {
  await open({ javaScriptEnabled: false })
  await go(form)
  await choose('plan', pdf('Plain.pdf'))
  await choose('photo', picture)
  await save()
  await page.locator('#field-name[aria-invalid=true]').waitFor()
  expect(await at('plan', '.file-now').innerText()).toBe('Plain.pdf')
  await page.fill('#field-name', 'Bern')
  await save()
  await saved()
  expect(plans()).toEqual(['Plain.pdf'])
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('checkbox', { name: 'Remove Plan' }).check()
  await save()
  await saved()
  expect(plans()).toEqual([null])
  expect(stored()[0]?.photo).toMatch(/\/Bern\.png$/)
})

describe.each([
  ['desktop', 1280],
  ['phone', 390],
])('on a %s', (_, width) => {
  test('axe finds nothing in the list, the record and its form, in either theme, and nothing scrolls sideways', async () => {
    await open({ viewport: { width, height: 800 } })
    const key = await made()
    for (const path of [crud, `${crud}/${key}`, `${form}/${key}`]) {
      await go(path)
      if (path.includes('form-page')) {
        await choose('plan', { ...picture, name: `${'very-long-name'.repeat(6)}.png` })
        await at('plan', '> .error').waitFor()
        await choose('photo', { ...picture, name: `${'very-long-name'.repeat(6)}.png` })
        await unsaved().waitFor()
        await at('photo', '.uploading').waitFor({ state: 'detached' })
        await held()
        await choose('plan', pdf('Held.pdf'))
        await page.getByRole('progressbar').waitFor()
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await flawsOf(page), `${path} ${colorScheme}`).toEqual([])
      }
      if (path === crud) {
        const [thumb, line] = (await page.evaluate(
          "[document.querySelector('img.thumb'), document.querySelector('img.thumb').parentElement].map((one) => { const { top, bottom } = one.getBoundingClientRect(); return { top, bottom } })",
        )) as { top: number; bottom: number }[]
        expect(thumb?.top).toBeGreaterThanOrEqual((line?.top ?? 0) - 1)
        expect(thumb?.bottom).toBeLessThanOrEqual((line?.bottom ?? 0) + 1)
      }
    }
  })
})
