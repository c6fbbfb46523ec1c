import { definePanel, defineResource, id, memoryStore, text, textarea } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { beforeEach, describe, expect, test } from 'vitest'

const things = sqliteTable('things', { id: integer().primaryKey(), name: varchar().notNull() })

function open() {
  const Things = defineResource({
    model: memoryStore(things, [
      { id: 1, name: 'Ada' },
      { id: 2, name: 'Bea' },
      { id: 3, name: 'Cleo' },
    ]),
    fields: { id: id(), name: text('Name').required() },
    filters: ['name'],
    handlers: {
      note: {
        label: 'Note',
        selection: 'required',
        fields: { why: textarea('Why').required() },
        run: ({ ids, input }) => `${ids.length} noted: ${input.why}`,
      },
      plain: { selection: 'required', run: ({ ids }) => `${ids.length} done` },
      long: { long: true, selection: 'required', run: () => {} },
      any: { run: ({ ids }) => `${ids.join()} done` },
    },
  })
  return testPanel(definePanel({ auth: 'open', resources: [Things] }))
}

describe('the selection of an action', () => {
  let app: ReturnType<typeof open>
  beforeEach(() => {
    app = open()
  })
  const at = (handler: string) => `/admin/resource/things/handler/${handler}`
  const form = (handler: string, ...fields: [string, string][]) => app.html.post(at(handler), new URLSearchParams(fields))

  test('is asked of people in their words, before anything else is', async () => {
    for (const answer of [await form('plain'), await form('note', ['_ask', '1']), await form('note', ['why', 'two minutes of typing'])]) {
      expect(answer.status).toBe(422)
      expect(answer.text).toContain('Select at least one record')
      expect(answer.text).not.toContain('ids[]')
    }
    const { detail } = (await app.post(at('plain'), {})).json() as { detail: string }
    expect(detail).toBe('Give at least one record key in ids[], or _all=1 and _total for all records of the list')
    const deleted = await app.html.post('/admin/resource/things/crud', new URLSearchParams({ _method: 'DELETE' }))
    expect([deleted.status, deleted.text.includes('Select at least one record')]).toEqual([422, true])
  })

  test.each(['note', 'plain', 'long'])('cannot be all of an empty list where one is required: %s', async (handler) => {
    const none = { _all: true, _total: 0, 'filter[name]': 'Zoe', why: 'x' }
    expect((await app.post(at(handler), none)).status).toBe(422)
    expect((await form(handler, ['_all', '1'], ['_total', '0'], ['filter[name]', 'Zoe'], ['why', 'x'])).status).toBe(422)
  })

  test('is all of a list only where it says so, and an unclear word for it is refused', async () => {
    const said = (answer: { json(): unknown }) => (answer.json() as { message: string }).message
    for (const _all of [true, 1, '1', 'true']) expect(said(await app.post(at('any'), { _all, _total: 3 }))).toBe('1,2,3 done')
    expect(said(await app.post(at('any'), { _all: false, ids: [2] }))).toBe('2 done')
    for (const _all of ['0', 'yes', 'false', 'TRUE', 0]) {
      const answer = await app.post(at('any'), { _all, _total: 3 })
      expect([answer.status, Object.keys((answer.json() as { errors: object }).errors)], String(_all)).toEqual([422, ['_all']])
    }
    expect((await app.post(`${at('any')}?_all=yes&_total=3`)).status).toBe(422)
    expect((await app.delete('/admin/resource/things/crud?_all=yes&_total=3')).status).toBe(422)
    expect((await form('any', ['_all', '0'], ['_total', '3'])).status).toBe(422)
    expect(((await app.get('/admin/resource/things/crud')).json() as { data: unknown[] }).data.length).toBe(3)
  })

  test.each([
    [
      'the list has changed',
      409,
      [
        ['_all', '1'],
        ['_total', '2'],
      ],
      'now 3, not 2',
      /name="_total" value="3"/,
    ],
    [
      'a record is gone',
      404,
      [
        ['ids[]', '1'],
        ['ids[]', '99'],
        ['ids[]', '3'],
      ],
      'No such record: 99',
      /name="ids\[\]" value="3"/,
    ],
  ] as const)('keeps what was typed where %s', async (_, status, selected, said, names) => {
    const answer = await form('note', ...(selected as unknown as [string, string][]), ['why', 'two minutes of typing'])
    expect(answer.status).toBe(status)
    for (const text of ['two minutes of typing', said]) expect(answer.text).toContain(text)
    expect(answer.text).toMatch(names)
    expect(answer.text).not.toMatch(/value="99"|name="_total" value="2"/)
  })

  test('has nothing to keep it for where all of its records are gone', async () => {
    const answer = await form('note', ['ids[]', '99'], ['why', 'two minutes of typing'])
    expect([answer.status, answer.text.includes('two minutes of typing')]).toEqual([404, false])
  })
})
