import { definePanel, defineResource, id, memoryStore, refuse, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { beforeEach, describe, expect, test } from 'vitest'

const things = sqliteTable('things', { id: integer().primaryKey(), name: varchar().notNull(), secret: varchar() })

let log: string[]
let answer: () => unknown

function open() {
  const run = async ({ update }: { update(id: number, to: { name: string }): Promise<unknown> }) => {
    await update(1, { name: 'written' })
    return answer() as undefined
  }
  const Things = defineResource({
    model: memoryStore(things, [{ id: 1, name: 'Ada', secret: 'x' }]),
    fields: { id: id(), name: text('Name').required(), secret: text('Secret').visible(['admin']) },
    handlers: { odd: { run } },
    methods: { odd: { run } },
  })
  return testPanel(definePanel({ auth: 'open', resources: [Things], log: ({ message }) => log.push(message) }))
}

const cyclic: Record<string, unknown> = {}
cyclic.itself = cyclic

describe('what an action gives', () => {
  let app: ReturnType<typeof open>
  beforeEach(() => {
    log = []
    app = open()
  })
  const ways = () => [
    app.post('/admin/resource/things/handler/odd', {}),
    app.html.post('/admin/resource/things/handler/odd', new URLSearchParams()),
    app.post('/admin/method/index-page/things?method=odd', {}),
  ]
  const name = async () => ((await app.get('/admin/resource/things/crud/1')).json() as { data: { name: string } }).data.name

  test.each([
    ['message', { message: 5 }],
    ['messageType', { message: 'x', messageType: 'loud' }],
    ['events', { events: [1] }],
    ['events', { events: 'x' }],
    ['fieldsValues', { fieldsValues: { name: 10n } }],
    ['fieldsValues', { fieldsValues: cyclic }],
    ['fieldsValues', { fieldsValues: 'x' }],
    ['html', { html: 5 }],
    ['html', { html: { here: '<b>' } }],
    ['download', { download: 'x' }],
    ['download', { download: { name: 'a', type: 'text/plain', body: 5 } }],
    ['mesage', { mesage: 'x' }],
  ])('is checked before anything is committed: %s', async (what, given) => {
    answer = () => given
    for (const way of ways()) expect((await way).status).toBe(500)
    expect(log).toEqual(Array(3).fill(expect.stringContaining(`\`${what}\``)))
    expect(await name()).toBe('Ada')
  })

  test('can be all that it may be', async () => {
    for (const type of ['success', 'info', 'warning', 'error']) {
      answer = () => ({ message: 'x', messageType: type, events: ['a'], fieldsValues: { name: null, list: [1, { a: true }] } })
      for (const way of ways()) expect((await way).status).toBeLessThan(400)
    }
    expect(await name()).toBe('written')
  })

  test('names no field that the caller may not see', async () => {
    answer = () => refuse('secret', 'Secret is wrong')
    const clerk = app.as({ roles: ['clerk'] })
    for (const at of ['resource/things/handler/odd', 'method/index-page/things?method=odd']) {
      const seen = (await app.post(`/admin/${at}`, {})).json() as { errors: object }
      expect(seen.errors).toEqual({ secret: ['Secret is wrong'] })
      const { status, json } = await clerk.post(`/admin/${at}`, {})
      const { errors = {}, detail } = json() as { errors?: object; detail: string }
      expect([status, detail, errors]).toEqual([422, 'Secret is wrong', {}])
    }
  })
})
