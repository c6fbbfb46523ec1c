import { definePage, definePanel, defineResource, formBuilder, fragment, id, memoryStore, metric, tabs, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const things = sqliteTable('things', { id: integer().primaryKey(), name: varchar(), owner: varchar() })
const rows = [
  { id: 1, name: 'mine', owner: 'me' },
  { id: 2, name: 'yours', owner: 'you' },
]
const Things = defineResource({
  model: memoryStore(things, rows),
  fields: { id: id(), name: text('Name'), owner: text('Owner') },
  scope: ({ user }) => (user.roles.includes('admin') ? {} : { owner: 'me' }),
  canRecord: { update: ({ record }) => record.id !== 1 },
})
const steps = metric({ name: 'steps', label: 'Steps', value: 5 })
const formOf = (item: number, name = `form-${item}`) => formBuilder(Things, { name, item })
const page = definePage({
  uri: 'all',
  title: 'All',
  components: [
    steps,
    // Refused, out of the scope of some, and nobody's.
    ...[1, 2, 99].map((item) => formOf(item)),
    tabs({
      name: 'tabs',
      label: 'Tabs',
      tabs: [
        { uri: 'a', label: 'A', components: [] },
        { uri: 'b', label: 'B', components: [formOf(99, 'in-tab')] },
      ],
    }),
    fragment('late', [formOf(99, 'in-fragment')], { deferred: true, label: 'Late' }),
  ],
})
const panel = definePanel({ auth: 'open', resources: [Things], pages: [page] })

test.each([
  ['admin', ['form-2']],
  ['editor', []],
])('a form whose record the caller may not change, or that is not there, is left out: %s', async (role, forms) => {
  const app = testPanel(panel).as({ roles: [role] })
  const json = await app.get('/admin/page/all')
  expect([json.status, Object.keys((json.json() as { data: object }).data).filter((name) => name !== 'steps')]).toEqual([200, forms])
  const html = await app.html.get('/admin/page/all')
  expect([html.status, html.text.includes('id="steps"')]).toEqual([200, true])
  for (const name of ['form-1', 'form-2', 'form-99'])
    expect([name, html.text.includes(`value="${name} - all"`)]).toEqual([name, forms.includes(name)])
  expect((await app.html.get('/admin/page/all?_fragment-load=form-99')).status).toBe(404)
})

test('but not where the page is about that record', async () => {
  const Own = defineResource({
    model: memoryStore(things, rows),
    uriKey: 'own',
    canRecord: { update: ({ record }) => record.id !== 1 },
    pages: {
      more: [
        definePage({
          uri: 'one',
          title: 'One',
          components: [steps, ...[1, 99].map((item) => formBuilder('own', { name: `form-${item}`, item }))],
        }),
      ],
    },
  })
  const app = testPanel(definePanel({ auth: 'open', resources: [Own] }))
  const statuses = await Promise.all([1, 99, 2].map(async (key) => (await app.get(`/admin/resource/own/one/${key}`)).status))
  expect(statuses).toEqual([403, 404, 200])
})
