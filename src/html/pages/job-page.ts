import { block, html } from '../../base/html.js'
import { numberText } from '../../base/number.js'
import type { JobFile } from '../../crud/action/job-file.js'
import { jobText } from '../../crud/action/job-text.js'
import type { JobShown } from '../../crud/outcomes/actions.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { url } from '../../route/url.js'
import { button, buttonLink } from '../components/button.js'
import { heading } from '../components/heading.js'
import { progress } from '../components/progress.js'
import { tokenInput } from '../frame/form-token.js'
import { page, redirect } from '../frame/page.js'

// Without script, the page reloads after this many seconds.
const again = 2

/** The progress of a job, with a button to cancel it. */
export function jobPage({ job, started }: JobShown, at: PresenterContext): Reply {
  const { t, locale } = at.realm
  const own = url(at.place, 'job.show', { id: job.id })
  if (started || !at.reads) return redirect(own)
  const file = job.said?.download as JobFile | undefined
  const running = job.state === 'running'
  const resource = at.realm.resources.get(job.resourceUri)
  const list =
    resource &&
    buttonLink({ label: t('problem.list', { title: resource.title }), href: url(at.place, 'crud.index', { resourceUri: resource.uriKey }) })
  const cancel = block`
    <form method="post" action="${own}">
      <input type="hidden" name="_method" value="DELETE">${tokenInput(at)}
      ${button({ label: t('action.cancel') }, job.cancelling ? { disabled: true } : {})}
    </form>
  `
  return page(
    at,
    { title: job.label, of: resource, ...(running && { refresh: again }) },
    block`
      ${heading({ title: job.label, actions: running ? cancel : (list ?? null) })}
      <div class="card section">
        ${progress({
          id: job.id,
          url: running ? own : null,
          label: job.label,
          done: job.done,
          total: job.total,
          state: job.state,
          text: jobText(job, at.realm.t),
          count: t('job.count', { done: numberText(locale, job.done), total: numberText(locale, job.total) }),
        })}
        ${
          file &&
          block`
            <p>
              <a class="button" href="data:application/octet-stream;base64,${file.base64}" download="${file.name}">
                ${t('job.save', { name: file.name })}
              </a>
            </p>
          `
        }
        ${job.state !== 'running' && job.state !== 'done' && html`<p class="muted">${t('job.kept')}</p>`}
      </div>
    `,
  )
}
