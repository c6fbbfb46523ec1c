// Shorter texts are seen to be too long, and their controls have no room for a number.
const least = 25
// From this part of what a text may have it is said how long it is.
const near = 0.8

/** Says at the end of a control how long its text is, when it comes near to the most that it may have, or is beyond. */
export function countCharacters(form: HTMLFormElement): void {
  const update = (control: HTMLInputElement) => {
    const most = Number(control.dataset.characters)
    // In rows there is no room for it.
    if (!(most >= least) || control.closest('.repeater')) return
    const count = [...control.value].length
    const next = control.nextElementSibling
    const shown = next?.matches('.characters') ? (next as HTMLElement) : null
    if (count < most * near) return shown?.remove()
    const mark = shown ?? document.createElement('span')
    mark.className = 'characters'
    // What is wrong is said in words below.
    mark.ariaHidden = 'true'
    mark.toggleAttribute('data-over', count > most)
    const { lang } = document.documentElement
    mark.textContent = `${count.toLocaleString(lang)} / ${most.toLocaleString(lang)}`
    if (!shown) control.after(mark)
  }
  form.addEventListener('input', ({ target }) => update(target as HTMLInputElement))
  form.addEventListener('reset', () => setTimeout(all))
  all()

  function all(): void {
    for (const control of form.querySelectorAll<HTMLInputElement>('[data-characters]')) update(control)
  }
}
