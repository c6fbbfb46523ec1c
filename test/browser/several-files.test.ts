import { join } from 'node:path'
import { definePanel, defineResource, file, folder, id, image, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page, Route } from 'playwright-core'
import { describe, expect, test, vi } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'

const places = sqliteTable('places', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  photos: varchar({ mode: 'json' }).$type<readonly string[]>(),
  papers: varchar({ mode: 'json' }).$type<readonly string[]>(),
})
const Places = defineResource({
  model: places,
  title: 'Places',
  fields: {
    id: id(),
    name: text('Name').required(),
    photos: image('Photos').multiple(),
    papers: file('Papers').extensions('pdf', 'txt').maxBytes(2000).multiple().maxFiles(3).hint('The newest first'),
  },
  pages: { index: ['name', 'photos', 'papers'] },
})

const crud = '/admin/resource/places/crud'
const form = '/admin/resource/places/form-page'
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: png })
const pdf = (name: string, bytes = 20) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n'.padEnd(bytes)) })

let client: Sqlite
let url: string
let page: Page
const open = ownBrowser({
  schema: 'create table places (id integer primary key, name text not null, photos text, papers text)',
  panel: (database, place) =>
    definePanel({ auth: 'open', database, resources: [Places], files: folder(join(place, 'uploads')), log: () => {} }),
  // A second after a test gave files up, the panel writes about them, and holds its lock for a turn.
  before: (client) => vi.waitFor(() => client.exec('delete from places'), 10_000),
  opened: (all) => {
    ;({ client, url, page } = all)
  },
})

const go = (path: string) => page.goto(url + path)
const choose = (name: 'photos' | 'papers', all: readonly ReturnType<typeof pdf>[]) => page.setInputFiles(`#field-${name}`, [...all])
const save = () => page.locator('.actions button.primary').click()
const saved = () => page.waitForURL(/\/crud\/\d+/)
const at = (name: string, what: string) => page.locator(`.field:has(#field-${name}) ${what}`)
const lines = (name: string) => at(name, '.files-now .file-now').allInnerTexts()
const stored = (name: 'photos' | 'papers') => {
  const [row] = client.prepare(`select ${name} from places`).all() as Record<string, string | null>[]
  const list = row?.[name]
  return list ? (JSON.parse(list) as string[]).map((path) => path.replace(/^.*\//, '')) : null
}
const unsaved = () => page.locator('.unsaved')
const box = (name: string) => page.getByRole('checkbox', { name: `Remove ${name}` })
const up = (name: string) => page.getByRole('button', { name: `Move up: ${name}` })

/** Opens the form of a record that has some papers and photos, and returns its address. */
async function made(): Promise<string> {
  await go(form)
  await page.fill('#field-name', 'Bern')
  await choose('papers', [pdf('One.pdf'), pdf('Two.pdf')])
  await choose('photos', [picture('a.png'), picture('b.png')])
  await expect.poll(() => page.locator('.uploading').count()).toBe(0)
  await save()
  await saved()
  const edit = `${form}/${new URL(page.url()).pathname.split('/').at(-1)}`
  await go(edit)
  return edit
}

test('several are chosen at once and again, each with its progress, shown, and saved in their order', async () => {
  await go(form)
  const routes: Route[] = []
  await page.route('**/admin/upload/**', (route) => void routes.push(route))
  await page.fill('#field-name', 'Bern')
  await choose(
    'photos',
    ['a', 'b', 'c', 'd'].map((name) => picture(`${name}.png`)),
  )
  // Three at a time; the fourth waits.
  await expect.poll(() => page.locator('.files-now .uploading progress').count()).toBe(3)
  expect(await lines('photos')).toEqual(['a.png', 'b.png', 'c.png', 'd.png'])
  expect(await unsaved().count()).toBe(1)
  // The second arrives before the first, and stays behind it.
  await expect.poll(() => routes.length).toBe(3)
  await routes[1]?.continue()
  await expect.poll(() => routes.length).toBe(4)
  for (const at of [0, 2, 3]) await routes[at]?.continue()
  await expect.poll(() => at('photos', '.files-now img').count()).toBe(4)
  await expect.poll(() => page.locator('.uploading').count()).toBe(0)
  await page.unroute('**/admin/upload/**')
  await choose('photos', [picture('e.png')])
  await expect.poll(() => at('photos', '.files-now img').count()).toBe(5)
  await save()
  await saved()
  expect(stored('photos')).toEqual(['a.png', 'b.png', 'c.png', 'd.png', 'e.png'])
  expect(await page.locator('.facts img.preview, main img.preview').count()).toBe(5)
  await go(crud)
  expect(await page.locator('tbody img.thumb').count()).toBe(3)
  expect(await page.locator('tbody .files .rest').innerText()).toBe('+2')
})

test('they are moved up and removed, which are unsaved changes, by the keyboard alone', async () => {
  await made()
  expect(await lines('papers')).toEqual(['One.pdf', 'Two.pdf'])
  expect(await unsaved().count()).toBe(0)
  expect(await up('One.pdf').isVisible()).toBe(false)
  await up('Two.pdf').focus()
  await page.keyboard.press('Enter')
  expect(await lines('papers')).toEqual(['Two.pdf', 'One.pdf'])
  // The first has nowhere to go, so the focus is on what it has.
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Remove Two.pdf')
  expect(await at('papers', '.said').textContent()).toBe('1 of 2')
  expect(await unsaved().count()).toBe(1)
  await up('One.pdf').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => unsaved().count()).toBe(0)
  await box('Two.pdf').focus()
  await page.keyboard.press('Space')
  expect(await unsaved().count()).toBe(1)
  await up('b.png').click()
  await save()
  await saved()
  expect([stored('papers'), stored('photos')]).toEqual([['One.pdf'], ['b.png', 'a.png']])
})

test('what is refused is named at the field, and the others are kept; more than there is room for are not sent', async () => {
  await go(form)
  await page.fill('#field-name', 'Bern')
  await choose('papers', [pdf('One.pdf'), pdf('Large.pdf', 3000), { ...pdf('Two.exe'), mimeType: 'x/x' }])
  const error = at('papers', '.error')
  await expect.poll(() => error.innerText()).toMatch(/Large\.pdf: .*2 kB/)
  await expect.poll(() => error.innerText()).toContain('Two.exe: Papers must be one of these: pdf, txt')
  expect(await lines('papers')).toEqual(['One.pdf'])
  expect(await page.locator('#field-papers').getAttribute('aria-invalid')).toBe('true')
  const described = (await page.locator('#field-papers').getAttribute('aria-describedby'))?.split(' ') ?? []
  expect(described).toEqual(expect.arrayContaining(['field-papers-error', 'field-papers-hint', 'field-papers-takes']))
  await choose('papers', [pdf('Two.pdf'), pdf('Three.pdf'), pdf('Four.pdf')])
  await expect.poll(() => lines('papers')).toEqual(['One.pdf', 'Two.pdf', 'Three.pdf'])
  await expect.poll(() => error.innerText()).toBe('Four.pdf: Papers: at most 3')
  await expect.poll(() => page.locator('.uploading').count()).toBe(0)
  // What is to be removed makes room.
  await box('Two.pdf').check()
  await choose('papers', [pdf('Five.pdf')])
  await expect.poll(() => error.count()).toBe(0)
  await expect.poll(() => page.locator('.uploading').count()).toBe(0)
  await save()
  await saved()
  expect(stored('papers')).toEqual(['One.pdf', 'Three.pdf', 'Five.pdf'])
})

test('one is cancelled, and the others arrive; saving waits for them, and stops where one was cancelled', async () => {
  await go(form)
  const routes: Route[] = []
  await page.route('**/admin/upload/**', (route) => void routes.push(route))
  await page.fill('#field-name', 'Bern')
  await choose('papers', [pdf('One.pdf'), pdf('Two.pdf')])
  await expect.poll(() => routes.length).toBe(2)
  await save()
  await at('papers', 'li:has-text("One.pdf") .uploading button').click()
  expect(await page.evaluate('document.activeElement.id')).toBe('field-papers')
  // Both were sent at once, and may have come in either order.
  await routes.find((one) => one.request().url().includes('Two.pdf'))?.continue()
  await expect.poll(() => lines('papers')).toEqual(['Two.pdf'])
  await expect.poll(() => page.locator('.uploading').count()).toBe(0)
  expect(new URL(page.url()).pathname).toBe(form)
  await page.unroute('**/admin/upload/**')
  await save()
  await saved()
  expect(stored('papers')).toEqual(['Two.pdf'])
})

test('a refused form keeps what was chosen, in its order', async () => {
  await go(form)
  await choose('papers', [pdf('One.pdf'), pdf('Two.pdf')])
  await expect.poll(() => page.locator('.uploading').count()).toBe(0)
  await up('Two.pdf').click()
  await save()
  await page.locator('#field-name[aria-invalid=true]').waitFor()
  expect(await lines('papers')).toEqual(['Two.pdf', 'One.pdf'])
  await page.fill('#field-name', 'Bern')
  await save()
  await saved()
  expect(stored('papers')).toEqual(['Two.pdf', 'One.pdf'])
})

test('without script files come with their form, and boxes remove some', async () => {
  const edit = await made()
  await open({ javaScriptEnabled: false })
  await go(edit)
  expect(await page.locator('.earlier').first().isVisible()).toBe(false)
  await box('One.pdf').check()
  await choose('papers', [pdf('Three.pdf'), pdf('Four.pdf')])
  await save()
  await saved()
  expect([stored('papers'), stored('photos')]).toEqual([
    ['Two.pdf', 'Three.pdf', 'Four.pdf'],
    ['a.png', 'b.png'],
  ])
})

describe.each([
  ['desktop', 1280],
  ['phone', 360],
])('on a %s', (_, width) => {
  test('axe finds nothing in the list, the record and its form, in either theme, and nothing scrolls sideways', async () => {
    await open({ viewport: { width, height: 800 } })
    const edit = await made()
    for (const path of [crud, edit.replace('form-page', 'crud'), edit]) {
      await go(path)
      if (path === edit) {
        await choose('papers', [pdf(`${'very-long-name'.repeat(6)}.pdf`), pdf('x.exe')])
        await at('papers', '> .error').waitFor()
        await expect.poll(() => page.locator('.uploading').count()).toBe(0)
        await page.route('**/admin/upload/**', () => {})
        await choose('photos', [picture(`${'very-long-name'.repeat(6)}.png`)])
        await page.getByRole('progressbar').waitFor()
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await flawsOf(page), `${path} ${colorScheme}`).toEqual([])
      }
    }
    const { height } = (await page.locator('tbody tr, .files-now li').first().boundingBox()) ?? { height: 0 }
    expect(height).toBeGreaterThanOrEqual(40)
  })
})
