// Sends a chosen or dropped file at once, with its progress: it is then there whatever becomes of the form. Pages with a field of files load
// it, beside the page's script.
import { setError } from './form/field-errors.js'
import { part, saidBy, text } from './page/parts.js'
import { beforeSending } from './page/ready.js'
import { token } from './page/send.js'
import { signedOutText } from './page/signed-out.js'

/** An upload, or several that were chosen together. */
interface Upload {
  readonly done: Promise<boolean>
  readonly stop: AbortController
}

/** The uploads that are running, by their control. */
const running = new Map<Element, Set<Upload>>()

addEventListener('change', ({ target }) => take(target as HTMLInputElement))
addEventListener('dragover', (event) => {
  const control = controlAt(event)
  control?.classList.add('over')
  if (control || misses(event)) event.preventDefault()
  if (!control && event.defaultPrevented && event.dataTransfer) event.dataTransfer.dropEffect = 'none'
})
addEventListener('dragleave', (event) => controlAt(event)?.classList.remove('over'))
addEventListener('drop', (event) => {
  const control = controlAt(event)
  const files = event.dataTransfer?.files
  if (!control || !files?.length) return
  event.preventDefault()
  control.classList.remove('over')
  const input = control.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement
  input.files = files
  input.dispatchEvent(new Event('change', { bubbles: true }))
})
beforeSending(uploaded)

function take(input: HTMLInputElement): void {
  const files = [...(input.files ?? [])]
  const control = input.closest<HTMLElement>('.file-control[data-upload]')
  const [file] = files
  if (!file || !control || input.type !== 'file') return
  const mine = running.get(control) ?? new Set()
  // Of two files that are chosen one after the other, the second counts, whichever arrives first.
  if (!input.multiple) for (const one of mine) one.stop.abort()
  const stop = new AbortController()
  const done = input.multiple ? addAll(control, input, files) : replace(control, input, file, stop)
  const upload = { done, stop }
  running.set(control, mine.add(upload))
  done.finally(() => {
    mine.delete(upload)
    if (mine.size === 0 && running.get(control) === mine) running.delete(control)
  })
}

/** Waits for the uploads of a form; false: one of them failed or was cancelled. */
async function uploaded(form: HTMLFormElement): Promise<boolean> {
  // Meanwhile another file may be chosen.
  for (;;) {
    const mine = [...running].flatMap(([control, all]) => (form.contains(control) ? [...all].map(({ done }) => done) : []))
    if (mine.length === 0) return true
    if (!(await Promise.all(mine)).every(Boolean)) return false
  }
}

/** The control under a drag of files: anything else that is dragged is none of ours. */
function controlAt({ target, dataTransfer }: DragEvent): HTMLElement | null {
  const files = dataTransfer?.types.includes('Files')
  return files && target instanceof Element ? target.closest<HTMLElement>('.file-control[data-upload]') : null
}

/** Whether a dragged file would land beside the controls of this page, and replace it. */
function misses({ target, dataTransfer }: DragEvent): boolean {
  if (!dataTransfer?.types.includes('Files') || (target instanceof Element && target.matches('input[type=file]'))) return false
  return document.querySelector('.file-control[data-upload]') !== null
}

/** What became of an upload: the file is kept, or is not, or another has taken its place, or the user cancelled it. */
type Ended = { readonly kept: Kept } | { readonly why: string } | 'replaced' | 'cancelled'

/** Sends a file, with its progress in a bar that is put into the page by `show`. */
async function keep(
  control: HTMLElement,
  input: HTMLInputElement,
  file: File,
  stop: AbortController,
  show: (bar: HTMLElement) => void,
): Promise<Ended> {
  if (file.size > Number(control.dataset.most)) return { why: control.dataset.tooLarge ?? '' }
  const bar = part('uploading')
  const [progress, cancel] = [bar.querySelector('progress') as HTMLProgressElement, bar.querySelector('button') as HTMLElement]
  show(bar)
  let cancelled = false
  cancel.addEventListener('click', () => {
    cancelled = true
    // The button goes.
    input.focus()
    stop.abort()
  })
  try {
    const { status, body } = await send(`${control.dataset.upload}?name=${encodeURIComponent(file.name)}`, file, progress, stop.signal)
    if (cancelled) return 'cancelled'
    if (status === 0) return 'replaced'
    if (status === 201 && body?.data) return { kept: body.data }
    return { why: body?.errors?.[input.name]?.join(' ') ?? (status === 401 ? signedOutText() : saidBy(body)) }
  } catch {
    return { why: text('lost') }
  } finally {
    bar.remove()
  }
}

/** Says at a field what is wrong with its files, and forgets what it said before. */
function tell(control: HTMLElement, wrong: readonly string[]): void {
  const field = control.closest<HTMLElement>('.field')
  if (field) setError(field, wrong)
  saidOf(control).textContent = wrong.join(' ')
}

const saidOf = (control: HTMLElement) => control.querySelector('.said') as HTMLElement

// One file: another takes its place.

async function replace(control: HTMLElement, input: HTMLInputElement, file: File, stop: AbortController): Promise<boolean> {
  tell(control, [])
  const ended = await keep(control, input, file, stop, (bar) => {
    control.querySelector('.uploading')?.remove()
    input.after(bar)
  })
  if (ended === 'replaced') return true
  if (ended === 'cancelled' || 'why' in ended) {
    clear(input)
    if (ended !== 'cancelled') tell(control, [ended.why])
    return false
  }
  show(control, input, ended.kept)
  saidOf(control).textContent = text('uploaded', ended.kept.name)
  await preview(control, file, control)
  return true
}

/** Takes the choice back; the form then says whether it still has unsaved changes. */
function clear(input: HTMLInputElement): void {
  input.value = ''
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

interface Kept {
  readonly path: string
  readonly name: string
}

interface Sent {
  /** 0: it was stopped. */
  readonly status: number
  readonly body: { data?: Kept; errors?: Record<string, string[]>; message?: string; requestId?: string } | null
}

/** fetch() does not tell how much of a body has been sent. */
function send(url: string, file: File, progress: HTMLProgressElement, signal: AbortSignal): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.responseType = 'json'
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.setRequestHeader('x-csrf-token', token())
    request.upload.addEventListener('progress', ({ loaded, total }) => (progress.value = loaded / total))
    request.addEventListener('load', () => resolve({ status: request.status, body: request.response }))
    request.addEventListener('abort', () => resolve({ status: 0, body: null }))
    request.addEventListener('error', reject)
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

/** Puts the path where the form sends it. */
function show(control: HTMLElement, input: HTMLInputElement, { path, name }: Kept): void {
  // The browser would send the file again.
  input.value = ''
  const [hidden, now, clear] = [
    control.querySelector<HTMLInputElement>('input[type=hidden]') as HTMLInputElement,
    control.querySelector<HTMLElement>('.file-now') as HTMLElement,
    control.querySelector<HTMLElement>('.file-clear'),
  ]
  hidden.value = path
  now.replaceChildren(name)
  now.hidden = false
  if (clear) {
    clear.hidden = false
    ;(clear.querySelector('input') as HTMLInputElement).checked = false
  }
  hidden.dispatchEvent(new Event('change', { bubbles: true }))
}

// Several files: each that is chosen comes after the others.

// As many as are sent at once; the others wait.
const lanes = 3

async function addAll(control: HTMLElement, input: HTMLInputElement, files: readonly File[]): Promise<boolean> {
  const list = control.querySelector('.files-now') as HTMLElement
  const { most, tooMany = '' } = list.dataset
  const room = Number(most) - list.querySelectorAll('li:not(:has(.file-clear :checked))').length
  const beyond = files.slice(Math.max(0, room)).map(({ name }) => name)
  const wrong: string[] = beyond.length > 0 ? [`${beyond.join(', ')}: ${tooMany}`] : []
  tell(control, wrong)
  clear(input)
  const waiting = files.slice(0, Math.max(0, room)).map((file) => ({ file, item: itemFor(control, list, file) }))
  let all = wrong.length === 0
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { file, item } = next
      const ended = await keep(control, input, file, new AbortController(), (bar) => item.append(bar))
      if (typeof ended === 'object' && 'kept' in ended) {
        fill(item, ended.kept)
        saidOf(control).textContent = text('uploaded', ended.kept.name)
        await preview(control, file, item)
        continue
      }
      all = false
      item.remove()
      if (typeof ended !== 'object') continue
      wrong.push(`${file.name}: ${ended.why}`)
      tell(control, wrong)
    }
  }
  await Promise.all(Array.from({ length: lanes }, work))
  return all
}

/** The place of a file in the list, before it has been sent. */
function itemFor(control: HTMLElement, list: HTMLElement, { name }: File): HTMLElement {
  const template = control.querySelector('template') as HTMLTemplateElement
  const item = (template.content.firstElementChild as Element).cloneNode(true) as HTMLElement
  ;(item.querySelector('.file-now') as HTMLElement).textContent = name
  ;(item.querySelector('.file-does') as HTMLElement).hidden = true
  list.append(item)
  return item
}

/** Puts the path where the form sends it. */
function fill(item: HTMLElement, { path, name }: Kept): void {
  const [hidden, box, earlier] = [
    item.querySelector('input[type=hidden]') as HTMLInputElement,
    item.querySelector('[type=checkbox]') as HTMLInputElement,
    item.querySelector('.earlier') as HTMLElement,
  ]
  ;(item.querySelector('.file-now') as HTMLElement).textContent = name
  ;(item.querySelector('.file-does') as HTMLElement).hidden = false
  hidden.value = box.value = path
  // Their names are the server's, without the name of a file.
  for (const one of [box, earlier]) one.ariaLabel = (one.ariaLabel ?? '').replace('{name}', () => name)
  touched(item)
}

addEventListener('click', ({ target }) => {
  const button = (target as Element).closest?.<HTMLElement>('.several-files .earlier')
  const [item, list] = [button?.closest('li'), button?.closest<HTMLElement>('.files-now')]
  const before = item?.previousElementSibling
  if (!button || !item || !list || !before) return
  before.before(item)
  const items = [...list.children]
  const at = items.indexOf(item)
  // The first has nowhere to go.
  ;(at === 0 ? item.querySelector<HTMLElement>('[type=checkbox]') : button)?.focus()
  saidOf(list.parentElement as HTMLElement).textContent = (list.dataset.at ?? '')
    .replace('{at}', String(at + 1))
    .replace('{count}', String(items.length))
  touched(item)
})

// Not by a change, after which the form is validated: that takes back what is said here of other files.
function touched(item: HTMLElement): void {
  item.dispatchEvent(new Event('input', { bubbles: true }))
}

// Larger ones would only slow the page down.
const mostShown = 5_000_000

/** Shows a chosen picture. As a `data:` URL, the only one that the page's policy allows for what is not on the server yet. */
async function preview(control: HTMLElement, file: File, place: HTMLElement): Promise<void> {
  if (!/^image\/(?:png|jpeg|gif|webp|avif)$/.test(file.type) || file.size > mostShown || control.dataset.shows !== 'pictures') return
  const reader = new FileReader()
  await new Promise((resolve) => {
    reader.addEventListener('loadend', resolve)
    reader.readAsDataURL(file)
  })
  const picture = document.createElement('img')
  picture.className = 'preview'
  picture.alt = file.name
  picture.src = String(reader.result)
  const now = place.querySelector('.file-now')
  // Of several, the name stands beside it.
  if (place === control) now?.replaceChildren(picture)
  else now?.prepend(picture)
}

// What was chosen before this script was there.
for (const one of document.querySelectorAll<HTMLInputElement>('.file-control input[type=file]')) take(one)
