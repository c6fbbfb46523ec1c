// Drags the records of boards and calendars. Pages with such a view whose records somebody may move load it, beside the page's script. What
// is dropped is the change of a field, sent as a cell sends its own: the panel decides about it as about that.
import { say } from './page/say.js'

/** A card that is held down, and may be about to be dragged. */
interface Held {
  readonly card: HTMLElement
  readonly pointer: number
  readonly x: number
  readonly y: number
  /** Lifts what a finger holds for long enough: until then, it may be about to scroll. */
  readonly timer: number
}

/** A card that is being dragged. */
interface Lifted {
  readonly card: HTMLElement
  readonly view: HTMLElement
  readonly pointer: number
  /** What follows the pointer. */
  readonly copy: HTMLElement
  /** Where the pointer has taken hold of it. */
  readonly dx: number
  readonly dy: number
}

// A view has places: the columns of a board, the days of a calendar.
const views = ':is(.board, .calendar)'
const places = ':is(.board .column, .calendar td)'

let held: Held | null = null
let lifted: Lifted | null = null
let [x, y] = [0, 0]

// In pixels and milliseconds.
const slack = 6
const patience = 300

addEventListener('pointerdown', (event) => {
  const target = event.target as Element
  const card = target.closest<HTMLElement>(`${views} li[data-move]`)
  if (!card || event.button !== 0 || lifted || target.closest('button, .menu')) return
  if (card.closest('.listing')?.ariaBusy === 'true' || card.querySelector('form[aria-busy=true]')) return
  // There, a calendar is a list of the days that have records.
  if (card.closest('.calendar') && matchMedia('(width < 640px)').matches) return
  release()
  ;[x, y] = [event.clientX, event.clientY]
  const { pointerId: pointer, pointerType } = event
  held = { card, pointer, x, y, timer: pointerType === 'mouse' ? 0 : setTimeout(lift, patience) }
})
addEventListener('pointermove', ({ pointerId, clientX, clientY }) => {
  if (held?.pointer === pointerId) {
    const isFar = Math.hypot(clientX - held.x, clientY - held.y) > slack
    // A finger that moves at once scrolls.
    if (isFar && held.timer !== 0) release()
    else if (isFar) lift()
  }
  if (lifted?.pointer !== pointerId) return
  ;[x, y] = [clientX, clientY]
  follow()
})
addEventListener('pointerup', ({ pointerId }) => {
  release()
  if (lifted?.pointer !== pointerId) return
  const { card, view } = lifted
  const place = view.querySelector<HTMLElement>('[data-drop]')
  settle()
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', swallow, true))
  if (place && card.isConnected) drop(card, place)
})
addEventListener('pointercancel', () => {
  release()
  settle()
})
addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !lifted) return
  event.preventDefault()
  settle()
})
// A finger that drags neither scrolls nor opens the menu of what is below it.
addEventListener('touchmove', (event) => lifted && event.preventDefault(), { passive: false })
addEventListener('contextmenu', (event) => (lifted || (held?.timer ?? 0) !== 0) && event.preventDefault())
addEventListener('dragstart', (event) => (event.target as Element).closest?.(`${views} li`) && event.preventDefault())
// Once it is saved, what the field declares is fired, as from a cell, and the record is in view: sorted, it may be far from where it was put.
addEventListener('submit', ({ target, submitter }) => {
  const form = target as HTMLFormElement
  const list = form.closest?.(views)?.closest('.listing')
  const key = form.closest<HTMLElement>('li')?.dataset.key
  if (!list || !submitter || key === undefined) return
  const events: readonly string[] = JSON.parse(form.dataset.events ?? '[]')
  wrong.delete(submitter)
  const watch = new MutationObserver(() => {
    if (form.ariaBusy === 'true') return
    watch.disconnect()
    if (wrong.has(submitter)) return
    list.querySelector(`${views} li[data-key="${CSS.escape(key)}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    for (const name of events) dispatchEvent(new CustomEvent(name))
  })
  watch.observe(form, { attributeFilter: ['aria-busy'] })
})
// The move was refused, or could not be sent: what is stored is read again.
addEventListener('refused', ({ target }) => {
  const button = target as Element
  const list = button.closest('.listing')
  if (!button.closest(views) || !list) return
  wrong.add(button)
  sent.get(button)?.()
  dispatchEvent(new CustomEvent(`table-updated-${list.id}`))
})

// Of many columns, the heads say where a card is moved.
addEventListener(
  'beforetoggle',
  ({ target }) => {
    const form = (target as Element).querySelector<HTMLFormElement>('.board form.scripted')
    const card = form?.closest('li')
    if (!form || !card || form.querySelector('button')) return
    for (const column of document.querySelectorAll<HTMLElement>('.board .column')) {
      if (!isOpenTo(card, column)) continue
      const button = document.createElement('button')
      button.name = 'value'
      button.value = column.dataset.value as string
      button.dataset.action = 'run'
      button.append(...(column.querySelector('.what')?.cloneNode(true).childNodes ?? []))
      form.append(button)
    }
  },
  true,
)

function swallow(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}

function release(): void {
  clearTimeout(held?.timer)
  held = null
}

function lift(): void {
  if (!held) return
  const { card, pointer } = held
  release()
  const view = card.closest<HTMLElement>(views)
  if (!view) return
  const { left, top, width } = card.getBoundingClientRect()
  const copy = card.cloneNode(true) as HTMLElement
  copy.classList.add('dragged')
  copy.inert = true
  copy.querySelector('.menu')?.remove()
  copy.style.inlineSize = `${width}px`
  view.append(copy)
  card.toggleAttribute('data-lifted', true)
  view.toggleAttribute('data-lifting', true)
  for (const place of view.querySelectorAll<HTMLElement>(places)) place.toggleAttribute('data-takes', isOpenTo(card, place))
  card.setPointerCapture(pointer)
  lifted = { card, view, pointer, copy, dx: x - left, dy: y - top }
  follow()
  scroll()
}

/** Whether a card can be moved to a place: to any other, unless its own one says where it leads. */
function isOpenTo(card: HTMLElement, place: HTMLElement): boolean {
  const own = card.closest<HTMLElement>(places)
  const { value } = place.dataset
  const leads = own?.dataset.leads
  return own !== place && value !== undefined && (leads === undefined || JSON.parse(leads).includes(value))
}

function follow(): void {
  if (!lifted) return
  const { card, view, copy, dx, dy } = lifted
  if (!card.isConnected) {
    settle()
    return
  }
  copy.style.left = `${x - dx}px`
  copy.style.top = `${y - dy}px`
  const over = placeBelow()
  for (const place of view.querySelectorAll(places)) place.toggleAttribute('data-drop', place === over && place.matches('[data-takes]'))
}

function settle(): void {
  if (!lifted) return
  const { card, view, copy } = lifted
  lifted = null
  copy.remove()
  card.removeAttribute('data-lifted')
  view.removeAttribute('data-lifting')
  for (const place of view.querySelectorAll(places)) for (const name of ['data-takes', 'data-drop']) place.removeAttribute(name)
}

const sent = new WeakMap<Element, () => void>()
const wrong = new WeakSet<Element>()

/** Puts a card into a place, and sends that. */
function drop(card: HTMLElement, place: HTMLElement): void {
  const template = card.closest(views)?.querySelector<HTMLTemplateElement>('template.mover')
  const form = template?.content.querySelector('form')?.cloneNode(true) as HTMLFormElement | undefined
  const button = form?.querySelector('button')
  const { move = '', was = '', events, time } = card.dataset
  const [parent, next] = [card.parentElement as Element, card.nextSibling]
  if (!form || !button) return
  form.action = move
  if (events !== undefined) form.dataset.events = events
  const before = form.querySelector<HTMLInputElement>('[name=was]')
  if (before) before.value = was
  // A time keeps its time of day.
  button.value = `${place.dataset.value}${time === undefined ? '' : `T${time}`}`
  card.append(form)
  const list = place.querySelector('ul') ?? place.appendChild(document.createElement('ul'))
  list.prepend(card)
  sent.set(button, () => {
    form.remove()
    parent.insertBefore(card, next?.parentNode === parent ? next : null)
  })
  form.requestSubmit(button)
  say(`${card.querySelector('.name, .label')?.textContent}: ${place.querySelector('.what, .words')?.textContent}`)
}

function placeBelow(): Element | null {
  return document.elementFromPoint(x, y)?.closest(places) ?? null
}

// How near to an edge what is there scrolls, and how far in each frame.
const edge = 56
const pace = 10

/** Scrolls while the pointer is near an edge: the view sideways, and the column below the pointer, or else the page, up and down. */
function scroll(): void {
  if (!lifted) return
  const { view } = lifted
  const { left, right } = view.getBoundingClientRect()
  const column = placeBelow()?.closest('.column')
  const { top, bottom } = column?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight }
  const page = document.scrollingElement as Element
  const moved = [
    scrolls(view, 'scrollLeft', stepTo(x, Math.max(left, 0), Math.min(right, innerWidth))),
    (column && scrolls(column, 'scrollTop', stepTo(y, Math.max(top, 0), Math.min(bottom, innerHeight)))) ||
      scrolls(page, 'scrollTop', stepTo(y, 0, innerHeight)),
  ]
  if (moved.includes(true)) follow()
  requestAnimationFrame(scroll)
}

function stepTo(at: number, start: number, end: number): number {
  return at < start + edge ? -pace : at > end - edge ? pace : 0
}

/** Whether it could go there. */
function scrolls(one: Element, way: 'scrollLeft' | 'scrollTop', by: number): boolean {
  const was = one[way]
  one[way] += by
  return one[way] !== was
}
