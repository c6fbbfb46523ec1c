import { send } from './send.js'

/** Switches the theme without a page load. Without script, its form does. */
export function themeSwitch(): void {
  addEventListener('submit', (event) => {
    const button = event.submitter
    if (!(button instanceof HTMLButtonElement) || button.name !== 'theme') return
    event.preventDefault()
    const { value } = button
    if (value === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = value
    for (const one of button.form?.querySelectorAll<HTMLButtonElement>('[name=theme]') ?? []) one.ariaPressed = String(one === button)
    // Failing to save it is no reason to interrupt the user.
    send('PATCH', (event.target as HTMLFormElement).action, { theme: value }).catch(() => {})
  })
}
