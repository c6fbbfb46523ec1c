import { dispatch } from '../page/events.js'
import { focusList } from '../page/focus-list.js'
import { part, text } from '../page/parts.js'
import { saveFile } from '../page/save-file.js'
import { send } from '../page/send.js'
import { remember, remembered } from '../page/session.js'
import { toast } from '../page/toast.js'
import { type ActionAnswer, applyAnswer, refresh } from './answer.js'

/** The progress of a long handler, as the panel sends it. */
interface Job {
  readonly id: string
  readonly label: string
  readonly state: string
  readonly done: number
  readonly total: number
  readonly cancelling: boolean
  readonly text: string
  readonly url: string
  readonly answer?: ActionAnswer & { readonly download?: { readonly name: string; readonly base64: string } }
}

/** The job started in this tab, and the list it was started from. */
interface Begun {
  readonly url: string
  readonly list: string
}

const begun = 'daymark-job'

/** A job's own page follows that job. Any other page shows the job started in this tab, until it ends or its panel is closed. */
export function jobs(): void {
  const bar = document.querySelector<HTMLElement>('[data-job]')
  if (bar) listen(bar.dataset.job as string, bar, () => refresh(null))
  else if (document.body.matches('.framed')) again().catch(() => {})
}

async function again(): Promise<void> {
  const kept = remembered(begun)
  if (kept === null) return
  const { url, list }: Begun = JSON.parse(kept)
  // A job's own page shows its end. If the network is down, the next page tries again.
  const answer = url === location.pathname ? null : await send('GET', url)
  if (answer?.ok) watch(answer.body.data, list, null)
  else if ((answer?.status ?? 0) < 500) forget(url)
}

/** Unless another job has been started since. */
function forget(url: string): void {
  const kept = remembered(begun)
  if (kept !== null && (JSON.parse(kept) as Begun).url === url) remember(begun, null)
}

/** Shows a job's progress, with a way to cancel it, while the user goes on working. */
export function follow(job: Job, from: HTMLElement): void {
  const list = from.closest('.listing')?.id ?? ''
  remember(begun, JSON.stringify({ url: job.url, list } satisfies Begun))
  watch(job, list, from)
}

/** @param from the element that started it; null: it was started on an earlier page */
function watch(job: Job, listId: string, from: HTMLElement | null): void {
  const panel = part('job')
  panel.setAttribute('aria-label', job.label)
  const [title, link, cancel, closing] = ['.label', 'a', '[data-do=cancel]', '[data-do=close]'].map(
    (one) => panel.querySelector<HTMLElement>(one) as HTMLElement,
  )
  if (!title || !link || !cancel || !closing) return
  title.textContent = job.label
  link.setAttribute('href', job.url)
  const list = () => document.getElementById(listId)
  const close = () => {
    forget(job.url)
    const held = panel.contains(document.activeElement)
    panel.remove()
    if (!held) return
    if (from?.checkVisibility()) from.focus()
    else focusList(list())
  }
  cancel.addEventListener('click', () => {
    panel.focus()
    cancel.setAttribute('disabled', '')
    send('DELETE', job.url)
      .then(({ body }) => body && show(panel, body.data))
      .catch(() => cancel.removeAttribute('disabled'))
  })
  closing.addEventListener('click', close)
  document.querySelector('.job-panel')?.remove()
  document.body.append(panel)
  // On a phone the panel covers the button that started the job.
  if (from) panel.focus()
  show(panel, job)
  listen(job.url, panel, async ({ state, text: words, answer }) => {
    if (cancel.contains(document.activeElement)) panel.focus()
    cancel.remove()
    if (state === 'done') {
      close()
      if (answer?.download) saveFile(answer.download.name, `data:application/octet-stream;base64,${answer.download.base64}`)
      // On another page than the one it was started from, only the message and events apply.
      const { message = words, messageType, events } = answer ?? {}
      if (from) await applyAnswer({ message: words, ...answer }, list())
      else {
        if (list()) await refresh(list())
        dispatch(events ?? [])
        toast(message, messageType)
      }
    }
    // The panel stays and shows it. A toast would cover its buttons.
    else if (from || list()) await refresh(list())
  })
}

function listen(url: string, bar: HTMLElement, ended: (job: Job) => unknown): void {
  const source = new EventSource(url)
  source.addEventListener('progress', ({ data }) => show(bar, JSON.parse(data)))
  source.addEventListener('end', ({ data }) => {
    source.close()
    forget(url)
    show(bar, JSON.parse(data))
    ended(JSON.parse(data))
  })
  source.addEventListener('error', () => {
    // EventSource reconnects by itself, unless the server refused it.
    if (source.readyState === EventSource.CLOSED) say(bar, text('lost'))
  })
}

function show(bar: HTMLElement, { done, total, state, text: words }: Job): void {
  const progress = bar.querySelector('progress')
  const count = bar.querySelector<HTMLElement>('.count')
  const number = (value: number) => value.toLocaleString(document.documentElement.lang)
  bar.dataset.state = state
  if (progress) {
    progress.max = Math.max(total, 1)
    progress.value = total === 0 ? 1 : done
  }
  if (count)
    count.textContent = text('jobCount')
      .replace('{done}', () => number(done))
      .replace('{total}', () => number(total))
  // A failure interrupts a screen reader; progress does not.
  if (state !== 'running' && state !== 'done') bar.querySelector('.state')?.setAttribute('role', 'alert')
  say(bar, words)
}

function say(bar: HTMLElement, words: string): void {
  const state = bar.querySelector('.state')
  // Setting the same text would make some screen readers repeat it.
  if (state && state.textContent !== words) state.textContent = words
}
