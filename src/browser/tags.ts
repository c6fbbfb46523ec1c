// Shows the lines of a text area as texts to remove one by one, beside a control that adds one. Pages with such a field load it, beside the
// page's script.
import { combobox, type Option } from './page/combobox.js'
import { part } from './page/parts.js'
import { say } from './page/say.js'

const bare = '.tags:not(:has(> .all)) > textarea:not([readonly])'

function enhance(area: HTMLTextAreaElement): void {
  const place = area.parentElement as HTMLElement
  const box = part('relation')
  const input = box.querySelector('input') as HTMLInputElement
  const [whole, list] = [document.createElement('div'), document.createElement('ul')]
  const suggestions = [...place.querySelectorAll('option')].map(({ value }) => value)
  let all = linesOf(area.value)
  let closeOptions = () => {}
  const offered = () => suggestions.filter((one) => !all.includes(one) && folded(one).includes(folded(input.value.trim())))
  const enter = place.dataset.enter as string
  const said = (name: 'remove' | 'added' | 'removed', one: string) => (place.dataset[name] as string).replace('{name}', () => one)

  standFor(area, input)
  whole.className = 'all'
  list.role = 'list'
  whole.append(list, box)
  place.prepend(whole)
  const how = document.getElementById(`${input.id}-how`)
  if (how) how.textContent = enter
  draw()

  area.addEventListener('input', ({ isTrusted }) => {
    // Another script has filled it in.
    if (!isTrusted && area.value !== sent()) follow()
  })
  area.form?.addEventListener('reset', () => setTimeout(follow))
  list.addEventListener('click', ({ target }) => {
    const at = [...list.querySelectorAll('button')].indexOf((target as Element).closest('button') as HTMLButtonElement)
    if (at >= 0) remove(at)
  })
  // Whoever clicks beside the texts wants to type.
  whole.addEventListener('mousedown', (event) => {
    if (event.target !== whole) return
    event.preventDefault()
    input.focus()
  })
  // Before the list of options takes the key: what is typed is not one of them unless it is chosen.
  input.addEventListener('keydown', (event) => {
    if (event.isComposing || input.getAttribute('aria-activedescendant') !== null) return
    if (event.key === 'Enter' && input.value.trim() !== '') add([input.value])
    else if (event.key === 'Backspace' && input.value === '' && all.length > 0) remove(all.length - 1)
    else return
    event.preventDefault()
    event.stopImmediatePropagation()
  })
  input.addEventListener('input', (event) => {
    // Nothing is to choose any more of what was typed.
    if (!(event as InputEvent).isComposing && type()) event.stopImmediatePropagation()
  })
  input.addEventListener('compositionend', type)
  // A control of one line would drop the breaks between them.
  input.addEventListener('paste', (event) => {
    const pasted = event.clipboardData?.getData('text') ?? ''
    const lines = pasted.split(/[\r\n\t]+/)
    if (lines.length < 2) return
    event.preventDefault()
    add([input.value, ...lines])
  })
  // What is typed is sent in any case. Now it looks so, too.
  input.addEventListener('blur', () => {
    if (input.value.trim() !== '') add([input.value])
  })
  const options = box.querySelector('.options') as HTMLElement
  if (suggestions.length === 0) options.remove()
  else {
    const { close } = combobox<Option>({
      input,
      list: options,
      search: async () => offered().map((label) => ({ label })),
      choose: ({ label }) => add([label]),
      none: () => enter,
      closes: true,
    })
    closeOptions = close
  }

  /** Takes what is typed. Returns whether a comma has ended it. */
  function type(): boolean {
    const typed = input.value.split(',')
    if (typed.length > 1) add(typed.slice(0, -1), typed.at(-1)?.trimStart())
    else put('input')
    return typed.length > 1
  }

  /** The lines as they are sent: what is being typed is one. */
  function sent(): string {
    return linesOf([...all, input.value].join('\n')).join('\n')
  }

  function put(event: 'input' | 'change'): void {
    area.value = sent()
    area.dispatchEvent(new Event(event, { bubbles: true }))
  }

  function add(texts: readonly string[], rest = ''): void {
    const more = linesOf(texts.join('\n')).filter((one) => !all.includes(one))
    all = [...all, ...more]
    input.value = rest
    closeOptions()
    changed()
    // The focus stays where it is, so that a screen reader would not notice.
    if (more.length > 0) say(said('added', more.join(', ')))
  }

  function remove(at: number): void {
    const [gone] = all.splice(at, 1)
    const hadFocus = list.contains(document.activeElement)
    changed()
    if (gone !== undefined) say(said('removed', gone))
    const next = list.querySelectorAll('button')[Math.min(at, all.length - 1)]
    if (hadFocus) (next ?? input).focus()
  }

  function changed(): void {
    draw()
    put('change')
  }

  function follow(): void {
    all = linesOf(area.value)
    input.value = ''
    draw()
  }

  function draw(): void {
    list.replaceChildren(...all.map((one) => removable(one, said('remove', one))))
  }
}

/** Puts a control in place of a text area: what leads to that, as its label and what describes it, leads to the control. */
function standFor(area: HTMLTextAreaElement, input: HTMLInputElement): void {
  for (const name of ['id', 'aria-describedby', 'aria-invalid', 'placeholder']) {
    const value = area.getAttribute(name)
    if (value !== null) input.setAttribute(name, value)
    area.removeAttribute(name)
  }
  input.ariaRequired = String(area.required)
  input.autocomplete = 'off'
  // A control that is not shown could not say that it has to be filled in.
  area.required = false
  area.hidden = true
}

/** A text with the button that removes it. */
function removable(text: string, label: string): HTMLElement {
  const [line, words, button] = [document.createElement('li'), document.createElement('span'), document.createElement('button')]
  words.textContent = text
  button.type = 'button'
  button.ariaLabel = label
  button.textContent = '×'
  line.append(words, button)
  return line
}

/** The lines of a text: each once, none empty. */
function linesOf(text: string): string[] {
  return [...new Set(text.split('\n').map((one) => one.trim()))].filter((one) => one !== '')
}

const folded = (text: string) => text.toLocaleLowerCase()

const look = (root: ParentNode) => {
  for (const area of root.querySelectorAll<HTMLTextAreaElement>(bare)) enhance(area)
}

look(document)
addEventListener('daymark-shown', ({ target }) => look(target as Element))
