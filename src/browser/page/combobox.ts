import { Refused } from './fetch-page.js'
import { overDialog } from './over-dialog.js'
import { text } from './parts.js'

/** An option to choose. */
export interface Option {
  readonly label: string
  /** Consecutive options of the same group are shown under its name. */
  readonly group?: string
  /** Secondary text beside the label. */
  readonly hint?: string
}

interface Combobox<O extends Option> {
  readonly input: HTMLInputElement
  readonly list: HTMLElement
  /** Finds the options for the typed text. */
  search(typed: string, signal: AbortSignal): Promise<readonly O[]>
  choose(option: O, event: Event): void
  /** The text for no results. */
  none(): string
  /** Whether the list closes when it is not needed. */
  readonly closes: boolean
}

/** Tells the input of a combobox that what it found depends on something that has changed. */
export const outdated = 'outdated'

// The debounce: as long as people pause between two letters of a word.
const pause = 150
let made = 0

/** A combobox after the ARIA pattern: options follow the typed text, arrows move among them, and the focus stays in the input. */
export function combobox<O extends Option>({
  input,
  list,
  search,
  choose,
  none,
  closes,
}: Combobox<O>): {
  /** @param saysNone whether it opens if there is nothing to choose, too, to say so. Default: true */
  open(saysNone?: boolean): void
  close(): void
} {
  const id = `combobox-${++made}`
  let options: readonly O[] = []
  let at = -1
  let timer = 0
  let asking: AbortController | null = null
  // typed: since the list opened. behind: the options are for older text. entered: an Enter pressed while they were, to run when they come.
  let typed = false
  let behind = false
  let entered: KeyboardEvent | null = null
  const over = overDialog(list, input)
  list.id = id
  list.role = 'listbox'
  input.role = 'combobox'
  input.autocomplete = 'off'
  input.ariaAutoComplete = 'list'
  input.setAttribute('aria-controls', id)
  show(false)

  input.addEventListener('input', () => {
    typed = input.value !== ''
    behind = typed || !closes
    entered = null
    if (closes) move(-1)
    ask(pause)
  })
  // An Enter that waits for options waits for these.
  input.addEventListener(outdated, () => {
    if (list.hidden && !list.ariaBusy) return
    behind = true
    ask(0)
  })
  input.addEventListener('keydown', pressed)
  if (closes) {
    input.addEventListener('blur', () => show(false))
    input.addEventListener('click', () => {
      if (!list.hidden) return
      // So that typing replaces the previous choice.
      input.select()
      ask(0)
    })
  }
  // Keeps the focus in the input.
  list.addEventListener('mousedown', (event) => event.preventDefault())
  list.addEventListener('click', (event) => {
    const index = [...list.querySelectorAll('[role=option]')].indexOf((event.target as Element).closest('[role=option]') as Element)
    take(index, event)
  })
  return { open: (saysNone = true) => ask(0, saysNone), close: () => show(false) }

  function ask(wait: number, saysNone = true): void {
    clearTimeout(timer)
    asking?.abort()
    asking = new AbortController()
    const { signal } = asking
    timer = setTimeout(async () => {
      list.ariaBusy = 'true'
      try {
        const found = await search(input.value, signal)
        if (signal.aborted) return
        if (saysNone || found.length > 0) fill(found, none())
        else show(false)
      } catch (thrown) {
        if (!signal.aborted) fill([], thrown instanceof Refused ? thrown.message : text('failed'))
      }
      if (!signal.aborted) list.ariaBusy = null
    }, wait)
  }

  function fill(found: readonly O[], otherwise: string): void {
    const waiting = entered
    options = found
    behind = false
    entered = null
    move(-1)
    list.replaceChildren(...(found.length === 0 ? [nothing(otherwise)] : linesOf(found, id)))
    show(true)
    // The list may open below the viewport.
    if (closes && !over.show()) list.scrollIntoView({ block: 'nearest' })
    if (found.length === 0) return
    if (waiting) enter(waiting)
    else if (!closes) move(0)
  }

  /** Enter: takes the active option, the only one, or in a permanent list the first; else moves to the first. */
  function enter(event: KeyboardEvent): void {
    if (at >= 0) take(at, event)
    else if (options.length === 1 || !closes) take(0, event)
    else if (options.length > 0) move(0)
  }

  function show(open: boolean): void {
    list.hidden = !open
    input.ariaExpanded = String(open)
    if (open) return
    if (closes) over.hide()
    // A pending answer would open the list again.
    clearTimeout(timer)
    asking?.abort()
    list.ariaBusy = null
    typed = behind = false
    entered = null
    move(-1)
  }

  function move(to: number): void {
    at = to
    const lines = [...list.querySelectorAll<HTMLElement>('[role=option]')]
    for (const [i, one] of lines.entries()) one.ariaSelected = String(i === at)
    if (at < 0) input.removeAttribute('aria-activedescendant')
    else {
      input.setAttribute('aria-activedescendant', `${id}-${at}`)
      lines[at]?.scrollIntoView({ block: 'nearest' })
    }
  }

  function take(index: number, event: Event): void {
    const option = options[index]
    if (option) choose(option, event)
  }

  function pressed(event: KeyboardEvent): void {
    if (event.isComposing) return
    const open = !list.hidden
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (!open) ask(0)
      else if (options.length > 0) move((at + (key === 'ArrowDown' ? 1 : at < 0 ? 0 : -1) + options.length) % options.length)
    } else if (key === 'Enter' && behind) {
      // The options shown belong to the previous text.
      entered = event
      ask(0)
    } else if (key === 'Enter' && open && (typed || at >= 0 || !closes)) enter(event)
    else if (key === 'Escape' && open && closes) {
      event.stopPropagation()
      show(false)
    } else return
    event.preventDefault()
  }
}

/** The options as lines, those of a group below its name. */
function linesOf(found: readonly Option[], id: string): readonly HTMLElement[] {
  let last: string | undefined
  let box: HTMLElement
  return found.flatMap(({ label, group, hint }, i) => {
    const one = line('', label)
    one.role = 'option'
    one.id = `${id}-${i}`
    if (hint !== undefined) one.append(line('muted', hint))
    if (group === undefined) return [one]
    const isNew = group !== last
    if (isNew) box = groupOf(group)
    last = group
    box.append(one)
    return isNew ? [box] : []
  })
}

/** An option, so that screen readers read it, but disabled. */
function nothing(words: string): HTMLElement {
  const one = line('muted', words)
  one.role = 'option'
  one.ariaDisabled = 'true'
  return one
}

function groupOf(name: string): HTMLElement {
  const box = line('', '')
  const head = line('head', name)
  box.role = 'group'
  box.ariaLabel = name
  head.ariaHidden = 'true'
  box.append(head)
  return box
}

function line(className: string, words: string): HTMLElement {
  const one = document.createElement('div')
  if (className !== '') one.className = className
  one.textContent = words
  return one
}
