import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { DaymarkError } from '../base/errors.js'
import type { Json } from '../field/field.js'
import type { Job, JobState, JobStore } from '../store/panel/jobs.js'
import { beat, boot, hostOf, isDead } from './liveness.js'

/** The result of one batch of a job. */
export interface Step {
  /** How many records it handled. */
  readonly done: number
  readonly more: boolean
  readonly said: Job['said']
}

/** A job before it runs. */
export type JobPlan = Pick<Job, 'userId' | 'resourceUri' | 'handlerUri' | 'label' | 'total'>

/** The long handlers of a panel. */
export interface Jobs {
  /** Starts a job without waiting for it. `step` runs the next batch. */
  start(plan: JobPlan, step: (done: number) => Promise<Step>): Promise<Job>
  find(id: string): Promise<Job | null>
  /** Asks a job to stop after its current batch, whichever process runs it. */
  cancel(id: string): Promise<Job | null>
  /** Interrupts the jobs that run in this process, and waits for their batches. */
  close(): Promise<void>
}

/** @param failed called with an error of a job that is a bug, not a refusal */
export function makeJobs(store: JobStore, failed: (job: Job, thrown: unknown) => void): Jobs {
  const here = new Map<string, { job: Job; cancelled: boolean; readonly end: Promise<void> }>()
  let closing = false

  async function run(job: Job, step: (done: number) => Promise<Step>): Promise<void> {
    const timer = setInterval(() => void store.change(job.id, { beatAt: new Date() }).catch(() => {}), beat).unref()
    let { done } = job
    let said: Job['said'] = null
    let state: JobState = 'done'
    try {
      for (let more = job.total > 0; more; ) {
        const own = here.get(job.id)
        if (closing || own?.cancelled) {
          state = closing ? 'interrupted' : 'cancelled'
          break
        }
        const came = await step(done)
        ;({ more } = came)
        done += came.done
        said = came.said ?? said
        const now = await store.change(job.id, { done, beatAt: new Date(), ...(own?.cancelled && { cancelling: true }) })
        if (own && now) Object.assign(own, { job: now, cancelled: own.cancelled || now.cancelling })
        // Let other requests run: a synchronous database may never yield to the event loop.
        await setImmediate()
      }
    } catch (thrown) {
      state = 'failed'
      const told = thrown instanceof DaymarkError && thrown.code !== 'internal'
      said = told
        ? { message: thrown.message, ...(thrown.errors.size > 0 && { errors: Object.fromEntries(thrown.errors) as Record<string, Json> }) }
        : null
      if (!told) failed(job, thrown)
    } finally {
      clearInterval(timer)
    }
    await store.change(job.id, { state, done, said, endedAt: new Date() }).catch((thrown: unknown) => failed(job, thrown))
  }

  const jobs: Jobs = {
    async start(plan, step) {
      const now = new Date()
      const job: Job = {
        ...plan,
        id: randomUUID(),
        state: 'running',
        done: 0,
        cancelling: false,
        said: null,
        host: hostOf(),
        pid: process.pid,
        boot,
        createdAt: now,
        beatAt: now,
        endedAt: null,
      }
      await store.create(job)
      const end = setImmediate()
        .then(() => run(job, step))
        .finally(() => here.delete(job.id))
      here.set(job.id, { job, cancelled: false, end })
      return job
    },
    async find(id) {
      const own = here.get(id)
      if (own) return own.job
      const job = await store.find(id)
      return job && isDead(job) ? store.change(id, { state: 'interrupted', endedAt: job.beatAt }, job) : job
    },
    async cancel(id) {
      const own = here.get(id)
      // Stored after the batch, which holds the writer until then.
      if (own) return Object.assign(own, { job: { ...own.job, cancelling: true }, cancelled: true }).job
      const job = await jobs.find(id)
      return job?.state === 'running' ? store.change(id, { cancelling: true }) : job
    },
    async close() {
      closing = true
      await Promise.all([...here.values()].map(({ end }) => end))
    },
  }
  return jobs
}
