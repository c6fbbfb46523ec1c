/** Forms in cells that hold what is not saved yet: it is being typed or sent, or was refused. Refreshing their rows leaves them as they are. */
export const unsent = 'form.live[aria-busy=true], form.typed:is([data-seen], :has([aria-invalid=true]))'

export const isUnsent = (one: Element): boolean => one.matches(unsent)

/** Takes the notes about such forms out of a list before it is drawn anew. What it returns puts them below their rows again. */
export function keepNotes(inside: Element): () => void {
  const kept = [...inside.querySelectorAll('.row-note')].flatMap((note) => {
    const row = note.previousElementSibling
    return row?.querySelector(unsent) ? [[row, note] as const] : []
  })
  for (const [, note] of kept) note.remove()
  return () => {
    for (const [row, note] of kept) if (row.isConnected) row.after(note)
  }
}

/**
 * Morphing leaves the focused control alone. What this returns, called before it, shows there what is stored by now if nothing was being
 * typed: else the next save would overwrite what its user has not seen.
 */
export function followStored(): () => void {
  const control = document.activeElement as HTMLInputElement | null
  const form = control?.closest<HTMLFormElement>('form.typed')
  const was = form?.elements.namedItem('was') as HTMLInputElement | null | undefined
  if (!control || !form || !was || control.name !== 'value' || isUnsent(form) || control.value !== was.value) return () => {}
  return () => {
    if (control.value !== was.value) control.value = was.value
  }
}
