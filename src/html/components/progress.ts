import { block, type Html, html } from '../../base/html.js'

export interface ProgressView {
  readonly id: string
  /** The URL of the progress events; null if it has ended. */
  readonly url: string | null
  readonly label: string
  readonly done: number
  readonly total: number
  readonly state: string
  readonly text: string
  /** The progress in words. */
  readonly count: string
}

/** The progress of a job, updated by a script. */
export function progress({ id, url, label, done, total, state, text, count }: ProgressView): Html {
  return block`
    <div class="job" id="job-${id}" data-state="${state}"${url !== null && html` data-job="${url}"`}>
      <progress max="${Math.max(total, 1)}" value="${total === 0 ? 1 : done}" aria-label="${label}"></progress>
      <p class="how">
        <span class="state" role="${state === 'running' || state === 'done' ? 'status' : 'alert'}">${text}</span> <span class="muted count">${count}</span>
      </p>
    </div>
  `
}
