import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  belongsTo,
  definePanel,
  defineResource,
  historyResource,
  id,
  type Panel,
  switcher,
  text,
  trashResource,
  usersResource,
} from 'daymark'
import { oag } from 'daymark/oag'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const lands = sqliteTable('lands', { code: varchar().primaryKey(), name: varchar().notNull() })
const towns = sqliteTable('towns', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  landCode: varchar('land_code').references(() => lands.code),
  open: integer({ mode: 'boolean' }).notNull().default(true),
})
const notes = sqliteTable('notes', {
  id: integer().primaryKey(),
  text: varchar().notNull(),
  deletedAt: integer('deleted_at', { mode: 'timestamp_ms' }),
})
const tables = { lands, towns, notes }
const landsInPg = pg.pgTable('lands', { code: pg.text().primaryKey(), name: pg.text().notNull() })
const inPostgresql = {
  lands: landsInPg,
  towns: pg.pgTable('towns', {
    id: pg.serial().primaryKey(),
    name: pg.text().notNull(),
    landCode: pg.text('land_code').references(() => landsInPg.code),
    open: pg.boolean().notNull().default(true),
  }),
  notes: pg.pgTable('notes', {
    id: pg.serial().primaryKey(),
    text: pg.text().notNull(),
    deletedAt: pg.timestamp('deleted_at', { withTimezone: true }),
  }),
} as unknown as typeof tables
const schema = (made: string, boolean: string, time: string) => [
  'create table lands (code text primary key, name text not null)',
  `create table towns (id ${made}, name text not null, land_code text references lands (code), open ${boolean})`,
  `create table notes (id ${made}, text text not null, deleted_at ${time})`,
]

const statements: string[] = []

function panelOver(database: string, { lands, towns, notes }: typeof tables): Panel {
  const Notes = defineResource({
    model: notes,
    fields: { id: id(), text: text('Text').visible(['admin', 'reader']) },
    column: 'text',
    softDelete: 'deletedAt',
    history: true,
  })
  return definePanel({
    database,
    observe: (sql) => statements.push(sql),
    plugins: [oag()],
    resources: [
      defineResource({
        model: lands,
        fields: { code: text('Code'), name: text('Name') },
        column: 'name',
        singular: 'land',
        history: true,
        scope: ({ user }) => (user.roles.includes('narrow') ? { code: 'BE' } : {}),
      }),
      defineResource({
        model: towns,
        singular: 'town',
        fields: { id: id(), name: text('Name'), landCode: belongsTo('Land', lands), open: switcher('Open') },
        history: true,
        can: { viewAny: ({ user }) => !user.roles.includes('barred') },
        scope: ({ user }) => (user.roles.includes('scoped') ? { open: true } : {}),
        canRecord: { view: ({ user, record }) => !user.roles.includes('choosy') || record.name !== 'Ghent' },
      }),
      Notes,
      trashResource(Notes, { can: ['admin'] }),
      usersResource({ roles: ['admin'] }),
      historyResource({ can: true }),
    ],
  })
}

const stores = {
  async sqlite() {
    const folder = mkdtempSync(join(tmpdir(), 'daymark-all-changes-'))
    const path = join(folder, 'towns.db')
    const client = new Sqlite(path)
    for (const sql of schema('integer primary key', 'integer not null default 1', 'integer')) client.exec(sql)
    client.close()
    const panel = panelOver(`sqlite:${path}`, tables)
    return { panel, close: () => panel.close().then(() => rmSync(folder, { recursive: true })) }
  },
  async postgresql() {
    const database = await openDatabase()
    for (const sql of schema('serial primary key', 'boolean not null default true', 'timestamptz')) await database.query(sql)
    const panel = panelOver(database.url, inPostgresql)
    return { panel, close: () => panel.close().then(() => database.drop()) }
  },
}

describe.each(Object.entries(stores))('the list of all changes, %s', (_, openStore) => {
  let panel: Panel
  let close: () => Promise<unknown>
  beforeEach(async () => {
    ;({ panel, close } = await openStore())
    const admin = testPanel(panel)
    await admin.post('/admin/resource/lands/crud', { code: 'BE', name: 'Belgium' })
    await admin.post('/admin/resource/towns/crud', { name: 'Ghent', landCode: 'BE' })
    await admin.post('/admin/resource/lands/crud', { code: 'FR', name: 'Gaul' })
    await admin.patch('/admin/resource/lands/crud/FR', { name: 'France' })
    await admin.delete('/admin/resource/lands/crud/FR')
    await admin.post('/admin/resource/notes/crud', { text: 'Kept <b>' })
    await admin.delete('/admin/resource/notes/crud/1')
    await admin.patch('/admin/resource/towns/crud/1', { open: false })
  })
  afterEach(() => close())

  /** What the list says of each record, the oldest first. */
  async function told(roles: readonly string[]): Promise<readonly string[]> {
    const { text } = await testPanel(panel).as({ roles }).html.get('/admin/resource/history/crud?sort=id')
    return [...text.matchAll(/phone-only">([^<]*)<\/span> (.*?)<\/(?:td|div)>/g)].map(([, kind, shown]) =>
      `${kind} ${shown}`.replace(/<span class="unseen">.*/, ''),
    )
  }
  const town = (key: number, name: string) => `Town <a href="/admin/resource/towns/crud/${key}">${name}</a>`

  test('names records by their labels, and those that are gone as they were called last', async () => {
    statements.length = 0
    expect(await told(['admin'])).toEqual([
      'Land <a href="/admin/resource/lands/crud/BE">Belgium</a>',
      town(1, 'Ghent'),
      'Land Gaul',
      'Land France',
      'Land France',
      expect.stringMatching(/^Notes <a href="\/admin\/resource\/notes-trash\/crud\/1"><s.*>Kept &lt;b&gt;<\/s><\/a>$/),
      expect.stringMatching(/^Notes <a href="\/admin\/resource\/notes-trash\/crud\/1">/),
      town(1, 'Ghent'),
    ])
    for (const table of ['lands', 'towns']) expect(statements.filter((sql) => sql.includes(`from "${table}"`))).toHaveLength(1)
  })

  test.each<[who: string, row: number, shown: string]>([
    ['barred', 1, 'Town 1'],
    ['scoped', 1, 'Town 1'],
    ['narrow', 4, 'Land FR'],
    ['choosy', 1, 'Town 1'],
    ['reader', 5, 'Notes 1'],
    ['other', 5, 'Notes 1'],
  ])('tells a caller who is %s of row %i by its key', async (role, row, shown) => {
    expect((await told([role]))[row]).toBe(shown)
    const { data } = (await testPanel(panel)
      .as({ roles: [role] })
      .get('/admin/resource/history/crud?sort=id&include=subject')
      .then((answer) => answer.json())) as { data: { subject: unknown }[] }
    expect(data[row]?.subject).toBeNull()
  })

  test('shows what changed in the words of its resource', async () => {
    const { html } = testPanel(panel)
    const made = await html.get('/admin/resource/history/crud/2')
    expect(made.text).toContain('<title>Town Ghent ')
    expect(made.text).toContain('<tr><th scope="row">Land</th><td><a href="/admin/resource/lands/crud/BE">Belgium</a></td></tr>')
    expect((await html.get('/admin/resource/history/crud/8')).text).toMatch(
      /<th scope="row">Open<\/th><td>.*Yes.*<\/td><td>.*No.*<\/td><\/tr>/,
    )
    expect((await html.get('/admin/resource/history/crud?sort=id')).text).toMatch(/title="Open"|>Open</)
    const created = await html.get('/admin/resource/history/crud?filter[action]=create')
    expect(created.text.match(/<span class="none">/g)).toHaveLength(4)
    expect((await html.get('/admin/resource/history/crud/5')).text).not.toContain('href="/admin/resource/lands/crud/FR"')
  })

  test('is filtered by the titles of the resources; in the address, by their tables', async () => {
    const { html } = testPanel(panel)
    const at = '/admin/resource/history/crud?filter[of]='
    const optionsIn = (text: string) =>
      [
        ...(/<select id="filter-of-eq" name="filter\[of\]">(.*?)<\/select>/
          .exec(text)?.[1]
          ?.matchAll(/<option value="([^"]*)"( selected)?>([^<]*)</g) ?? []),
      ].map(([, value, selected, title]) => `${value} ${title}${selected ?? ''}`)
    const { text } = await html.get(`${at}towns`)
    expect(optionsIn(text)).toEqual([' Any', 'lands Lands', 'towns Towns selected', 'notes Notes'])
    expect(text).toContain('Table: Towns')
    expect(optionsIn((await html.get(`${at}gone`)).text)).toEqual([
      ' Any',
      'lands Lands',
      'towns Towns',
      'notes Notes',
      'gone gone selected',
    ])
    const { data } = (await testPanel(panel).get(`${at}towns`)).json() as { data: { of: string }[] }
    expect(data.map(({ of }) => of)).toEqual(['towns', 'towns'])
  })

  test('names its rows by what they tell of, to those who hear them alone', async () => {
    const { text } = await testPanel(panel).html.get('/admin/resource/history/crud?sort=id')
    const time = '[A-Z][a-z]{2} \\d+, 2\\d{3}, [^"]+'
    for (const name of ['Select', 'Actions for'])
      for (const record of ['Land Belgium', 'Town Ghent', 'Notes Kept &lt;b&gt;'])
        expect(text).toMatch(new RegExp(`aria-label="${name} ${record}, ${time}"`))
  })

  test('is exported with the labels of the records beside their keys, as related records are', async () => {
    const exported = async (roles: string[], query: string) =>
      (await testPanel(panel).as({ roles }).get(`/admin/resource/history/export?sort=id&fields=${query}`)).text
        .replace(/^\ufeff/, '')
        .split('\r\n')
    const lines = await exported(['admin'], 'action,of,record,changes')
    expect(lines.map((line) => line.split(',', 4).join())).toEqual([
      'What,Table,Record (key),Record',
      'create,lands,BE,Belgium',
      'create,towns,1,Ghent',
      'create,lands,FR,Gaul',
      'update,lands,FR,France',
      'delete,lands,FR,France',
      'create,notes,1,Kept <b>',
      'delete,notes,1,Kept <b>',
      'update,towns,1,Ghent',
      '',
    ])
    expect(await exported(['barred'], 'record,of&filter[of]=towns')).toEqual(['Record (key),Record,Table', '1,1,towns', '1,1,towns', ''])
    expect(await exported(['admin'], 'record')).toContain('BE')
  })

  test('tells what went into the trash, came out of it, and was deleted for good', async () => {
    const admin = testPanel(panel)
    const trash = '/admin/resource/notes-trash'
    expect((await admin.post(`${trash}/handler/restore`, { ids: [1] })).status).toBe(200)
    await admin.delete('/admin/resource/notes/crud/1')
    expect((await admin.delete(`${trash}/crud/1`)).status).toBe(200)
    const { text } = await admin.html.get('/admin/resource/history/crud?filter[of]=notes&sort=id')
    const badges = [...text.matchAll(/<span class="badge[^"]*" data-value="[^"]*">([^<]*)</g)].map(([, said]) => said)
    expect(badges).toEqual(['Created', 'Moved to the trash', 'Restored', 'Moved to the trash', 'Deleted'])
    const { data } = (await admin.get('/admin/resource/history/crud?filter[action]=restore')).json() as { data: { record: string }[] }
    expect(data.map(({ record }) => record)).toEqual(['1'])
  })

  test('includes the record in JSON, as the document says', async () => {
    const admin = testPanel(panel)
    const answer = await admin.get('/admin/resource/history/crud?include=subject&filter[record]=BE')
    expect(await answer.json()).toMatchObject({
      data: [{ of: 'lands', record: 'BE', subject: { code: 'BE', name: 'Belgium', label: 'Belgium' } }],
    })
    const one = await admin.get('/admin/resource/history/crud/2?include=subject')
    expect(await one.json()).toMatchObject({ data: { of: 'towns', subject: { id: 1, label: 'Ghent' } } })
    expect((await admin.get('/admin/resource/history/crud?fields=at&include=subject')).status).toBe(200)
    const document = (await (await admin.get('/oag.json')).json()) as { components: { schemas: Record<string, object> } }
    expect(document.components.schemas['history.Row']).toMatchObject({
      properties: { subject: { anyOf: [{ $ref: expect.stringContaining('lands') }, {}, {}, { type: 'null' }] } },
    })
  })
})
