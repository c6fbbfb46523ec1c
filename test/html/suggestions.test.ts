import { definePanel, defineResource, id, memoryStore, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const shops = sqliteTable('shops', { id: integer().primaryKey(), city: varchar(), zone: varchar() })

test('a text field offers what it suggests, in forms and filters, and takes any other text', async () => {
  let asked = 0
  const zones = () => {
    asked++
    return ['UTC', '"Mars"']
  }
  const Shops = defineResource({
    model: { ...memoryStore(), table: shops },
    fields: { id: id(), city: text('City').suggestions(['Berlin', 'Bremen']), zone: text('Zone').suggestions(zones) },
    filters: ['city'],
  })
  const app = testPanel(definePanel({ auth: 'open', resources: [Shops] }))
  expect(asked).toBe(0)
  const offered = (page: string) =>
    [...page.matchAll(/<input[^>]* list="([^"]+)"[^>]*><datalist id="([^"]+)">(.*?)<\/datalist>/g)].map(([, list, at, options = '']) => [
      list === at,
      [...options.matchAll(/<option value="([^"]*)">/g)].map(([, value]) => value),
    ])
  const form = async () => offered((await app.html.get('/admin/resource/shops/form-page')).text)
  const both = [
    [true, ['Berlin', 'Bremen']],
    [true, ['UTC', '&quot;Mars&quot;']],
  ]
  expect([await form(), await form(), asked]).toEqual([both, both, 1])
  expect(offered((await app.html.get('/admin/resource/shops/crud')).text)).toEqual([[true, ['Berlin', 'Bremen']]])
  expect((await app.post('/admin/resource/shops/crud', { city: 'Bonn' })).status).toBe(201)
})
