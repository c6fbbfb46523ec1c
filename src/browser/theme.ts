import { send } from './send.js'

/** The appearance is chosen without a reload; the form that does it without script says what is sent. */
export function themeSwitch(): void {
  addEventListener('submit', (event) => {
    const button = event.submitter
    if (!(button instanceof HTMLButtonElement) || button.name !== 'theme') return
    event.preventDefault()
    const { value } = button
    if (value === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = value
    for (const one of button.form?.querySelectorAll<HTMLButtonElement>('[name=theme]') ?? []) one.ariaPressed = String(one === button)
    // One that is not remembered is no reason to interrupt anybody.
    send('PATCH', (event.target as HTMLFormElement).action, { theme: value }).catch(() => {})
  })
}
