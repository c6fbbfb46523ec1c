// A client that costs little: requests are written to a fixed number of kept connections, answers are read by their Content-Length.
import { connect } from 'node:net'

/**
 * Sends requests, one after the other on each connection, until the time is up or so many were sent.
 *
 * @param next gives the next request of a connection, made with `requestText`, or null: no more; it gets the number of the connection and its last answer
 * @throws Error for an answer that is not the one expected
 */
export async function load({ port, connections = 8, milliseconds, most = Number.POSITIVE_INFINITY, next, status }) {
  const until = performance.now() + milliseconds
  const started = performance.now()
  let sent = 0
  const nextOf = (number, last) => (sent++ < most && performance.now() < until ? next(number, last) : null)
  const counts = await Promise.all(Array.from({ length: connections }, (_, number) => drive(port, number, nextOf, status)))
  const requests = counts.reduce((sum, count) => sum + count, 0)
  return { requests, seconds: (performance.now() - started) / 1000 }
}

/** One request and its answer. */
export async function ask(port, text) {
  let answer
  await drive(port, 0, (_, last) => {
    answer = last
    return last ? null : text
  })
  return answer
}

export function requestText(method, path, { accept = 'application/json', body, headers = {} } = {}) {
  const sent = { host: '127.0.0.1', accept, ...headers }
  const text = body === undefined ? '' : JSON.stringify(body)
  if (body !== undefined) Object.assign(sent, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`
}

function drive(port, number, next, status) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let count = 0
    let received = Buffer.alloc(0)
    const send = (last) => {
      const text = next(number, last)
      if (text === null) return socket.end(() => resolve(count))
      socket.write(text)
    }
    socket.on('connect', () => send(null))
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const answer = answerIn(received)
      if (!answer) return
      received = Buffer.alloc(0)
      if (status !== undefined && answer.status !== status) {
        socket.destroy()
        return reject(new Error(`Expected ${status}, got ${answer.status}: ${answer.body().slice(0, 300)}`))
      }
      count++
      send(answer)
    })
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
