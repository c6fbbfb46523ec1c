import type { Job } from '../../store/panel/jobs.js'
import { type JobPlace, unlessBusy } from './job-run.js'
import { isGone, isSilent, silence } from './liveness.js'

/** Looks for jobs whose process has ended. */
export interface JobWatch {
  /** Looks now, and then once a minute. */
  start(): void
  /** Waits for a look that is under way. */
  stop(): Promise<void>
}

/**
 * @param running the jobs that others run
 * @param interrupt notes that one was interrupted, unless it has reported meanwhile
 */
export function jobWatch(
  running: () => Promise<readonly Job[]>,
  interrupt: (job: Job) => Promise<unknown>,
  failed: JobPlace['failed'],
): JobWatch {
  // When each had last reported. Silence alone may be that of the database: so it must have lasted from one look to the next.
  let reported = new Map<string, number>()
  const look = async () => {
    const before = reported
    reported = new Map()
    const jobs = await running()
    for (const job of jobs)
      if (isGone(job) || (isSilent(job) && before.get(job.id) === job.beatAt.getTime()))
        await interrupt(job)
          .catch(unlessBusy)
          .catch((thrown: unknown) => failed(thrown, job))
    reported = new Map(jobs.map(({ id, beatAt }) => [id, beatAt.getTime()]))
  }
  let looking = Promise.resolve()
  const lookNow = () => {
    looking = looking
      .then(look)
      .catch((thrown: unknown) => void unlessBusy(thrown))
      .catch(failed)
  }
  let timer: NodeJS.Timeout | undefined
  return {
    start() {
      if (timer) return
      timer = setInterval(lookNow, silence).unref()
      lookNow()
    },
    stop() {
      clearInterval(timer)
      return looking
    },
  }
}
