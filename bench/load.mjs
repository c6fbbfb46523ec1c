// A client that costs little: requests are written to a fixed number of kept connections, answers are read by their Content-Length.
import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * Sends requests, one after the other on each connection, until the time is up or so many were sent. Connections are kept for the next slice, as a proxy or a load tool
 * keeps them: where all of a server's connections end, V8 forgets the shapes that node's code for connections was compiled for, and compiles much of it anew.
 *
 * @param next gives the next request of a connection, made with `requestText`, or null: no more; it gets the number of the connection and its last answer
 * @throws Error for an answer that is not the one expected
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

/** One request and its answer. Those asked at once each need a connection of their own. */
export async function ask(port, text, number = 0) {
  let answer
  const next = (last) => {
    answer = last
    return last ? null : text
  }
  await drive(await connection(port, number), next)
  return answer
}

/** Ends the connections to a server. */
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
  // A server ends those that it hears nothing of for a while.
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

/** A whole answer, or null. Nothing comes after it: the next request is not sent yet. */
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
