import type { Job } from '../store/panel/jobs.js'
import type { Around } from './face.js'

/** A job's state in words: its handler's message once it has ended, otherwise the state. */
export function jobText({ state, cancelling, said }: Job, { realm: { t } }: Pick<Around, 'realm'>): string {
  if (typeof said?.message === 'string' && (state === 'done' || state === 'failed')) return said.message
  if (state === 'failed') return t('job.wrong')
  return t(state === 'running' && cancelling ? 'job.cancelling' : `job.${state}`)
}
