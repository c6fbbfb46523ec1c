import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { UntoldNotice } from '../../resource/action/notice.js'
import type { Job, JobStore } from '../../store/panel/jobs.js'
import type { NotificationStore } from '../../store/panel/notifications.js'
import type { Reads, Writes } from '../../store/store.js'
import { type JobPlace, type JobStep, type OwnJob, runJob } from './job-run.js'
import { jobWatch } from './job-watch.js'
import { bootId, hostOf, isGone, silences } from './liveness.js'

/** A job before it runs. */
export type JobPlan = Pick<Job, 'userId' | 'resourceUri' | 'handlerUri' | 'label' | 'total'>

/** A job before it is known what its user is told if it is interrupted. */
export type UntoldJob = Omit<Job, 'ifInterrupted'>

/** What a job does. */
export interface JobWork {
  readonly step: JobStep
  /** What its user is told of how it has ended. */
  told(job: UntoldJob): UntoldNotice
}

/** The long handlers of a panel. */
export interface Jobs {
  /** Starts a job without waiting for it. */
  start(plan: JobPlan, work: JobWork): Promise<Job>
  find(id: string): Promise<Job | null>
  /** Asks a job to stop after its current batch, whichever process runs it. */
  cancel(id: string): Promise<Job | null>
  /** Looks from now on for jobs whose process has ended, if their users are to be told: nobody else would do that. */
  watch(): void
  /** Interrupts the jobs that run in this process, and waits for their batches. */
  close(): Promise<void>
}

/**
 * @param failed called with what is a bug, not a refusal
 * @param notifications tells users how their jobs have ended; null: nobody is told
 */
export function makeJobs(store: JobStore, failed: JobPlace['failed'], notifications: Pick<NotificationStore, 'add'> | null = null): Jobs {
  const here = new Map<string, OwnJob & { readonly end: Promise<void> }>()
  let closing = false
  const place: JobPlace = { store, failed, isClosing: () => closing }
  const tell = async (tx: Reads & Writes, { userId }: Job, notice: UntoldNotice | null) => {
    if (notice) await notifications?.add(tx, { to: userId, ...notice })
  }
  const interrupt = ({ id, beatAt }: Job) =>
    store.change(id, { state: 'interrupted', endedAt: beatAt }, { beatAt, along: (tx, job) => tell(tx, job, job.ifInterrupted) })
  const silent = silences()
  const hasEnded = (job: Job) => isGone(job) || silent.has(job)
  const find = async (id: string) => {
    const own = here.get(id)
    if (own) return own.job
    const job = await store.find(id)
    return job && !job.endedAt && hasEnded(job) ? interrupt(job) : job
  }
  const others = async () => (await store.running()).filter(({ id }) => !here.has(id))
  const watch = notifications && jobWatch({ running: others, hasEnded, interrupt, missed: silent.forget, failed })
  return {
    async start(plan, { step, told }) {
      const begun = newJob(plan)
      const job = { ...begun, ifInterrupted: told({ ...begun, state: 'interrupted' }) }
      await store.create(job)
      const own: OwnJob = { job, cancelled: false }
      const end = setImmediate()
        .then(() => runJob(own, step, (tx, job) => tell(tx, job, told(job)), place))
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
    watch: () => watch?.start(),
    async close() {
      closing = true
      await watch?.stop()
      await Promise.all([...here.values()].map(({ end }) => end))
    },
  }
}

function newJob(plan: JobPlan): UntoldJob {
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
