import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('./migrating.mjs', import.meta.url))

/** Starts so many processes at once over one database and waits until all have ended; each says the secret that it found or made. */
export function migrateTogether(database: string, processes: number): Promise<string[]> {
  const one = () =>
    new Promise<string>((resolve, reject) => {
      const child = fork(script, [database])
      let said: unknown
      child.once('message', (message) => {
        said = message
      })
      child.once('exit', (code) => (code === 0 && said !== undefined ? resolve(String(said)) : reject(new Error(`It ended with ${code}`))))
    })
  return Promise.all(Array.from({ length: processes }, one))
}
