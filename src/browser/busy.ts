/** Marks a form as busy, and the button that was pressed, until the work is done. The style sheet shows it once it takes longer than a moment. */
export async function busy(form: HTMLFormElement, button: HTMLElement | null, work: () => Promise<unknown>): Promise<void> {
  const marked = [form, ...(button ? [button] : [])]
  for (const one of marked) one.ariaBusy = 'true'
  // A button of a menu is out of sight by now: the page says it, too.
  document.body.toggleAttribute('data-busy', true)
  going++
  try {
    await work()
  } finally {
    for (const one of marked) one.ariaBusy = null
    if (--going === 0) document.body.removeAttribute('data-busy')
  }
}

// Several may be at work: a list above, and a row of it.
let going = 0
