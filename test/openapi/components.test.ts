import {
  chart,
  definePage,
  definePanel,
  defineResource,
  figure,
  fragment,
  groups,
  id,
  memoryStore,
  metric,
  number,
  tableBuilder,
  text,
} from 'daymark'
import { oag } from 'daymark/oag'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const staff = sqliteTable('staff', { id: integer().primaryKey(), name: varchar(), salary: integer(), code: integer() })
const secrets = sqliteTable('secrets', { id: integer().primaryKey(), word: varchar() })

test('the document has the components that somebody may see, and nothing of the others', async () => {
  const Staff = defineResource({
    model: memoryStore(staff),
    fields: { id: id(), name: text('Name'), salary: number('Salary').visible(['hr']), code: number('Code').visible(false) },
  })
  const Secrets = defineResource({ model: memoryStore(secrets), can: { viewAny: false, create: false } })
  const home = definePage({
    uri: 'home',
    title: 'Home',
    components: [
      metric({ name: 'people', label: 'People', value: figure.count(Staff) }),
      metric({ name: 'best', label: 'Best', value: figure.largest(Staff, 'salary') }),
      metric({ name: 'off', label: 'Off', can: false, value: 1 }),
      fragment('inner', [chart({ name: 'inside', label: 'Inside', data: groups.count(Staff, { by: 'name' }) })], { label: 'Inner' }),
      fragment('shut', [metric({ name: 'in-shut', label: 'In shut', value: 1 })], { label: 'Shut', can: false }),
      chart({ name: 'codes', label: 'Codes', data: groups.count(Staff, { by: 'code' }) }),
      chart({ name: 'code-parts', label: 'Parts', data: groups.count(Staff, { by: 'name', split: 'code' }) }),
      tableBuilder(Secrets, { name: 'secret-list' }),
    ],
  })
  const { get } = testPanel(definePanel({ auth: 'open', resources: [Staff, Secrets], home, plugins: [oag()] }))
  const { text: written } = await get('/oag.json')
  const document = JSON.parse(written)
  const { schema } = document.paths['/admin'].get.responses['200'].content['application/json']
  expect(Object.keys(schema.properties.data.properties)).toEqual(['people', 'best', 'inside'])
  expect(written).not.toContain('secrets.Row')
  const { data } = (await get('/admin')).json() as { data: object }
  expect(Object.keys(data)).toEqual(['people', 'inside'])
})
