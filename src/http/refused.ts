import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { DaymarkError, type ErrorCode } from '../base/errors.js'
import type { MessageKey, Translate } from '../base/messages.js'
import type { Reply } from '../face/face.js'
import { problemBody } from '../json/problem.js'

/** Why there is no request that the panel could answer. */
type Refused = Extract<ErrorCode, 'malformed' | 'timedOut' | 'expectationFailed' | 'headTooLarge'>

const texts = {
  malformed: 'request.notHttp',
  timedOut: 'request.timedOut',
  expectationFailed: 'request.expectation',
  headTooLarge: 'request.headTooLarge',
} as const satisfies Record<Refused, MessageKey>

/** What node calls those that are no mere nonsense. */
const codes = new Map<string | undefined, Refused>([
  ['HPE_HEADER_OVERFLOW', 'headTooLarge'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'timedOut'],
])

/** The answer to what is no request. It is JSON, since nobody knows what the sender accepts, and the last one of its connection. */
export function refusedReply(code: Refused, t: Translate): Reply & { readonly body: string } {
  const requestId = randomUUID()
  const error = new DaymarkError(code, t(texts[code]))
  const body = JSON.stringify(problemBody(error, { requestId }))
  const headers = {
    'x-request-id': requestId,
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  }
  return { status: error.status, headers, body }
}

/**
 * Answers on a connection that node has given up, and ends it.
 *
 * @param isFree whether nothing of another answer is on its way: this one would be taken for its rest
 */
export function refuseOn(socket: Socket, { code }: NodeJS.ErrnoException, isFree: boolean, t: Translate): void {
  if (isFree && socket.writable) {
    const { status, headers, body } = refusedReply(codes.get(code) ?? 'malformed', t)
    const lines = Object.entries({ ...headers, date: new Date().toUTCString() }).map(([name, value]) => `${name}: ${value}`)
    socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
  }
  socket.destroySoon()
}

/** Answers a request that expects anything but `100-continue`, which is all that there is (RFC 9110 §10.1.1). */
export function refuseExpectation(_incoming: IncomingMessage, outgoing: ServerResponse, t: Translate): void {
  const { status, headers, body } = refusedReply('expectationFailed', t)
  outgoing.writeHead(status, headers).end(body)
}
