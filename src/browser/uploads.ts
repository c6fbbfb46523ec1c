import { setError } from './field-errors.js'
import { part, saidBy, text } from './parts.js'
import { token } from './send.js'

/** The uploads that are running, by their control. */
const running = new Map<Element, Promise<boolean>>()

/** Sends a chosen or dropped file at once, with its progress: it is then there whatever becomes of the form. */
export function uploads(): void {
  addEventListener('change', ({ target }) => {
    const input = target as HTMLInputElement
    const [file] = input.files ?? []
    const control = input.closest<HTMLElement>('.file-control[data-upload]')
    if (!file || !control || input.type !== 'file') return
    const upload = keep(control, input, file).finally(() => {
      if (running.get(control) === upload) running.delete(control)
    })
    running.set(control, upload)
  })
  addEventListener('dragover', (event) => {
    const control = controlAt(event)
    if (!control) return
    event.preventDefault()
    control.classList.add('over')
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
}

/** Waits for the uploads of a form; false: one of them failed. */
export async function uploaded(form: HTMLFormElement): Promise<boolean> {
  const mine = [...running].flatMap(([control, upload]) => (form.contains(control) ? [upload] : []))
  return (await Promise.all(mine)).every(Boolean)
}

/** The control under a drag of files: anything else that is dragged is none of ours. */
function controlAt({ target, dataTransfer }: DragEvent): HTMLElement | null {
  const files = dataTransfer?.types.includes('Files')
  return files && target instanceof Element ? target.closest<HTMLElement>('.file-control[data-upload]') : null
}

async function keep(control: HTMLElement, input: HTMLInputElement, file: File): Promise<boolean> {
  const field = control.closest<HTMLElement>('.field')
  const fail = (why: string) => {
    input.value = ''
    if (field) setError(field, [why])
    return false
  }
  if (field) setError(field, [])
  if (file.size > Number(control.dataset.most)) return fail(control.dataset.tooLarge ?? '')
  const bar = part('uploading')
  const [progress, cancel] = [bar.querySelector('progress') as HTMLProgressElement, bar.querySelector('button') as HTMLElement]
  control.querySelector('.uploading')?.remove()
  input.after(bar)
  try {
    const { status, body } = await send(`${control.dataset.upload}?name=${encodeURIComponent(file.name)}`, file, progress, cancel)
    if (status === 0) {
      input.value = ''
      return true
    }
    if (status !== 201 || !body?.data)
      return fail(body?.errors?.[input.name]?.join(' ') ?? (status === 401 ? text('signedOut') : saidBy(body)))
    show(control, input, body.data)
    await preview(control, file)
    return true
  } catch {
    return fail(text('lost'))
  } finally {
    bar.remove()
  }
}

interface Kept {
  readonly path: string
  readonly name: string
}

interface Sent {
  /** 0: it was cancelled. */
  readonly status: number
  readonly body: { data?: Kept; errors?: Record<string, string[]>; message?: string; requestId?: string } | null
}

/** fetch() does not tell how much of a body has been sent. */
function send(url: string, file: File, progress: HTMLProgressElement, cancel: HTMLElement): Promise<Sent> {
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
    cancel.addEventListener('click', () => request.abort())
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
