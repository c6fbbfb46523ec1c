// Moves the columns of a list in the menu in which they are chosen, by buttons and by pointer. Lists whose columns are chosen load it, beside
// the page's script. What is moved is saved as what is ticked.
import { say } from './page/say.js'

// Whatever moved or showed a column.
addEventListener('change', ({ target }) => {
  const rows = (target as Element).closest('.columns')?.querySelectorAll<HTMLElement>('[data-moves]') ?? []
  for (const row of rows) {
    const among = movedWith(row)
    const at = among.indexOf(row)
    for (const button of row.querySelectorAll<HTMLButtonElement>('button'))
      button.ariaDisabled = at >= 0 && among[at + (button.name === '_up' ? -1 : 1)] ? null : 'true'
  }
})

let held: { readonly row: HTMLElement; readonly before: readonly Element[] } | null = null

addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLButtonElement>('.columns :is([name=_up], [name=_down])')
  const row = button?.closest<HTMLElement>('.column')
  if (!button || !row) return
  event.preventDefault()
  if (button.ariaDisabled !== 'true' && move(row, movedWith(row).indexOf(row) + (button.name === '_up' ? -1 : 1))) save(row)
})
addEventListener('pointerdown', (event) => {
  const handle = (event.target as Element).closest<HTMLElement>('.columns .handle')
  const row = handle?.closest<HTMLElement>('.column')
  if (!handle || !row || event.button !== 0 || held) return
  event.preventDefault()
  handle.setPointerCapture(event.pointerId)
  held = { row, before: [...(row.parentElement as Element).children] }
  row.toggleAttribute('data-lifted', true)
})
addEventListener('pointermove', ({ clientY }) => {
  if (!held) return
  const { row } = held
  const isAbove = (one: Element) => {
    const { top, height } = one.getBoundingClientRect()
    return one !== row && top + height / 2 < clientY
  }
  move(row, movedWith(row).filter(isAbove).length)
})
addEventListener('pointerup', () => {
  if (!held) return
  const { row, before } = held
  settle()
  if (before.some((one, i) => one !== row.parentElement?.children[i])) save(row)
})
addEventListener('pointercancel', () => {
  if (!held) return
  put(held.row, held.before)
  settle()
})

function settle(): void {
  held?.row.removeAttribute('data-lifted')
  held = null
}

/** Those that a column changes places with, and itself: the others are not shown, or keep their place. */
function movedWith(row: HTMLElement): HTMLElement[] {
  return [...(row.parentElement as Element).querySelectorAll<HTMLElement>('[data-moves]:has(:checked)')]
}

/** Returns whether it has another place now. */
function move(row: HTMLElement, to: number): boolean {
  const rows = movedWith(row)
  if (!rows[to] || rows[to] === row) return false
  const moved = rows.filter((one) => one !== row)
  moved.splice(to, 0, row)
  const next = moved.values()
  put(
    row,
    [...(row.parentElement as Element).children].map((one) => (rows.includes(one as HTMLElement) ? (next.next().value as Element) : one)),
  )
  row.scrollIntoView({ block: 'nearest' })
  return true
}

/** The row itself stays in the page, and so keeps the focus and the pointer. */
function put(row: HTMLElement, all: readonly Element[]): void {
  const at = all.indexOf(row)
  row.before(...all.slice(0, at))
  row.after(...all.slice(at + 1))
}

function save(row: HTMLElement): void {
  const box = row.querySelector('input') as HTMLInputElement
  const rows = movedWith(row)
  const { at = '' } = (row.parentElement as HTMLElement).dataset
  box.dispatchEvent(new Event('change', { bubbles: true }))
  say(`${row.textContent?.trim()}: ${at.replace('{at}', String(rows.indexOf(row) + 1)).replace('{count}', String(rows.length))}`)
}
