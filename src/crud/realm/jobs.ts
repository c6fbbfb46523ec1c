import { randomUUID } from 'node:crypto'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { DaymarkError } from '../../base/errors.js'
import type { Json } from '../../field/field.js'
import type { Along, Job, JobChange, JobState, JobStore } from '../../store/panel/jobs.js'
import { bootId, heartbeat, hostOf, isDead } from './liveness.js'

/** The result of one batch of a job. */
export interface BatchResult {
  /** How many records it handled. */
  readonly done: number
  readonly more: boolean
  readonly said: Job['said']
  /** How many milliseconds to leave to other processes before the next one. Default: 0. */
  readonly rest?: number
}

/** A job before it runs. */
export type JobPlan = Pick<Job, 'userId' | 'resourceUri' | 'handlerUri' | 'label' | 'total'>

/** The long handlers of a panel. */
export interface Jobs {
  /** Starts a job without waiting for it. `step` runs the next batch; `ended` writes in the transaction that says how it has ended. */
  start(plan: JobPlan, step: (done: number) => Promise<BatchResult>, ended?: Along): Promise<Job>
  find(id: string): Promise<Job | null>
  /** Asks a job to stop after its current batch, whichever process runs it. */
  cancel(id: string): Promise<Job | null>
  /** Interrupts the jobs that run in this process, and waits for their batches. */
  close(): Promise<void>
}

/** How long a job's writes wait for their turn, in milliseconds: nobody waits for its answer. */
export const writeTimeout = 60_000
// How long what it came to waits to be written again, where that was too long.
const pause = 1000

/** @param failed called with an error of a job that is a bug, not a refusal */
export function makeJobs(store: JobStore, failed: (job: Job, thrown: unknown) => void): Jobs {
  const here = new Map<string, { job: Job; cancelled: boolean; readonly end: Promise<void> }>()
  let closing = false
  const change = (id: string, to: JobChange, along?: Along) =>
    store.change(id, to, { until: performance.now() + writeTimeout, ...(along && { along }) })

  async function run(job: Job, step: (done: number) => Promise<BatchResult>, ended?: Along): Promise<void> {
    const stop = reporting(job)
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
        if (own) Object.assign(own, { job: { ...own.job, done } })
        // What cannot be written now is written with the next batch: the work itself is done.
        const now = await change(job.id, { done, beatAt: new Date(), ...(own?.cancelled && { cancelling: true }) }).catch(unlessBusy)
        if (own && now) Object.assign(own, { job: now, cancelled: own.cancelled || now.cancelling })
        // Let other requests run: a synchronous database may never yield to the event loop.
        await (more && came.rest ? setTimeout(came.rest) : setImmediate())
      }
    } catch (thrown) {
      state = 'failed'
      const told = thrown instanceof DaymarkError && thrown.code !== 'internal'
      said = told
        ? { message: thrown.message, ...(thrown.errors.size > 0 && { errors: Object.fromEntries(thrown.errors) as Record<string, Json> }) }
        : null
      if (!told) failed(job, thrown)
    }
    const end = { state, done, said, endedAt: new Date() }
    const own = here.get(job.id)
    if (own) Object.assign(own, { job: { ...own.job, ...end } })
    await written(job.id, end, ended).catch((thrown: unknown) => failed(job, thrown))
    stop()
  }

  /** Reports that a job runs, until it is stopped. */
  function reporting({ id }: Job): () => void {
    let waits = false
    const report = async () => {
      if (waits) return
      waits = true
      await change(id, { beatAt: new Date() }).catch(() => {})
      waits = false
    }
    const timer = setInterval(report, heartbeat).unref()
    return () => clearInterval(timer)
  }

  /** Writes how a job has ended, however long the database is too busy: otherwise it would seem to have been interrupted. */
  async function written(id: string, end: JobChange, ended?: Along): Promise<void> {
    for (;;) {
      try {
        await change(id, end, ended)
        return
      } catch (thrown) {
        if (closing) throw thrown
        unlessBusy(thrown)
      }
      await setTimeout(pause, null, { ref: false })
    }
  }

  const jobs: Jobs = {
    async start(plan, step, ended) {
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
        boot: bootId,
        createdAt: now,
        beatAt: now,
        endedAt: null,
      }
      await store.create(job)
      const end = setImmediate()
        .then(() => run(job, step, ended))
        .finally(() => here.delete(job.id))
      here.set(job.id, { job, cancelled: false, end })
      return job
    },
    async find(id) {
      const own = here.get(id)
      if (own) return own.job
      const job = await store.find(id)
      return job && isDead(job) ? store.change(id, { state: 'interrupted', endedAt: job.beatAt }, { was: job }) : job
    },
    async cancel(id) {
      const own = here.get(id)
      if (own && own.job.state !== 'running') return own.job
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

/** @throws what was thrown, unless the database was too busy */
function unlessBusy(thrown: unknown): null {
  if (thrown instanceof DaymarkError && thrown.code === 'unavailable') return null
  throw thrown
}
