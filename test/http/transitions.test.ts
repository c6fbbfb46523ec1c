import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authenticate, definePanel, defineResource, id, memoryStore, password, select, text, usersResource, view } from 'daymark'
import { oag } from 'daymark/oag'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { inlined } from '../support/inlined.js'
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
  const { components, paths } = inlined((await app.get('/oag.json')).json()) as {
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

describe('a step for some roles', () => {
  const steps = select('State')
    .options(labels)
    .transitions({
      draft: ['sent'],
      sent: [{ to: 'paid', roles: ['accountant', 'admin'] }, 'void'],
      paid: [{ to: 'sent', roles: ['admin'] }],
      void: [],
    })
    .updateOnPreview()
  const Bills = defineResource({
    model: memoryStore(invoices),
    uriKey: 'invoices',
    fields: { id: id(), name: text('Name').required(), state: steps },
    column: 'name',
    filters: ['state'],
    massUpdate: ['state'],
    views: [view.board('state')],
    import: true,
    can: { view: true, viewAny: true, create: true, update: true, delete: true },
    handlers: {
      pay: {
        async run({ ids, update }) {
          for (const one of ids) await update(one, { state: 'paid' })
        },
      },
      free: {
        async run({ ids, unrestricted }) {
          for (const one of ids) await unrestricted.update(one, { state: 'paid' })
        },
      },
    },
  })
  const bills = definePanel({ auth: 'open', title: 'Bills', resources: [Bills], plugins: [oag()] })
  const admin = testPanel(bills)
  const clerk = admin.as({ roles: ['clerk'] })
  const accountant = admin.as({ roles: ['clerk', 'accountant'] })
  const forOthers = (from: string, to: string) => ({ state: [`You may not change State from ${from} to ${to}: that is for other roles`] })
  let key = 0
  beforeEach(async () => {
    key = ((await admin.post(path, { name: 'Bill', state: 'sent' })).json() as { data: { id: number } }).data.id
  })
  const stateNow = async () => ((await admin.get(`${path}/${key}`)).json() as { data: { state: string } }).data.state

  test('is taken by these, and refused to others in words of its own', async () => {
    expect((await clerk.patch(`${path}/${key}`, { state: 'paid' })).json()).toMatchObject({
      status: 422,
      errors: forOthers('Sent', 'Paid'),
    })
    expect((await clerk.patch(`${path}/${key}`, { state: 'draft' })).json()).toMatchObject({
      errors: { state: [says('Sent', 'Draft', 'Void')] },
    })
    expect(await stateNow()).toBe('sent')
    expect((await accountant.patch(`${path}/${key}`, { state: 'paid' })).status).toBe(200)
    expect((await accountant.patch(`${path}/${key}`, { state: 'sent' })).json()).toMatchObject({ errors: forOthers('Paid', 'Sent') })
    expect((await accountant.patch(`${path}/${key}`, { state: 'paid', name: 'Other' })).status).toBe(200)
    expect((await admin.patch(`${path}/${key}`, { state: 'sent' })).status).toBe(200)
  })

  test('is offered to these alone, in forms, in cells, on boards and in the schema', async () => {
    const optionsIn = (page: string, name: string) =>
      [...(new RegExp(`<select[^>]* name="${name}".*?</select>`).exec(page)?.[0] ?? '').matchAll(/<option value="(\w*)"/g)].map(
        ([, one]) => one,
      )
    for (const [who, offered] of [
      [clerk, ['sent', 'void']],
      [accountant, ['sent', 'paid', 'void']],
      [clerk, ['sent', 'void']],
    ] as const) {
      expect(optionsIn((await who.html.get(`/admin/resource/invoices/form-page/${key}`)).text, 'state')).toEqual(offered)
      expect(optionsIn((await who.html.get(`${path}?filter[state]=sent`)).text, 'value')).toEqual(offered)
      const board = (await who.html.get(`${path}?view=board`)).text
      const column = /<(?:section|li|div)[^>]*data-value="sent"[^>]*>/.exec(board)?.[0] ?? ''
      expect(column).toContain('data-leads')
      expect(column.includes('paid')).toBe(offered.includes('paid' as never))
      const { schema } = (await who.get(`/admin/resource/invoices/form-page/${key}`)).json() as {
        schema: { properties: { state: { enum: unknown } } }
      }
      expect(schema.properties.state.enum).toEqual(['sent', ...offered.slice(1)])
    }
  })

  test('in the cells of a list, of several records at once, in imports and by handlers', async () => {
    const put = (who: typeof admin) => who.put(`/admin/update-field/column/invoices/${key}`, { field: 'state', value: 'paid', was: 'sent' })
    expect((await put(clerk)).json()).toMatchObject({ status: 422, errors: forOthers('Sent', 'Paid') })
    const change = (who: typeof admin) => who.post('/admin/resource/invoices/handler/massUpdate', { ids: [String(key)], state: 'paid' })
    expect((await change(clerk)).json()).toMatchObject({ status: 422, errors: forOthers('Sent', 'Paid') })
    for (const check of [true, false])
      expect(
        (await clerk.post('/admin/resource/invoices/import', { mode: 'update', check, records: [{ id: key, state: 'paid' }] })).json(),
      ).toMatchObject({ status: 422, errors: { 'records[0].state': forOthers('Sent', 'Paid').state } })
    const run = (who: typeof admin, name: string) => who.post(`/admin/resource/invoices/handler/${name}`, { ids: [String(key)] })
    expect((await run(clerk, 'pay')).json()).toMatchObject({ status: 422, errors: forOthers('Sent', 'Paid') })
    expect(await stateNow()).toBe('sent')
    expect((await run(clerk, 'free')).status).toBe(200)
    expect((await admin.patch(`${path}/${key}`, { state: 'sent' })).status).toBe(200)
    expect((await change(accountant)).status).toBe(200)
    expect(await stateNow()).toBe('paid')
  })

  test('is in the document, which names no roles', async () => {
    expect((await admin.get('/oag.json')).text).toContain('from sent to paid (for some roles) or void, from paid to sent (for some roles)')
  })

  test('with a role that no user can have stops the start', () => {
    const start = (...roles: string[]) =>
      definePanel({
        auth: { middleware: authenticate(), pipelines: [password()] },
        database: 'sqlite::memory:',
        resources: [Bills, usersResource({ roles })],
      })
    expect(() => start('admin', 'accuontant')).toThrow(
      'field-role  invoices.fields.state: "accountant" is a role that no user can have. Roles of usersResource(): admin, accuontant',
    )
  })
})

test.each<[string, unknown, string]>([
  ['an unknown state', { draft: [], sent: [], paid: [], void: [], lost: [] }, '.transitions() has "lost", which is no option'],
  ['where it begins among the steps', { draft: [], sent: [], paid: [], void: [], begins: ['draft'] }, '{ begins: […] })'],
  ['an unknown next one', { draft: ['lost'], sent: [], paid: [], void: [] }, '.transitions() has "lost", which is no option'],
  ['a step for nobody', { draft: [{ to: 'sent', roles: [] }], sent: [], paid: [], void: [] }, 'needs roles from draft to sent'],
  ['a step with no roles', { draft: [{ to: 'sent' }], sent: [], paid: [], void: [] }, 'needs roles from draft to sent'],
  [
    'a misspelt setting',
    { draft: [{ to: 'sent', roles: ['a'], rolse: 1 }], sent: [], paid: [], void: [] },
    'has "rolse" from draft to sent',
  ],
  [
    'a step that is there twice',
    { draft: ['sent', { to: 'sent', roles: ['a'] }], sent: [], paid: [], void: [] },
    'from draft to sent twice',
  ],
  ['an unknown step for some', { draft: [{ to: 'lost', roles: ['a'] }], sent: [], paid: [], void: [] }, '.transitions() has "lost"'],
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
