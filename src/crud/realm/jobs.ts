import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Job, JobStore } from '../../store/panel/jobs.js'
import { type JobPlace, type JobWork, type OwnJob, runJob } from './job-run.js'
import { bootId, hostOf, isDead } from './liveness.js'

/** A job before it runs. */
export type JobPlan = Pick<Job, 'userId' | 'resourceUri' | 'handlerUri' | 'label' | 'total'>

/** The long handlers of a panel. */
export interface Jobs {
  /** Starts a job without waiting for it. */
  start(plan: JobPlan, work: JobWork): Promise<Job>
  find(id: string): Promise<Job | null>
  /** Asks a job to stop after its current batch, whichever process runs it. */
  cancel(id: string): Promise<Job | null>
  /** Interrupts the jobs that run in this process, and waits for their batches. */
  close(): Promise<void>
}

/** @param failed called with an error of a job that is a bug, not a refusal */
export function makeJobs(store: JobStore, failed: JobPlace['failed']): Jobs {
  const here = new Map<string, OwnJob & { readonly end: Promise<void> }>()
  let closing = false
  const place: JobPlace = { store, failed, isClosing: () => closing }
  const find = async (id: string) => {
    const own = here.get(id)
    if (own) return own.job
    const job = await store.find(id)
    return job && isDead(job) ? store.change(id, { state: 'interrupted', endedAt: job.beatAt }, { was: job }) : job
  }
  return {
    async start(plan, work) {
      const job = newJob(plan)
      await store.create(job)
      const own: OwnJob = { job, cancelled: false }
      const end = setImmediate()
        .then(() => runJob(own, work, place))
        .finally(() => here.delete(job.id))
      here.set(job.id, Object.assign(own, { end }))
      return job
    },
    find,
    async cancel(id) {
      const own = here.get(id)
      if (own && own.job.state !== 'running') return own.job
      // Stored after the batch, which holds the writer until then.
      if (own) return Object.assign(own, { job: { ...own.job, cancelling: true }, cancelled: true }).job
      const job = await find(id)
      return job?.state === 'running' ? store.change(id, { cancelling: true }) : job
    },
    async close() {
      closing = true
      await Promise.all([...here.values()].map(({ end }) => end))
    },
  }
}

function newJob(plan: JobPlan): Job {
  const now = new Date()
  return {
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
}
