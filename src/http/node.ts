import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { english, type Translate, translator } from '../base/messages.js'
import type { App } from './app.js'
import type { IncomingRequest } from './incoming.js'
import { fromNode } from './incoming-node.js'
import { brokenEntry, type Log } from './log.js'
import type { NetworkSettings } from './network.js'
import { refusedReply, refuseExpectation, refuseOn } from './refused.js'
import { write } from './send.js'
import type { RequestTelemetry, Telemetry } from './telemetry.js'

type Answer = App['answer']

/** A running server, as `panel.listen` returns it. */
export interface Listening {
  /** Its URL, without a path. */
  readonly url: string
  /** Stops the server: it accepts nothing new and finishes the requests in flight, within ten seconds. From now on, `ready` answers 503. */
  close(options?: {
    /** Goes on serving for so many seconds first, until balancers have learned from `ready` to send nothing more. Default: 0. */
    readonly drain?: number
  }): Promise<void>
}

/** A listener for `node:http` and frameworks built on it. Makes no web Request or Response. */
export function listener(answer: Answer, reports: Reports): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const serve = server(answer, reports)
  return (incoming, outgoing) => void serve(incoming, outgoing)
}

/** Who is told what happens. */
export interface Reports {
  readonly log: Log
  readonly telemetry?: Telemetry | null
  readonly network?: NetworkSettings
  /** The language of answers to what is no request. Default: English. */
  readonly t?: Translate
}

/** Serves one request; the promise resolves, and never rejects, once the whole reply is written or has failed. */
type Serve = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> | undefined

const direct: NetworkSettings = { origin: null, proxies: 0, allowInsecure: false }

function server(answer: Answer, { log, telemetry, network = direct, t = translator(english) }: Reports, large = false): Serve {
  return (incoming, outgoing) => {
    let request: IncomingRequest
    try {
      request = fromNode(incoming, large ? slowest : null)
    } catch {
      // Not valid HTTP for us: answered here, before the door.
      const reply = refusedReply('malformed', t)
      const recording = telemetry?.begin({ method: incoming.method ?? 'GET', headers: new Headers() })
      if (recording) follow(recording, outgoing)()
      outgoing.writeHead(reply.status, reply.headers).end(recording?.reply(reply).body ?? reply.body)
      return undefined
    }
    const recording = telemetry?.begin(request)
    const done = recording && follow(recording, outgoing)
    return answered()

    async function answered(): Promise<void> {
      let requestId = ''
      try {
        // The await gives node a turn to see that no body follows (`incoming.complete`), even where the reply comes from the cache.
        const peer = incoming.socket.remoteAddress ?? ''
        const reply = recording ? recording.reply(await recording.run(() => answer(request, peer))) : await answer(request, peer)
        requestId = reply.headers['x-request-id'] ?? ''
        if (!incoming.complete) outgoing.once('finish', () => drop(incoming))
        const writing = write(reply, outgoing)
        if (writing) await writing
      } catch (thrown) {
        log(brokenEntry(request, requestId, network, thrown))
        outgoing.destroy()
      }
      done?.()
    }
  }
}

/** Ends the recording when the answer has ended and the function that it returns was called: what runs for a caller who is gone counts, too. */
function follow(recording: RequestTelemetry, outgoing: ServerResponse): () => void {
  let finished = false
  let complete: boolean | null = null
  let done = false
  const end = () => {
    if (done && complete !== null) recording.end(complete)
  }
  outgoing.once('finish', () => (finished = true))
  outgoing.once('close', () => {
    complete = finished
    end()
  })
  return () => {
    done = true
    end()
  }
}

// How long a client may go on sending a refused body, so that it reads the reply first.
const lastMoment = 500

/** Discards the rest of an unwanted body for a moment, then closes the connection. */
function drop(incoming: IncomingMessage): void {
  const late = setTimeout(() => incoming.socket.destroySoon(), lastMoment).unref()
  incoming.once('close', () => clearTimeout(late)).once('end', () => clearTimeout(late))
  incoming.resume()
}

// Slower than this is a slow-loris attack, not a slow line.
const slowest = 60_000
// A request without a host is ours to refuse: node would do it without a body.
const timeouts = { headersTimeout: 15_000, requestTimeout: slowest, keepAliveTimeout: 65_000, requireHostHeader: false }
// Of a file, each piece has that time: all of it may take as long as a large one over a slow line.
const largeTimeouts = { ...timeouts, requestTimeout: 3_600_000 }
const grace = 10_000
// On a connection that is idle as far as we know, a request may have been sent: ended at once, it would be lost, and be it a write.
const underWay = 100

/**
 * Serves on a port.
 *
 * @param large whether requests may be large files
 * @param stopping called when it begins to close; returns what is called when it has closed
 * @throws Error that says what to change, if the port cannot be opened
 */
export async function listen(
  answer: Answer,
  {
    host,
    port,
    large = false,
    stopping = () => () => {},
    ...reports
  }: Reports & { readonly host: string; readonly port: number; readonly large?: boolean; readonly stopping?: () => () => void },
): Promise<Listening> {
  const http = createServer(large ? largeTimeouts : timeouts)
  const end = serveUntilClosed(http, server(answer, reports, large), reports.t ?? translator(english))
  await new Promise<void>((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => reject(new Error(whyNot(error, host, port), { cause: error })))
    http.listen(port, host.replace(/^\[|\]$/g, ''), () => resolve())
  })
  const { port: given } = http.address() as AddressInfo
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return {
    url: `http://${name}:${given}`,
    async close({ drain = 0 } = {}) {
      const closed = stopping()
      await end(drain)
      closed()
    },
  }
}

function whyNot({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE') return `Port ${port} of ${host} is taken: stop what listens there, or take another one with --port or PORT`
  if (code === 'EACCES') return `Port ${port} may not be used by this user: take one above 1023 with --port or PORT`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no address ${host}: take one that it has with --host or HOST`
  return `Cannot listen on ${host}:${port}: ${message}`
}

/** The replies of a connection. */
interface Replies {
  unwritten: number
  /** Of those one behind the other, only the last may say that the connection ends. In a map of its own, it would outlive its reply. */
  last: ServerResponse | null
}

/**
 * Serves requests and counts the unwritten replies of each connection, so that closing waits for those and nothing else. It counts rather
 * than keeping a promise until the next request: that would outlive the young generation of the garbage collector, with all it refers to.
 */
function serveUntilClosed(http: Server, serve: Serve, t: Translate): (drain: number) => Promise<void> {
  const connections = new Map<Socket, Replies>()
  let closing: Promise<void> | null = null
  http.on('connection', (socket: Socket) => {
    connections.set(socket, { unwritten: 0, last: null })
    socket.once('close', () => connections.delete(socket))
  })
  http.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming
    // A closed connection has been removed.
    const replies = connections.get(socket) ?? { unwritten: 0, last: null }
    if (closing) outgoing.setHeader('connection', 'close')
    else replies.last = outgoing
    replies.unwritten++
    const written = () => {
      if (replies.last === outgoing) replies.last = null
      replies.unwritten--
      if (replies.unwritten <= 0 && closing) endIdle(socket)
    }
    const done = () => {
      // A pipelined reply has no socket until the one before it is out.
      if (outgoing.socket === null && !outgoing.destroyed && !outgoing.writableFinished) outgoing.once('close', written)
      else written()
    }
    const all = serve(incoming, outgoing)
    if (all) all.then(done)
    else done()
  })
  http.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const { unwritten, last } = connections.get(socket) ?? { unwritten: 0, last: null }
    refuseOn(socket, error, unwritten === 0 || (unwritten === 1 && last?.headersSent === false), t)
  })
  http.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => refuseExpectation(incoming, outgoing, t))
  return (drain) => {
    closing ??= end(drain)
    return closing
  }

  async function end(drain: number): Promise<void> {
    // By default, closing a server destroys connections whose replies are written but not yet received.
    http.closeIdleConnections = () => {}
    for (const { last } of connections.values()) if (last && !last.headersSent) last.setHeader('connection', 'close')
    if (drain > 0) await new Promise((resolve) => setTimeout(resolve, drain * 1000))
    await new Promise<void>((resolve) => {
      const late = setTimeout(() => http.closeAllConnections(), grace)
      const endAll = () => {
        for (const [socket, { unwritten }] of connections) if (unwritten === 0) endIdle(socket)
      }
      // An immediate comes after all that has arrived was read, however busy the process is.
      const soon = setTimeout(() => setImmediate(endAll), underWay)
      http.close(() => {
        clearTimeout(late)
        clearTimeout(soon)
        resolve()
      })
    })
  }

  /** Closes a connection once its pending output is sent and requests already pipelined are answered. */
  function endIdle(socket: Socket): void {
    // Node holds back pipelined requests only while the socket needs to drain.
    if (!socket.writableNeedDrain) socket.destroySoon()
    else socket.once('drain', () => setImmediate(() => connections.get(socket)?.unwritten === 0 && endIdle(socket)))
  }
}
