// The calls of curl in the documents are sent to a World Atlas, and what they answer is compared with what stands below them.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { atlas as atlasPanel } from '../../examples/atlas/panel.js'
import { atlasFixture } from '../support/atlas.js'
import { difference, runDocument } from './curl.js'
import { documentText } from './markdown.js'

const crud = 'http://127.0.0.1:3000/admin/resource/countries/crud'
let atlas: Awaited<ReturnType<typeof atlasFixture>>
let panel: ReturnType<typeof atlasPanel>

beforeEach(async () => {
  atlas = await atlasFixture()
  panel = atlasPanel(`sqlite:${atlas.path}`, { open: true })
})
afterEach(async () => {
  await panel.close()
  atlas.remove()
})

test.each(['README.md', 'docs/json-api.md', 'docs/forms.md', 'docs/import.md'])('%s answers as it shows', async (file) => {
  const { sent, faults } = await runDocument(file, documentText(file), async (request) => {
    const keys = `${request.url} ${await request.clone().text()}`.match(/\b25\d\b/g)
    for (const key of new Set(keys)) await makeCountry(Number(key))
    return panel.fetch(request)
  })
  expect(faults).toEqual([])
  expect(sent).toBeGreaterThan(1)
})

test('a difference is found, and what is left out is not one', () => {
  expect(difference({ a: 1, '…': '…' }, { a: 1, b: 2 })).toBeNull()
  expect(difference({ a: 1 }, { a: 1, b: 2 })).toBe('.b: not shown')
  expect(difference({ a: ['…x'] }, { a: ['yx'] })).toBeNull()
  expect(difference({ a: ['…x'] }, { a: ['xy'] })).toBe('.a.0: "xy"')
  expect(difference({ requestId: 'a' }, { requestId: 'b' })).toBeNull()
  expect(difference({ requestId: 'a' }, {})).toBe('.requestId: undefined')
})

/** Records that an example takes for granted: SQLite numbers them on from the last. */
async function makeCountry(key: number): Promise<void> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  for (let code = 10; (await panel.fetch(new Request(`${crud}/${key}`, { headers }))).status === 404; code++) {
    await panel.fetch(new Request(crud, { method: 'POST', headers, body: JSON.stringify({ code: String(code), name: `Country ${code}` }) }))
  }
}
