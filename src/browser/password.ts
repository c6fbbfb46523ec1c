import { part } from './parts.js'

/** A password can be looked at while it is typed. */
export function passwords(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[type=password]')) {
    const button = part('show') as HTMLButtonElement
    button.addEventListener('click', () => {
      const shown = input.type === 'password'
      input.type = shown ? 'text' : 'password'
      button.ariaPressed = String(shown)
    })
    // Nobody's password manager, and no history of a browser, is to take it for a text.
    input.form?.addEventListener('submit', () => (input.type = 'password'))
    input.parentElement?.classList.add('has-show')
    input.after(button)
  }
}
