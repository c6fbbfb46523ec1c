import { definePage, definePanel, defineResource, figure, id, memoryStore, metric, number, progress, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const staff = sqliteTable('staff', { id: integer().primaryKey(), name: varchar(), salary: integer() })
const Staff = defineResource({
  model: memoryStore(staff),
  fields: { id: id(), name: text('Name'), salary: number('Salary').visible(['hr']) },
})
const page = definePage({
  uri: 'figures',
  title: 'Figures',
  components: [
    metric({ name: 'people', label: 'People', value: figure.count(Staff) }),
    metric({ name: 'wages', label: 'Wages', value: figure.sum(Staff, 'salary') }),
    progress({ name: 'share', label: 'Share', value: 1, max: figure.largest(Staff, 'salary') }),
  ],
})
const panel = definePanel({ auth: 'open', resources: [Staff], pages: [page] })

test('a figure of a field is named to nobody who may not read it', async () => {
  const none = async (role: string) => {
    const answer = await testPanel(panel)
      .as({ roles: [role] })
      .get('/admin/component/figures?_component_name=none', { headers: { accept: 'text/html' } })
    return [answer.status, /It has: ([^<]*)/.exec(answer.text)?.[1]]
  }
  expect(await none('hr')).toEqual([404, 'people, wages, share'])
  expect(await none('clerk')).toEqual([404, 'people'])
})
