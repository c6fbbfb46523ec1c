import { refreshRow } from './row-update.js'

/** In lists too long to carry menus and switches in every row: fetches the whole row on demand. Without script links lead to the record. */
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

/** Replaces the row and presses the button that the link stood for. */
async function press(link: HTMLAnchorElement): Promise<void> {
  const row = link.closest('tr') as HTMLTableRowElement
  const { ariaLabel, ariaChecked } = link
  await refreshRow((link.closest('.listing') as Element).id, row.dataset.key as string)
  const button = [...row.querySelectorAll('button')].find((one) => one.ariaLabel === ariaLabel)
  button?.focus()
  // If someone else has changed the switch meanwhile, it only shows its new state.
  if (button?.ariaChecked === ariaChecked) button.click()
}
