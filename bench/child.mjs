// A server in a child process that reports its resource usage.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { hangUp } from './load.mjs'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))

/** Starts a server of this folder; resolves once it listens. */
export async function startServer(script, env, flags = []) {
  const child = spawn(process.execPath, ['--import', here('report.mjs'), ...flags, here(script)], {
    env: { ...process.env, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const url = new URL(
    await new Promise((resolve, reject) => {
      child.stdout.once('data', (line) => resolve(String(line).trim()))
      child.once('exit', (code) => reject(new Error(`${script} ended with ${code} before it listened`)))
    }),
  )
  return {
    script,
    port: Number(url.port),
    path: url.pathname,
    async usage() {
      child.send('usage')
      const [{ cpu, memory }] = await once(child, 'message')
      return { cpu: cpu.user + cpu.system, memory: memory.rss }
    },
    async stop() {
      hangUp(Number(url.port))
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}
