import { type ActionAnswer, applyAnswer, refresh } from './answer.js'
import { focusList } from './focus-list.js'
import { part, text } from './parts.js'
import { saveFile } from './save-file.js'
import { send } from './send.js'

/** How far a long handler is, as the panel says it. */
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

/** The page of a job follows it. */
export function jobs(): void {
  const bar = document.querySelector<HTMLElement>('[data-job]')
  if (bar) listen(bar.dataset.job as string, bar, () => refresh(null))
}

/** Shows how far a job is while one goes on working, with the way to stop it. */
export function follow(job: Job, from: HTMLElement): void {
  const panel = part('job')
  panel.setAttribute('aria-label', job.label)
  const [title, link, cancel, closing] = ['.label', 'a', '[data-do=cancel]', '[data-do=close]'].map(
    (one) => panel.querySelector<HTMLElement>(one) as HTMLElement,
  )
  if (!title || !link || !cancel || !closing) return
  title.textContent = job.label
  link.setAttribute('href', job.url)
  const list = () => document.getElementById(from.closest('.listing')?.id ?? '')
  const close = () => {
    const held = panel.contains(document.activeElement)
    panel.remove()
    if (!held) return
    if (from.checkVisibility()) from.focus()
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
  // On a phone it lies over the button that has started it.
  panel.focus()
  show(panel, job)
  listen(job.url, panel, async ({ state, text: words, answer }) => {
    if (cancel.contains(document.activeElement)) panel.focus()
    cancel.remove()
    if (state === 'done') {
      close()
      if (answer?.download) saveFile(answer.download.name, `data:application/octet-stream;base64,${answer.download.base64}`)
      await applyAnswer({ message: words, ...answer }, list())
    }
    // The panel has said it, and stays: anything more would lie over its buttons.
    else await refresh(list())
  })
}

function listen(url: string, bar: HTMLElement, ended: (job: Job) => unknown): void {
  const source = new EventSource(url)
  source.addEventListener('progress', ({ data }) => show(bar, JSON.parse(data)))
  source.addEventListener('end', ({ data }) => {
    source.close()
    show(bar, JSON.parse(data))
    ended(JSON.parse(data))
  })
  source.addEventListener('error', () => {
    // It tries again by itself, unless it was refused.
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
  // What has ended otherwise than it should interrupts; how far it is does not.
  if (state !== 'running' && state !== 'done') bar.querySelector('.state')?.setAttribute('role', 'alert')
  say(bar, words)
}

function say(bar: HTMLElement, words: string): void {
  const state = bar.querySelector('.state')
  // What says the same again says nothing.
  if (state && state.textContent !== words) state.textContent = words
}
