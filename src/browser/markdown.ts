// The buttons of Markdown fields, and their preview. Without script, the field is a text area. Pages with such a field load it, beside the
// page's script.

import { begun, type Edit, goneOn, linked, type Selected, wrapped } from './form/markdown-marks.js'
import { saidIn } from './page/fetch-page.js'
import { text } from './page/parts.js'
import { signedOutText } from './page/signed-out.js'

addEventListener('click', (event) => {
  const button = (event.target as Element).closest?.<HTMLButtonElement>('.markdown > .tools > button:not([data-preview])')
  const area = button && areaOf(button)
  if (!button || !area || area.readOnly || area.disabled) return
  const { around, line, link } = button.dataset
  if (around !== undefined) put(area, wrapped(selected(area), around))
  else if (line !== undefined) put(area, begun(selected(area), line))
  else if (link !== undefined) put(area, linked(selected(area), link))
})
addEventListener('keydown', (event) => {
  const area = event.target as HTMLTextAreaElement
  if (!area.matches?.('.markdown > textarea') || event.isComposing) return
  const mark = event.ctrlKey || event.metaKey ? { b: '**', i: '_' }[event.key.toLowerCase()] : undefined
  const bare = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey
  const edit =
    mark !== undefined && !event.altKey && !event.shiftKey
      ? wrapped(selected(area), mark)
      : event.key === 'Enter' && bare
        ? goneOn(selected(area))
        : null
  if (!edit || area.readOnly) return
  event.preventDefault()
  put(area, edit)
})
addEventListener('keydown', moved)
addEventListener('focusin', ({ target }) => {
  for (const one of buttonsAround(target)) one.tabIndex = one === target ? 0 : -1
})

const areaOf = (button: Element) => button.closest('.markdown')?.querySelector('textarea') ?? null

/** The buttons of a toolbar that one of them is in. */
const buttonsAround = (target: EventTarget | null) => [
  ...((target as Partial<Element> | null)?.closest?.('.markdown > .tools')?.querySelectorAll('button') ?? []),
]

/** Moves among the buttons of a toolbar, the way that its line runs. */
function moved(event: KeyboardEvent): void {
  const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event
  const buttons = buttonsAround(target)
  if (buttons.length === 0 || altKey || ctrlKey || metaKey || shiftKey) return
  const at = buttons.indexOf(target as HTMLButtonElement)
  const on = getComputedStyle(target as Element).direction === 'rtl' ? -1 : 1
  const to = { ArrowRight: at + on, ArrowLeft: at - on, Home: 0, End: -1 }[key]
  if (to === undefined) return
  event.preventDefault()
  buttons.at(to % buttons.length)?.focus()
}

/** Makes an edit as if it were typed, so that it can be undone. */
function put(area: HTMLTextAreaElement, { from, to, words, select }: Edit): void {
  area.focus()
  area.setSelectionRange(from, to)
  const before = area.value
  // The only way that keeps what can be undone; a browser without it gets the text all the same.
  if (!document.execCommand(words === '' ? 'delete' : 'insertText', false, words) && area.value === before) {
    area.setRangeText(words, from, to, 'end')
    area.dispatchEvent(new Event('input', { bubbles: true }))
  }
  area.setSelectionRange(...select)
}

function selected({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Selected {
  return { value, from: selectionStart, to: selectionEnd }
}

const pause = 300

/** What is shown below a field of how it will look, by the field. */
const previews = new WeakMap<HTMLTextAreaElement, Preview>()

interface Preview {
  readonly shown: HTMLElement
  asked: AbortController | null
  timer: number
}

addEventListener('click', ({ target }) => {
  const button = (target as Element).closest?.<HTMLButtonElement>('.markdown > .tools > [data-preview]')
  const area = button && areaOf(button)
  if (!button || !area) return
  const on = button.ariaPressed !== 'true'
  button.ariaPressed = String(on)
  const preview = previews.get(area) ?? previewOf(area, button)
  if (!on) return preview.shown.remove()
  area.after(preview.shown)
  show(preview, area, button)
})
// While it is typed.
addEventListener('input', ({ target }) => {
  const preview = previews.get(target as HTMLTextAreaElement)
  if (!preview) return
  clearTimeout(preview.timer)
  const area = target as HTMLTextAreaElement
  const button = area.closest('.markdown')?.querySelector<HTMLButtonElement>('[data-preview]')
  if (preview.shown.isConnected && button) preview.timer = window.setTimeout(() => show(preview, area, button), pause)
})

function previewOf(area: HTMLTextAreaElement, { textContent }: HTMLButtonElement): Preview {
  const shown = document.createElement('div')
  shown.className = 'markdown-preview'
  shown.setAttribute('role', 'region')
  shown.ariaLabel = textContent
  const preview: Preview = { shown, asked: null, timer: 0 }
  previews.set(area, preview)
  return preview
}

async function show(preview: Preview, area: HTMLTextAreaElement, button: HTMLButtonElement): Promise<void> {
  preview.asked?.abort()
  const asking = new AbortController()
  preview.asked = asking
  const { shown } = preview
  try {
    const response = await fetch(button.dataset.preview as string, {
      method: 'POST',
      headers: { accept: 'text/html' },
      body: new URLSearchParams({ text: area.value }),
      signal: asking.signal,
      redirect: 'manual',
    })
    const markup = await response.text()
    if (preview.asked !== asking) return
    // After a sign-out, the panel redirects to the sign-in page.
    if (response.type === 'opaqueredirect' || response.status === 401) shown.textContent = signedOutText()
    else if (response.ok) shown.innerHTML = markup
    else shown.textContent = saidIn(markup)
  } catch {
    if (preview.asked === asking) shown.textContent = text('lost')
  }
}
