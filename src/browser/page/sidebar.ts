/** Scrolls a long menu to the page that is open, and remembers in a cookie whether it is collapsed, as the panel then draws it. */
export function sidebarSwitch(): void {
  document.querySelector('.menu-groups [aria-current]')?.scrollIntoView({ block: 'nearest' })
  const box = document.querySelector<HTMLInputElement>('.rail-switch input[data-cookie]')
  box?.addEventListener('change', () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere
    document.cookie = `${box.dataset.cookie}=${+box.checked}${box.dataset.with}`
  })
}
