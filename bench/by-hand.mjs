// The baseline: the same API for one table, handwritten with node:http, the same driver, prepared statements, rows as arrays, strings.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import {
  arrays,
  base,
  bodyOf,
  checked,
  checkedValue,
  cursorBody,
  names,
  newPost,
  objects,
  pageBody,
  readList,
  refusal,
  send,
  sendHtml,
} from './by-hand-posts.mjs'
import { forget } from './changing.mjs'
import { Database } from './sqlite.mjs'

// PLAIN=1 does without the two of these that one has to know of: each statement is prepared when it is needed, and rows are objects.
// TRICKS=1 adds our caching of bodies while the data is unchanged, and our group commit of concurrent writes.
// CHANGED makes the database seem changed by someone else before each list.
const { DB, PORT = '0', FRAME, PLAIN, TRICKS, CHANGED } = process.env
const shape = PLAIN ? objects : arrays
const { recordOf, totalOf } = shape
const open = () => {
  const db = new Database(DB)
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  return { db, statements: new Map() }
}
const writer = open()
// `data_version` does not reflect a connection's own writes, so reads need another one.
const reader = TRICKS ? open() : writer
const known = new Map()
const mostKnown = 300
// The page around the rows, which never changes here.
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
    if (method === 'GET') return TRICKS ? again(request, query, response) : list(query, request.headers.accept?.includes('json'), response)
    if (method === 'POST') return written(create(await bodyOf(request)), response)
  } else if (path.startsWith(`${base}/`)) {
    const key = path.slice(base.length + 1)
    if (!/^[1-9]\d{0,14}$/.test(key)) throw refusal(404, 'There is no such record')
    if (method === 'GET')
      return send(response, 200, { data: recordOf(found(get(`select ${names} from posts where id = ?`, [Number(key)]))) })
    if (method === 'PUT') return written(update(Number(key), await bodyOf(request)), response)
    if (method === 'DELETE') return written(remove(Number(key)), response)
  }
  throw refusal(404, 'There is no such page')
}

function again(request, query, response) {
  const key = `${request.headers.accept} ${query}`
  const [version] = get('pragma data_version', [])
  const hit = known.get(key)
  if (hit?.version === version) return response.writeHead(200, hit.headers).end(hit.body)
  list(query, request.headers.accept?.includes('json'), {
    writeHead(_, headers) {
      known.delete(key)
      known.set(key, { version, headers })
      const [oldest] = known.keys()
      if (known.size > mostKnown) known.delete(oldest)
      response.writeHead(200, headers)
    },
    end(text) {
      const one = known.get(key)
      if (one) one.body = Buffer.from(text)
      response.end(text)
    },
  })
}

const waiting = []

/** Runs a write and answers. With TRICKS, all writes of one event-loop turn are committed together. */
function written(work, response) {
  if (!TRICKS) {
    const { status, body, headers } = work()
    return send(response, status, body, headers)
  }
  return new Promise((resolve, reject) => {
    if (waiting.push({ work, response, resolve, reject }) === 1) setImmediate(commitAll)
  })
}

function commitAll() {
  const all = waiting.splice(0)
  writer.db.exec('begin immediate')
  for (const one of all) {
    writer.db.exec('savepoint one')
    try {
      one.done = one.work()
    } catch (error) {
      one.failed = error
      writer.db.exec('rollback to one')
    }
    writer.db.exec('release one')
  }
  writer.db.exec('commit')
  for (const { done, failed, response, resolve, reject } of all)
    failed ? reject(failed) : resolve(send(response, done.status, done.body, done.headers))
}

function list(text, json, response) {
  const asked = readList(text, stored)
  if (CHANGED) reader.db.exec(forget)
  if (!asked.count) return send(response, 200, cursorBody(asked, all(asked.sql, asked.values), shape))
  const total = totalOf(get(asked.count.sql, asked.count.values))
  const rows = all(asked.sql, asked.values)
  if (!json) return sendHtml(response, rows, frame, shape)
  send(response, 200, pageBody(asked, rows, total, shape))
}

const create = (body) => () => {
  const given = newPost(body, stored)
  const keys = Object.keys(given)
  const sql = `insert into posts (${keys}) values (${keys.map(() => '?')}) returning ${names}`
  const data = recordOf(changed(sql, Object.values(given)))
  return { status: 201, body: { data, message: 'Posts: created' }, headers: { location: `${base}/${data.id}` } }
}

const update = (id, body) => () => {
  const given = checked(body, stored)
  const sql = `update posts set ${Object.keys(given).map((name) => `${name} = ?`)} where id = ? returning ${names}`
  return { status: 200, body: { data: recordOf(found(changed(sql, [...Object.values(given), id]))), message: 'Saved' } }
}

const remove = (id) => () => {
  if (prepared('delete from posts where id = ?', writer).run([id]).changes === 0) throw refusal(404, 'There is no such record')
  return { status: 200, body: { message: 'Deleted', deleted: 1 } }
}

/** Booleans are stored as numbers. */
function stored(name, value) {
  const own = checkedValue(name, value)
  return typeof own === 'boolean' ? Number(own) : own
}

function prepared(sql, { db, statements } = reader) {
  if (PLAIN) return db.prepare(sql)
  let statement = statements.get(sql)
  if (!statement) {
    statement = db.prepare(sql)
    if (statement.reader) statement.raw()
    statements.set(sql, statement)
  }
  return statement
}

function all(sql, values) {
  return prepared(sql).all(values)
}

function get(sql, values) {
  return prepared(sql).get(values)
}

/** The row of a RETURNING statement. Uses `all`: after `get`, libsql commits but never checkpoints, so that the WAL grows without end. */
function changed(sql, values) {
  return prepared(sql, writer).all(values)[0]
}

function found(row) {
  if (!row) throw refusal(404, 'There is no such record')
  return row
}
