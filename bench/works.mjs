// The requests sent to all servers.
import { ask, requestText } from './load.mjs'

/** The number of concurrent connections. */
export const connections = 8

/**
 * The works. `begin` prepares a slice and returns what `load` takes: `next(connection, last answer)`.
 *
 * `changed`: what seems to be changed by someone else before each request; absent: nothing. `goalFor`: the number of rows that the goal is
 * for; absent: any.
 *
 * @param cursors the cursor at 90 % depth, by server script
 */
export function worksOf({ path, rows, cursors }) {
  const get = (target, accept) => () => {
    const text = requestText('GET', target, { accept })
    return { status: 200, next: () => text }
  }
  const filtered = `${path}?filter[status]=published&sort=-views`
  const deep = `${path}?page=${Math.floor((rows * 0.9) / 25)}`
  const made = new Map()
  const comeAndGo = new Map()
  let count = 0
  // About a thousand pages near the beginning, more than are cached, and the same ones for each server.
  const turned = new Map()
  const turning = (target, accept) => (server) => {
    const next = () => {
      const turn = (turned.get(server.name) ?? 0) + 1
      turned.set(server.name, turn)
      const page = (turn * 7) % 1020
      const text = `page=${1 + (page % 34)}&perPage=${11 + Math.floor(page / 34)}`
      return requestText('GET', `${target}${target.includes('?') ? '&' : '?'}${text}`, { accept })
    }
    return { status: 200, next }
  }
  return [
    { name: 'listing, rows changed', aim: 0.9, goal: 1.8, goalFor: 10_000, changed: 'rows', begin: get(path) },
    { name: 'listing, changed elsewhere', aim: 0.9, goal: 1.8, goalFor: 10_000, changed: 'elsewhere', begin: get(path) },
    { name: 'listing, data unchanged', aim: 0.9, goal: 4, goalFor: 10_000, begin: get(path) },
    { name: 'listing, another page each time', aim: 0.9, goal: 1.8, goalFor: 10_000, begin: turning(path) },
    { name: 'filtered and sorted, rows changed', aim: 0.9, goal: 4, goalFor: 100_000, changed: 'rows', begin: get(filtered) },
    { name: 'filtered and sorted, changed elsewhere', aim: 0.9, goal: 4, goalFor: 100_000, changed: 'elsewhere', begin: get(filtered) },
    { name: 'filtered and sorted, data unchanged', aim: 0.9, goal: 4, goalFor: 100_000, begin: get(filtered) },
    { name: 'filtered and sorted, another page each time', aim: 0.9, goal: 4, goalFor: 100_000, begin: turning(filtered) },
    {
      name: 'filtered and sorted, after an update',
      aim: 0.9,
      goal: 4,
      goalFor: 100_000,
      begin: () => {
        const turns = new Map()
        const next = (connection) => {
          const turn = (turns.get(connection) ?? 0) + 1
          turns.set(connection, turn)
          if (turn % 2 === 0) return requestText('GET', filtered)
          return requestText('PUT', `${path}/${1 + ((++count * 7919) % rows)}`, { body: { title: `Changed ${count}` } })
        }
        return { status: 200, next }
      },
    },
    {
      name: 'listing, after a create or delete',
      aim: 0.9,
      goal: null,
      begin: ({ name }) => {
        const keys = comeAndGo.get(name) ?? []
        comeAndGo.set(name, keys)
        const turns = new Map()
        const next = (connection, last) => {
          if (last?.status >= 400) throw new Error(`Got ${last.status}: ${last.body().slice(0, 300)}`)
          const key = last?.header('location')
          if (key) keys.push(key)
          const turn = (turns.get(connection) ?? 0) + 1
          turns.set(connection, turn)
          if (turn % 2 === 0) return requestText('GET', path)
          // So that the table stays about the same size.
          return keys.length > 100 ? requestText('DELETE', keys.pop()) : requestText('POST', path, { body: newPost(++count) })
        }
        return { next }
      },
    },
    { name: 'page at 90 %, rows changed', aim: 0.9, goal: 10, goalFor: 1_000_000, changed: 'rows', begin: get(deep) },
    { name: 'page at 90 %, data unchanged', aim: 0.9, goal: 10, goalFor: 1_000_000, begin: get(deep) },
    {
      name: 'cursor at 90 %, rows changed',
      aim: 0.9,
      goal: null,
      changed: 'rows',
      begin: (server) => get(`${path}?cursor=${cursors.get(server.script)}`)(),
    },
    { name: 'HTML listing, rows changed', aim: 0.7, goal: 1, changed: 'rows', begin: get(path, 'text/html') },
    { name: 'HTML listing, changed elsewhere', aim: 0.7, goal: 1, changed: 'elsewhere', begin: get(path, 'text/html') },
    { name: 'HTML listing, data unchanged', aim: 0.7, goal: 5, begin: get(path, 'text/html') },
    { name: 'HTML listing, another page each time', aim: 0.7, goal: 1, begin: turning(path, 'text/html') },
    {
      name: 'read one',
      aim: 0.6,
      goal: 0.8,
      begin: () => ({ status: 200, next: () => requestText('GET', `${path}/${1 + ((++count * 7919) % rows)}`) }),
    },
    { name: 'read one, data unchanged', aim: 0.6, goal: 0.8, begin: get(`${path}/7`) },
    {
      name: 'create, eight at once',
      aim: 0.85,
      goal: 1.3,
      // Few, so that the table stays about the same size.
      warm: 2_000,
      begin: ({ name }) => {
        const keys = made.get(name) ?? []
        made.set(name, keys)
        const next = (_, last) => {
          if (last) keys.push(last.header('location'))
          return requestText('POST', path, { body: newPost(++count) })
        }
        return { status: 201, next }
      },
    },
    { name: 'update, one at a time', aim: 0.85, goal: 0.95, begin: async (server) => ({ ...(await update(server)), connections: 1 }) },
    { name: 'update, eight at once', aim: 0.85, goal: 1.3, begin: update },
    {
      name: 'delete, eight at once',
      aim: 0.85,
      goal: 1.3,
      warm: 2_000,
      begin: ({ name }) => {
        const keys = made.get(name)
        return { status: 200, next: () => (keys.length > 0 ? requestText('DELETE', keys.pop()) : null) }
      },
    },
  ]

  async function update({ port }) {
    const paths = Array.from({ length: connections }, (_, connection) => `${path}/${1000 + connection}`)
    const versions = await Promise.all(
      paths.map(async (one, connection) => (await ask(port, requestText('GET', one), connection)).header('etag')),
    )
    const next = (connection, last) => {
      const version = last?.header('etag') ?? versions[connection]
      const headers = version === undefined ? {} : { 'if-match': version }
      return requestText('PUT', paths[connection], { headers, body: { views: ++count, title: `Changed ${count}` } })
    }
    return { status: 200, next }
  }
}

export function newPost(number) {
  return {
    title: `A new post ${number}`,
    slug: `new-${number}`,
    body: 'plain words about nothing in particular '.repeat(5),
    status: 'published',
    views: number,
    price: 12.5,
    is_active: true,
    author_id: 7,
    created_at: '2026-01-02T03:04:05.678Z',
    updated_at: '2026-01-02T03:04:05.678Z',
  }
}
