import { part } from '../page/parts.js'

/** Adds a button that shows the password being typed. */
export function passwords(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[type=password]')) {
    const button = part('show') as HTMLButtonElement
    button.addEventListener('click', () => {
      const shown = input.type === 'password'
      input.type = shown ? 'text' : 'password'
      button.ariaPressed = String(shown)
    })
    // Reset before submit, so that password managers and form history do not treat it as text.
    input.form?.addEventListener('submit', () => (input.type = 'password'))
    input.parentElement?.classList.add('has-show')
    input.after(button)
  }
}
