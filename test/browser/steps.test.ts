import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePanel, defineResource, id, number } from 'daymark'
import { integer, real, sqliteTable } from 'drizzle-orm/sqlite-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.js'
import { Sqlite } from '../support/sqlite.js'

const items = sqliteTable('items', { id: integer().primaryKey(), packs: integer(), weight: real(), plain: integer() })
const Items = defineResource({
  model: items,
  fields: { id: id(), packs: number('Packs').min(2).max(13).step(5), weight: number('Weight').step(0.05), plain: number('Plain') },
})

const folder = mkdtempSync(join(tmpdir(), 'daymark-'))
let browser: Browser
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  const db = new Sqlite(join(folder, 'items.db'))
  db.exec('create table items (id integer primary key, packs integer, weight real, plain integer)')
  db.close()
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  for (const stop of stops) await stop()
  rmSync(folder, { recursive: true, force: true })
})

test.each([
  ['en', '0.1', ['0.15', '0.1', '0.05', '0', '-0.05']],
  ['de', '0,1', ['0,15', '0,1', '0,05', '0', '-0,05']],
])('the arrow keys lead from step to step: %s', async (locale, typed, seen) => {
  const panel = definePanel({ auth: 'open', database: `sqlite:${join(folder, 'items.db')}`, resources: [Items], locale })
  const listening = await panel.listen({ port: 0 })
  stops.push(async () => {
    await listening.close()
    await panel.close()
  })
  const page = await browser.newPage()
  await page.goto(`${listening.url}/admin/resource/items/form-page`)
  const press = async (label: string, ...keys: string[]) => {
    const box = page.getByLabel(label)
    const after: string[] = []
    for (const key of keys) {
      await box.press(key)
      after.push(await box.inputValue())
    }
    return after
  }
  await page.getByLabel('Weight').fill(typed)
  expect(await press('Weight', 'ArrowUp', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown')).toEqual(seen)
  // From 2 to 13 by 5; nothing beyond, and an empty one begins where they do.
  expect(await press('Packs', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowDown')).toEqual(['2', '7', '12', '12', '7'])
  await page.getByLabel('Packs').fill('8')
  expect(await press('Packs', 'ArrowDown')).toEqual(['7'])
  await page.getByLabel('Packs').fill('many')
  expect(await press('Packs', 'ArrowUp')).toEqual(['many'])
  await page.getByLabel('Plain').fill('1')
  expect(await press('Plain', 'ArrowUp')).toEqual(['1'])
  await page.getByLabel('Packs').fill('9')
  await page.locator('.actions .primary').click()
  await page.locator('#field-packs-error', { hasText: '7, 12' }).waitFor()
  expect(await page.getByLabel('Packs').inputValue()).toBe('9')
  await page.close()
})
