import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Job } from '../store/panel/jobs.js'

/** What tells this process from another one of its number. */
export const boot = randomUUID()
// Read at the first job: most panels have none.
let foundHost: string | undefined
/** A process says that it runs every so often; one that has not for longer is taken for dead. */
export const beat = 10_000
const silence = 60_000

/** Whether the process of a job that says it runs is gone. */
export function isDead({ state, host: on, pid, boot: of, beatAt }: Job): boolean {
  if (state !== 'running') return false
  if (Date.now() - beatAt.getTime() > silence) return true
  return on === hostOf() && of !== boot && (pid === process.pid || !isAlive(pid))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    // It is there, and not ours.
    return (thrown as { code?: unknown }).code === 'EPERM'
  }
}

/** Containers may share a name, and have processes of the same numbers: those of one kernel and one namespace alone are told apart by them. */
export function hostOf(): string {
  foundHost ??= [
    hostname(),
    ...read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    ...read(() => readlinkSync('/proc/self/ns/pid')),
  ].join(' ')
  return foundHost
}

/** What only some systems say. */
function read(what: () => string): readonly string[] {
  try {
    return [what()]
  } catch {
    return []
  }
}
