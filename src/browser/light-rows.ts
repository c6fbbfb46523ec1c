import { refreshRow } from './row-update.js'

/** Where rows are too many to carry their menus and switches each, the row that is asked for one comes again with all of its own. Without script they lead to the record. */
export function lightRows(): void {
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('.listing[data-row] tr[data-key] :is(a.dots, a.live)')
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void press(link)
  })
  addEventListener('keydown', (event) => {
    const link = event.target as HTMLElement
    if (event.key !== ' ' || !link.matches('a.live')) return
    event.preventDefault()
    link.click()
  })
}

/** Presses the button that stands for the link in the whole row. */
async function press(link: HTMLAnchorElement): Promise<void> {
  const row = link.closest('tr') as HTMLTableRowElement
  const { ariaLabel, ariaChecked } = link
  await refreshRow((link.closest('.listing') as Element).id, row.dataset.key as string)
  const button = [...row.querySelectorAll('button')].find((one) => one.ariaLabel === ariaLabel)
  button?.focus()
  // A switch that somebody else has turned meanwhile shows what it is now.
  if (button?.ariaChecked === ariaChecked) button.click()
}
