import type { Job } from '../store/panel/jobs.js'
import type { Around } from './face.js'

/** How a job stands, in words: what its handler said where it came to its end, or why it failed; else its state. */
export function jobText({ state, cancelling, said }: Job, { realm: { t } }: Pick<Around, 'realm'>): string {
  if (typeof said?.message === 'string' && (state === 'done' || state === 'failed')) return said.message
  if (state === 'failed') return t('job.wrong')
  return t(state === 'running' && cancelling ? 'job.cancelling' : `job.${state}`)
}
