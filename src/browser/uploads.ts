// Sends a chosen or dropped file at once, with its progress: it is then there whatever becomes of the form. Pages with a field of files load
// it, beside the page's script.
import { setError } from './field-errors.js'
import { part, saidBy, text } from './parts.js'
import { beforeSending } from './ready.js'
import { token } from './send.js'

interface Upload {
  readonly done: Promise<boolean>
  readonly stop: AbortController
}

/** The uploads that are running, by their control. */
const running = new Map<Element, Upload>()

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
// What was chosen before this script was there.
for (const one of document.querySelectorAll<HTMLInputElement>('.file-control input[type=file]')) take(one)

function take(input: HTMLInputElement): void {
  const [file] = input.files ?? []
  const control = input.closest<HTMLElement>('.file-control[data-upload]')
  if (!file || !control || input.type !== 'file') return
  // Of two files that are chosen one after the other, the second counts, whichever arrives first.
  running.get(control)?.stop.abort()
  const stop = new AbortController()
  const done = keep(control, input, file, stop).finally(() => {
    if (running.get(control)?.stop === stop) running.delete(control)
  })
  running.set(control, { done, stop })
}

/** Waits for the uploads of a form; false: one of them failed or was cancelled. */
async function uploaded(form: HTMLFormElement): Promise<boolean> {
  // Meanwhile another file may be chosen.
  for (;;) {
    const mine = [...running].flatMap(([control, { done }]) => (form.contains(control) ? [done] : []))
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

async function keep(control: HTMLElement, input: HTMLInputElement, file: File, stop: AbortController): Promise<boolean> {
  const field = control.closest<HTMLElement>('.field')
  const said = control.querySelector('.said') as HTMLElement
  const fail = (why: string) => {
    clear(input)
    if (field) setError(field, [why])
    said.textContent = why
    return false
  }
  if (field) setError(field, [])
  said.textContent = ''
  if (file.size > Number(control.dataset.most)) return fail(control.dataset.tooLarge ?? '')
  const bar = part('uploading')
  const [progress, cancel] = [bar.querySelector('progress') as HTMLProgressElement, bar.querySelector('button') as HTMLElement]
  control.querySelector('.uploading')?.remove()
  input.after(bar)
  let cancelled = false
  cancel.addEventListener('click', () => {
    cancelled = true
    // The button goes.
    input.focus()
    stop.abort()
  })
  try {
    const { status, body } = await send(`${control.dataset.upload}?name=${encodeURIComponent(file.name)}`, file, progress, stop.signal)
    if (cancelled) clear(input)
    // Another file takes the place of one that was not cancelled.
    if (status === 0) return !cancelled
    if (status !== 201 || !body?.data)
      return fail(body?.errors?.[input.name]?.join(' ') ?? (status === 401 ? text('signedOut') : saidBy(body)))
    show(control, input, body.data)
    said.textContent = text('uploaded', body.data.name)
    await preview(control, file)
    return true
  } catch {
    return fail(text('lost'))
  } finally {
    bar.remove()
  }
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

// Larger ones would only slow the page down.
const mostShown = 5_000_000

/** Shows a chosen picture. As a `data:` URL, the only one that the page's policy allows for what is not on the server yet. */
async function preview(control: HTMLElement, file: File): Promise<void> {
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
  control.querySelector('.file-now')?.replaceChildren(picture)
}
