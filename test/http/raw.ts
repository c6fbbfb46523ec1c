import { connect, type Socket } from 'node:net'

/** A connection on which a test writes what it likes and waits for what it expects. */
export interface Raw {
  readonly socket: Socket
  /** All that came so far. */
  readonly text: string
  send(text: string): void
  /** Waits until what came matches. */
  until(pattern: RegExp): Promise<string>
  /** Waits until the other side ends, and gives all that came. */
  ended(): Promise<string>
}

export async function raw(url: string): Promise<Raw> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  let over = false
  const wake = new Set<() => void>()
  const woken = () => {
    for (const one of wake) one()
  }
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    woken()
  })
  // A reset is an end, too: what came before it counts.
  socket.on('error', () => {})
  socket.on('close', () => {
    over = true
    woken()
  })
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  const wait = (done: () => boolean) =>
    new Promise<string>((resolve, reject) => {
      const late = setTimeout(() => finish(new Error(`Waited in vain; so far: ${JSON.stringify(text.slice(-500))}`)), 5000)
      const finish = (error: Error | null) => {
        clearTimeout(late)
        wake.delete(look)
        if (error) reject(error)
        else resolve(text)
      }
      const look = () => {
        if (done()) finish(null)
        else if (over) finish(new Error(`Ended; so far: ${JSON.stringify(text.slice(-500))}`))
      }
      wake.add(look)
      look()
    })
  return {
    socket,
    get text() {
      return text
    },
    send: (what) => void socket.write(what),
    until: (pattern) => wait(() => pattern.test(text)),
    ended: () => wait(() => over),
  }
}
