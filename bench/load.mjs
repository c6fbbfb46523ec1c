// A cheap HTTP client: writes requests to a fixed number of kept-alive connections and reads answers by Content-Length.
import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * Sends requests one after another on each connection, until the time is up or `most` are sent. Connections stay open for the next slice,
 * as with a proxy: once all of a server's connections close, V8 drops the shapes that node's connection code was compiled for, and
 * recompiles much of it.
 *
 * @param next returns a connection's next request (see `requestText`) or null for no more, given the connection's number and last answer
 * @throws Error for an unexpected answer
 */
export async function load({ port, connections = 8, milliseconds, most = Number.POSITIVE_INFINITY, next, status }) {
  const all = await Promise.all(Array.from({ length: connections }, (_, number) => connection(port, number)))
  const started = performance.now()
  const until = started + milliseconds
  let sent = 0
  const nextOf = (number, last) => (sent++ < most && performance.now() < until ? next(number, last) : null)
  const counts = await Promise.all(all.map((socket, number) => drive(socket, (last) => nextOf(number, last), status)))
  const requests = counts.reduce((sum, count) => sum + count, 0)
  return { requests, seconds: (performance.now() - started) / 1000 }
}

/** Sends one request. Concurrent ones need connections of their own (`number`). */
export async function ask(port, text, number = 0) {
  let answer
  const next = (last) => {
    answer = last
    return last ? null : text
  }
  await drive(await connection(port, number), next)
  return answer
}

/** Closes the connections to a server. */
export function hangUp(port) {
  for (const socket of kept.get(port)?.values() ?? []) socket.destroy()
  kept.delete(port)
}

export function requestText(method, path, { accept = 'application/json', body, headers = {} } = {}) {
  const sent = { host: '127.0.0.1', accept, ...headers }
  const text = body === undefined ? '' : JSON.stringify(body)
  if (body !== undefined) Object.assign(sent, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`
}

const kept = new Map()

async function connection(port, number) {
  const sockets = kept.get(port) ?? new Map()
  kept.set(port, sockets)
  const known = sockets.get(number)
  if (known) return known
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  // Servers close idle connections after a while.
  socket.once('close', () => sockets.get(number) === socket && sockets.delete(number))
  await once(socket, 'connect')
  sockets.set(number, socket)
  return socket
}

function drive(socket, next, status) {
  return new Promise((resolve, reject) => {
    let count = 0
    let received = Buffer.alloc(0)
    const done = (settle, how) => {
      socket.off('data', receive).off('error', failed).off('close', ended)
      settle(how)
    }
    const failed = (error) => done(reject, error)
    const ended = () => failed(new Error('The server ended a connection'))
    const send = (last) => {
      const text = next(last)
      if (text === null) return done(resolve, count)
      socket.write(text)
    }
    const receive = (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const answer = answerIn(received)
      if (!answer) return
      received = Buffer.alloc(0)
      if (status !== undefined && answer.status !== status) {
        socket.destroy()
        return failed(new Error(`Expected ${status}, got ${answer.status}: ${answer.body().slice(0, 300)}`))
      }
      count++
      send(answer)
    }
    socket.on('data', receive).on('error', failed).on('close', ended)
    send(null)
  })
}

/** A complete answer, or null. Nothing can follow it, since the next request has not been sent. */
function answerIn(bytes) {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const head = bytes.latin1Slice(0, end)
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
  if (Number.isNaN(length)) throw new Error(`An answer without a length:\n${head}`)
  if (bytes.length < end + 4 + length) return null
  return {
    status: Number(head.slice(9, 12)),
    header: (name) => new RegExp(`\r\n${name}: ([^\r]*)`, 'i').exec(head)?.[1],
    body: () => bytes.utf8Slice(end + 4),
  }
}
