import { belongsTo, date, definePanel, defineResource, hasMany, id, memoryStore, select, text, view } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const owners = sqliteTable('owners', { id: integer().primaryKey(), name: varchar().notNull() })
const jobs = sqliteTable('jobs', {
  id: integer().primaryKey(),
  title: varchar().notNull(),
  state: varchar(),
  due: varchar(),
  ownerId: integer('owner_id').references(() => owners.id),
})
const shared = {
  fields: {
    id: id(),
    title: text('Title').searchable(),
    state: select('State').options(['open', 'done']),
    due: date('Due'),
    ownerId: belongsTo('Owner', owners),
  },
  filters: ['state', 'due'],
  views: [view.board('state'), view.calendar('due')],
} as const

const app = () => {
  const Jobs = defineResource({ model: memoryStore(jobs), singular: 'job', ...shared } as never)
  const Taken = defineResource({ model: memoryStore(jobs), uriKey: 'taken', import: true, singular: 'job', ...shared } as never)
  const Sealed = defineResource({ model: memoryStore(jobs), uriKey: 'sealed', can: { create: ['clerk'] }, ...shared } as never)
  const Owners = defineResource({
    model: memoryStore(owners),
    fields: { id: id(), name: text('Name') },
    related: [hasMany('jobs', { columns: ['id'] })],
  } as never)
  return testPanel(definePanel({ database: 'sqlite::memory:', resources: [Jobs, Taken, Sealed, Owners] })).as({
    id: '1',
    name: 'A',
    roles: ['admin'],
  })
}

/** What an empty page says, and which steps it offers there. */
const saidBy = (markup: string) => {
  const told = markup.split('<div class="empty">')[1]?.split('</div>')[0] ?? ''
  return [/<p>(.*?)<\/p>/s.exec(told)?.[1], ...[...told.matchAll(/href="\/admin\/resource\/([^"?]*)/g)].map(([, href]) => href)]
}

test('an empty list says what its user can do about it, and offers just that', async () => {
  const at = app()
  const said = async (path: string) => saidBy((await at.html.get(`/admin/resource/${path}`)).text)
  expect(await said('jobs/crud')).toEqual(['Create the first record.', 'jobs/form-page'])
  expect(await said('taken/crud')).toEqual(['Create the first record, or import some from a file.', 'taken/form-page', 'taken/import'])
  expect(await said('sealed/crud')).toEqual(['Records are created elsewhere, and will appear here.'])
  expect(await said('jobs/crud?view=board')).toEqual(['Create the first record, or one in its column by the plus sign.', 'jobs/form-page'])
  expect(await said('sealed/crud?view=board')).toEqual(['Records are created elsewhere, and will appear here.'])
  expect(await said('jobs/crud?search=x')).toEqual(['No records match: &#8220;x&#8221;', 'jobs/crud'])
  await at.post('/admin/resource/owners/crud', { name: 'Eve' })
  expect(await said('owners/crud/1')).toEqual(['What belongs to this record will appear here.'])
})
