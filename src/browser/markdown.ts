import { saidIn } from './fetch-page.js'
import { text } from './parts.js'
import { whenShown } from './swapped.js'

/** The buttons of Markdown fields, and their preview. Without script, the field is a text area. */
export function markdownFields(): void {
  addEventListener('click', (event) => {
    const button = (event.target as Element).closest?.<HTMLButtonElement>('.markdown > .tools > button:not([data-preview])')
    const area = button && areaOf(button)
    if (!button || !area || area.readOnly || area.disabled) return
    const { around, line, link } = button.dataset
    if (around !== undefined) wrap(area, around)
    else if (line !== undefined) begin(area, line)
    else if (link !== undefined) linked(area, link)
  })
  addEventListener('keydown', (event) => {
    const area = event.target as HTMLTextAreaElement
    if (!area.matches?.('.markdown > textarea') || event.isComposing) return
    const mark = event.ctrlKey || event.metaKey ? { b: '**', i: '_' }[event.key] : undefined
    if (mark !== undefined && !event.altKey && !event.shiftKey) wrap(area, mark)
    else if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.metaKey || !goesOn(area)) return
    event.preventDefault()
  })
  whenShown((root) => {
    for (const button of root.querySelectorAll<HTMLButtonElement>('.markdown > .tools > [data-preview]')) previewing(button)
  })
}

const areaOf = (button: Element) => button.closest('.markdown')?.querySelector('textarea') ?? null

/** Replaces the text between two positions as if it were typed, so that it can be undone. */
function put(area: HTMLTextAreaElement, from: number, to: number, words: string): void {
  area.focus()
  area.setSelectionRange(from, to)
  const before = area.value
  // The only way that keeps what can be undone; a browser without it gets the text all the same.
  if (!document.execCommand(words === '' ? 'delete' : 'insertText', false, words) && area.value === before) {
    area.setRangeText(words, from, to, 'end')
    area.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

/** Puts a mark around the selection, or takes it away. */
function wrap(area: HTMLTextAreaElement, mark: string): void {
  const { selectionStart: from, selectionEnd: to, value } = area
  const size = mark.length
  const chosen = value.slice(from, to)
  if (value.slice(from - size, from) === mark && value.slice(to, to + size) === mark) {
    put(area, from - size, to + size, chosen)
    area.setSelectionRange(from - size, to - size)
    return
  }
  put(area, from, to, mark + chosen + mark)
  area.setSelectionRange(from + size, to + size)
}

/** Begins each selected line with a mark, or takes it from all of them. */
function begin(area: HTMLTextAreaElement, mark: string): void {
  const { selectionStart, selectionEnd, value } = area
  const from = value.lastIndexOf('\n', selectionStart - 1) + 1
  const end = value.indexOf('\n', selectionEnd)
  const to = end < 0 ? value.length : end
  const lines = value.slice(from, to).split('\n')
  const numbered = mark === '1. '
  const has = numbered ? /^\d+\. / : null
  const without = lines.every((line) => (has ? has.test(line) : line.startsWith(mark)))
  const next = lines.map((line, i) => {
    if (without) return has ? line.replace(has, '') : line.slice(mark.length)
    return (numbered ? `${i + 1}. ` : mark) + line
  })
  const words = next.join('\n')
  put(area, from, to, words)
  if (lines.length > 1) area.setSelectionRange(from, from + words.length)
}

/** Makes a link of the selection, and selects its address. */
function linked(area: HTMLTextAreaElement, start: string): void {
  const { selectionStart: from, selectionEnd: to, value } = area
  const chosen = value.slice(from, to)
  const isAddress = /^https?:\/\/\S+$/.test(chosen)
  const [words, address] = isAddress ? ['', chosen] : [chosen, start]
  put(area, from, to, `[${words}](${address})`)
  const at = from + words.length + 3
  if (isAddress) area.setSelectionRange(from + 1, from + 1)
  else area.setSelectionRange(at, at + address.length)
}

/** Goes on with the list or quote of the line where a new one begins; an empty item ends it. */
function goesOn(area: HTMLTextAreaElement): boolean {
  const { selectionStart: at, selectionEnd, value } = area
  if (at !== selectionEnd) return false
  const from = value.lastIndexOf('\n', at - 1) + 1
  const found = /^(\s*)([-*+] |> |(\d+)([.)]) )(.*)$/.exec(value.slice(from, at))
  if (!found) return false
  const [, indent = '', mark = '', number, dot, rest = ''] = found
  if (rest === '') put(area, from, at, '')
  else put(area, at, at, `\n${indent}${number === undefined ? mark : `${Number(number) + 1}${dot} `}`)
  return true
}

const pause = 300

/** Shows below the field how what is typed will look, while it is typed. */
function previewing(button: HTMLButtonElement): void {
  const area = areaOf(button)
  if (!area || button.dataset.ready !== undefined) return
  button.dataset.ready = ''
  const shown = document.createElement('div')
  shown.className = 'markdown-preview'
  shown.setAttribute('role', 'region')
  shown.ariaLabel = button.textContent
  let asked: AbortController | null = null
  let timer = 0
  const show = async () => {
    asked?.abort()
    const asking = new AbortController()
    asked = asking
    try {
      const response = await fetch(button.dataset.preview as string, {
        method: 'POST',
        headers: { accept: 'text/html' },
        body: new URLSearchParams({ text: area.value }),
        signal: asking.signal,
        redirect: 'error',
      })
      const markup = await response.text()
      if (asked !== asking) return
      if (response.ok) shown.innerHTML = markup
      else shown.textContent = saidIn(markup)
    } catch {
      if (asked === asking) shown.textContent = text('lost')
    }
  }
  button.addEventListener('click', () => {
    const on = button.ariaPressed !== 'true'
    button.ariaPressed = String(on)
    if (!on) return shown.remove()
    area.after(shown)
    show()
  })
  area.addEventListener('input', () => {
    clearTimeout(timer)
    if (shown.isConnected) timer = window.setTimeout(show, pause)
  })
}
