/** Remembers in a cookie whether the menu is collapsed, so that the panel renders it right from the start. */
export function sidebarSwitch(): void {
  const box = document.querySelector<HTMLInputElement>('.rail-switch input[data-cookie]')
  box?.addEventListener('change', () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere
    document.cookie = `${box.dataset.cookie}=${box.checked ? 1 : 0}; path=${box.dataset.path}; max-age=31536000; samesite=lax`
  })
}
