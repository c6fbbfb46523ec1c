import { dateTime, definePanel, defineResource, id, memoryStore, text } from 'daymark'
import { authenticateApi } from 'daymark/jwt'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { describe, expect, test } from 'vitest'

const talks = sqliteTable('talks', {
  id: integer('id').primaryKey(),
  title: varchar('title').notNull(),
  at: integer('at', { mode: 'timestamp_ms' }),
})

const noon = '2026-06-02T12:00:00.000Z'

/** A panel in UTC for somebody whose clocks are in Los Angeles, until they say otherwise. */
function panel() {
  const who = { timeZone: 'America/Los_Angeles' }
  const rows = ['2026-06-01T03:00:00Z', '2026-06-01T12:00:00Z', '2026-06-02T03:00:00Z'].map((at, i) => ({
    id: i + 1,
    title: `Talk ${i + 1}`,
    at: new Date(at),
  }))
  const moved: unknown[] = []
  const Talks = defineResource({
    model: memoryStore(talks, [...rows, { id: 4, title: 'Noon', at: new Date(noon) }]),
    fields: { id: id(), title: text('Title'), at: dateTime('At').sortable() },
    filters: ['at'],
    handlers: {
      name: { run: ({ ids }) => ids.join() },
      move: {
        fields: { to: dateTime('To') },
        run({ input }) {
          moved.push(input.to)
        },
      },
    },
    indexButtons: [{ label: 'Name', bulk: true, handler: 'name' }],
  })
  const identity = { id: 'ann', username: 'ann', name: 'Ann', roles: ['admin'] }
  const key = { name: 'key', cookies: false, identify: () => ({ identity, session: null, ambient: false, timeZone: who.timeZone }) }
  const made = definePanel({
    middleware: [],
    auth: { middleware: authenticateApi(), pipelines: [key] },
    database: 'sqlite::memory:',
    resources: [Talks],
  } as never)
  const ask = async (path: string, accept: string, fields?: [string, string][]) => {
    const init = { headers: { accept }, ...(fields && { method: 'POST', body: new URLSearchParams(fields) }) }
    const response = await made.fetch(new Request(`http://localhost/admin/resource/talks/${path}`, init))
    return { status: response.status, text: await response.text() }
  }
  /** What a form of a page sends along. */
  const formIn = (html: string, id: RegExp) => {
    const [form = ''] = id.exec(html) ?? []
    return [...form.matchAll(/<input(?: type="\S+")?[^>]* name="([^"]*)"[^>]* value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value] as [string, string],
    )
  }
  return { who, ask, moved, formIn }
}

const [json, html] = ['application/json', 'text/html']

describe('the times of a form are those of the clocks that it was written by', () => {
  test('whoever sends it: all that match a filter are the same with script and without', async () => {
    const { ask, formIn } = panel()
    const query = 'filter[at][from]=2026-06-01T00:00&filter[at][to]=2026-06-01T23:59'
    const { text } = await ask(`crud?${query}`, html)
    expect([...text.matchAll(/>Talk (\d)</g)].map(([, number]) => number)).toEqual(['3', '2'])
    const sent = formIn(text, /<form id="[^"]*" method="post" action="[^"]*crud">.*?<\/form>/)
    expect(sent).toContainEqual(['_zone', 'America/Los_Angeles'])
    const all: [string, string][] = [...sent, ['_all', '1'], ['_total', '2'], ...new URLSearchParams(query)]
    expect(JSON.parse((await ask('handler/name', json, all)).text).message).toBe('2,3')
    // Of a program, which says nothing of a zone, it is that of the panel.
    const program = all.filter(([name]) => name !== '_zone')
    expect(JSON.parse((await ask('handler/name', json, program)).text).message).toBe('1,2')
    const nowhere = await ask('handler/name', json, [...program, ['_zone', 'Nowhere/At_All']])
    expect([nowhere.status, Object.keys(JSON.parse(nowhere.text).errors)]).toEqual([422, ['_zone']])
  })

  test('a time that is given to an action, and one that is looked at before it is saved', async () => {
    const { ask, moved, formIn } = panel()
    const { text } = await ask('handler/move', html, [
      ['_ask', '1'],
      ['ids[]', '1'],
    ])
    const sent = formIn(text, /<form class="[^"]*action-form.*?<\/form>/s).filter(([name]) => name !== 'to' && name !== '_ask')
    expect((await ask('handler/move', json, [...sent, ['to', '2026-07-01T09:00']])).status).toBe(200)
    expect(moved).toEqual([new Date('2026-07-01T16:00:00Z')])
    // The clocks of Los Angeles skip it, those of UTC don't.
    const skipped: [string, string] = ['at', '2026-03-08T02:30']
    expect((await ask('validate/4', json, [['_zone', 'America/Los_Angeles'], skipped])).status).toBe(422)
    expect((await ask('validate/4', json, [skipped])).status).toBe(200)
  })

  test('an untouched form changes nothing, though its reader has moved since it was opened', async () => {
    const { ask, who, formIn } = panel()
    const { text } = await ask('form-page/4', html)
    const sent = formIn(text, /<form class="[^"]*form-page.*?<\/form>/s)
    expect(text).toContain('type="datetime-local" step="any" value="2026-06-02T05:00"')
    const at = (time: string): [string, string][] => [...sent, ['title', 'Noon'], ['at', time]]
    who.timeZone = 'Europe/Berlin'
    expect((await ask('crud/4', html, at('2026-06-02T05:00'))).status).toBe(303)
    expect(JSON.parse((await ask('crud/4', json)).text).data.at).toBe(noon)
    // What is typed into it is meant as it was opened, too.
    expect((await ask('crud/4', html, at('2026-06-02T06:00'))).status).toBe(303)
    expect(JSON.parse((await ask('crud/4', json)).text).data.at).toBe('2026-06-02T13:00:00.000Z')
  })
})
