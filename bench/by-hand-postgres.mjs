// The same API for one table in PostgreSQL, handwritten: node:http, pg with named statements and a pool of ten, rows as arrays, strings.
// PLAIN=1: no names, and rows as objects, as pg has them by itself.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import pg from 'pg'
import {
  arrays,
  base,
  bodyOf,
  checked,
  checkedValue,
  cursorBody,
  isTime,
  names,
  newPost,
  objects,
  pageBody,
  readList,
  refusal,
  send,
  sendHtml,
} from './by-hand-posts.mjs'

const { DB, PORT = '0', FRAME, PLAIN } = process.env
const shape = PLAIN ? objects : arrays
const { recordOf, totalOf } = shape
const pool = new pg.Pool({ connectionString: DB, max: 10 })
const frame = FRAME ? JSON.parse(readFileSync(FRAME, 'utf8')) : null

// As long as ours: by default a connection ends after 5 s, between two slices.
const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  answer(request, response).catch((thrown) => {
    const status = thrown.status ?? 500
    send(response, status, { status, message: status === 500 ? 'Something went wrong' : thrown.message })
  })
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}${base}`))
process.on('SIGTERM', () => server.close(() => process.exit()))

async function answer(request, response) {
  const [path, query = ''] = request.url.split('?')
  const { method } = request
  if (path === base) {
    if (method === 'GET') return list(query, request.headers.accept?.includes('json'), response)
    if (method === 'POST') return create(await bodyOf(request), response)
  } else if (path.startsWith(`${base}/`)) {
    const key = path.slice(base.length + 1)
    if (!/^[1-9]\d{0,8}$/.test(key)) throw refusal(404, 'There is no such record')
    if (method === 'GET')
      return send(response, 200, { data: recordOf(found(await rows(`select ${names} from posts where id = ?`, [Number(key)]))) })
    if (method === 'PUT') return update(Number(key), await bodyOf(request), response)
    if (method === 'DELETE') {
      const { rowCount } = await run('delete from posts where id = ?', [Number(key)])
      if (rowCount === 0) throw refusal(404, 'There is no such record')
      return send(response, 200, { message: 'Deleted', deleted: 1 })
    }
  }
  throw refusal(404, 'There is no such page')
}

async function list(text, json, response) {
  const asked = readList(text, stored)
  if (!asked.count) return send(response, 200, cursorBody(asked, await rows(asked.sql, asked.values), shape))
  // In parallel, on two connections.
  const [[counted], page] = await Promise.all([rows(asked.count.sql, asked.count.values), rows(asked.sql, asked.values)])
  if (!json) return sendHtml(response, page, frame, shape)
  send(response, 200, pageBody(asked, page, Number(totalOf(counted)), shape))
}

async function create(body, response) {
  const given = newPost(body, stored)
  const keys = Object.keys(given)
  const sql = `insert into posts (${keys}) values (${keys.map(() => '?')}) returning ${names}`
  const data = recordOf(found(await rows(sql, Object.values(given))))
  send(response, 201, { data, message: 'Posts: created' }, { location: `${base}/${data.id}` })
}

async function update(id, body, response) {
  const given = checked(body, stored)
  const sql = `update posts set ${Object.keys(given).map((name) => `${name} = ?`)} where id = ? returning ${names}`
  send(response, 200, { data: recordOf(found(await rows(sql, [...Object.values(given), id]))), message: 'Saved' })
}

function stored(name, value) {
  const own = checkedValue(name, value)
  return isTime(name) ? new Date(own) : own
}

const statements = new Map()

/** Runs a statement; without PLAIN it is prepared once per connection. */
function run(sql, values) {
  let statement = statements.get(sql)
  if (!statement) {
    let mark = 0
    const text = sql.replaceAll('?', () => `$${++mark}`)
    statement = PLAIN ? { text } : { name: `s${statements.size}`, text, rowMode: 'array' }
    statements.set(sql, statement)
  }
  return pool.query({ ...statement, values })
}

async function rows(sql, values) {
  return (await run(sql, values)).rows
}

function found([row]) {
  if (!row) throw refusal(404, 'There is no such record')
  return row
}
