import type { AsyncLocalStorage } from 'node:async_hooks'
import type { Reply, RequestInfo } from '../face/face.js'
import { Statements } from '../store/sql/watch.js'
import { lengthOf } from './conditional.js'
import type { IncomingRequest } from './incoming.js'
import { entryOf, type Log } from './log.js'
import type { NetworkSettings } from './network.js'
import { type Trace, traceOf } from './trace.js'

/** A request, after the end of its answer. It holds no values: no query, no key of a record, no address, no header. */
export interface AnsweredRequest {
  /** The id that the caller got, too, as in the log of errors; empty for what is no valid request. */
  readonly requestId: string
  /** The trace that it belongs to, by the `traceparent` of a proxy named in `trustProxy`; null: none. */
  readonly trace: Trace | null
  /** When it came in, in milliseconds since 1970. */
  readonly startedAt: number
  /** How long it took until the end of its answer, in milliseconds. */
  readonly duration: number
  /** The HTTP method; `_OTHER` for one that HTTP does not define. */
  readonly method: string
  /** The name of its route, such as `crud.update`; null: it leads nowhere, or its method is not one of the path. */
  readonly route: string | null
  /** The path of the route, with the names of its parameters: `/admin/resource/{resourceUri}/crud/{resourceItem}`; null as `route`. */
  readonly path: string | null
  /** The `uriKey` of the resource that it is about; null: none. */
  readonly resource: string | null
  /** The face of the answer: `json` or `html`. */
  readonly face: 'json' | 'html'
  /** The status of the answer, sent or not. */
  readonly status: number
  /** Whether the answer was sent to its end; `false`: the caller went away, or its body failed. */
  readonly complete: boolean
  /** How many bytes of the body were handed to the connection. */
  readonly bytes: number
  /** The id of the user; null: nobody who is signed in. */
  readonly userId: string | null
  /** How many statements the databases were asked for it. */
  readonly statements: number
  /** For how many milliseconds at least one of these was under way. */
  readonly waited: number
  /** The statement that took longest: its SQL, without values, and its milliseconds; null: there was none. */
  readonly slowest: { readonly sql: string; readonly duration: number } | null
}

/** Records what is told of each request. */
export interface Telemetry {
  begin(request: Pick<IncomingRequest, 'method' | 'headers'>): RequestTelemetry
}

/** What is noted of a request on its way. */
export interface RequestTelemetry {
  /** Runs what answers it, and notes its statements. */
  run<T>(work: () => T): T
  /**
   * Notes the reply, and counts the bytes of a body that is a stream.
   *
   * @param ended called at the end of such a body; `complete`: it was read to its end
   */
  reply(reply: Reply, ended?: (complete: boolean) => void): Reply
  /** Tells of the request, the first time that it is called. */
  end(complete: boolean): void
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'])
const nothing: RequestInfo = { route: null, path: null, resource: null, face: 'json', userId: null }

/** @param tell the application's function. What it throws goes to the log */
export function makeTelemetry(
  tell: (entry: AnsweredRequest) => unknown,
  { running, log, network }: { readonly running: AsyncLocalStorage<Statements>; readonly log: Log; readonly network: NetworkSettings },
): Telemetry {
  const told = async (entry: AnsweredRequest) => {
    try {
      await tell(entry)
    } catch (thrown) {
      log(entryOf({ requestId: entry.requestId, method: 'ANSWERED', path: '' }, thrown))
    }
  }
  return { begin }

  function begin(request: Pick<IncomingRequest, 'method' | 'headers'>): RequestTelemetry {
    const start = performance.now()
    const startedAt = Date.now()
    const statements = new Statements()
    let { status, requestId, about } = { status: 500, requestId: '', about: nothing }
    let bytes = 0
    let over = false
    const run = <T>(work: () => T): T => running.run(statements, work)
    return {
      run,
      reply(reply, ended = () => {}) {
        status = reply.status
        requestId = reply.headers['x-request-id'] ?? ''
        about = reply.about ?? nothing
        const { body } = reply
        bytes = lengthOf({ body }) ?? 0
        if (body === null || typeof body === 'string' || body instanceof Uint8Array) return reply
        const count = (piece: string | Uint8Array) => (bytes += Buffer.byteLength(piece))
        return { ...reply, body: followed(body, { run, count, ended }) }
      },
      end(complete) {
        if (over) return
        over = true
        const { count, waited, slowest } = statements
        const method = methods.has(request.method) ? request.method : '_OTHER'
        const trace = traceOf(request, network)
        const duration = performance.now() - start
        const answer = { ...about, status, complete, bytes, statements: count, waited, slowest: slowest && Object.freeze(slowest) }
        void told(Object.freeze({ requestId, trace, startedAt, duration, method, ...answer }))
      },
    }
  }
}

interface Following {
  run<T>(work: () => T): T
  count(piece: string | Uint8Array): void
  ended(complete: boolean): void
}

/** The same pieces. A generator would not notice the end of a body that nobody has begun to read. */
function followed<T extends string | Uint8Array>(body: AsyncIterable<T>, { run, count, ended }: Following): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const pieces = body[Symbol.asyncIterator]()
      return {
        next: () => run(next),
        async return() {
          ended(false)
          await pieces.return?.()
          return { done: true, value: undefined }
        },
      }

      async function next(): Promise<IteratorResult<T>> {
        try {
          const one = await pieces.next()
          if (one.done) ended(true)
          else count(one.value)
          return one
        } catch (thrown) {
          ended(false)
          throw thrown
        }
      }
    },
  }
}
