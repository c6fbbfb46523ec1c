// What the handwritten servers share: the table, its requests and its answers.
import { htmlRow } from './by-hand-html.mjs'

export const base = '/admin/resource/posts/crud'
export const names = ['id', 'title', 'slug', 'body', 'status', 'views', 'price', 'is_active', 'author_id', 'created_at', 'updated_at']
const texts = new Set(['title', 'slug', 'body', 'status'])
const times = new Set(['created_at', 'updated_at'])

/**
 * The statements of a list, with `?` for each value.
 *
 * @param stored converts a value to the database's form
 */
export function readList(text, stored) {
  const query = new URLSearchParams(text)
  let [page, perPage, cursor, sort] = [1, 25, null, '-id']
  const [conditions, values] = [[], []]
  for (const [name, value] of query) {
    if (name === 'page') page = whole(name, value, 1e9)
    else if (name === 'perPage') perPage = whole(name, value, 100)
    else if (name === 'sort') sort = value
    else if (name === 'cursor') cursor = JSON.parse(Buffer.from(value, 'base64url').toString())
    else {
      const filtered = /^filter\[(\w+)\]$/.exec(name)?.[1]
      if (!names.includes(filtered)) throw refusal(422, `Unknown parameter ${name}`)
      conditions.push(`${filtered} = ?`)
      values.push(stored(filtered, read(filtered, value)))
    }
  }
  const [column, direction, beyond] = sort.startsWith('-') ? [sort.slice(1), 'desc', '<'] : [sort, 'asc', '>']
  if (!names.includes(column)) throw refusal(422, `Unknown sort ${sort}`)
  const order = column === 'id' ? `id ${direction}` : `${column} ${direction}, id ${direction}`
  const where = conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''
  if (cursor) {
    const position = column === 'id' ? `id ${beyond} ?` : `(${column}, id) ${beyond} (?, ?)`
    const sql = `select ${names} from posts${where ? `${where} and` : ' where'} ${position} order by ${order} limit ?`
    return { query, perPage, column, count: null, sql, values: [...values, ...cursor, perPage + 1] }
  }
  const sql = `select ${names} from posts${where} order by ${order} limit ? offset ?`
  const count = { sql: `select count(*) as total from posts${where}`, values }
  return { query, page, perPage, count, sql, values: [...values, perPage, (page - 1) * perPage] }
}

/**
 * The body of a list by cursor.
 *
 * @param shape how rows are read: `arrays` or `objects`
 */
export function cursorBody({ query, perPage, column }, rows, { recordOf, valueAt } = arrays) {
  const shown = rows.slice(0, perPage)
  const at = (row) =>
    row &&
    Buffer.from(JSON.stringify(column === 'id' ? [valueAt(row, 'id')] : [valueAt(row, column), valueAt(row, 'id')])).toString('base64url')
  const [nextCursor, prevCursor] = [rows.length > perPage ? at(shown.at(-1)) : null, at(shown[0])]
  const link = (place) => linkTo(query, 'cursor', place)
  const links = { first: link(null), prev: link(prevCursor), next: nextCursor && link(nextCursor), last: null }
  return { data: shown.map(recordOf), meta: { perPage, nextCursor, prevCursor }, links }
}

/**
 * The body of a counted page.
 *
 * @param shape how rows are read: `arrays` or `objects`
 */
export function pageBody({ query, page, perPage }, rows, total, { recordOf } = arrays) {
  const from = (page - 1) * perPage + 1
  const lastPage = Math.max(1, Math.ceil(total / perPage))
  const link = (place) => linkTo(query, 'page', place)
  return {
    data: rows.map(recordOf),
    meta: { page, perPage, from: rows.length > 0 ? from : null, to: rows.length > 0 ? from + rows.length - 1 : null, total, lastPage },
    links: { first: link(1), prev: page > 1 ? link(page - 1) : null, next: page < lastPage ? link(page + 1) : null, last: link(lastPage) },
  }
}

/** The values of a new post. */
export function newPost(body, stored) {
  for (const name of ['title', 'slug', 'author_id']) if (body[name] === undefined) throw refusal(422, `${name} is required`)
  const now = new Date().toISOString()
  const defaults = { body: '', status: 'draft', views: 0, price: 0, is_active: true, created_at: now, updated_at: now }
  return checked({ ...defaults, ...body }, stored)
}

/** A body's values, checked and converted for storage. */
export function checked(body, stored) {
  const values = {}
  for (const [name, value] of Object.entries(body)) {
    if (name === 'id' || !names.includes(name)) throw refusal(422, `Unknown field ${name}`)
    values[name] = stored(name, value)
  }
  return values
}

/** A field's value, checked; times in milliseconds. */
export function checkedValue(name, value) {
  const type = texts.has(name) || times.has(name) ? 'string' : name === 'is_active' ? 'boolean' : 'number'
  if (typeof value !== type || Number.isNaN(value)) throw refusal(422, `${name} must be a ${type}`)
  if (times.has(name)) {
    const time = Date.parse(value)
    if (Number.isNaN(time)) throw refusal(422, `${name} must be a time`)
    return time
  }
  if (type === 'number' && name !== 'price' && !Number.isSafeInteger(value)) throw refusal(422, `${name} must be a whole number`)
  if (type === 'string' && value.includes('\0')) throw refusal(422, `${name} may not hold NUL`)
  return value
}

export const isTime = (name) => times.has(name)

/** A filter's text as the value that a body would have. */
function read(name, text) {
  if (texts.has(name) || times.has(name)) return text
  return name === 'is_active' ? text === 'true' || text === '1' : Number(text)
}

function recordOf(row) {
  return {
    id: row[0],
    title: row[1],
    slug: row[2],
    body: row[3],
    status: row[4],
    views: row[5],
    price: row[6],
    is_active: row[7] === 1 || row[7] === true,
    author_id: row[8],
    created_at: new Date(row[9]).toISOString(),
    updated_at: new Date(row[10]).toISOString(),
  }
}

/** Rows as arrays. */
export const arrays = { recordOf, valueAt: (row, name) => row[names.indexOf(name)], totalOf: ([total]) => total, valuesOf: (row) => row }

/** Rows as objects, as drivers give them unless they are told otherwise. */
export const objects = {
  // Written out: `...row` takes a quarter longer.
  recordOf: (row) => ({
    id: row.id,
    title: row.title,
    slug: row.slug,
    body: row.body,
    status: row.status,
    views: row.views,
    price: row.price,
    is_active: row.is_active === 1 || row.is_active === true,
    author_id: row.author_id,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  }),
  valueAt: (row, name) => row[name],
  totalOf: ({ total }) => total,
  valuesOf: (row) => names.map((name) => row[name]),
}

function whole(name, text, most) {
  const number = Number(text)
  if (!/^[1-9]\d*$/.test(text) || number > most) throw refusal(422, `${name} must be a whole number up to ${most}`)
  return number
}

/** A link that keeps all other parameters. */
function linkTo(query, name, place) {
  const kept = new URLSearchParams(query)
  kept.delete('page')
  kept.delete('cursor')
  if (place !== null) kept.append(name, place)
  return kept.size === 0 ? base : `${base}?${kept}`
}

export function refusal(status, message) {
  return Object.assign(new Error(message), { status })
}

export async function bodyOf(request) {
  let text = ''
  request.setEncoding('utf8')
  for await (const chunk of request) {
    text += chunk
    if (text.length > 1e6) throw refusal(413, 'Too large')
  }
  try {
    return JSON.parse(text)
  } catch {
    throw refusal(400, 'Not JSON')
  }
}

export function send(response, status, body, headers) {
  const text = JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers })
  response.end(text)
}

export function sendHtml(response, rows, frame, { valuesOf } = arrays) {
  let page = frame.before
  for (let i = 0; i < rows.length; i++) page += htmlRow(valuesOf(rows[i]), i, frame.actions)
  page += frame.after
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(page) })
  response.end(page)
}
