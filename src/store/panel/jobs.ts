import type { Json } from '../../field/field.js'
import type { Reads, Store, Waiting, Writes } from '../store.js'
import { panelTable } from './table.js'
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
}

/** Where jobs are kept. */
export interface JobStore {
  create(job: Job): Promise<void>
  find(id: string): Promise<Job | null>
  /**
   * Returns the job after the change. With `was`, it is unchanged if its state is another one, or its process has reported since that it
   * runs. `along` writes in the same transaction. `until` is as in `Waiting`.
   */
  change(id: string, to: JobChange, how?: { readonly was?: Job; readonly along?: Along } & Pick<Waiting, 'until'>): Promise<Job | null>
}

/** What goes along with the change of a job that there is, where jobs are in the panel's own tables. */
export type Along = (tx: Reads & Writes, job: Job) => Promise<void>

/** What changes of a job. */
export type JobChange = Partial<Pick<Job, 'state' | 'done' | 'cancelling' | 'said' | 'beatAt' | 'endedAt'>>

const table = panelTable(jobs)
// How long an ended job is kept, in milliseconds.
const kept = 7 * 86_400_000

/** Jobs in the panel's own tables. */
export function jobStore(open: () => Promise<Store>): JobStore {
  return {
    async create(job) {
      await (await open()).transaction(async (tx) => {
        const over = await table.first(tx, 100, { op: 'lte', column: 'endedAt', value: new Date(Date.now() - kept) })
        await table.delete(
          tx,
          over.map(({ id }) => id),
        )
        await table.create(tx, job)
      })
    },
    find: async (id) => table.find(await open(), id),
    async change(id, to, { was, along, ...waiting } = {}) {
      return (await open()).transaction(async (tx) => {
        const now = was ? await table.find(tx, id) : null
        if (was && !(now && isStill(now, was))) return now
        const changed = (await table.update(tx, id, to)) > 0 ? await table.find(tx, id) : null
        if (changed) await along?.(tx, changed)
        return changed
      }, waiting)
    },
  }
}

const isStill = (now: Job, was: Job) => now.state === was.state && now.beatAt.getTime() === was.beatAt.getTime()

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
    async change(id, to, { was } = {}) {
      const job = all.get(id)
      if (!job || (was && !isStill(job, was))) return job ?? null
      const changed = { ...job, ...to }
      all.set(id, changed)
      return changed
    },
  }
}
