import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePanel, defineResource, id, number, text, trashResource } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sqlite } from '../support/sqlite.js'

const people = sqliteTable('people', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  pay: integer(),
  boss: integer(),
  editor: varchar(),
  deletedAt: integer('deleted_at', { mode: 'timestamp_ms' }),
})

const folders: string[] = []
let saves = 0
const told: unknown[] = []

function open() {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-history-seen-'))
  folders.push(folder)
  const client = new Sqlite(join(folder, 'people.db'))
  client.exec(
    "create table people (id integer primary key, name text not null, pay integer, boss integer, editor text, deleted_at integer); insert into people (id, name) values (1, 'Ada'), (2, 'Bea')",
  )
  client.close()
  const can = { viewAny: true, view: true, update: true, delete: true }
  const People = defineResource({
    model: people,
    history: true,
    softDelete: 'deletedAt',
    can,
    fields: {
      id: id(),
      name: text('Name').required(),
      pay: number('Pay').visible(['hr']),
      boss: number('Boss'),
      editor: text('Editor').visible(['hr']).readOnly(),
    },
    hooks: {
      async beforeSave({ before, values, update }) {
        if (before && values.name === 'nested') await update(before.id, { boss: 7 })
        return { editor: `${saves++}` }
      },
      afterSave({ before, after }) {
        told.push([before?.boss, after.boss])
      },
      async beforeDelete({ record, update }) {
        if (record.name === 'left') await update(record.id, { boss: 8 })
      },
    },
  })
  const panel = definePanel({ auth: 'open', database: `sqlite:${join(folder, 'people.db')}`, resources: [People, trashResource(People)] })
  const hr = testPanel(panel).as({ roles: ['hr'], id: 'hr', name: 'Helga of HR' })
  return { panel, hr, clerk: hr.as({ roles: ['clerk'], id: 'clerk', name: 'Cleo' }) }
}

interface Entry {
  readonly id: number
  readonly action: string
  readonly changes: object
}

describe('what a history shows', () => {
  let app: ReturnType<typeof open>
  beforeEach(() => {
    saves = 0
    told.length = 0
    app = open()
  })
  afterEach(async () => {
    await app.panel.close()
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })
  const at = (id: number, more = '') => `/admin/resource/people/crud/${id}${more}`
  const entries = async (of: typeof app.hr, id: number) => ((await of.get(at(id, '/history'))).json() as { data: Entry[] }).data

  test('a form that begins with a change which the caller may not see is that of one which is not there', async () => {
    await app.hr.put(at(1), { pay: 5000 })
    const [entry] = await entries(app.hr, 1)
    expect(await entries(app.clerk, 1)).toEqual([])
    const form = (of: typeof app.hr, id: number) => of.get(`/admin/resource/people/form-page/1?restore=${id}`)
    expect((await form(app.hr, entry?.id ?? 0)).status).toBe(200)
    const [hidden, missing] = [await form(app.clerk, entry?.id ?? 0), await form(app.clerk, 99)]
    expect([hidden.status, missing.status]).toEqual([404, 404])
    expect(hidden.text).not.toContain('Helga')
    expect((hidden.json() as { detail: string }).detail).toBe((missing.json() as { detail: string }).detail)
  })

  test('a restore is shown as one, whatever a hook has set besides, and to those who see nothing of it', async () => {
    await app.hr.delete(at(1))
    expect((await app.hr.post('/admin/resource/people-trash/handler/restore', { ids: [1] })).status).toBe(200)
    expect((await entries(app.hr, 1)).map(({ action }) => action)).toEqual(['restore', 'delete'])
    expect((await entries(app.clerk, 1)).map(({ action, changes }) => [action, Object.keys(changes)])).toEqual([
      ['restore', []],
      ['delete', ['name']],
    ])
  })

  test('what a hook has written to the record before is not told again', async () => {
    expect((await app.hr.put(at(1), { name: 'nested', pay: 1 })).status).toBe(200)
    expect((await entries(app.clerk, 1)).map(({ changes }) => changes)).toEqual([
      { name: { before: 'Ada', after: 'nested' } },
      { boss: { before: null, after: 7 } },
    ])
    expect(told).toEqual([
      [null, 7],
      [7, 7],
    ])
    await app.hr.put(at(2), { name: 'left' })
    await app.hr.delete(at(2))
    const trash = app.hr.get('/admin/resource/people-trash/crud/2/history')
    expect(((await trash).json() as { data: Entry[] }).data[0]?.changes).toMatchObject({ boss: { before: 8, after: null } })
  })

  test('a page of which the caller may see nothing says so', async () => {
    for (let pay = 0; pay < 26; pay++) await app.hr.put(at(1), { pay })
    const of = async (more = '') => (await app.clerk.html.get(at(1, `/history${more}`))).text
    expect(await of()).toContain('No changes here that you may see')
    expect(await of()).toContain('Older changes')
    const { nextCursor } = (await app.clerk.get(at(1, '/history'))).json() as { nextCursor: string }
    expect(await of(`?cursor=${nextCursor}`)).toContain('No changes here that you may see')
  })
})
