import type { Translate } from '../../base/messages.js'
import type { Job } from '../../store/panel/jobs.js'

/** A job's state in words: its handler's message once it has ended, otherwise the state. */
export function jobText({ state, cancelling, said }: Pick<Job, 'state' | 'cancelling' | 'said'>, t: Translate): string {
  if (typeof said?.message === 'string' && (state === 'done' || state === 'failed')) return said.message
  if (state === 'failed') return t('job.wrong')
  return t(state === 'running' && cancelling ? 'job.cancelling' : `job.${state}`)
}
