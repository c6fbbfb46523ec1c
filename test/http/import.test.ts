import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  belongsTo,
  belongsToMany,
  date,
  dateTime,
  defineKind,
  definePanel,
  defineResource,
  email,
  file as fileField,
  folder,
  html,
  id,
  json as jsonField,
  memoryStore,
  number,
  type Panel,
  refuse,
  select,
  switcher,
  tags as tagsField,
  text,
  textarea,
} from 'daymark'
import { type TestPanel, testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { blob, integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const makers = sqliteTable('makers', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  hidden: integer({ mode: 'boolean' }).notNull(),
})
const tags = sqliteTable('tags', { slug: varchar().primaryKey(), name: varchar().notNull() })
const parts = sqliteTable('parts', {
  id: integer().primaryKey(),
  name: varchar().notNull().unique(),
  notes: varchar(),
  makerId: integer('maker_id').references(() => makers.id),
  open: integer({ mode: 'boolean' }).notNull().default(true),
  weight: real(),
  price: blob({ mode: 'bigint' }),
  sizes: varchar({ mode: 'json' }).$type<readonly string[]>(),
  more: varchar({ mode: 'json' }),
  day: varchar(),
  at: integer({ mode: 'timestamp_ms' }),
  secret: varchar(),
  changes: integer().notNull().default(0),
})
const partTags = sqliteTable('part_tags', {
  partId: integer('part_id')
    .notNull()
    .references(() => parts.id, { onDelete: 'cascade' }),
  tag: varchar()
    .notNull()
    .references(() => tags.slug),
})
const sqliteTables = { makers, tags, parts, partTags }

const pgMakers = pg.pgTable('makers', { id: pg.serial().primaryKey(), name: pg.text().notNull(), hidden: pg.boolean().notNull() })
const pgTags = pg.pgTable('tags', { slug: pg.text().primaryKey(), name: pg.text().notNull() })
const pgParts = pg.pgTable('parts', {
  id: pg.serial().primaryKey(),
  name: pg.text().notNull().unique(),
  notes: pg.text(),
  makerId: pg.integer('maker_id').references(() => pgMakers.id),
  open: pg.boolean().notNull().default(true),
  weight: pg.doublePrecision(),
  price: pg.bigint({ mode: 'bigint' }),
  sizes: pg.text().array(),
  more: pg.jsonb(),
  day: pg.date({ mode: 'string' }),
  at: pg.timestamp({ withTimezone: true, precision: 3 }),
  secret: pg.text(),
  changes: pg.integer().notNull().default(0),
})
const pgPartTags = pg.pgTable('part_tags', {
  partId: pg
    .integer('part_id')
    .notNull()
    .references(() => pgParts.id, { onDelete: 'cascade' }),
  tag: pg
    .text()
    .notNull()
    .references(() => pgTags.slug),
})
const pgTables = { makers: pgMakers, tags: pgTags, parts: pgParts, partTags: pgPartTags } as unknown as typeof sqliteTables

const schemaIn = (sqlite: boolean) => `
  create table makers (id ${sqlite ? 'integer primary key' : 'serial primary key'}, name text not null, hidden ${sqlite ? 'integer' : 'boolean'} not null);
  create table tags (slug text primary key, name text not null);
  create table parts (id ${sqlite ? 'integer primary key' : 'serial primary key'}, name text not null unique, notes text, maker_id integer references makers,
    open ${sqlite ? 'integer not null default 1' : 'boolean not null default true'}, weight ${sqlite ? 'real' : 'double precision'}, price ${sqlite ? 'blob' : 'bigint'}, sizes ${sqlite ? 'text' : 'text[]'}, more ${sqlite ? 'text' : 'jsonb'},
    day ${sqlite ? 'text' : 'date'}, at ${sqlite ? 'integer' : 'timestamptz(3)'}, secret text, changes integer not null default 0);
  create table part_tags (part_id integer not null references parts on delete cascade, tag text not null references tags)`
const rowsIn = (sqlite: boolean) => {
  const [yes, no] = sqlite ? ['1', '0'] : ['true', 'false']
  return `delete from part_tags; delete from parts; delete from makers; delete from tags;
    insert into makers (id, name, hidden) values (1, 'Acme', ${no}), (2, 'Twin', ${no}), (3, 'Twin', ${no}), (4, 'Ghost', ${yes}), (5, '=Sum', ${no});
    insert into tags values ('new', 'New'), ('old', 'Old');
    insert into parts (id, name, notes, maker_id, secret) values (1, 'Bolt', 'round', 1, 'x'), (2, 'Nut', null, null, 'y')${sqlite ? '' : "; select setval(pg_get_serial_sequence('parts', 'id'), 100)"}`
}

/** Stores what was typed, backwards: a kind whose text in a form is not what JSON has. */
const backwards = defineKind<string>({
  name: 'backwards',
  columns: ['text'],
  operators: [],
  schema: () => z.string().regex(/^</),
  read: (typed) => `<${typed}`,
  text: (kept) => kept.slice(1),
  cell: (kept) => html`${kept}`,
  input: () => html`<input>`,
})

let ran: string[] = []

function panelOver(tables: typeof sqliteTables, database: string): Panel {
  const Makers = defineResource({
    model: tables.makers,
    title: 'Makers',
    fields: { id: id(), name: text('Name') },
    column: 'name',
    scope: () => ({ hidden: false }),
  })
  const Tags = defineResource({ model: tables.tags, fields: { slug: id(), name: text('Name').required() }, import: true })
  const Parts = defineResource({
    model: tables.parts,
    title: 'Parts',
    fields: {
      id: id(),
      name: text('Name').required().max(20),
      notes: textarea('Notes'),
      makerId: belongsTo('Maker', tables.makers).as('maker'),
      open: switcher('Open'),
      weight: number('Weight').min(0).step(0.5),
      price: number('Price'),
      sizes: select('Sizes').options(['S', 'M', 'L']).multiple(),
      more: jsonField('More'),
      day: date('Day'),
      at: dateTime('At'),
      secret: text('Secret').visible(['admin']),
      tagIds: belongsToMany('Tags', tables.partTags.tag),
      changes: number('Changes').readOnly(),
    },
    computed: { loud: { label: 'Loud', needs: ['name'], value: ({ name }) => name.toUpperCase() } },
    validate: ({ values }) => (values.name === values.notes ? { notes: 'Says nothing new' } : null),
    hooks: {
      beforeSave: ({ before, values }) => {
        ran.push(`${before ? 'changed' : 'made'} ${values.name ?? before?.name}`)
        if (values.name === 'Atlantis') refuse('name', 'Is a legend')
        return { changes: (before?.changes ?? 0) + 1 }
      },
    },
    history: true,
    import: ['admin', 'clerk', 'changer'],
    can: {
      viewAny: true,
      view: true,
      create: ['admin', 'clerk', 'other'],
      update: ['admin', 'changer'],
    },
    canRecord: { update: ({ record }) => record.name !== 'Locked' },
  })
  const Odd = defineResource({
    model: memoryStore(sqliteTable('odd', { code: varchar().primaryKey(), word: varchar() })),
    uriKey: 'odd',
    fields: { code: text('Code').required(), word: backwards('Word') },
    requireIfMatch: true,
    import: true,
  })
  return definePanel({ auth: 'open', database, resources: [Parts, Makers, Tags, Odd], log: () => {} })
}

interface World {
  readonly panel: Panel
  readonly test: TestPanel
  query(sql: string): Promise<readonly Record<string, unknown>[]>
  reset(): Promise<unknown>
  end(): Promise<unknown>
}

async function world(tables: typeof sqliteTables, sqlite: boolean): Promise<World> {
  if (!sqlite) {
    const database = await openDatabase()
    await database.query(schemaIn(false))
    const panel = panelOver(tables, database.url)
    return {
      panel,
      test: testPanel(panel),
      query: async (sql) => (await database.query(sql)).rows,
      reset: () => database.query(rowsIn(false)),
      end: () => panel.close().then(database.drop),
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'daymark-import-'))
  const client = new Sqlite(join(folder, 'import.db'))
  client.exec(schemaIn(true))
  const panel = panelOver(tables, `sqlite:${join(folder, 'import.db')}`)
  return {
    panel,
    test: testPanel(panel),
    query: async (sql) => client.prepare(sql).all() as Record<string, unknown>[],
    reset: async () => client.exec(rowsIn(true)),
    end: async () => {
      await panel.close()
      client.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const path = (resource: string) => `/admin/resource/${resource}/import`

function form(csv: string | Uint8Array<ArrayBuffer>, fields: Readonly<Record<string, string>> = {}): FormData {
  const made = new FormData()
  made.set('file', new Blob([csv]), 'parts.csv')
  for (const [name, value] of Object.entries(fields)) made.set(name, value)
  return made
}

describe.each([
  ['SQLite', sqliteTables, true],
  ['PostgreSQL', pgTables, false],
] as const)('an import, over %s', (_, tables, sqlite) => {
  let at: World
  beforeAll(async () => {
    at = await world(tables, sqlite)
  })
  beforeEach(async () => {
    ran = []
    await at.reset()
  })
  afterAll(() => at?.end())

  const send = async (csv: string | Uint8Array<ArrayBuffer>, fields: Readonly<Record<string, string>> = {}, who = at.test) => {
    const answer = await who.post(path('parts'), form(csv, fields))
    // biome-ignore lint/suspicious/noExplicitAny: whatever shape a test expects
    return { status: answer.status, ...(answer.json() as any) }
  }
  const parts = () => at.query('select id, name, notes, maker_id, changes from parts order by id')
  const untouched = [
    { id: 1, name: 'Bolt', notes: 'round', maker_id: 1, changes: 0 },
    { id: 2, name: 'Nut', notes: null, maker_id: null, changes: 0 },
  ]

  test('creates a record of each line, each field by what an export or a form has, with its hooks and its history', async () => {
    const csv = [
      'name,Notes,maker,open,weight,price,sizes,more,day,at,tags (key)',
      'Gear,"two\nlines",Acme,No,1.5,9007199254740993,"[""S"",""L""]","{""a"": [1]}",2026-01-31,2026-01-31T10:00:00+01:00,"[""old"",""new""]"',
      "'+49,,5,TRUE,,,,,,,",
      'Cog,,=Sum,,2,,,,,,',
    ].join('\r\n')
    expect(await send(csv)).toMatchObject({
      status: 200,
      message: 'Records created: 3, updated: 0, unchanged: 0',
      data: { created: 3, updated: 0, unchanged: 0, ignored: [], checked: false },
    })
    const { data } = (
      await at.test.get('/admin/resource/parts/crud?sort=id&fields=name,notes,makerId,open,weight,price,sizes,more,day,at,tagIds,changes')
    ).json() as { data: Record<string, unknown>[] }
    expect(data.slice(2).map(({ id: _, ...one }) => one)).toEqual([
      {
        name: 'Gear',
        notes: 'two\nlines',
        makerId: 1,
        open: false,
        weight: 1.5,
        price: '9007199254740993',
        sizes: ['S', 'L'],
        more: { a: [1] },
        day: '2026-01-31',
        at: '2026-01-31T09:00:00.000Z',
        tagIds: ['new', 'old'],
        changes: 1,
      },
      expect.objectContaining({ name: '+49', notes: null, makerId: 5, open: true, tagIds: [] }),
      // What is not filled in has its default.
      expect.objectContaining({ name: 'Cog', makerId: 5, open: true, weight: 2 }),
    ])
    expect(ran).toEqual(['made Gear', 'made +49', 'made Cog'])
    const kept = await at.query(`select count(*) as n from ${sqlite ? 'daymark_history' : 'daymark.history'} where action = 'create'`)
    expect(Number(kept[0]?.n)).toBeGreaterThanOrEqual(3)
  })

  test('writes all lines or none, and says of every line what is wrong, by field', async () => {
    const csv = 'name;notes;weight;maker;sizes\nA;;1;;\n;x;-1;Twin;\nB;B;;Nobody;"[""XL""]"\nC;too;few\n'
    expect(await send(csv)).toMatchObject({
      status: 422,
      message: 'Nothing was imported. Rows to correct: 3',
      errors: {
        'lines[3].name': ['Name is required'],
        'lines[3].weight': ['Weight must be at least 0'],
        'lines[3].makerId': ['Maker: several records are called “Twin”'],
        'lines[4].makerId': ['Maker: no record is called “Nobody”'],
        'lines[4].sizes': ['Sizes must be one of: S, M, L'],
        'lines[5]': ['Has 3 columns, and the first line 5'],
      },
    })
    expect(await parts()).toEqual(untouched)
    expect(ran).toEqual([])
  })

  test('takes back what it has written when a later line is refused by the database, a hook, a rule or a relation', async () => {
    for (const [line, name, text] of [
      ['Bolt,,', 'name', 'Name is already taken'],
      ['Atlantis,,', 'name', 'Is a legend'],
      ['Same,Same,', 'notes', 'Says nothing new'],
      ['Ghostly,,4', 'makerId', 'Maker: no such record'],
    ] as const) {
      const answer = await send(`name,notes,makerId\nFirst,,\n${line}\nLast,,`)
      expect([answer.status, answer.errors]).toEqual([422, { [`lines[3].${name}`]: [text] }])
      expect(await parts()).toEqual(untouched)
    }
  })

  test('says of every line which related record is not there and which rule it breaks, also when it only checks', async () => {
    const csv =
      'name,notes,makerId,"tags (key)"\nA,,99,\nSame,Same,,\nB,,4,\nC,,1,"[""new"",""none""]"\nD,,1,"[""old""]"\nE,,99,"[""none""]"'
    for (const check of ['1', '0']) {
      expect((await send(csv, { check })).errors).toEqual({
        'lines[2].makerId': ['Maker: no such record'],
        'lines[3].notes': ['Says nothing new'],
        'lines[4].makerId': ['Maker: no such record'],
        'lines[5].tagIds': ['Tags: no such record'],
        'lines[7].makerId': ['Maker: no such record'],
        'lines[7].tagIds': ['Tags: no such record'],
      })
      expect((await send('id,name,makerId\n1,round,4\n2,Nut,99', { check, mode: 'update' })).errors).toEqual({
        'lines[2].notes': ['Says nothing new'],
        'lines[3].makerId': ['Maker: no such record'],
      })
    }
    // What a record has already is no change, whoever sees it.
    await at.query('update parts set maker_id = 4 where id = 2')
    expect(await send('id,notes,makerId\n2,x,4', { mode: 'update' })).toMatchObject({ data: { updated: 1 } })
    expect([ran, await parts()]).toMatchObject([['changed Nut'], [untouched[0], { id: 2, notes: 'x', maker_id: 4 }]])
  })

  test('changes the records that lines name, only where they differ, and clears what is empty', async () => {
    const csv = 'ID,Name,Notes,Maker\n1,Bolt,round,Acme\n2,Nut,,Acme\n'
    expect(await send(csv, { mode: 'update' })).toMatchObject({ status: 200, data: { created: 0, updated: 1, unchanged: 1 } })
    expect(ran).toEqual(['changed Nut'])
    expect(await send('id,notes\n1,\n', { mode: 'update' })).toMatchObject({ data: { updated: 1, unchanged: 0 } })
    expect(await parts()).toEqual([
      { id: 1, name: 'Bolt', notes: null, maker_id: 1, changes: 1 },
      { id: 2, name: 'Nut', notes: null, maker_id: 1, changes: 1 },
    ])
  })

  test('says which records are not there, named twice, not named, or not to be changed', async () => {
    await at.query("update parts set name = 'Locked' where id = 2")
    const csv = 'id,notes\n1,a\n2,b\n9,c\n1,d\n,e\n01,f\n'
    const { status, errors } = await send(csv, { mode: 'update' })
    expect([status, errors]).toEqual([
      422,
      {
        'lines[3]': ['You may not do this'],
        'lines[4].id': ['There is no such record'],
        'lines[5].id': ['The same record as in line 2'],
        'lines[6].id': ['Names no record'],
        'lines[7].id': ['There is no such record'],
      },
    ])
    expect((await send('name\nX', { mode: 'update' })).errors).toEqual({ file: ['The file has no column ID, which names the records'] })
    expect((await parts()).map(({ notes }) => notes)).toEqual(['round', null])
  })

  test('changes the records that lines name and creates the others; a key that people write is either', async () => {
    expect(await send('id,name,notes\n1,Bolt,new\n,Gear,\n', { mode: 'both' })).toMatchObject({ data: { created: 1, updated: 1 } })
    expect((await parts()).map(({ name, notes }) => [name, notes])).toEqual([
      ['Bolt', 'new'],
      ['Nut', null],
      ['Gear', null],
    ])
    const tags = await at.test.post(path('tags'), form('slug,name\nold,Older\nfresh,Fresh\n', { mode: 'both' }))
    expect(tags.json()).toMatchObject({ data: { created: 1, updated: 1, ignored: [] } })
    expect(await at.query('select slug, name from tags order by slug')).toEqual([
      { slug: 'fresh', name: 'Fresh' },
      { slug: 'new', name: 'New' },
      { slug: 'old', name: 'Older' },
    ])
    const taken = {
      'lines[2].slug': ['Slug is already taken'],
      'lines[4].slug': ['Slug: the same as in line 3'],
    }
    for (const check of ['0', '1']) {
      const many = await at.test.post(path('tags'), form('slug,name\nold,Old\na,A\na,B\nnew,\n', { check }))
      expect([many.status, many.json()]).toMatchObject([422, { errors: { ...taken, 'lines[5].name': ['Name is required'] } }])
    }
    const twice = await at.test.post(path('tags'), form('slug,name\nold,Old\n'))
    expect([twice.status, twice.json()]).toMatchObject([422, { errors: { 'lines[2].slug': ['Slug is already taken'] } }])
  })

  test('an export comes back as it went: nothing has changed, and what is only shown is left alone', async () => {
    await at.query(
      `update parts set notes = '=1+1', weight = 2.5, ${sqlite ? `sizes = '["M"]', more = '{"x": "y"}'` : `sizes = '{M}', more = '{"x": "y"}'`}, day = '2026-02-03', at = ${sqlite ? Date.parse('2026-02-03T04:05:06.789Z') : "'2026-02-03T04:05:06.789Z'"} where id = 1`,
    )
    await at.query("insert into part_tags values (1, 'old')")
    const { text: csv } = await at.test.get(
      '/admin/resource/parts/export?sort=id&fields=id,name,notes,makerId,open,weight,sizes,more,day,at,tagIds,changes,loud',
    )
    expect(csv).toContain("'=1+1")
    expect(await send(csv, { mode: 'update' })).toMatchObject({
      data: { created: 0, updated: 0, unchanged: 2, ignored: ['Maker', 'Tags', 'Changes', 'Loud'] },
    })
    const shown = '/admin/resource/parts/export?sort=id&fields=name,notes,makerId,open,weight,sizes,more,day,at,tagIds'
    const was = await at.test.get(shown)
    await at.query('delete from parts')
    expect(await send(csv)).toMatchObject({ data: { created: 2, ignored: ['ID', 'Maker', 'Tags', 'Changes', 'Loud'] } })
    expect((await at.test.get(shown)).text).toEqual(was.text)
  })

  test('a label counts where the key beside it is blank, as in rows that are added to an export', async () => {
    const added = 'name,Maker (key),Maker\nGear,,Acme\nCog,5,Acme\nPin,,\n'
    expect(await send(added)).toMatchObject({ status: 200, data: { created: 3, ignored: [] } })
    expect((await parts()).slice(2)).toMatchObject([{ maker_id: 1 }, { maker_id: 5 }, { maker_id: null }])
    // Nobody's label is no blank, nor is one that several have, or of a record that the user may not see.
    for (const label of ['Nobody', 'Twin', 'Ghost'])
      expect(await send(`name,makerId,Maker\nRod,,${label}\n`)).toMatchObject({
        status: 422,
        errors: { 'lines[2].makerId': [expect.any(String)] },
      })
    expect(await send('id,name,Maker,Maker (key)\n1,Bolt,=Sum,\n', { mode: 'update' })).toMatchObject({ data: { updated: 1 } })
    expect((await parts())[0]).toMatchObject({ maker_id: 5 })
    // With all keys there, labels say nothing new.
    expect(await send('id,Maker,Maker (key)\n1,Acme,5\n2,,\n', { mode: 'update' })).toMatchObject({
      data: { updated: 0, unchanged: 2, ignored: ['Maker'] },
    })
  })

  test('may be only checked: nothing is written, and it says what would be', async () => {
    const checked = await send('id,name\n1,Bolt\n2,Screw\n,Gear\n', { mode: 'both', check: '1' })
    expect(checked).toMatchObject({
      status: 200,
      message: 'Nothing is wrong. Records to create: 1, to update: 1, unchanged: 1',
      data: { created: 1, updated: 1, unchanged: 1, checked: true },
    })
    expect(await send('name\n\n,', { check: '1' })).toMatchObject({ status: 422 })
    // Nothing that is meant to be only checked is written.
    for (const check of ['yes', 'on', '2'])
      expect((await send('name\nGear\n', { check })).errors).toEqual({ check: ['check must be true or false'] })
    const json = await at.test.post(path('parts'), { check: 'TRUE', records: [{ name: 'Gear' }] })
    expect([json.status, json.json()]).toMatchObject([422, { errors: { check: [expect.any(String)] } }])
    expect((await at.test.post(path('parts'), { check: {}, mode: { toString: 1 }, records: [{ name: 'Gear' }] })).status).toBe(422)
    expect([await parts(), ran]).toEqual([untouched, []])
  })

  test('takes records in JSON, each as a write of one has it', async () => {
    const { test } = at
    const post = (body: object) => test.post(path('parts'), body)
    const made = await post({
      records: [
        { name: 'Gear', makerId: 1 },
        { name: 'Cog', tagIds: ['new'], maker: null, loud: null },
      ],
    })
    expect([made.status, made.json()]).toMatchObject([200, { data: { created: 2 } }])
    const changed = await post({
      mode: 'update',
      records: [
        { id: 1, notes: null },
        { id: '2', name: 'Nut' },
      ],
    })
    expect(changed.json()).toMatchObject({ data: { updated: 1, unchanged: 1 } })
    const wrong = await post({ records: [{ name: 'Wheel' }, { name: 7, nope: 1, changes: 3 }, { loud: 'X' }] })
    expect([wrong.status, wrong.json()]).toMatchObject([
      422,
      {
        errors: {
          'records[1].name': ['Name must be text'],
          'records[1].nope': [expect.stringMatching(/^Unknown field "nope". Valid: id, name/)],
          'records[1].changes': ['Changes cannot be changed'],
          'records[2].loud': ['Loud cannot be changed'],
          'records[2].name': ['Name is required'],
        },
      },
    ])
    for (const records of [undefined, [], [1], 'x', [[]]])
      expect((await post({ records })).json()).toMatchObject({ errors: { records: [expect.any(String)] } })
    expect((await post({ records: [{ name: 'A' }], mode: 'replace' })).json()).toMatchObject({
      errors: { mode: ['Must be one of: create, update, both'] },
    })
    expect((await post({ records: [{ name: 'A' }], all: true })).json()).toMatchObject({
      errors: { all: ['Unknown field "all". Valid: mode, check, records'] },
    })
    expect((await parts()).map(({ name }) => name)).toEqual(['Bolt', 'Nut', 'Gear', 'Cog'])
  })

  test('is refused as a whole for a file that is none, or has other columns', async () => {
    const file = async (csv: string | Uint8Array<ArrayBuffer>) => (await send(csv)).errors?.file
    expect(await file('')).toEqual(['The file has no lines below its head'])
    expect(await file('name\n')).toEqual(['The file has no lines below its head'])
    expect(await file('name,colour\na,b\n')).toEqual([expect.stringMatching(/^There is no column “colour”. Valid: Name, Notes/)])
    expect(await file('name,Name\na,b\n')).toEqual(['There are two columns for Name'])
    expect(await file('name,\na,b\n')).toEqual(['Column 2 has no name'])
    expect((await send('id,ID,name\n1,2,x\n', { mode: 'update' })).errors.file).toEqual(['There are two columns for ID'])
    expect(await file('notes,open\na,b\n')).toEqual(['The file has no column Name, which a new record needs'])
    expect(await file('changes,loud\n1,2\n')).toEqual(['The file has no column that can be imported'])
    expect(await file(`${'x,'.repeat(600)}name\na\n`)).toEqual(['More than 500 columns'])
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
    expect((await send(`name,more,sizes\na,"${deep}","${deep}"\n`)).errors).toEqual({
      'lines[2].more': [expect.stringMatching(/levels/)],
      'lines[2].sizes': [expect.any(String)],
    })
    expect(await file('name\n"a\n')).toEqual([expect.stringMatching(/from line 2 on/)])
    expect(await file(new Uint8Array([0xff, 0x41, 0x0a, 0x42]))).toEqual([expect.stringMatching(/not text in UTF-8/)])
    expect(await file(`name\n${Array.from({ length: 10_001 }, (_, i) => i).join('\n')}`)).toEqual([expect.stringMatching(/^More than 10/)])
    const none = await at.test.post(path('parts'), new URLSearchParams({ mode: 'create' }))
    expect([none.status, none.json()]).toMatchObject([422, { errors: { file: ['Choose a file'] } }])
    expect(await parts()).toEqual(untouched)
  })

  test('lets each do what they may, and nobody more', async () => {
    const as = (...roles: string[]) => at.test.as({ roles })
    const modes = async (who: TestPanel, resource = 'parts') => {
      const answer = await who.get(path(resource))
      return answer.status === 200 ? (answer.json() as { data: { modes: string[] } }).data.modes : answer.status
    }
    expect(await modes(as('admin'))).toEqual(['create', 'update', 'both'])
    expect(await modes(as('clerk'))).toEqual(['create'])
    expect(await modes(as('changer'))).toEqual(['update'])
    expect(await modes(at.test.as(null))).toBe(401)
    expect(await modes(as('admin'), 'makers')).toBe(404)
    // A file knows no versions.
    expect(await modes(as('admin'), 'odd')).toEqual(['create'])
    expect((await send('id,name\n1,X\n', { mode: 'update' }, as('clerk'))).errors).toEqual({ mode: ['Must be one of: create'] })
    for (const role of ['other', 'reader']) expect((await send('name\nX\n', {}, as(role))).status).toBe(403)
    // A column that somebody may not see is none to them.
    expect((await send('name,secret\nX,y\n', {}, as('clerk'))).errors.file[0]).toMatch(
      /^There is no column “secret”. Valid: Name, (?!.*Secret)/,
    )
    expect(await parts()).toEqual(untouched)
  })

  test('has a form, which says what is wrong by line, and leads to the list with what was done', async () => {
    const shown = await at.test.html.get(path('parts'))
    expect(shown.text).toContain('Import into Parts')
    expect(shown.is('importing').fields.map(({ key }) => key)).not.toContain('changes')
    const wrong = await at.test.html.post(path('parts'), form('name,notes\nA,\n,<b>\n'))
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('<th scope="row" class="number">3</th><td>Name</td><td>Name is required</td>')
    const none = await at.test.html.post(path('parts'), form('nope\n1\n'))
    expect(none.text).toMatch(/id="import-file-error".*There is no column/s)
    const several = await at.test.html.post(path('parts'), form('name,one,two\n1,2,3\n'))
    expect(several.text).toMatch(/id="import-said".*There is no column &#8220;one&#8221;, &#8220;two&#8221;. Valid/s)
    const done = await at.test.html.post(path('parts'), form('name\nA\n'))
    expect([done.status, done.headers.get('location')]).toEqual([303, '/admin/resource/parts/crud'])
    const list = await at.test.html.get('/admin/resource/parts/crud')
    expect(list.text).toContain('href="/admin/resource/parts/import"')
    expect((await at.test.as({ roles: ['other'] }).html.get('/admin/resource/parts/crud')).text).not.toContain('/import"')
    expect((await at.test.html.get('/admin/resource/makers/crud')).text).not.toContain('/import"')
    await at.query('delete from parts')
    const empty = (await at.test.html.get('/admin/resource/parts/crud')).text
    expect(empty.slice(empty.indexOf('class="empty"'))).toContain('href="/admin/resource/parts/import"')
  })

  test('is done once, however often its form is sent', async () => {
    const [first, second] = await Promise.all([
      at.test.html.post(path('parts'), form('name\nOnce\n', { _once: 'k' })),
      at.test.html.post(path('parts'), form('name\nOnce\n', { _once: 'k' })),
    ])
    expect([first.status, second.status]).toEqual([303, 303])
    const other = await at.test.html.post(path('parts'), form('name\nOther\n', { _once: 'k' }))
    expect(other.status).toBe(409)
    expect(other.text).toContain('This file has been imported already')
    expect((await parts()).map(({ name }) => name)).toEqual(['Bolt', 'Nut', 'Once'])
  })

  test('waits for another that changes the same records, in whatever order', async () => {
    await send(`name\n${Array.from({ length: 60 }, (_, i) => `p${i}`).join('\n')}`)
    const ids = (await parts()).slice(2).map(({ id }) => id)
    const file = (order: readonly unknown[], notes: string) => `id,notes\n${order.map((one) => `${one},${notes}`).join('\n')}`
    const files = [file(ids, 'one'), file(ids.toReversed(), 'two'), file([...ids.slice(30), ...ids.slice(0, 30)], 'three')]
    const answers = await Promise.all(files.map((csv) => send(csv, { mode: 'update' })))
    expect(answers.map(({ status, data }) => [status, data.updated])).toEqual([
      [200, 60],
      [200, 60],
      [200, 60],
    ])
    expect(new Set((await parts()).slice(2).map(({ notes }) => notes)).size).toBe(1)
  })

  test('reads a text as an export has it, or else as a form', async () => {
    await at.test.post(path('odd'), form('code,word\na,<x\nb,y\n'))
    expect(((await at.test.get('/admin/resource/odd/crud?sort=code')).json() as { data: object[] }).data).toEqual([
      { code: 'a', word: '<x' },
      { code: 'b', word: '<y' },
    ])
  })
})

test('a value that only one may have is free once an earlier line has changed it, and not before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-import-'))
  const client = new Sqlite(join(folder, 'words.db'))
  client.exec("create table words (id integer primary key, word text unique); insert into words values (1, 'a'), (2, 'b'), (3, 'c')")
  const words = sqliteTable('words', { id: integer().primaryKey(), word: varchar().unique() })
  const Words = defineResource({ model: words, fields: { id: id(), word: text('Word') }, import: true })
  const panel = definePanel({ auth: 'open', database: `sqlite:${join(folder, 'words.db')}`, resources: [Words] })
  const update = async (csv: string) => (await testPanel(panel).post(path('words'), form(`id,word\n${csv}`, { mode: 'both' }))).json()
  const stored = () =>
    client
      .prepare('select word from words order by id')
      .all()
      .map((row) => (row as { word: string }).word)
  expect(await update('1,x\n2,a\n,b\n')).toMatchObject({ data: { created: 1, updated: 2 } })
  expect(stored()).toEqual(['x', 'a', 'c', 'b'])
  expect(await update('1,a\n2,z\n,\n,\n')).toMatchObject({ errors: { 'lines[2].word': ['Word is already taken'] } })
  expect(await update('1,y\n2,a\n3,y\n,c\n,q\n,q\n')).toMatchObject({
    errors: { 'lines[4].word': ['Word: the same as in line 2'], 'lines[7].word': ['Word: the same as in line 6'] },
  })
  expect(stored()).toEqual(['x', 'a', 'c', 'b'])
  await panel.close()
  client.close()
  rmSync(folder, { recursive: true, force: true })
})

test('an export comes back as it is, also with what no field would take by now', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-import-'))
  const client = new Sqlite(join(folder, 'old.db'))
  client.exec(`create table old (id integer primary key, state text, sizes text, topics text, mail text);
    insert into old values (1, 'gone', '["XL","gone"]', '[" a ","b","b"]', 'nobody'), (2, 'Open', '[]', '[]', null)`)
  const old = sqliteTable('old', {
    id: integer().primaryKey(),
    state: varchar(),
    sizes: varchar({ mode: 'json' }).$type<string[]>(),
    topics: varchar({ mode: 'json' }).$type<string[]>(),
    mail: varchar(),
  })
  const Old = defineResource({
    model: old,
    fields: {
      id: id(),
      state: select('State').options({ open: 'Open', done: 'Done' }),
      sizes: select('Sizes').options(['S', 'M']).multiple(),
      topics: tagsField('Topics'),
      mail: email('Mail'),
    },
    import: true,
  })
  const panel = definePanel({ auth: 'open', database: `sqlite:${join(folder, 'old.db')}`, resources: [Old] })
  const { get, post } = testPanel(panel)
  const update = async (csv: string) => (await post(path('old'), form(csv, { mode: 'update' }))).json()
  const { text: csv } = await get('/admin/resource/old/export')
  expect(await update(csv)).toMatchObject({ data: { updated: 0, unchanged: 2 } })
  // What differs is read by the options of today.
  expect(await update('id,state\n1,Open\n2,done')).toMatchObject({ data: { updated: 2 } })
  expect(client.prepare('select state from old order by id').all()).toEqual([{ state: 'open' }, { state: 'done' }])
  expect(await update('id,state\n1,gone')).toMatchObject({ errors: { 'lines[2].state': ['State must be one of: Open, Done'] } })
  await panel.close()
  client.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a column is named by label before it is by the name of a field, as an export has it', async () => {
  const things = sqliteTable('things', { id: integer().primaryKey(), name: varchar(), title: varchar() })
  const Things = defineResource({
    model: memoryStore(things),
    fields: { id: id(), name: text('Title'), title: text('Name') },
    import: true,
  })
  const { post, get } = testPanel(definePanel({ auth: 'open', resources: [Things] }))
  await post('/admin/resource/things/crud', { name: 'a', title: 'b' })
  const { text: csv } = await get('/admin/resource/things/export')
  expect((await post(path('things'), form(csv, { mode: 'update' }))).json()).toMatchObject({ data: { updated: 0, unchanged: 1 } })
  await post(path('things'), form('id,TITLE\n1,c', { mode: 'update' }))
  expect((await get('/admin/resource/things/crud/1')).json()).toMatchObject({ data: { name: 'c', title: 'b' } })
})

test('any JSON comes back as it went, also a text that looks like another value', async () => {
  const things = sqliteTable('things', {
    id: integer().primaryKey(),
    more: varchar({ mode: 'json' }),
    sizes: varchar({ mode: 'json' }).$type<string[]>(),
  })
  const values = ['plain', '5', 'true', 'null', '"quoted"', '[1]', '{"a":1}', '=1+1', ' ', 5, true, [], ['5'], { a: '1' }, `it's, "so"`]
  const store = memoryStore(
    things,
    values.map((more, index) => ({ id: index + 1, more, sizes: ['S', 'M'].slice(0, index % 3) })),
  )
  const Things = defineResource({
    model: store,
    fields: { id: id(), more: jsonField('More'), sizes: select('Sizes').options(['S', 'M']).multiple() },
    import: true,
  })
  const { post, get } = testPanel(definePanel({ auth: 'open', resources: [Things] }))
  const { text: csv } = await get('/admin/resource/things/export?sort=id&fields=id,more,sizes')
  expect(csv.split('\r\n').slice(1, 3)).toEqual(['1,"""plain""",[]', '2,"""5""","[""S""]"'])
  expect((await post(path('things'), form(csv, { mode: 'update' }))).json()).toMatchObject({ data: { updated: 0, unchanged: 15 } })
  for (const [index] of values.entries()) await post(path('things'), form(`id,more\n${index + 1},"[""x""]"`, { mode: 'update' }))
  expect((await post(path('things'), form(csv, { mode: 'update' }))).json()).toMatchObject({ data: { updated: 15 } })
  const { data } = (await get('/admin/resource/things/crud?sort=id&fields=more&perPage=100')).json() as { data: { more: unknown }[] }
  expect(data.map(({ more }) => more)).toEqual(values)
})

test('an export has the key that an import needs, whatever the list shows, and files are in no import', async () => {
  const home = mkdtempSync(join(tmpdir(), 'daymark-export-'))
  const database = `sqlite:${join(home, 'x.db')}`
  new Sqlite(join(home, 'x.db')).exec(
    "create table papers (id integer primary key, name text, scan text); insert into papers values (7, 'Deed', null)",
  )
  const papers = sqliteTable('papers', { id: integer().primaryKey(), name: varchar(), scan: varchar() })
  const made = (more: object) => {
    const fields = { id: id('Number'), name: text('Name'), scan: fileField('Scan') }
    const Papers = defineResource({ model: papers, fields, pages: { index: ['name', 'scan'] }, ...more })
    return definePanel({ auth: 'open', database, files: folder(join(home, 'files')), resources: [Papers] })
  }
  const exported = async (more: object, query = '') => {
    const panel = made(more)
    const { text: file } = await testPanel(panel).get(`/admin/resource/papers/export${query}`)
    await panel.close()
    return file.trim().split('\r\n')
  }
  const panel = made({ import: true })
  try {
    expect(await exported({})).toEqual(['Name,Scan', 'Deed,'])
    expect(await exported({ import: ['nobody'] })).toEqual(['Name,Scan', 'Deed,'])
    expect(await exported({ import: true, requireIfMatch: true })).toEqual(['Name,Scan', 'Deed,'])
    expect(await exported({ import: true, pages: { index: ['name', 'id'] } })).toEqual(['Name,Number', 'Deed,7'])
    const file = await exported({ import: true })
    expect(file).toEqual(['Number,Name,Scan', '7,Deed,'])
    expect(await exported({ import: true }, '?fields=name')).toEqual(['Name', 'Deed'])
    const { text: list } = await testPanel(panel).html.get('/admin/resource/papers/crud?fields=name&sort=id')
    const [, link = ''] = /href="[^"]*\/export\?([^"]*)"/.exec(list) ?? []
    expect(new URLSearchParams(link.replaceAll('&amp;', '&')).get('fields')).toBe('id,name')
    // What the list has passed over would be refused.
    const { text: passed } = await testPanel(panel).html.get('/admin/resource/papers/crud?filter[none]=1&filter[name][]=Deed&odd=1&sort=id')
    const [, kept = ''] = /href="([^"]*\/export[^"]*)"/.exec(passed) ?? []
    expect(kept.replaceAll('&amp;', '&')).toBe('/admin/resource/papers/export?sort=id')
    expect((await testPanel(panel).get(kept.replaceAll('&amp;', '&'))).status).toBe(200)

    const { post, get } = testPanel(panel)
    const changed = form(file.join('\r\n').replace('Deed', 'Will'), { mode: 'update' })
    expect((await post(path('papers'), changed)).json()).toMatchObject({ data: { updated: 1, ignored: ['Scan'] } })
    expect((await get(path('papers'))).json()).toMatchObject({ data: { fields: [{ name: 'name' }] } })
    const { text: page } = await get(path('papers'), { headers: { accept: 'text/html' } })
    expect(page).not.toContain('<code>scan</code>')
    expect((await get(`${path('papers')}/template`)).text).toBe('Number,Name\r\n')
    // A new record that needs a file cannot come from an import.
    const needing = made({ import: true, fields: { id: id('Number'), name: text('Name'), scan: fileField('Scan').required() } })
    const modes = (await testPanel(needing).get(path('papers'))).json() as { data: { modes: readonly string[] } }
    expect(modes.data.modes).toEqual(['update'])
    await needing.close()
  } finally {
    await panel.close()
    rmSync(home, { recursive: true, force: true })
  }
})

test('an integer beyond those that a double holds is the same in an export, and one that nobody may write is refused by its bounds', async () => {
  const home = mkdtempSync(join(tmpdir(), 'daymark-beyond-'))
  const database = `sqlite:${join(home, 'x.db')}`
  new Sqlite(join(home, 'x.db')).exec(
    'create table meters (id integer primary key, read integer); insert into meters values (1, 9007199254740993)',
  )
  const meters = sqliteTable('meters', { id: integer().primaryKey(), read: integer() })
  const panel = definePanel({ auth: 'open', database, resources: [defineResource({ model: meters, import: true })] })
  const { get, post, patch } = testPanel(panel)
  try {
    const { text: file } = await get('/admin/resource/meters/export')
    expect((await post(path('meters'), form(file, { mode: 'update' }))).json()).toMatchObject({ data: { unchanged: 1 } })
    const tooBig = ['Read must be at most 9007199254740991']
    const changed = await post(path('meters'), form(file.replace('993', '995'), { mode: 'update' }))
    expect([changed.status, changed.json()]).toMatchObject([422, { errors: { 'lines[2].read': tooBig } }])
    const sent = await patch('/admin/resource/meters/crud/1', { read: '9007199254740995' })
    expect([sent.status, sent.json()]).toMatchObject([422, { errors: { read: tooBig } }])
  } finally {
    await panel.close()
    rmSync(home, { recursive: true, force: true })
  }
})

test('labels beside keys that nobody writes are left aside, and said to be', async () => {
  const makers = sqliteTable('makers', { id: integer().primaryKey(), name: varchar() })
  const things = sqliteTable('things', { id: integer().primaryKey(), name: varchar(), maker: integer() })
  const Things = defineResource({
    model: memoryStore(things, []),
    fields: { id: id(), name: text('Name'), maker: belongsTo('Maker', makers).readOnly() },
    import: true,
  })
  const panel = definePanel({
    auth: 'open',
    resources: [Things, defineResource({ model: memoryStore(makers, [{ id: 1, name: 'Acme' }]) })],
  })
  const sent = await testPanel(panel).post(path('things'), form('Name,Maker,Maker (key)\nA,Acme,\n'))
  expect(sent.json()).toMatchObject({ data: { created: 1, ignored: ['Maker', 'Maker (key)'] } })
  await panel.close()
})

test('the page of an import has an empty file to download, which an import takes', async () => {
  const store = memoryStore()
  const things = sqliteTable('things', { id: integer().primaryKey(), name: varchar(), title: varchar(), note: varchar(), maker: integer() })
  const own = sqliteTable('own', { id: integer().primaryKey(), name: varchar() })
  const Own = defineResource({ model: { ...store, table: own }, uriKey: 'own', column: 'name' })
  const Things = defineResource({
    model: { ...store, table: things },
    fields: { id: id(), name: text('=Name, "so"'), title: text('Twice'), note: text('twice'), maker: belongsTo('Maker', own) },
    import: true,
  })
  const { post, get } = testPanel(definePanel({ auth: 'open', resources: [Things, Own] }))
  await post('/admin/resource/own/crud', { name: 'Acme' })
  const { text: page } = await get(path('things'), { headers: { accept: 'text/html' } })
  const [, href = ''] = /<a href="([^"]*)" download>Template as CSV<\/a>/.exec(page) ?? []
  const { status, headers, text: template } = await get(href)
  expect([status, headers.get('content-disposition')]).toEqual([200, 'attachment; filename="things.csv"'])
  expect(template).toBe(`ID,"'=Name, ""so""",title,note,Maker\r\n`)
  expect((await post(path('things'), form(`${template},a,b,c,Acme\r\n`))).json()).toMatchObject({ data: { created: 1, ignored: ['ID'] } })
  expect((await get('/admin/resource/things/crud')).json()).toMatchObject({ data: [{ name: 'a', title: 'b', note: 'c', maker: 1 }] })
})

test('the page of an import says that a key which people write is needed, and when it makes a record', async () => {
  const store = memoryStore()
  const goods = sqliteTable('goods', { sku: varchar().primaryKey(), name: varchar() })
  const lots = sqliteTable('lots', { id: integer().primaryKey(), name: varchar() })
  const Goods = defineResource({ model: { ...store, table: goods }, fields: { sku: id('SKU'), name: text('Name') }, import: true })
  const Lots = defineResource({ model: { ...store, table: lots }, fields: { id: id('No.'), name: text('Name') }, import: true })
  const { html } = testPanel(definePanel({ auth: 'open', resources: [Goods, Lots] }))
  const [own, made] = [(await html.get(path('goods'))).text, (await html.get(path('lots'))).text]
  expect(own).toMatch(/<li><span>SKU <span class="required"/)
  expect(own).toContain('Lines with a new SKU become new records, the others change theirs.')
  expect(made).toContain('<li><span>No.</span>')
  expect(made).toContain('Lines without No. become new records, the others change theirs.')
})

test('reads numbers as the exports have them, and as the language of the panel writes them', async () => {
  const things = sqliteTable('things', {
    id: integer().primaryKey(),
    area: real(),
    open: integer({ mode: 'boolean' }),
    state: varchar(),
    sizes: varchar({ mode: 'json' }).$type<string[]>(),
  })
  const Things = defineResource({
    model: memoryStore(things),
    fields: {
      id: id(),
      area: number('Fläche'),
      open: switcher('Offen'),
      state: select('Stand').options({ new: 'Neu', old: 'Alt', x: 'Gleich', y: 'gleich' }),
      sizes: select('Größen').options({ s: 'Klein', m: 'Mittel' }).multiple(),
    },
    import: true,
  })
  const panel = definePanel({ auth: 'open', resources: [Things], locale: 'de' })
  const { post, get } = testPanel(panel)
  const sent = await post(path('things'), form('FLÄCHE;offen\n1,5;Ja\n1.5;nein\n"1.234,5";vielleicht'))
  expect(sent.json()).toMatchObject({ errors: { 'lines[4].open': [expect.any(String)] } })
  await post(path('things'), form('FLÄCHE;offen\n1,5;Ja\n1.5;nein\n"1.234,5";WAHR'))
  const { data } = (await get('/admin/resource/things/crud?sort=id')).json() as { data: { area: number; open: boolean }[] }
  expect(data.map(({ area, open }) => [area, open])).toEqual([
    [1.5, true],
    [1.5, false],
    [1234.5, true],
  ])

  // An option is named by its label, too, if only one is called so.
  const named = await post(path('things'), form('Stand\nneu\nold\ngleich'))
  expect(named.json()).toMatchObject({ errors: { 'lines[4].state': [expect.stringMatching(/: Neu, Alt, x, y$/)] } })
  const several = await post(path('things'), form('Größen\n"[""XL"",""s""]"'))
  expect(several.json()).toMatchObject({ errors: { 'lines[2].sizes': [expect.stringMatching(/: Klein, Mittel$/)] } })
  await post(path('things'), form('Stand;Größen\nneu;"[""klein"",""m""]"\nold;"[""s""]"'))
  const { data: states } = (await get('/admin/resource/things/crud?sort=id')).json() as { data: { state: string; sizes: string[] }[] }
  expect(states.slice(3).map(({ state }) => state)).toEqual(['new', 'old'])
  expect(states.slice(3).map(({ sizes }) => sizes)).toEqual([['s', 'm'], ['s']])
})

test('a day may be as the language of the panel writes it; in English without a region it is as in an export', async () => {
  const things = sqliteTable('things', { id: integer().primaryKey(), born: varchar() })
  const panelIn = (locale: string) => {
    const Things = defineResource({ model: memoryStore(things), fields: { id: id(), born: date('Born') }, import: true })
    return testPanel(definePanel({ auth: 'open', resources: [Things], locale }))
  }
  const german = panelIn('de')
  await german.post(path('things'), form('Born\n01.02.1990\n1990-03-01'))
  const { data } = (await german.get('/admin/resource/things/crud?sort=id')).json() as { data: { born: string }[] }
  expect(data.map(({ born }) => born)).toEqual(['1990-02-01', '1990-03-01'])
  expect((await german.post(path('things'), form('Born\n31.02.1990'))).json()).toMatchObject({
    errors: { 'lines[2].born': [expect.any(String)] },
  })
  expect((await german.post('/admin/resource/things/crud', { born: '01.02.1990' })).status).toBe(422)
  expect((await panelIn('en').post(path('things'), form('Born\n01/02/1990'))).status).toBe(422)
})

test('a number that no export writes is read as the language of the panel writes it, in every line alike', async () => {
  const things = pg.pgTable('things', {
    id: pg.integer().primaryKey(),
    whole: pg.integer(),
    real: pg.doublePrecision(),
    exact: pg.numeric({ precision: 12, scale: 3 }),
    cents: pg.numeric({ precision: 12, scale: 2 }),
    count: pg.bigint({ mode: 'bigint' }),
  })
  const stored = [
    { id: 1, whole: 1000, real: 1.234, exact: '1.500', cents: '-1000.50', count: 5000n },
    { id: 2, whole: -7, real: 1e21, exact: '0.000', cents: null, count: null },
    { id: 3, whole: 0, real: -0.001, exact: '1234567.000', cents: '0.00', count: -1n },
  ]
  const Things = defineResource({
    model: memoryStore(things, stored),
    fields: {
      id: id(),
      whole: number('Whole'),
      real: number('Real'),
      exact: number('Exact'),
      cents: number('Cents'),
      count: number('Count'),
    },
    import: true,
  })
  const { post, get } = testPanel(definePanel({ auth: 'open', resources: [Things], locale: 'de' }))
  const { text: csv } = await get('/admin/resource/things/export')
  expect((await post(path('things'), form(csv, { mode: 'update' }))).json()).toMatchObject({ data: { updated: 0, unchanged: 3 } })

  const update = (csv: string) => post(path('things'), form(csv, { mode: 'update' }))
  const read = async (field: string) => {
    const { data } = (await get(`/admin/resource/things/crud?sort=id&fields=${field}`)).json() as { data: Record<string, unknown>[] }
    return data.map((one) => one[field])
  }
  for (const field of ['whole', 'count']) {
    await update(`id;${field}\n1;500\n2;1.000\n3;1.500`)
    expect((await read(field)).map(Number)).toEqual([500, 1000, 1500])
  }
  // What could be either is refused, as in a form.
  for (const field of ['real', 'cents']) {
    const refused = await update(`id;${field}\n1;1.000\n2;0,5`)
    expect([refused.status, refused.json()]).toMatchObject([
      422,
      { errors: { [`lines[2].${field}`]: [expect.stringMatching(/1000.*1,000/)] } },
    ])
  }
  expect(await read('cents')).toEqual(['-1000.50', null, '0.00'])
})

test('records whose keys look like formulas are found by what an export says, and no spelling but theirs names one', async () => {
  const things = sqliteTable('things', { code: varchar().primaryKey(), note: varchar() })
  const codes = ['=1', '+49', '-q', "'-q", '@x', "'", ' a', 'a', 'a ', 'b\nc', 'd\r\ne', '\tt']
  const Things = defineResource({
    model: memoryStore(
      things,
      codes.map((code) => ({ code, note: 'old' })),
    ),
    fields: { code: id('Code'), note: text('Note') },
    import: true,
  })
  const { post, get } = testPanel(definePanel({ auth: 'open', resources: [Things] }))
  const { text: csv } = await get('/admin/resource/things/export')
  const update = async (csv: string, mode = 'update') => (await post(path('things'), form(csv, { mode }))).json()
  expect(await update(csv)).toMatchObject({ data: { updated: 0, unchanged: codes.length } })
  expect(await update(csv.replaceAll(',old', ',new'))).toMatchObject({ data: { updated: codes.length } })
  expect(await update('code,note\n-q,one\n')).toMatchObject({ data: { updated: 1 } })
  const { data } = (await get('/admin/resource/things/crud')).json() as { data: { code: string; note: string }[] }
  expect(data.filter(({ note }) => note === 'one').map(({ code }) => code)).toEqual(['-q'])
  expect(await update('code,note\n+49 ,x\n')).toMatchObject({ errors: { 'lines[2].code': ['There is no such record'] } })
})

test('a text of several lines is the same whatever ends them, and is stored as a form sends it', async () => {
  const things = sqliteTable('things', { id: integer().primaryKey(), note: varchar(), more: varchar({ mode: 'json' }) })
  const notes = ['a\nb', 'a\r\nb', 'a\rb', '=1\r\n+2']
  const Things = defineResource({
    model: memoryStore(
      things,
      notes.map((note, i) => ({ id: i + 1, note, more: note })),
    ),
    fields: { id: id(), note: textarea('Note'), more: jsonField('More') },
    import: true,
  })
  const { post, get } = testPanel(definePanel({ auth: 'open', resources: [Things] }))
  const { text: csv } = await get('/admin/resource/things/export?fields=id,note,more')
  const update = async (csv: string) => (await post(path('things'), form(csv, { mode: 'update' }))).json()
  expect(await update(csv)).toMatchObject({ data: { updated: 0, unchanged: 4 } })
  expect(await update(csv.replace('a\nb', 'a\r\nb'))).toMatchObject({ data: { updated: 0, unchanged: 4 } })
  expect(await update('id,note\r\n1,"c\r\nd"\r\n2,"e"\n')).toMatchObject({ data: { updated: 2 } })
  expect((await get('/admin/resource/things/crud/1')).json()).toMatchObject({ data: { note: 'c\nd' } })
})

test('what is wrong with a line is said once, and names the other line or record', async () => {
  const things = sqliteTable('things', {
    id: integer().primaryKey(),
    name: varchar().notNull().unique(),
    sizes: varchar({ mode: 'json' }).$type<string[]>(),
  })
  const Things = defineResource({
    model: memoryStore(things, [{ id: 1, name: 'A', sizes: [] }]),
    fields: { id: id(), name: text('Name').required(), sizes: select('Sizes').options(['S', 'M', 'L']).multiple() },
    import: true,
  })
  const { post } = testPanel(definePanel({ auth: 'open', resources: [Things] }))
  const errors = async (body: FormData | object) => ((await post(path('things'), body)).json() as { errors: object }).errors
  expect(await errors(form('sizes,name\n[]\n'))).toEqual({ 'lines[2]': ['Has 1 columns, and the first line 2'] })
  const records = [
    { id: 1, name: 'B' },
    { id: 1, name: 'C' },
  ]
  expect(await errors({ mode: 'update', records })).toEqual({ 'records[1].id': ['The same record as in records[0]'] })
  expect(await errors({ records: [{ name: 'B' }, { name: 'B' }] })).toEqual({ 'records[1].name': ['Name: the same as in records[0]'] })
  expect(await errors({ records: Array.from({ length: 10_001 }, () => ({})) })).toEqual({
    records: ['More than 10000 records. Send them in several imports.'],
  })
  expect(await errors(form('name,sizes\nB,S\n'))).toEqual({ 'lines[2].sizes': ['Sizes must be a list, such as ["S","M"]'] })
})

test('a line may refer to a record that an earlier line makes', async () => {
  const home = mkdtempSync(join(tmpdir(), 'daymark-import-'))
  new Sqlite(join(home, 'x.db')).exec(
    'create table nodes (slug text primary key, up text references nodes); create table folders (id integer primary key, name text, up integer references folders)',
  )
  const nodes = sqliteTable('nodes', { slug: varchar().primaryKey(), up: varchar() })
  const folders = sqliteTable('folders', { id: integer().primaryKey(), name: varchar(), up: integer() })
  const Nodes = defineResource({ model: nodes, fields: { slug: text('Slug'), up: belongsTo('Up', nodes) }, import: true })
  const Folders = defineResource({ model: folders, fields: { id: id(), name: text('Name'), up: belongsTo('Up', folders) }, import: true })
  const panel = definePanel({ auth: 'open', database: `sqlite:${join(home, 'x.db')}`, resources: [Nodes, Folders] })
  const sent = async (resource: string, csv: string, more = {}) => (await testPanel(panel).post(path(resource), form(csv, more))).json()
  expect(await sent('nodes', 'slug,up\na,\nb,a\nc,b')).toMatchObject({ data: { created: 3 } })
  expect(await sent('nodes', 'slug,up\nd,a\ne,x\nf,y')).toMatchObject({
    errors: { 'lines[3].up': ['Up: no such record'], 'lines[4].up': ['Up: no such record'] },
  })
  expect(await sent('folders', 'name,up\nA,\nB,1\n')).toMatchObject({ data: { created: 2 } })
  // By what it is called, only what was there before.
  for (const check of ['', '1'])
    expect(await sent('folders', 'name,up\nC,A\nD,C\n', { check })).toMatchObject({
      errors: { 'lines[3].up': ['Up: no record is called “C”'] },
    })
  await panel.close()
  rmSync(home, { recursive: true, force: true })
})

test('an export names by their names what shares a label, so that it can be imported', async () => {
  const things = sqliteTable('things', { id: integer().primaryKey(), note: varchar(), more: varchar(), a: integer(), b: integer() })
  const store = memoryStore(things, [{ id: 1, note: 'x', more: 'y', a: null, b: 1 }])
  const Things = defineResource({
    model: store,
    fields: { id: id(), note: text('Note'), more: text('note'), a: belongsTo('Up', things), b: belongsTo('Up', things) },
    computed: { loud: { label: 'Note', needs: ['note'], value: ({ note }) => `${note}!` } },
    column: 'note',
    import: true,
  })
  const { post, get } = testPanel(definePanel({ auth: 'open', resources: [Things] }))
  const { text: csv } = await get('/admin/resource/things/export?fields=id,note,more,a,b,loud')
  expect(csv).toBe('ID,note,more,a,b,loud\r\n1,x,y,,1,x!\r\n')
  const update = async (csv: string) => (await post(path('things'), form(csv, { mode: 'update' }))).json()
  expect(await update(csv)).toMatchObject({ data: { updated: 0, unchanged: 1 } })
  expect(await update(csv.replace('x,y', 'z,w'))).toMatchObject({ data: { updated: 1, ignored: ['loud'] } })
  expect((await get('/admin/resource/things/crud/1?fields=note,more')).json()).toMatchObject({ data: { note: 'z', more: 'w' } })
})
