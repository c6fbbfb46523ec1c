// Runs a command and forwards signals to it, so that nothing keeps running after a script is stopped.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Resolves with the exit code; a command ended by a signal counts as 128 + its number, as in a shell. */
export function run(command, args, { env = {}, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options, env: { ...process.env, ...env } })
    let stopped
    const pass = (signal) => {
      stopped = signal
      child.kill(signal)
    }
    process.on('SIGINT', pass).on('SIGTERM', pass)
    const settle = () => process.off('SIGINT', pass).off('SIGTERM', pass)
    child.once('error', (error) => {
      settle()
      reject(error)
    })
    child.once('close', (code, signal) => {
      settle()
      if (stopped) process.exit(128 + constants.signals[stopped])
      resolve(code ?? 128 + constants.signals[signal])
    })
  })
}

/** The npm that runs this script, or the one on the PATH; on Windows the latter is a script, which needs a shell. */
export function npm(args, options) {
  const self = process.env.npm_execpath
  if (self?.endsWith('.js')) return run(process.execPath, [self, ...args], options)
  return run('npm', args, { shell: process.platform === 'win32', ...options })
}

/** A failure whose message is all the reader needs: shown without a stack. */
export class Stop extends Error {}

/** Runs a script's main function and turns failures into a message and an exit code. */
export async function main(script) {
  try {
    assertNode()
    process.exitCode = await script()
  } catch (error) {
    show(error)
    process.exit(1)
  }
}

export function show(error) {
  console.error(error instanceof Stop ? `\n${error.message}` : error)
}

function assertNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new Stop(
    `Daymark needs Node.js 20.19 or newer; this is ${process.versions.node}. Install one from https://nodejs.org and try again.`,
  )
}
