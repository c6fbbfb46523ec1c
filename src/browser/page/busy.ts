/** Marks a form and its button as busy until `work` is done. The stylesheet shows it only after a moment. */
export async function busy(form: HTMLFormElement, button: HTMLElement | null, work: () => Promise<unknown>): Promise<void> {
  const marked = [form, ...(button ? [button] : [])]
  for (const one of marked) one.ariaBusy = 'true'
  // A button in a menu is hidden by now, so the page shows it, too.
  document.body.toggleAttribute('data-busy', true)
  going++
  try {
    await work()
  } finally {
    for (const one of marked) one.ariaBusy = null
    if (--going === 0) document.body.removeAttribute('data-busy')
  }
}

// Several may be busy at once: a list's form, and one of a row in it.
let going = 0
