import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { App } from './app.js'
import type { Asked } from './asked.js'
import { nodeAsked } from './node-asked.js'
import { write } from './send.js'
import type { LogEntry } from './visit.js'

type Answer = App['answer']
type Log = (entry: LogEntry) => void

/** A server that is up. */
export interface Listening {
  /** Where it is reached, without a path. */
  readonly url: string
  /** Takes nothing new, finishes what is in flight, and is done within ten seconds. */
  close(): Promise<void>
}

/** A listener for `node:http` and for what is built on it. Neither a web Request nor a Response is made. */
export function listener(answer: Answer, log: Log): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return (incoming, outgoing) => {
    let request: Asked
    try {
      request = nodeAsked(incoming)
    } catch {
      // What is no request at all is answered here, before the door.
      outgoing.writeHead(400, { 'content-type': 'text/plain', connection: 'close' }).end('Malformed request')
      return
    }
    const failed = (thrown: unknown) => {
      log(entryOf(request, thrown))
      outgoing.destroy()
    }
    answer(request, incoming.socket.remoteAddress ?? '')
      .then((reply) => {
        if (!incoming.complete) outgoing.once('finish', () => drop(incoming))
        return write(reply, outgoing)
      })
      .catch(failed)
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
  const server = createServer(timeouts, listener(answer, log))
  const close = closer(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new Error(whyNot(error, host, port), { cause: error })))
    server.listen(port, host.replace(/^\[|\]$/g, ''), () => resolve())
  })
  const { port: given } = server.address() as AddressInfo
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return { url: `http://${name}:${given}`, close }
}

function whyNot({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE') return `Port ${port} of ${host} is taken: stop what listens there, or set PORT to another one`
  if (code === 'EACCES') return `Port ${port} may not be used by this user: set PORT to one above 1023`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `This machine has no address ${host}: set HOST to one that it has`
  return `Cannot listen on ${host}:${port}: ${message}`
}

/** Knows the last answer of each connection, so that closing waits for those that are not finished, and for nothing else. */
function closer(server: Server): () => Promise<void> {
  const last = new Map<Socket, ServerResponse | null>()
  let closing: Promise<void> | null = null
  server.on('connection', (socket: Socket) => {
    last.set(socket, null)
    socket.once('close', () => last.delete(socket))
  })
  server.prependListener('request', ({ socket }: IncomingMessage, outgoing: ServerResponse) => {
    last.set(socket, outgoing)
    if (!closing) return
    outgoing.setHeader('connection', 'close')
    endAfter(socket, outgoing)
  })
  return () => {
    closing ??= new Promise((resolve) => {
      const late = setTimeout(() => server.closeAllConnections(), grace)
      server.close(() => {
        clearTimeout(late)
        resolve()
      })
      for (const [socket, outgoing] of last) endAfter(socket, outgoing)
    })
    return closing
  }

  function endAfter(socket: Socket, outgoing: ServerResponse | null): void {
    if (outgoing === null || outgoing.closed) socket.destroySoon()
    // Another request may have come behind it.
    else outgoing.once('close', () => last.get(socket) === outgoing && socket.destroySoon())
  }
}

function entryOf({ method, url }: Asked, thrown: unknown): LogEntry {
  const { message, stack = '' } = thrown instanceof Error ? thrown : new Error(String(thrown))
  return { level: 'error', requestId: '', method, path: new URL(url).pathname, message, stack }
}
