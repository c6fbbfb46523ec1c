/** Shows where in a long menu the page is, and remembers in a cookie whether the menu is collapsed: the panel draws it right from the start. */
export function sidebarSwitch(): void {
  document.querySelector('.menu-groups [aria-current]')?.scrollIntoView({ block: 'nearest' })
  const box = document.querySelector<HTMLInputElement>('.rail-switch input[data-cookie]')
  box?.addEventListener('change', () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere
    document.cookie = `${box.dataset.cookie}=${+box.checked}${box.dataset.with}`
  })
}
