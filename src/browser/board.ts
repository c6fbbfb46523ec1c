// Drags the cards of boards. Pages with a board whose cards somebody may move load it, beside the page's script. What is dropped is sent by
// the button in the menu of the card, so that only what the panel offers can be done, in the way in which the keyboard does it.
import { say } from './say.js'

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
  readonly board: HTMLElement
  readonly pointer: number
  /** What follows the pointer. */
  readonly copy: HTMLElement
  /** Where the pointer has taken hold of it. */
  readonly dx: number
  readonly dy: number
}

let held: Held | null = null
let lifted: Lifted | null = null
let [x, y] = [0, 0]

// In pixels and milliseconds.
const slack = 6
const patience = 300

addEventListener('pointerdown', (event) => {
  const target = event.target as Element
  const card = target.closest<HTMLElement>('.board li[data-movable]')
  if (!card || event.button !== 0 || lifted || target.closest('button, .menu')) return
  if (card.closest('.listing')?.ariaBusy === 'true' || card.querySelector('form')?.ariaBusy === 'true') return
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
  const { card, board } = lifted
  const column = board.querySelector<HTMLElement>('[data-drop]')
  settle()
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', swallow, true))
  if (column && card.isConnected) drop(card, column)
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
addEventListener('dragstart', (event) => (event.target as Element).closest?.('.board li') && event.preventDefault())
// What the field declares is fired once it is saved, as from a cell.
addEventListener('submit', ({ target, submitter }) => {
  const form = target as HTMLFormElement
  const events: readonly string[] = JSON.parse(form.dataset.events ?? '[]')
  if (!form.closest?.('.board') || !submitter || events.length === 0) return
  wrong.delete(submitter)
  const watch = new MutationObserver(() => {
    if (form.ariaBusy === 'true') return
    watch.disconnect()
    if (!wrong.has(submitter)) for (const name of events) dispatchEvent(new CustomEvent(name))
  })
  watch.observe(form, { attributeFilter: ['aria-busy'] })
})
// The move was refused, or could not be sent: what is stored is read again.
addEventListener('refused', ({ target }) => {
  const button = target as Element
  const list = button.closest('.listing')
  if (!button.closest('.board') || !list) return
  wrong.add(button)
  sent.get(button)?.()
  dispatchEvent(new CustomEvent(`table-updated-${list.id}`))
})

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
  const board = card.closest<HTMLElement>('.board')
  if (!board) return
  const { left, top, width } = card.getBoundingClientRect()
  const copy = card.cloneNode(true) as HTMLElement
  copy.className = 'dragged'
  copy.inert = true
  copy.querySelector('form')?.remove()
  copy.style.inlineSize = `${width}px`
  board.append(copy)
  card.toggleAttribute('data-lifted', true)
  board.toggleAttribute('data-lifting', true)
  for (const column of board.querySelectorAll<HTMLElement>('.column')) column.toggleAttribute('data-takes', buttonTo(card, column) !== null)
  card.setPointerCapture(pointer)
  lifted = { card, board, pointer, copy, dx: x - left, dy: y - top }
  follow()
  scroll()
}

/** The button of a card's menu that moves it to a column; null: it cannot be moved there. */
function buttonTo(card: Element, column: HTMLElement): HTMLButtonElement | null {
  const { value } = column.dataset
  const all = [...card.querySelectorAll<HTMLButtonElement>('form button[name=value]')]
  return (!column.contains(card) && all.find((one) => one.value === value)) || null
}

function follow(): void {
  if (!lifted) return
  const { card, board, copy, dx, dy } = lifted
  if (!card.isConnected) {
    settle()
    return
  }
  copy.style.left = `${x - dx}px`
  copy.style.top = `${y - dy}px`
  const over = document.elementFromPoint(x, y)?.closest('.column')
  for (const column of board.querySelectorAll('.column'))
    column.toggleAttribute('data-drop', column === over && column.matches('[data-takes]'))
}

function settle(): void {
  if (!lifted) return
  const { card, board, copy } = lifted
  lifted = null
  copy.remove()
  card.removeAttribute('data-lifted')
  board.removeAttribute('data-lifting')
  for (const column of board.querySelectorAll('.column')) for (const name of ['data-takes', 'data-drop']) column.removeAttribute(name)
}

const sent = new WeakMap<Element, () => void>()
const wrong = new WeakSet<Element>()

/** Puts a card into a column, and sends that. */
function drop(card: HTMLElement, column: HTMLElement): void {
  const button = buttonTo(card, column)
  const [parent, next] = [card.parentElement as Element, card.nextSibling]
  if (!button?.form) return
  column.querySelector('ul')?.prepend(card)
  sent.set(button, () => parent.insertBefore(card, next?.parentNode === parent ? next : null))
  // What was done by hand is seen to be done.
  button.dataset.quiet = ''
  button.form.requestSubmit(button)
  say(`${card.querySelector('.name')?.textContent}: ${column.querySelector('h2 .badge')?.textContent}`)
}

// How near to the edge the board or the page scrolls, and how far in each frame.
const edge = 56
const pace = 10

/** Scrolls while the pointer is near an edge. */
function scroll(): void {
  if (!lifted) return
  const { board } = lifted
  const { left, right } = board.getBoundingClientRect()
  const page = document.scrollingElement as Element
  const was = [board.scrollLeft, page.scrollTop].join()
  board.scrollLeft += x < Math.max(left, 0) + edge ? -pace : x > Math.min(right, innerWidth) - edge ? pace : 0
  page.scrollTop += y < edge ? -pace : y > innerHeight - edge ? pace : 0
  if (was !== [board.scrollLeft, page.scrollTop].join()) follow()
  requestAnimationFrame(scroll)
}
