// Values that follow from what is typed: computed ones, and what a chosen record fills. Forms with some load it, beside the page's script.
import { toCheck } from './form/form-fields.js'
import { send } from './page/send.js'

type Texts = Readonly<Record<string, { readonly text: string | null }>>
interface Would {
  readonly computed: Texts
  readonly filled: Texts
}
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

// The debounce: as long as people pause between two digits.
const pause = 250
const none = '—'

interface Asking {
  timer: number
  request: AbortController
  /** What the outputs were made of last. */
  of: string
}
const askings = new WeakMap<HTMLFormElement, Asking>()

const choosing = new WeakMap<HTMLElement, { readonly key: string; readonly request: AbortController }>()
/** What the last choice has put into a control. */
const put = new WeakMap<Control, string>()

const look = ({ type, target }: Event) => {
  const at = target as HTMLElement
  const form = at.closest<HTMLFormElement>('form[data-validate]')
  if (!form) return
  const place = type === 'change' ? at.closest<HTMLElement>('.relation[data-fills]') : null
  if (place) void fill(form, place)
  follow(form, pause)
}
addEventListener('input', look)
addEventListener('change', look)
// The reset event comes before the fields change.
addEventListener('reset', ({ target }) => setTimeout(follow, 0, target, 0))
// A browser may have restored what was typed.
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-validate]'))
  if ([...form.elements].some(isRestored)) follow(form, 0)

function isRestored(control: Element): boolean {
  return (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) && control.value !== control.defaultValue
}

/** Shows what the outputs would be, with what the form holds now. The last request wins. */
function follow(form: HTMLFormElement, wait: number): void {
  if (!form.dataset.validate || !form.querySelector('output[name]')) return
  const mine: Asking = askings.get(form) ?? { timer: 0, request: new AbortController(), of: '' }
  askings.set(form, mine)
  clearTimeout(mine.timer)
  mine.timer = setTimeout(async () => {
    const fields = toCheck(form)
    const of = String(fields)
    if (of === mine.of) return
    mine.request.abort()
    mine.request = new AbortController()
    const would = await ask(form, fields, mine.request.signal)
    if (!would) return
    mine.of = of
    for (const one of form.querySelectorAll<HTMLOutputElement>('output[name]')) show(one, would)
  }, wait)
}

/** What the form would show; null: an answer that was overtaken, or none. Saving will report why. */
async function ask(form: HTMLFormElement, fields: URLSearchParams, signal: AbortSignal): Promise<Would | null> {
  // Nothing is made of a password, and hashing it takes its time.
  for (const { name } of form.querySelectorAll<HTMLInputElement>('[type=password]')) fields.delete(name)
  try {
    const { ok, body } = await send('POST', form.dataset.validate as string, fields, signal)
    return !signal.aborted && ok && body?.computed ? body : null
  } catch {
    return null
  }
}

function show(one: HTMLOutputElement, { computed, filled }: Would): void {
  const would = computed[one.name] ?? filled[one.name]
  // What is to be deleted, and what a record has that no choice fills anew, stays as it is.
  if (!would && !isNew(one)) return
  const text = would?.text ?? none
  one.classList.toggle('none', text === none)
  // A text that is the same would be read out again.
  if (one.value !== text) one.value = text
}

const isNew = (one: Element) => !one.closest('.repeater-row')?.querySelector('[name$="._key"]')

/** Fills what is blank, or holds what the last choice filled in, with what the chosen record has. */
async function fill(form: HTMLFormElement, place: HTMLElement): Promise<void> {
  const key = place.querySelector<HTMLInputElement>('.combobox > [type=hidden]')?.value ?? ''
  const before = choosing.get(place)
  if (key === before?.key) return
  before?.request.abort()
  const request = new AbortController()
  choosing.set(place, { key, request })
  if (key === '') return
  const controls = (JSON.parse(place.dataset.fills as string) as string[]).flatMap((name) => controlOf(form, name) ?? []).filter(isOpen)
  if (controls.length === 0) return
  const fields = toCheck(form)
  for (const { name } of controls) fields.set(name, '')
  const would = await ask(form, fields, request.signal)
  if (!would) {
    // The same choice may be made again.
    if (!request.signal.aborted) choosing.delete(place)
    return
  }
  for (const control of controls) {
    const text = would.filled[control.name]?.text ?? ''
    if (!isOpen(control) || control.value === text) continue
    control.value = text
    put.set(control, text)
    for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }))
  }
}

/** Whether nobody has typed anything else there. */
const isOpen = (control: Control) => control.value === '' || control.value === put.get(control)

/** A control of one text. Others, such as a relation, are filled when the form is saved. */
function controlOf(form: HTMLFormElement, name: string): Control | null {
  const one = form.elements.namedItem(name)
  if (one instanceof HTMLTextAreaElement || one instanceof HTMLSelectElement) return one
  return one instanceof HTMLInputElement && !['hidden', 'checkbox', 'radio', 'file'].includes(one.type) ? one : null
}
