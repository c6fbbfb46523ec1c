import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands before a server, and can fall silent: connections stay open and are taken, and nothing goes through. */
export interface SilentProxy {
  readonly port: number
  hush(): void
  /** Lets new connections through again; those that were hushed stay dead. */
  speak(): void
  close(): Promise<void>
}

export async function silentProxy(port: number): Promise<SilentProxy> {
  let silent = false
  const open = new Set<Socket>()
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => {})
  }
  const server = createServer((here) => {
    keep(here)
    if (silent) return
    const there = connect(port, '127.0.0.1')
    keep(there)
    here.pipe(there).pipe(here)
    here.on('close', () => there.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    hush() {
      silent = true
      for (const socket of open) socket.unpipe().pause()
    },
    speak() {
      silent = false
    },
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
