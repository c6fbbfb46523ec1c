import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePanel, defineResource, id, memoryStore, select, text } from 'daymark'
import { oag } from 'daymark/oag'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { Sqlite } from '../support/sqlite.js'

const invoices = sqliteTable('invoices', { id: integer().primaryKey(), name: varchar().notNull(), state: varchar() })
const labels = { draft: 'Draft', sent: 'Sent', paid: 'Paid', void: 'Void' }
const state = select('State')
  .options(labels)
  .transitions({ draft: ['sent'], sent: ['paid', 'void'], paid: [], void: [] })
  .updateOnPreview()

const dir = mkdtempSync(join(tmpdir(), 'daymark-transitions-'))
const database = `sqlite:${join(dir, 'bills.db')}`
const client = new Sqlite(join(dir, 'bills.db'))
client.exec('create table invoices (id integer primary key, name text not null, state text)')
client.close()

const Invoices = defineResource({
  model: invoices,
  fields: { id: id(), name: text('Name').required(), state: state.visible(['admin', 'member']) },
  filters: ['state'],
  massUpdate: ['state'],
  import: true,
  history: true,
  can: { view: true, viewAny: true, create: true, update: true, delete: true },
  handlers: {
    pay: {
      async run({ ids, update }) {
        for (const one of ids) await update(one, { state: 'paid' })
      },
    },
    free: {
      async run({ ids, unrestricted }) {
        for (const one of ids) await unrestricted.update(one, { state: 'draft' })
      },
    },
  },
})
const panel = definePanel({ auth: 'open', title: 'Bills', database, resources: [Invoices], plugins: [oag()] })
const app = testPanel(panel)
afterAll(async () => {
  await panel.close()
  rmSync(dir, { recursive: true, force: true })
})
const path = '/admin/resource/invoices/crud'
const says = (from: string, to: string, next: string) =>
  `State cannot go from ${from} to ${to}. From ${from} it goes${next === '' ? ' nowhere' : ` to: ${next}`}`

beforeEach(async () => {
  const kept = new Sqlite(join(dir, 'bills.db'))
  kept.exec('delete from invoices')
  kept.close()
  for (const [name, state] of [
    ['One', 'draft'],
    ['Two', 'sent'],
    ['Three', 'paid'],
    ['Four', null],
  ])
    expect((await app.post(path, { name, state })).status).toBe(201)
})
const stateOf = async (key: number) => ((await app.get(`${path}/${key}`)).json() as { data: { state: string } }).data.state

describe('a record goes only where the transitions of its state lead', () => {
  test('in JSON, with what is wrong in words, beside all else that is wrong', async () => {
    const refused = await app.patch(`${path}/3`, { state: 'draft', name: null })
    expect(refused.status).toBe(422)
    expect(refused.json()).toMatchObject({ errors: { state: [says('Paid', 'Draft', '')], name: ['Name is required'] } })
    expect((await app.patch(`${path}/1`, { state: 'paid' })).json()).toMatchObject({ errors: { state: [says('Draft', 'Paid', 'Sent')] } })
    expect((await app.patch(`${path}/2`, { state: null })).json()).toMatchObject({ errors: { state: [says('Sent', '—', 'Paid, Void')] } })
    expect(await stateOf(2)).toBe('sent')
    expect((await app.patch(`${path}/1`, { state: 'sent' })).status).toBe(200)
    expect((await app.patch(`${path}/1`, { state: 'void' })).status).toBe(200)
    expect(await stateOf(1)).toBe('void')
  })

  test('sent back unchanged, it is fine; with none, it may go anywhere', async () => {
    expect((await app.patch(`${path}/3`, { state: 'paid', name: 'Third' })).status).toBe(200)
    expect((await app.patch(`${path}/4`, { state: 'void' })).status).toBe(200)
  })

  test('in forms, which offer nothing else', async () => {
    const refused = await app.html.post(`${path}/3`, new URLSearchParams({ _method: 'PUT', name: 'Three', state: 'sent' }))
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(says('Paid', 'Sent', ''))
    const optionsOf = (page: string) =>
      [...(/<select[^>]* name="state".*?<\/select>/.exec(page)?.[0] ?? '').matchAll(/<option value="(\w*)"/g)].map(([, one]) => one)
    const form = async (key: string) => optionsOf((await app.html.get(`/admin/resource/invoices/form-page/${key}`)).text)
    expect(await form('')).toEqual(['', 'draft', 'sent', 'paid', 'void'])
    expect(await form('?duplicate=3')).toEqual(['', 'draft', 'sent', 'paid', 'void'])
    expect(await form('1')).toEqual(['draft', 'sent'])
    expect(await form('2')).toEqual(['sent', 'paid', 'void'])
    expect(await form('3')).toEqual(['paid'])
    expect(await form('4')).toEqual(['', 'draft', 'sent', 'paid', 'void'])
  })

  test('in the cells of a list, and by the field', async () => {
    const list = (await app.html.get(path)).text
    const cells = [...list.matchAll(/<select[^>]* name="value".*?<\/select>/g)].map(([one]) =>
      [...one.matchAll(/<option value="(\w*)"/g)].map(([, option]) => option),
    )
    expect(cells.sort((a, b) => a.length - b.length)).toEqual([
      ['paid'],
      ['draft', 'sent'],
      ['sent', 'paid', 'void'],
      ['', 'draft', 'sent', 'paid', 'void'],
    ])
    const put = (key: number, value: string, was: string) =>
      app.put(`/admin/update-field/column/invoices/${key}`, { field: 'state', value, was })
    expect((await put(1, 'void', 'draft')).json()).toMatchObject({ status: 422, errors: { state: [says('Draft', 'Void', 'Sent')] } })
    expect((await put(1, 'sent', 'draft')).status).toBe(200)
  })

  test('when several are changed at once: all or none, and the refusal names its record', async () => {
    const change = (ids: readonly number[], state: string) =>
      app.post('/admin/resource/invoices/handler/massUpdate', { ids: ids.map(String), state })
    const refused = await change([1, 3], 'sent')
    expect(refused.json()).toMatchObject({ status: 422, errors: { state: [`Three: ${says('Paid', 'Sent', '')}`] } })
    expect(await stateOf(1)).toBe('draft')
    expect((await change([1, 2], 'sent')).status).toBe(200)
  })

  test('in an import', async () => {
    const read = (records: readonly object[]) => app.post('/admin/resource/invoices/import', { mode: 'update', records })
    expect(
      (
        await read([
          { id: 1, state: 'sent' },
          { id: 2, state: 'draft' },
        ])
      ).json(),
    ).toMatchObject({
      status: 422,
      errors: { 'records[1].state': [says('Sent', 'Draft', 'Paid, Void')] },
    })
    expect(
      (
        await read([
          { id: 1, state: 'sent' },
          { id: 3, state: 'paid' },
        ])
      ).status,
    ).toBe(200)
  })

  test('by a handler as the user may; its unrestricted store is free', async () => {
    const run = (name: string, ids: readonly number[]) => app.post(`/admin/resource/invoices/handler/${name}`, { ids: ids.map(String) })
    expect((await run('pay', [1])).json()).toMatchObject({ status: 422, errors: { state: [says('Draft', 'Paid', 'Sent')] } })
    expect((await run('pay', [2])).status).toBe(200)
    expect((await run('free', [2])).status).toBe(200)
    expect(await stateOf(2)).toBe('draft')
  })

  test('and the history gives back only what the record may go to', async () => {
    await app.patch(`${path}/1`, { state: 'sent', name: 'Other' })
    const [{ id: entry = 0 } = {}] = ((await app.get(`${path}/1/history`)).json() as { data: { id: number }[] }).data
    const form = (await app.get(`/admin/resource/invoices/form-page/1?restore=${entry}`)).json()
    expect(form).toMatchObject({ data: { name: 'One', state: 'sent' } })
  })
})

test('the schema of the form of a record has what it may go to; that of a new one, all', async () => {
  const schema = async (key: string) =>
    ((await app.get(`/admin/resource/invoices/form-page/${key}`)).json() as { schema: { properties: { state: { enum: unknown } } } }).schema
      .properties.state.enum
  expect(await schema('')).toEqual(['draft', 'sent', 'paid', 'void', null])
  expect(await schema('1')).toEqual(['draft', 'sent'])
  expect(await schema('3')).toEqual(['paid'])
})

test('the document says it of the field, not of its filter', async () => {
  const { components, paths } = (await app.get('/oag.json')).json() as {
    components: { schemas: Record<string, { properties?: { state?: { enum?: unknown } } }> }
    paths: Record<string, { get?: { parameters: object[] } }>
  }
  const states = Object.values(components.schemas).flatMap(({ properties }) => (properties?.state?.enum ? [properties.state] : []))
  expect(states.length).toBeGreaterThan(1)
  for (const one of states)
    expect(one).toMatchObject({
      description: 'A record that exists goes from draft to sent, from sent to paid or void, from paid nowhere, from void nowhere.',
      enum: ['draft', 'sent', 'paid', 'void', null],
    })
  expect(JSON.stringify(paths[path]?.get?.parameters)).not.toContain('A record that exists goes')
})

test('who may not see the field is not told where the record stands', async () => {
  const refused = await app.as({ roles: ['guest'] }).post('/admin/resource/invoices/handler/pay', { ids: ['1'] })
  expect(refused.status).toBe(422)
  expect(refused.text).not.toMatch(/Draft|Paid|State/)
})

test('what is no option any more may go anywhere', async () => {
  const store = memoryStore(invoices)
  const Old = defineResource({
    model: store,
    fields: { id: id(), name: text(), state: select('State').options({ ...labels, old: 'Old' }) },
  })
  const old = testPanel(definePanel({ auth: 'open', title: 'Bills', resources: [Old] }))
  await old.post(path, { name: 'One', state: 'old' })
  const New = defineResource({ model: store, fields: { id: id(), name: text(), state } })
  const now = testPanel(definePanel({ auth: 'open', title: 'Bills', resources: [New] }))
  expect((await now.patch(`${path}/1`, { state: 'paid' })).status).toBe(200)
})

test.each<[string, unknown, string]>([
  ['an unknown state', { draft: [], sent: [], paid: [], void: [], lost: [] }, '.transitions() has "lost", which is no option'],
  ['an unknown next one', { draft: ['lost'], sent: [], paid: [], void: [] }, '.transitions() has "lost", which is no option'],
  ['a state that is left out', { draft: ['sent'], sent: [] }, '.transitions() does not say where paid, void may go'],
])('%s stops the start', (_, transitions, fault) => {
  const fields = {
    id: id(),
    name: text(),
    state: select('State')
      .options(labels)
      .transitions(transitions as never),
  }
  const Wrong = defineResource({ model: memoryStore(invoices), fields })
  expect(() => definePanel({ auth: 'open', title: 'Bills', resources: [Wrong] })).toThrow(fault)
})
