import { definePanel, defineResource, id, memoryStore, number, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const cities = sqliteTable('cities', { id: integer('id').primaryKey(), name: varchar('name').notNull(), population: integer('population') })

function panelIn(locale: string) {
  const Cities = defineResource({
    model: memoryStore(cities, [{ id: 1, name: 'Zürich', population: 1_234_567 }]),
    fields: { id: id(), name: text('Name'), population: number('Population') },
  })
  const panel = definePanel({ auth: 'open', resources: [Cities], locale })
  return async (path: string, accept = 'text/html') => {
    const response = await panel.fetch(new Request(`http://localhost/admin${path}`, { headers: { accept } }))
    return response.text()
  }
}

test('a panel speaks the language of its locale, and writes numbers as one does there', async () => {
  const german = panelIn('de')
  const list = await german('/resource/cities/crud')
  expect(list).toContain('lang="de"')
  expect(list).toContain('1.234.567')
  expect(await german('/resource/cities/form-page/1')).toContain('Speichern')
  expect(await german('/resource/cities/crud/9')).toContain('Nicht gefunden')
  expect(await german('/resource/cities/crud/9', 'application/json')).toContain('Diesen Eintrag gibt es nicht')
  expect(await panelIn('en')('/resource/cities/crud')).toContain('1,234,567')
})

test('a language that is written from right to left turns the page round', async () => {
  const page = await panelIn('ar')('/resource/cities/crud')
  expect(page).toContain('dir="rtl"')
})

test('what does not depend on the language stays: keys, codes and values of the JSON face', async () => {
  const body = JSON.parse(await panelIn('de')('/resource/cities/crud/1', 'application/json'))
  expect(body).toEqual({ data: { id: 1, name: 'Zürich', population: 1_234_567 } })
})
