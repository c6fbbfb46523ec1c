import { focusOn } from './focus-on.js'

/** Puts the focus into a filter that is opened, and closes it when the user clicks elsewhere. */
export function panels(): void {
  addEventListener(
    'toggle',
    ({ target }) => {
      const panel = target as HTMLDetailsElement
      // On a phone, the keyboard would cover what was opened. Nor is the focus taken from where the user has gone meanwhile.
      if (
        !panel.matches('.filter[open], .more[open]') ||
        !matchMedia('(pointer: fine)').matches ||
        document.activeElement !== panel.firstElementChild
      )
        return
      // What is behind "More" is not in it.
      const inside = panel.matches('.more') ? panel.closest('form')?.querySelector('.more-panel') : panel
      const all = inside?.querySelectorAll<HTMLElement>(':is(a, input:not([type=hidden]), select):not([disabled])') ?? []
      focusOn([...all].find((one) => one.checkVisibility()))
    },
    // It does not bubble.
    true,
  )
  addEventListener('click', (event) => {
    // Enter in a field fires a click on the form's first button, wherever that is, so the focus must be outside, too.
    for (const panel of document.querySelectorAll<HTMLDetailsElement>('.filter[open]'))
      if (!panel.contains(event.target as Node) && !panel.contains(document.activeElement)) panel.open = false
  })
}
