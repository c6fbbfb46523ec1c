import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('./migrating.mjs', import.meta.url))

/** Starts so many processes at once over one database; each says the secret that it found or made. */
export function migrateTogether(database: string, processes: number): Promise<string[]> {
  const one = () =>
    new Promise<string>((resolve, reject) => {
      const child = fork(script, [database])
      child.once('message', (message) => resolve(String(message)))
      child.once('exit', (code) => reject(new Error(`It ended with ${code}`)))
    })
  return Promise.all(Array.from({ length: processes }, one))
}
