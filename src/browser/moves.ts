// Moves the rows of lists that users put in order, by pointer and keyboard. Pages with such a list load it, beside the page's script.
import { rowsOf } from './list/rows-of.js'
import { say } from './page/say.js'

type Row = HTMLTableRowElement

/** A row that has been picked up. */
interface Lifted {
  readonly row: Row
  readonly grip: HTMLElement
  readonly list: HTMLElement
  /** Where it was. */
  readonly was: { readonly parent: Element; readonly next: Node | null }
  /** The pointer that drags it; null: the keyboard moves it. */
  readonly pointer: number | null
}

let lifted: Lifted | null = null

addEventListener('pointerdown', (event) => {
  const grip = gripAt(event.target)
  if (!grip || event.button !== 0 || lifted?.pointer != null) return
  putBack()
  // Its default would select text, and give the focus that is given here.
  event.preventDefault()
  grip.focus()
  grip.setPointerCapture(event.pointerId)
  lift(grip, event.pointerId)
})
addEventListener('pointermove', ({ pointerId, clientY }) => {
  if (!lifted || lifted.pointer !== pointerId) return
  y = clientY
  aim()
})
addEventListener('pointerup', ({ pointerId }) => {
  if (!lifted || lifted.pointer !== pointerId) return
  const { row, list } = lifted
  if (!row.isConnected) return settle()
  const aimed = list.querySelector<Row>('[data-drop]')
  if (!aimed) return putBack()
  if (aimed.dataset.drop === 'before') aimed.before(row)
  else aimed.after(row)
  putDown()
})
addEventListener('pointercancel', ({ pointerId }) => lifted?.pointer === pointerId && putBack())

addEventListener('click', (event) => {
  const grip = gripAt(event.target)
  // A press of a key, or of what a screen reader sends for it; a pointer drags.
  if (!grip || event.detail !== 0) return
  if (lifted?.grip === grip) putDown()
  else lift(grip, null)
})
// Before the keys that move between rows.
addEventListener('keydown', pressed, true)
addEventListener('focusout', ({ target }) => !stays && lifted?.pointer === null && lifted.grip === target && putBack())
// The move was refused, or could not be sent: the page shows why.
addEventListener('refused', ({ target }) => sent.get(target as Element)?.())

function gripAt(target: EventTarget | null): HTMLElement | null {
  return (target as Element | null)?.closest?.<HTMLElement>('.grip') ?? null
}

function lift(grip: HTMLElement, pointer: number | null): void {
  const [row, list] = [grip.closest('tr'), grip.closest<HTMLElement>('.listing')]
  if (!row || !list || formOf(list)?.ariaBusy === 'true') return
  lifted = { row, grip, list, pointer, was: { parent: row.parentElement as Element, next: row.nextSibling } }
  grip.ariaPressed = 'true'
  row.toggleAttribute('data-lifted', true)
  list.toggleAttribute('data-lifting', true)
  if (pointer === null) tell()
}

function settle(): void {
  if (!lifted) return
  const { grip, row, list } = lifted
  grip.ariaPressed = null
  row.removeAttribute('data-lifted')
  list.removeAttribute('data-lifting')
  unaim(list)
  cancelAnimationFrame(scrolling)
  scrolling = 0
  lifted = null
}

/** Leaves the row where it was. */
function putBack(): void {
  if (!lifted) return
  back(lifted)
  settle()
}

function back({ row, was: { parent, next } }: Pick<Lifted, 'row' | 'was'>): void {
  keepingFocus(() => parent.insertBefore(row, next?.parentNode === parent ? next : null))
}

/** Sends the row to the place that it has now, by a button of the list's form, as a menu would. */
function putDown(): void {
  if (!lifted) return
  const moved = lifted
  const { row, list, grip, was } = moved
  settle()
  grip.focus()
  const rows = [...rowsOf(list)]
  const at = rows.indexOf(row)
  const [before, after] = [rows[at - 1], rows[at + 1]]
  const beside = after ?? before
  const form = formOf(list)
  if (!form || !beside || (row.parentElement === was.parent && row.nextSibling === was.next)) return
  // A place is one in ascending order, whichever way the list is read.
  const ahead = (beside === after) !== 'descending' in list.dataset
  const button = document.createElement('button')
  button.hidden = true
  button.setAttribute('form', form.id)
  button.formAction = `${list.dataset.moves}${encodeURIComponent(row.dataset.key as string)}/place`
  button.name = ahead ? 'before' : 'after'
  button.value = beside.dataset.key as string
  button.dataset.action = 'run'
  button.dataset.quiet = ''
  grip.after(button)
  sent.set(button, () => {
    button.remove()
    back(moved)
  })
  form.requestSubmit(button)
}

const sent = new WeakMap<Element, () => void>()

function formOf(list: Element): HTMLFormElement | null {
  return document.getElementById(`${list.id}-move`) as HTMLFormElement | null
}

// Moving an element in the document blurs it.
let stays = false
function keepingFocus(work: () => void): void {
  const held = document.activeElement as HTMLElement | null
  stays = true
  work()
  held?.focus({ preventScroll: true })
  stays = false
}

// The keyboard moves the row itself.

function pressed(event: KeyboardEvent): void {
  if (!lifted || event.isComposing) return
  const { row, list, pointer } = lifted
  const { key } = event
  // A refreshed list has it no more.
  if (!row.isConnected) {
    settle()
    return
  }
  if (key === 'Escape') {
    putBack()
    row.scrollIntoView({ block: 'nearest' })
  } else if (pointer !== null || !['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(key)) return
  else {
    const rows = [...rowsOf(list)]
    const at = rows.indexOf(row)
    const to = key === 'Home' ? 0 : key === 'End' ? rows.length - 1 : at + (key === 'ArrowDown' ? 1 : -1)
    const other = rows[to]
    if (other && to !== at) keepingFocus(() => (to > at ? other.after(row) : other.before(row)))
    row.scrollIntoView({ block: 'nearest' })
    tell()
  }
  event.preventDefault()
  event.stopImmediatePropagation()
}

function tell(): void {
  if (!lifted) return
  const { list, row } = lifted
  const { at = '' } = list.dataset
  const rows = [...rowsOf(list)]
  say(at.replace('{at}', String(rows.indexOf(row) + 1)).replace('{count}', String(rows.length)))
}

// The pointer shows where the row would come, and moves it at the end: what is dragged keeps the pointer while it stays where it is.

let y = 0
let scrolling = 0
// How near to the edge the list scrolls, and how far in each frame.
const edge = 56
const pace = 10

function aim(): void {
  if (!lifted) return
  const { list, row } = lifted
  unaim(list)
  if (!row.isConnected) return
  const rows = [...rowsOf(list)]
  const own = rows.indexOf(row)
  const over = rows.findIndex((one) => y < one.getBoundingClientRect().bottom)
  const to = over < 0 ? rows.length - 1 : over
  const { top, height } = (rows[to] as Row).getBoundingClientRect()
  const isBelow = over < 0 || y > top + height / 2
  // The gaps above and below the row itself are where it is.
  const gap = to + (isBelow ? 1 : 0)
  if (gap !== own && gap !== own + 1) (rows[to] as Row).dataset.drop = isBelow ? 'after' : 'before'
  if (!scrolling) scroll()
}

function unaim(list: Element): void {
  for (const one of list.querySelectorAll('[data-drop]')) one.removeAttribute('data-drop')
}

/** Scrolls while the pointer is near an edge of what shows the rows. */
function scroll(): void {
  if (!lifted) return
  const own = lifted.list.querySelector('.scroller') as Element
  const inside = own.scrollHeight > own.clientHeight + 1 ? own : document.scrollingElement
  if (!inside) return
  const { top, bottom } = inside === own ? own.getBoundingClientRect() : { top: 0, bottom: innerHeight }
  const by = y < top + edge ? -pace : y > bottom - edge ? pace : 0
  const was = inside.scrollTop
  if (by !== 0) inside.scrollTop += by
  scrolling =
    inside.scrollTop === was
      ? 0
      : requestAnimationFrame(() => {
          scrolling = 0
          aim()
        })
}
