import { setImmediate, setTimeout } from 'node:timers/promises'
import { DaymarkError } from '../../base/errors.js'
import type { Json } from '../../field/field.js'
import type { Along, Job, JobChange, JobState, JobStore } from '../../store/panel/jobs.js'
import { heartbeat } from './liveness.js'

/** The result of one batch of a job. */
export interface BatchResult {
  /** How many records it handled. */
  readonly done: number
  readonly more: boolean
  readonly said: Job['said']
  /** How many milliseconds to leave to other processes before the next one. Default: 0. */
  readonly rest?: number
}

/** A job that runs in this process. */
export interface OwnJob {
  /** How far it is, which may not be stored yet. */
  job: Job
  /** Whether it stops after its current batch. */
  cancelled: boolean
}

/** Where a job runs. */
export interface JobPlace {
  readonly store: JobStore
  /** Whether the process is ending. */
  isClosing(): boolean
  /** Receives an error of a job that is a bug, not a refusal. */
  failed(thrown: unknown, job?: Job): void
}

/** Runs the next batch of a job. */
export type JobStep = (done: number) => Promise<BatchResult>
type Change = (to: JobChange, along?: Along) => Promise<Job | null>

/** How long a job's writes wait for their turn, in milliseconds: nobody waits for its answer. */
export const writeTimeout = 60_000
// How long what it came to waits to be written again, where that was too long.
const pause = 1000

/**
 * Runs a job, and writes how far it is and how it has ended.
 *
 * @param ended writes in the transaction that says how it has ended
 */
export async function runJob(own: OwnJob, step: JobStep, ended: Along, place: JobPlace): Promise<void> {
  const { id } = own.job
  const change: Change = (to, along) => place.store.change(id, to, { until: performance.now() + writeTimeout, ...(along && { along }) })
  const stop = reporting(change)
  const end = await runBatches(own, step, change, place)
  own.job = { ...own.job, ...end }
  await written(() => change(end, ended), place).catch((thrown: unknown) => place.failed(thrown, own.job))
  stop()
}

/** Reports that a job runs, until it is stopped. */
function reporting(change: Change): () => void {
  let waits = false
  const report = async () => {
    if (waits) return
    waits = true
    await change({ beatAt: new Date() }).catch(() => {})
    waits = false
  }
  const timer = setInterval(report, heartbeat).unref()
  return () => clearInterval(timer)
}

/** Runs its batches, and returns how it has ended. */
async function runBatches(own: OwnJob, step: JobStep, change: Change, { isClosing, failed }: JobPlace) {
  let said: Job['said'] = null
  const end = (state: JobState) => ({ state, done: own.job.done, said, endedAt: new Date() })
  try {
    for (let more = own.job.total > 0; more; ) {
      // Silent for too long, it counts as interrupted already.
      const stopped = isClosing() ? 'interrupted' : own.cancelled ? 'cancelled' : own.job.endedAt && own.job.state
      if (stopped) return end(stopped)
      const came = await step(own.job.done)
      more = came.more
      said = came.said ?? said
      const done = own.job.done + came.done
      own.job = { ...own.job, done }
      // What cannot be written now is written with the next batch: the work itself is done.
      const now = await change({ done, beatAt: new Date(), ...(own.cancelled && { cancelling: true }) }).catch(unlessBusy)
      if (now) Object.assign(own, { job: now, cancelled: own.cancelled || now.cancelling })
      // Let other requests run: a synchronous database may never yield to the event loop.
      await (more && came.rest ? setTimeout(came.rest) : setImmediate())
    }
    return end('done')
  } catch (thrown) {
    said = refusalOf(thrown)
    if (!said) failed(thrown, own.job)
    return end('failed')
  }
}

/** What users read of why a job failed; null: it is a bug. */
function refusalOf(thrown: unknown): Job['said'] {
  if (!(thrown instanceof DaymarkError) || thrown.code === 'internal') return null
  const { message, errors } = thrown
  return errors.size > 0 ? { message, errors: Object.fromEntries(errors) as Record<string, Json> } : { message }
}

/** Writes how a job has ended, however long the database is too busy: otherwise it would seem to have been interrupted. */
async function written(write: () => Promise<unknown>, { isClosing }: JobPlace): Promise<void> {
  for (;;) {
    try {
      await write()
      return
    } catch (thrown) {
      if (isClosing()) throw thrown
      unlessBusy(thrown)
    }
    await setTimeout(pause, null, { ref: false })
  }
}

/** @throws what was thrown, unless the database was too busy */
export function unlessBusy(thrown: unknown): null {
  if (thrown instanceof DaymarkError && thrown.code === 'unavailable') return null
  throw thrown
}
