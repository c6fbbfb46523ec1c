import type { Json } from '../../field/field.js'
import type { UntoldNotice } from '../../resource/action/notice.js'
import { both, type Condition } from '../../resource/condition/condition.js'
import type { Reads, Store, Waiting, Writes } from '../store.js'
import { chunk, eq, panelTable } from './table.js'
import { jobs } from './tables.js'

/** How far a job is. `interrupted`: its process ended. */
export type JobState = 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted'

/** A `long` handler in the background. */
export interface Job {
  /** Identifies the job. */
  readonly id: string
  /** The id of the user who started it. */
  readonly userId: string
  /** The `uriKey` of its resource. */
  readonly resourceUri: string
  /** The URI of its handler. */
  readonly handlerUri: string
  /** What users read. */
  readonly label: string
  /** How far it is. */
  readonly state: JobState
  /** How many records finished batches have handled. */
  readonly done: number
  /** How many records are selected. */
  readonly total: number
  /** Whether somebody has cancelled it: it stops after the current batch. */
  readonly cancelling: boolean
  /** The answer of the last batch, or why it failed; null: none yet. */
  readonly said: { readonly [name: string]: Json } | null
  /** The machine of the process that runs it. */
  readonly host: string
  /** The number of that process. */
  readonly pid: number
  /** Distinguishes that process from a later one with the same number. */
  readonly boot: string
  /** When it was started. */
  readonly createdAt: Date
  /** When its process last reported that it runs. */
  readonly beatAt: Date
  /** When it ended; null: it has not. */
  readonly endedAt: Date | null
  /** What its user is told if it is interrupted, in their language: whoever finds that out may know another one. Null: nothing. */
  readonly ifInterrupted: UntoldNotice | null
}

/** Where the jobs of a panel are kept. */
export interface JobStore {
  create(job: Job): Promise<void>
  find(id: string): Promise<Job | null>
  /** Those that have not ended, at most 500: first those whose process has not reported for longest. */
  running(): Promise<readonly Job[]>
  /**
   * Changes a job that has not ended, and returns it as it is then. With `beatAt`, only if its process has not reported since. `along` writes
   * in the same transaction, if it was changed. `until` is as in `Waiting`.
   */
  change(id: string, to: JobChange, how?: { readonly beatAt?: Date; readonly along?: Along } & Pick<Waiting, 'until'>): Promise<Job | null>
}

/** What goes along with the change of a job that there is, where jobs are in the panel's own tables. */
export type Along = (tx: Reads & Writes, job: Job) => Promise<void>

/** What changes of a job. */
export type JobChange = Partial<Pick<Job, 'state' | 'done' | 'cancelling' | 'said' | 'beatAt' | 'endedAt'>>

const table = panelTable(jobs)
// How long an ended job is kept, in milliseconds.
const kept = 7 * 86_400_000

/** Jobs in the panel's own tables. */
export function jobStore(open: () => Promise<Store>, panel: string): JobStore {
  const ofPanel = eq('panel', panel)
  const running = eq('endedAt', null)
  return {
    async create(job) {
      await (await open()).transaction(async (tx) => {
        const over = await table.first(tx, 100, { op: 'lte', column: 'endedAt', value: new Date(Date.now() - kept) })
        await table.delete(
          tx,
          over.map(({ id }) => id),
        )
        await table.create(tx, { ...job, panel })
      })
    },
    find: async (id) => (await table.first(await open(), 1, both(ofPanel, eq('id', id))))[0] ?? null,
    running: async () => table.first(await open(), chunk, both(ofPanel, running), { column: 'beatAt', direction: 'ASC' }),
    async change(id, to, { beatAt, along, ...waiting } = {}) {
      const where: Condition = beatAt ? both(running, eq('beatAt', beatAt)) : running
      return (await open()).transaction(async (tx) => {
        // Of two who find that it was interrupted, one changes it.
        const count = await table.update(tx, id, to, where)
        const job = await table.find(tx, id)
        if (job && count > 0) await along?.(tx, job)
        return job
      }, waiting)
    },
  }
}

// Beyond this many, ended jobs are forgotten.
const most = 1000

/** Jobs in memory, for a panel without tables of its own. */
export function memoryJobs(): JobStore {
  const all = new Map<string, Job>()
  return {
    async create(job) {
      for (const [id, { endedAt }] of all) {
        if (all.size < most) break
        if (endedAt) all.delete(id)
      }
      all.set(job.id, job)
    },
    find: async (id) => all.get(id) ?? null,
    running: async () => [...all.values()].filter(({ endedAt }) => endedAt === null),
    async change(id, to, { beatAt } = {}) {
      const job = all.get(id)
      if (!job || job.endedAt || (beatAt && beatAt.getTime() !== job.beatAt.getTime())) return job ?? null
      const changed = { ...job, ...to }
      all.set(id, changed)
      return changed
    },
  }
}
