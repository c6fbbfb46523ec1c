/** Forms in cells that hold what is not saved yet: it is being typed or sent, or was refused. Refreshing their rows leaves them as they are. */
export const unsent = 'form.typed:is([aria-busy=true], [data-seen], :has([aria-invalid=true]))'

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
