const keys = ['ArrowDown', 'ArrowUp', 'Home', 'End']

/** Arrow keys move through an open menu, also from the button that opened it. Escape closes it, as any popover. */
export function menuKeys(): void {
  // A file leaves the page as it is, and its menu open.
  addEventListener('click', ({ target }) => {
    const one = (target as Element).closest?.('.menu :is([href*="/export"], [formaction*="/export"])')
    if (one) setTimeout(() => one.closest<HTMLElement>('.menu')?.hidePopover())
  })
  addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement
    const { key, defaultPrevented, isComposing, altKey, ctrlKey, metaKey, shiftKey } = event
    if (!keys.includes(key) || defaultPrevented || isComposing || altKey || ctrlKey || metaKey || shiftKey) return
    const menu = target.closest('.menu:popover-open') ?? (target as Partial<HTMLButtonElement>).popoverTargetElement
    if (!menu?.matches('.menu:popover-open') || target.matches('select, textarea, input:not([type=checkbox])')) return
    const lines = [...menu.querySelectorAll<HTMLElement>('a[href], button, input, select, summary')].filter(
      (one) => one.checkVisibility() && !one.matches(':disabled, [type=hidden]'),
    )
    const at = lines.indexOf(target)
    const to = key === 'Home' ? 0 : key === 'End' ? -1 : key === 'ArrowDown' ? at + 1 : Math.max(at, 0) - 1
    // Keeps the page behind the menu from scrolling.
    event.preventDefault()
    lines.at(to % lines.length)?.focus()
  })
}
