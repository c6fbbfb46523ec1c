import { readFileSync } from 'node:fs'
import { definePanel, defineResource, id, number, text } from 'daymark'
import { xlsx } from 'daymark/xlsx'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { unzipSync, zipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'

const parts = sqliteTable('parts', { id: integer().primaryKey(), name: varchar().notNull(), weight: integer() })
const Parts = defineResource({
  model: parts,
  title: 'Parts',
  fields: { id: id(), name: text('Name').searchable().sortable(), weight: number('Weight') },
  filters: ['weight'],
  itemsPerPage: 10,
  sortColumn: 'id',
  sortDirection: 'ASC',
  // Nothing else can be done with selected rows.
  can: { delete: false, update: false, create: false },
  pages: { more: [{ uri: 'heavy', title: 'Heavy', type: 'index', fields: ['id', 'weight'], where: { weight: { gte: 40 } } }] },
})

const notes = sqliteTable('notes', { id: integer().primaryKey(), body: varchar().notNull(), size: integer() })
const Notes = defineResource({
  model: notes,
  title: 'Notes',
  fields: { id: id(), body: text('Body').required(), size: number('Size').max(9) },
  import: true,
})

let client: Sqlite
let url: string
let page: Page
const open = ownBrowser({
  schema:
    'create table parts (id integer primary key, name text not null, weight integer); create table notes (id integer primary key, body text not null, size integer)',
  panel: (database) => definePanel({ auth: 'open', database, resources: [Parts, Notes], formats: [xlsx()], log: () => {} }),
  before: (client) =>
    client.exec(
      `delete from notes; insert into notes values (1, '=1+1', 3), (2, '007', 4); delete from parts; with recursive i (n) as (select 1 union all select n + 1 from i where n < 45) insert into parts select n, 'Part ' || n, n from i`,
    ),
  opened: (all) => {
    ;({ client, url, page } = all)
  },
})

const list = '/admin/resource/parts/crud'
const bar = () => page.locator('.bulk')
const box = (name: string) => page.getByLabel(`Select ${name}`, { exact: true })

async function saved(press: () => Promise<unknown>): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
}

/** The keys in the first column of a file. */
function keysIn({ name, bytes }: { readonly name: string; readonly bytes: Buffer }): number[] {
  if (name.endsWith('.csv')) return [...bytes.toString().matchAll(/^(\d+),/gm)].map(([, key]) => Number(key))
  const sheet = Buffer.from(unzipSync(bytes)['xl/worksheets/sheet1.xml'] as Uint8Array).toString()
  return [...sheet.matchAll(/<c r="A\d+"><v>(\d+)</g)].map(([, key]) => Number(key))
}

describe.each([
  ['by script', true],
  ['without script', false],
])('%s', (_, script) => {
  test('ticked rows come as a file, in the order of the list', async () => {
    await open({ javaScriptEnabled: script })
    await page.goto(`${url}${list}?sort=-id`)
    await box('Part 42').check()
    await box('Part 44').check()
    const pick = (format: string) => async () => {
      await bar().getByRole('button', { name: 'Export', exact: true }).click()
      await bar()
        .getByRole('button', { name: `Export as ${format}` })
        .click()
    }
    const csv = await saved(pick('CSV'))
    expect(csv.name).toMatch(/^parts-\d{4}-\d\d-\d\d\.csv$/)
    expect(keysIn(csv)).toEqual([44, 42])
    if (!script) await page.keyboard.press('Escape')
    const book = await saved(pick('Excel'))
    expect(book.name).toMatch(/^parts-\d{4}-\d\d-\d\d\.xlsx$/)
    expect(keysIn(book)).toEqual([44, 42])
    // The page is as it was.
    expect(await page.locator('[name="ids[]"]:checked').count()).toBe(2)
    expect(new URL(page.url()).pathname).toBe(list)
    if (script) expect(await page.locator('.menu:popover-open').count()).toBe(0)
  })

  test('all that match come as a file, and no others', async () => {
    await open({ javaScriptEnabled: script })
    await page.goto(`${url}${list}?filter[weight][from]=21`)
    if (script) {
      await page.locator('.pick-all').check()
      await bar().getByRole('button', { name: 'Select all 25' }).click()
    } else {
      await box('Part 21').check()
      await page.getByLabel('Select all 25').check()
    }
    await bar().getByRole('button', { name: 'Export', exact: true }).click()
    const file = await saved(() => bar().getByRole('button', { name: 'Export as Excel' }).click())
    expect(keysIn(file)).toEqual(Array.from({ length: 25 }, (_, i) => i + 21))
  })

  test('the whole list comes as a file of either kind', async () => {
    await open({ javaScriptEnabled: script })
    await page.goto(`${url}${list}?filter[weight][from]=44`)
    for (const format of ['CSV', 'Excel']) {
      await page.locator('.toolbar').getByRole('button', { name: 'Export', exact: true }).click()
      expect(
        keysIn(
          await saved(() =>
            page
              .locator('.toolbar')
              .getByRole('link', { name: `Export as ${format}` })
              .click(),
          ),
        ),
      ).toEqual([44, 45])
      if (!script) await page.keyboard.press('Escape')
    }
    if (script) expect(await flawsOf(page)).toEqual([])
  })

  test('a workbook that was exported is imported, and what is wrong in one is told by its row', async () => {
    await open({ javaScriptEnabled: script })
    await page.goto(`${url}/admin/resource/notes/crud?sort=id`)
    await page.locator('.toolbar').getByRole('button', { name: 'Export', exact: true }).click()
    const { bytes } = await saved(() => page.locator('.toolbar').getByRole('link', { name: 'Export as Excel' }).click())
    client.exec("update notes set body = 'lost', size = null")
    const send = async (buffer: Buffer) => {
      await page.goto(`${url}/admin/resource/notes/crud`)
      await page.getByRole('link', { name: 'Import', exact: true }).click()
      await page.getByLabel('Update records').check()
      await page.getByLabel('CSV or Excel file').setInputFiles({ name: 'notes.xlsx', mimeType: xlsx().type, buffer })
      await page.getByRole('button', { name: 'Import', exact: true }).click()
    }
    const parts = unzipSync(bytes)
    const sheet = 'xl/worksheets/sheet1.xml'
    const changed = Buffer.from(parts[sheet] as Uint8Array)
      .toString()
      .replace('<v>4</v>', '<v>40</v>')
    await send(Buffer.from(zipSync({ ...parts, [sheet]: Buffer.from(changed) })))
    expect(await page.locator('.faults tbody').innerText()).toMatch(/3\s+Size\s+.*9/)
    expect(client.prepare('select body from notes where id = 2').all()).toEqual([{ body: 'lost' }])
    await send(bytes)
    await page.getByText('Records created: 0, updated: 2, unchanged: 0').waitFor()
    expect(client.prepare('select * from notes order by id').all()).toEqual([
      { id: 1, body: '=1+1', size: 3 },
      { id: 2, body: '007', size: 4 },
    ])
  })

  test('rows of a further index page come with its columns', async () => {
    await open({ javaScriptEnabled: script })
    await page.goto(`${url}/admin/resource/parts/heavy?sort=-id`)
    for (const key of [40, 43]) await page.locator(`[name="ids[]"][value="${key}"]`).check()
    await bar().getByRole('button', { name: 'Export', exact: true }).click()
    const file = await saved(() => bar().getByRole('button', { name: 'Export as CSV' }).click())
    expect(file.bytes.toString()).toBe('\ufeffID,Weight\r\n43,43\r\n40,40\r\n')
  })
})

test('rows that were ticked on several pages come together', async () => {
  await page.goto(url + list)
  await box('Part 3').check()
  await page.getByRole('link', { name: 'Next' }).click()
  await box('Part 11').check()
  await bar().getByRole('button', { name: 'Export', exact: true }).click()
  expect(keysIn(await saved(() => bar().getByRole('button', { name: 'Export as CSV' }).click()))).toEqual([3, 11])
})
