import { definePanel, defineResource, id, memoryStore, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { beforeEach, expect, test, vi } from 'vitest'
import { listPage } from '../../src/html/list/list-page.js'

vi.mock(import('../../src/html/list/list-page.js'), async (original) => {
  const module = await original()
  return { ...module, listPage: vi.fn(module.listPage) }
})

const notes = sqliteTable('notes', { id: integer().primaryKey(), title: varchar().notNull() })

const rows = Array.from({ length: 9 }, (_, i) => ({ title: `note ${i + 1}` }))
const panel = definePanel({
  auth: 'open',
  resources: [defineResource({ model: memoryStore(notes, rows), fields: { id: id(), title: text().sortable() } })],
})
const list = 'http://localhost/admin/resource/notes/crud?perPage=2&sort=id'

beforeEach(() => {
  vi.mocked(listPage).mockClear()
})

async function drawn(query: string, from = ''): Promise<string> {
  const headers = { accept: 'text/html', ...(from && { referer: from }) }
  const answer = await panel.fetch(new Request(list + query, { headers }))
  expect(answer.status).toBe(200)
  const text = await answer.text()
  // Nothing of ours makes a page of ASCII texts another one.
  expect(Buffer.byteLength(text)).toBe(text.length)
  return text
}

test('what stands around the rows is drawn for the first page, kept for the second, and serves all others, wherever their readers come from', async () => {
  let from = ''
  for (const page of [1, 2, 3, 4, 3, 1]) {
    const text = await drawn(`&page=${page}`, from)
    expect(text).toMatch(new RegExp(`aria-current="page" aria-label="[^"]*${page}"`))
    expect([...text.matchAll(/note (\d)</g)].map(([, number]) => number)).toContain(String(page * 2))
    from = `${list}&page=${page}`
  }
  expect(listPage).toHaveBeenCalledTimes(2)
})

test('a record that comes changes the numbers, and nothing is drawn again for it', async () => {
  const before = [await drawn('&page=1'), await drawn('&page=2')]
  const drawings = vi.mocked(listPage).mock.calls.length
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  const made = await panel.fetch(
    new Request('http://localhost/admin/resource/notes/crud', { method: 'POST', headers, body: '{"title":"note 10"}' }),
  )
  expect(made.status).toBe(201)
  const after = [await drawn('&page=1'), await drawn('&page=2')]
  expect(listPage).toHaveBeenCalledTimes(drawings)
  const numbers = (text: string) => [
    /class="total">(\d+)</.exec(text)?.[1],
    /name="_total" value="(\d+)"/.exec(text)?.[1],
    /Select all (\d+)/.exec(text)?.[1],
    /of (\d+)</.exec(text)?.[1],
  ]
  expect(before.map(numbers)).toEqual([Array(4).fill('9'), Array(4).fill('9')])
  expect(after.map(numbers)).toEqual([Array(4).fill('10'), Array(4).fill('10')])
})
