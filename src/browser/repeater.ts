// Adds, moves and removes the rows of a repeater. Pages with such a field load it, beside the page's script.

addEventListener('click', ({ target }) => {
  const button = (target as Element).closest?.<HTMLButtonElement>('.repeater > [data-adds], .repeater-row > .tools > button')
  const control = button?.closest<HTMLElement>('.repeater')
  const row = button?.closest<HTMLElement>('.repeater-row')
  if (!button || !control) return
  if ('adds' in button.dataset) add(control)
  else if (row) change(control, row, button)
})

// What was wrong with a part is said by the field, once what is there now was checked.
addEventListener('change', ({ target }) => {
  const control = target as HTMLElement
  const part = control.closest?.('.repeater-row > .part')
  part?.querySelector('.error')?.remove()
  if (part) control.removeAttribute('aria-invalid')
})

/** The rows that are to be seen: without script there are blank ones, too. */
const rowsOf = (control: Element) => [...control.querySelectorAll<HTMLElement>('.repeater-row:not(.unscripted)')]

function add(control: HTMLElement): void {
  const rows = rowsOf(control)
  const made = control.querySelector('template')?.content.firstElementChild?.cloneNode(true) as HTMLElement | undefined
  if (!made || rows.length >= Number(control.dataset.most)) return
  // No other row has it, also where some were removed.
  const index = 1 + Math.max(-1, ...[...control.querySelectorAll('.repeater-row')].map(indexOf))
  for (const one of [made, ...made.querySelectorAll('*')])
    for (const { name, value } of one.attributes) if (value.includes(place)) one.setAttribute(name, value.replaceAll(place, String(index)))
  const last = rows.at(-1)
  if (last) last.after(made)
  else control.querySelector('.repeater-rows')?.prepend(made)
  // Nothing is wrong with a row that nobody has filled in yet.
  changed(control, 'input')
  // What the page does to its own controls, it does to those of the row.
  made.dispatchEvent(new Event('daymark-shown', { bubbles: true }))
  made.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea')?.focus()
}

// Where the row to copy has the number of one.
const place = '{row}'

function indexOf(row: Element): number {
  const name = row.querySelector('[name]')?.getAttribute('name') ?? ''
  return Number(/\.(\d+)\.[^.]+$/.exec(name)?.[1] ?? -1)
}

function change(control: HTMLElement, row: HTMLElement, button: HTMLButtonElement): void {
  const rows = rowsOf(control)
  const at = rows.indexOf(row)
  const [before, after] = [rows[at - 1], rows[at + 1]]
  if (button.dataset.does === 'remove') row.remove()
  else if (button.dataset.does === 'up') before?.before(row)
  else after?.after(row)
  changed(control, 'change')
  // What had the focus is gone, or at an end by now, where the button that led there is not shown.
  const stays = row.isConnected && visible(button) ? button : null
  const remove = (row.isConnected ? row : (after ?? before))?.querySelector<HTMLElement>('[data-does=remove]')
  const goal = stays ?? remove ?? control.querySelector<HTMLElement>('[data-adds]')
  goal?.focus()
}

const visible = (button: Element) => getComputedStyle(button).visibility === 'visible'

/** Says which row each is, and that the form has changed, as typing does (`input`) or leaving what was typed (`change`). */
function changed(control: HTMLElement, event: 'input' | 'change'): void {
  rowsOf(control).forEach((row, i) => {
    // The last number in it, whatever the language: a title before it may have one, too.
    row.ariaLabel = (row.ariaLabel ?? '').replace(/\d+(?=\D*$)/, String(i + 1))
  })
  const adds = control.querySelector<HTMLButtonElement>('[data-adds]')
  if (adds) adds.disabled = rowsOf(control).length >= Number(control.dataset.most)
  control.dispatchEvent(new Event(event, { bubbles: true }))
}
