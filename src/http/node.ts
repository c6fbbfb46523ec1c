import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { App } from './app.js'
import type { Asked } from './asked.js'
import { entryOf, type Log } from './log.js'
import { nodeAsked } from './node-asked.js'
import { write } from './send.js'

type Answer = App['answer']

/** A running server, as `panel.listen` returns it. */
export interface Listening {
  /** Its URL, without a path. */
  readonly url: string
  /** Stops the server: it accepts nothing new and finishes the requests in flight, within ten seconds. */
  close(): Promise<void>
}

/** A listener for `node:http` and for what is built on it. Neither a web Request nor a Response is made. */
export function listener(answer: Answer, log: Log): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const serve = server(answer, log)
  return (incoming, outgoing) => void serve(incoming, outgoing)
}

/** Answers one request; done when all of the answer has been written, whatever becomes of it. */
type Serve = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> | undefined

function server(answer: Answer, log: Log): Serve {
  return (incoming, outgoing) => {
    let request: Asked
    try {
      request = nodeAsked(incoming)
    } catch {
      // What is no request at all is answered here, before the door.
      outgoing.writeHead(400, { 'content-type': 'text/plain', connection: 'close' }).end('Malformed request')
      return undefined
    }
    return answered()

    async function answered(): Promise<void> {
      let requestId = ''
      try {
        // What is known is written in a turn of its own, too: not before node has seen that no body comes.
        const reply = await answer(request, incoming.socket.remoteAddress ?? '')
        requestId = reply.headers['x-request-id'] ?? ''
        if (!incoming.complete) outgoing.once('finish', () => drop(incoming))
        const writing = write(reply, outgoing)
        if (writing) await writing
      } catch (thrown) {
        const { method, url } = request
        log(entryOf({ requestId, method, path: new URL(url).pathname }, thrown))
        outgoing.destroy()
      }
    }
  }
}

// A sender gets as long to come to its end, so that it reads why it was refused.
const lastMoment = 500

/** What still comes of a body that nobody wants is read into nothing for a moment; then the connection ends. */
function drop(incoming: IncomingMessage): void {
  const late = setTimeout(() => incoming.socket.destroySoon(), lastMoment).unref()
  incoming.once('close', () => clearTimeout(late)).once('end', () => clearTimeout(late))
  incoming.resume()
}

// What takes longer is a slow loris, not a slow line.
const timeouts = { headersTimeout: 15_000, requestTimeout: 60_000, keepAliveTimeout: 65_000 }
const grace = 10_000

/**
 * Serves on a port.
 *
 * @throws Error that says what to change, where the port cannot be had
 */
export async function listen(
  answer: Answer,
  { host, port, log }: { readonly host: string; readonly port: number; readonly log: Log },
): Promise<Listening> {
  const http = createServer(timeouts)
  const close = serveUntilClosed(http, server(answer, log))
  await new Promise<void>((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => reject(new Error(whyNot(error, host, port), { cause: error })))
    http.listen(port, host.replace(/^\[|\]$/g, ''), () => resolve())
  })
  const { port: given } = http.address() as AddressInfo
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return { url: `http://${name}:${given}`, close }
}

function whyNot({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE') return `Port ${port} of ${host} is taken: stop what listens there, or take another one with --port or PORT`
  if (code === 'EACCES') return `Port ${port} may not be used by this user: take one above 1023 with --port or PORT`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no address ${host}: take one that it has with --host or HOST`
  return `Cannot listen on ${host}:${port}: ${message}`
}

/**
 * Serves the requests of a server, and knows how many answers of each connection are not written yet, so that closing waits for those, and for nothing else. It keeps
 * numbers: an answer that were kept until the next one would live past the collection of garbage that is quick, and with it all that it came from.
 */
function serveUntilClosed(http: Server, serve: Serve): () => Promise<void> {
  const unwritten = new Map<Socket, number>()
  let closing: Promise<void> | null = null
  const count = (socket: Socket, by: 1 | -1): number => {
    const now = (unwritten.get(socket) ?? 0) + by
    // One that has ended is not known any more.
    if (unwritten.has(socket)) unwritten.set(socket, now)
    return now
  }
  http.on('connection', (socket: Socket) => {
    unwritten.set(socket, 0)
    socket.once('close', () => unwritten.delete(socket))
  })
  http.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming
    if (closing) outgoing.setHeader('connection', 'close')
    count(socket, 1)
    const written = () => {
      if (count(socket, -1) <= 0 && closing) endIdle(socket)
    }
    const done = () => {
      // Behind another answer of the same connection it only waits until that is out.
      if (outgoing.socket === null && !outgoing.destroyed && !outgoing.writableFinished) outgoing.once('close', written)
      else written()
    }
    const all = serve(incoming, outgoing)
    if (all) all.then(done)
    else done()
  })
  return () => {
    // By itself a server that closes cuts off what is written and not read yet.
    http.closeIdleConnections = () => {}
    closing ??= new Promise((resolve) => {
      const late = setTimeout(() => http.closeAllConnections(), grace)
      http.close(() => {
        clearTimeout(late)
        resolve()
      })
      for (const [socket, count] of unwritten) if (count === 0) endIdle(socket)
    })
    return closing
  }

  /** What is still on its way to the client gets there, and what has come behind it is answered. */
  function endIdle(socket: Socket): void {
    // Only where it is told that it is too slow does node wait with what comes behind.
    if (!socket.writableNeedDrain) socket.destroySoon()
    else socket.once('drain', () => setImmediate(() => unwritten.get(socket) === 0 && endIdle(socket)))
  }
}
