import { defineKind, definePanel, defineResource, email, html, id, json, memoryStore, number, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { testPanel } from '../../src/testing.js'

const odd = sqliteTable('odd', { id: integer().primaryKey(), mail: varchar(), n: integer(), j: varchar({ mode: 'json' }) })
const openOdd = () => {
  const db = new Libsql(':memory:')
  db.exec(`create table odd (id integer primary key, mail text, n integer, j text);
    insert into odd values (1, ' a@example.com ', 9007199254740993, '{broken')`)
  return db
}

test('a form in JSON starts with what the record says, and sending it back changes nothing', async () => {
  const db = openOdd()
  const row = () => db.prepare('select mail, cast(n as text), j from odd').raw().get()
  const before = row()
  const Odd = defineResource({ model: odd, fields: { id: id(), mail: email(), j: json() }, pages: { form: ['mail', 'j'] } })
  const app = testPanel(definePanel({ auth: 'open', database: { $client: db }, resources: [Odd] }))
  const { data } = (await app.get('/admin/resource/odd/form-page/1')).json() as { data: object }
  expect(data).toEqual({ mail: ' a@example.com ', j: null })
  expect((await app.get('/admin/resource/odd/crud/1')).json()).toEqual({ data: { id: 1, ...data } })
  expect((await app.get('/admin/resource/odd/form-page?duplicate=1')).json()).toMatchObject({ data })
  expect((await app.put('/admin/resource/odd/crud/1', data)).status).toBe(200)
  expect(row()).toEqual(before)
  db.close()
})

test('a number that no double holds is not rounded in it', async () => {
  const db = openOdd()
  const Odd = defineResource({ model: odd, fields: { id: id(), n: number() } })
  const app = testPanel(definePanel({ auth: 'open', database: { $client: db }, resources: [Odd] }))
  expect((await app.get('/admin/resource/odd/form-page/1')).json()).toMatchObject({ data: { n: '9007199254740993' } })
  db.close()
})

// The kind stores what is typed, and has no JSON of its own to show instead.
const pin = defineKind<string>({
  name: 'pin',
  columns: ['text'],
  operators: [],
  secret: true,
  schema: () => z.string(),
  input: (_, field) => html`<input type="password" name="${field.key}">`,
})

test('it starts with the default or what its URL says; a secret is in none', async () => {
  const things = sqliteTable('things', { id: integer().primaryKey(), name: varchar(), j: varchar({ mode: 'json' }), pin: varchar() })
  const Things = defineResource({
    model: memoryStore(things, [{ id: 1, name: ' kept ', j: { a: 1 }, pin: '4711' }]),
    fields: { id: id(), name: text('Name'), j: json().default({ b: [2] }), pin: pin().default('0815') },
    pages: { form: ['name', 'j', 'pin'] },
  })
  const app = testPanel(definePanel({ auth: 'open', resources: [Things] }))
  const data = async (page: string) => ((await app.get(`/admin/resource/things/form-page${page}`)).json() as { data: object }).data
  expect(await data('?value[name]=new')).toEqual({ name: 'new', j: { b: [2] }, pin: null })
  expect(await data('?duplicate=1&value[name]=new')).toEqual({ name: 'new', j: { a: 1 }, pin: null })
  expect(await data('/1')).toEqual({ name: ' kept ', j: { a: 1 }, pin: null })
  // Nor does the browser keep it of what is typed.
  expect((await app.html.get('/admin/resource/things/form-page/1')).text).toContain(' data-unkept="pin"')
})
