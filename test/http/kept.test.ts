import { randomBytes } from 'node:crypto'
import { definePanel, defineResource, type Panel } from 'daymark'
import { integer as pgInteger, pgTable, text as pgText, timestamp } from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askPanel } from '../auth/world.js'
import { openFile } from '../support/own-database.js'
import { openDatabase, type TestDatabase } from '../support/postgresql-shared.js'

// What a trigger, a rule or a policy leaves as it is, nobody is told to be saved or deleted.
const sqlite = {
  notes: sqliteTable('notes', { id: integer().primaryKey(), text: text().notNull(), at: integer({ mode: 'timestamp_ms' }) }),
  files: sqliteTable('files', { id: integer().primaryKey(), text: text().notNull(), gone: integer().notNull().default(0) }),
  trash: sqliteTable('trash', { id: integer().primaryKey(), text: text().notNull(), gone: integer().notNull().default(0) }),
}
const postgresql = {
  notes: pgTable('notes', { id: pgInteger().primaryKey(), text: pgText().notNull(), at: timestamp({ withTimezone: true }) }),
  files: pgTable('files', { id: pgInteger().primaryKey(), text: pgText().notNull(), gone: pgInteger().notNull().default(0) }),
  trash: pgTable('trash', { id: pgInteger().primaryKey(), text: pgText().notNull(), gone: pgInteger().notNull().default(0) }),
}
const rows = `insert into notes (id, text) values (1, 'keep'), (2, 'b'), (3, 'c'), (4, 'd');
  create table files (id integer primary key, text text not null, gone integer not null default 0);
  create table trash (id integer primary key, text text not null, gone integer not null default 0);
  insert into files values (1, 'a', 0), (2, 'b', 0), (3, 'c', 0); insert into trash values (1, 'a', 0), (2, 'b', 0);`

const databases = {
  async SQLite() {
    const database = await openFile()
    await database.query(`create table notes (id integer primary key, text text not null, at integer); ${rows}
      insert into notes values (5, 'keep', 8640000000000001);
      create trigger stays before delete on notes when old.text = 'keep' begin select raise(ignore); end;
      create trigger same before update on notes when old.text = 'keep' begin select raise(ignore); end;
      create trigger soft before delete on files begin update files set gone = 1 where id = old.id; select raise(ignore); end;
      create trigger bin before delete on trash begin update trash set gone = 1 where id = old.id; select raise(ignore); end;`)
    return { database, tables: sqlite }
  },
  async PostgreSQL() {
    const database = await openDatabase()
    await database.query(`create table notes (id integer primary key, text text not null, at timestamptz); ${rows}
      insert into notes values (5, 'keep', 'infinity');
      create function keep() returns trigger language plpgsql as $$ begin
        if old.text = 'keep' then return null; elsif tg_op = 'DELETE' then return old; else return new; end if; end $$;
      create trigger keep before delete or update on notes for each row execute function keep();
      create function soft() returns trigger language plpgsql as $$ begin
        execute format('update %I set gone = 1 where id = $1', tg_table_name) using old.id; return null; end $$;
      create trigger soft before delete on files for each row execute function soft();
      create trigger soft before delete on trash for each row execute function soft()`)
    return { database, tables: postgresql }
  },
}

for (const [name, open] of Object.entries(databases))
  describe(name, () => {
    let opened: Awaited<ReturnType<typeof open>>
    let panel: Panel
    beforeAll(async () => {
      opened = await open()
      const { notes, files, trash } = opened.tables
      panel = definePanel({
        auth: 'open',
        database: opened.database.url,
        resources: [
          defineResource({ model: notes } as never),
          defineResource({ model: files, scope: () => ({ gone: 0 }) } as never),
          defineResource({ model: trash } as never),
        ],
      })
    })
    afterAll(async () => {
      await panel?.close()
      await opened?.database.drop()
    })
    const ask = async (method: string, path: string, json?: object) => {
      const answer = await askPanel(panel, { path: `/admin/resource/${path}`, peer: '127.0.0.1', method, json })
      return { status: answer.status, body: answer.json }
    }

    test('a record that the database keeps is not said to be deleted', async () => {
      for (let i = 0; i < 3; i++)
        expect(await ask('DELETE', 'notes/crud/1')).toMatchObject({
          status: 409,
          body: { message: 'The database left the record unchanged' },
        })
      expect((await ask('GET', 'notes/crud/1')).status).toBe(200)
      expect((await ask('DELETE', 'notes/crud/4')).status).toBe(200)
    })

    test('nor to be saved', async () => {
      for (let i = 0; i < 3; i++) {
        const { status, body } = await ask('PATCH', 'notes/crud/1', { text: 'x' })
        expect([status, body.message]).toEqual([409, 'The database left the record unchanged'])
      }
      expect(await ask('PATCH', 'notes/crud/3', { text: 'x' })).toMatchObject({ status: 200, body: { data: { text: 'x' } } })
    })

    test('nor one with a time that nobody can read', async () => {
      const kept = { status: 409, body: { message: 'The database left the record unchanged' } }
      expect(await ask('GET', 'notes/crud/5')).toMatchObject({ status: 200, body: { data: { text: 'keep', at: null } } })
      expect(await ask('PATCH', 'notes/crud/5', { text: 'x' })).toMatchObject(kept)
      expect(await ask('DELETE', 'notes/crud/5')).toMatchObject(kept)
      expect(await ask('DELETE', 'notes/crud?ids[]=5&ids[]=2')).toMatchObject({
        status: 409,
        body: { errors: { ids: ['The database left these unchanged: 5'] } },
      })
    })

    test('of several, those that are kept are named, and none is deleted', async () => {
      const { status, body } = await ask('DELETE', 'notes/crud?ids[]=1&ids[]=2')
      expect([status, body.errors]).toEqual([409, { ids: ['The database left these unchanged: 1'] }])
      expect((await ask('GET', 'notes/crud/2')).status).toBe(200)
    })

    test('what a trigger puts out of sight instead, or marks, is deleted', async () => {
      expect((await ask('DELETE', 'files/crud/1')).status).toBe(200)
      expect((await ask('GET', 'files/crud/1')).status).toBe(404)
      expect((await ask('DELETE', 'files/crud?ids[]=2&ids[]=3')).status).toBe(200)
      expect((await ask('DELETE', 'trash/crud/1')).status).toBe(200)
      expect(await ask('GET', 'trash/crud/1')).toMatchObject({ status: 200, body: { data: { gone: 1 } } })
    })
  })

describe('a policy of PostgreSQL that keeps a row', () => {
  const role = `daymark_${randomBytes(8).toString('hex')}`
  let database: TestDatabase
  let panel: Panel
  beforeAll(async () => {
    database = await openDatabase()
    await database.query(`create table notes (id integer primary key, text text not null, at timestamptz); insert into notes (id, text) values (1, 'keep'), (2, 'b');
      alter table notes enable row level security;
      create policy all_of_them on notes using (true) with check (text <> 'forbidden');
      create policy not_these on notes as restrictive for delete using (text <> 'keep');
      create role ${role} login password 'test'; grant all on notes to ${role}`)
    const url = new URL(database.url)
    url.username = role
    url.password = 'test'
    panel = definePanel({ auth: 'open', database: url.href, resources: [defineResource({ model: postgresql.notes })] })
  })
  afterAll(async () => {
    await panel?.close()
    await database?.query(`drop owned by ${role}; drop role ${role}`)
    await database?.drop()
  })
  const ask = async (method: string, path: string, json?: object) => {
    const answer = await askPanel(panel, { path: `/admin/resource/notes/crud${path}`, peer: '127.0.0.1', method, json })
    return [answer.status, answer.json.message]
  }

  test('is told apart from a delete, one or many', async () => {
    expect(await ask('DELETE', '/1')).toEqual([409, 'The database left the record unchanged'])
    expect(await ask('DELETE', '?ids[]=1&ids[]=2')).toEqual([409, 'The database left these unchanged: 1'])
    expect(await ask('DELETE', '/2')).toEqual([200, 'Deleted'])
  })
})
