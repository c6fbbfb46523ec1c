import type { Job } from '../../store/panel/jobs.js'
import { type JobPlace, unlessBusy } from './job-run.js'
import { silence } from './liveness.js'

/** Looks for jobs whose process has ended. */
export interface JobWatch {
  /** Looks now, and then once a minute. */
  start(): void
  /** Waits for a look that is under way. */
  stop(): Promise<void>
}

/** What is watched. */
export interface Watched extends Pick<JobPlace, 'failed'> {
  /** The jobs that others run. */
  running(): Promise<readonly Job[]>
  /** Whether the process of one has ended. */
  hasEnded(job: Job): boolean
  /** Notes that one was interrupted, unless it has reported meanwhile. */
  interrupt(job: Job): Promise<unknown>
  /** Called where it could not look. */
  missed(): void
}

export function jobWatch({ running, hasEnded, interrupt, missed, failed }: Watched): JobWatch {
  const look = async () => {
    for (const job of await running())
      if (hasEnded(job))
        await interrupt(job)
          .catch(unlessBusy)
          .catch((thrown: unknown) => failed(thrown, job))
  }
  let looking = Promise.resolve()
  const lookNow = () => {
    looking = looking
      .then(look)
      .catch((thrown: unknown) => {
        missed()
        unlessBusy(thrown)
      })
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
