import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Job } from '../../store/panel/jobs.js'

/** Distinguishes this process from a later one with the same pid. */
export const bootId = randomUUID()
// Read at the first job, since most panels have none.
let foundHost: string | undefined
/** How often a process reports that it runs, in milliseconds. After `silence` without a report, it counts as dead. */
export const heartbeat = 10_000
export const silence = 60_000

/** Tells of which jobs the process has not reported for long. */
export interface Silences {
  has(job: Job): boolean
  /** Begins anew: the database was away, so nobody could report. */
  forget(): void
}

/** The clock alone may be that of another machine, or have gone on while the database was away: so it must be seen again, half as long later. */
export function silences(): Silences {
  const seen = new Map<string, { readonly beatAt: number; readonly since: number }>()
  return {
    has({ id, beatAt }) {
      const known = seen.get(id)
      const at = beatAt.getTime()
      if (Date.now() - at <= silence) seen.delete(id)
      else if (known?.beatAt !== at) seen.set(id, { beatAt: at, since: performance.now() })
      else if (performance.now() - known.since >= silence / 2) return seen.delete(id)
      return false
    },
    forget: () => seen.clear(),
  }
}

/** Whether the process of a job, on this machine, has ended. */
export function isGone({ host: on, pid, boot: of }: Job): boolean {
  return on === hostOf() && of !== bootId && (pid === process.pid || !isAlive(pid))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    // The process exists, but belongs to another user.
    return (thrown as { code?: unknown }).code === 'EPERM'
  }
}

/**
 * Identifies the place in which pids are comparable: containers may share a hostname and reuse pids, so the kernel's boot id and the pid
 * namespace are added.
 */
export function hostOf(): string {
  foundHost ??= [
    hostname(),
    ...read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    ...read(() => readlinkSync('/proc/self/ns/pid')),
  ].join(' ')
  return foundHost
}

/** Reads what only some systems provide. */
function read(what: () => string): readonly string[] {
  try {
    return [what()]
  } catch {
    return []
  }
}
