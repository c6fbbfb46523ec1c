import { definePanel, defineResource, id, json, number } from 'daymark'
import { blob, integer, numeric, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import { expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const things = sqliteTable('things', {
  id: integer().primaryKey(),
  r: real(),
  js: text({ mode: 'json' }),
  n: integer(),
  price: numeric(),
  big: blob({ mode: 'bigint' }),
})
const Things = defineResource({
  model: things,
  fields: { id: id(), r: number('R'), js: json('Js'), n: number('N'), price: number('Price'), big: number('Big') },
  pages: { form: ['id', 'r', 'js', 'n', 'price', 'big'] },
})
const db = new Libsql(':memory:')
db.exec('create table things (id integer primary key, r real, js text, n integer, price numeric, big blob)')
const panel = definePanel({ auth: 'open', database: { $client: db }, resources: [Things] })
const app = testPanel(panel)
const path = '/admin/resource/things/crud'
const send = async (method: string, to: string, body: string) => {
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  const answer = await panel.fetch(new Request(`http://localhost${to}`, { method, headers, body }))
  return { status: answer.status, text: await answer.text() }
}

test.each(['9007199254740992', '1e16', '123456789012345680000', '-1e18', '1e20', '1e21', '1.5e300'])(
  'a real and a number within JSON may be sent back as they were read: %s',
  async (written) => {
    const made = await send('POST', path, `{"r":${written},"js":{"x":[${written}]}}`)
    expect(made.status, made.text).toBe(201)
    const { data } = JSON.parse(made.text)
    const read = await app.get(`${path}/${data.id}`)
    const body = read.text.replace(/^\{"data":/, '').replace(/\}$/, '')
    expect((await send('PUT', `${path}/${data.id}`, body)).status).toBe(200)
    const { id: _, ...rest } = data
    expect((await app.post(path, rest)).json()).toMatchObject({ data: rest })
  },
)

test.each([
  ['r', '9007199254740993'],
  ['r', '12345678901234567890'],
  ['js', '[9007199254740993]'],
  ['n', '9007199254740992'],
  ['n', '10000000000000000'],
  ['n', '1e16'],
  ['id', '9007199254740992'],
  ['price', '10000000000000000'],
  ['big', '10000000000000000'],
])('an integer that was rounded is refused, and whatever else would not be kept exactly: "%s": %s', async (field, written) => {
  const { status, text } = await send('POST', path, `{"${field}":${written}}`)
  expect([status, Object.keys(JSON.parse(text).errors)]).toEqual([422, [field]])
  expect(text).not.toContain('send it as text')
})

test('keys in a body are exact, too', async () => expect((await send('DELETE', path, '{"ids":[9007199254740992]}')).status).toBe(422))

test('a real of hundreds of digits is shown with an exponent, since few of them are its own; exact digits are shown', async () => {
  const { id } = JSON.parse((await send('POST', path, '{"r":-1.25e300,"price":"1000000000000000000"}')).text).data
  const { text } = await app.html.get(`${path}/${id}`)
  expect(text).toContain('>-1.25E300<')
  expect(text).toContain('>1,000,000,000,000,000,000<')
})
