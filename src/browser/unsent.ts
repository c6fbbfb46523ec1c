/** Forms in cells that hold what is not saved yet: it is being typed or sent, or was refused. Refreshing their rows leaves them as they are. */
export const unsent = 'form.typed:is([aria-busy=true], [data-seen], :has([aria-invalid=true]))'

/** Whether an element is such a form, or the note about one, below its row. */
export function isUnsent(one: Element): boolean {
  return one.matches(unsent) || (one.matches('.row-note') && !!one.previousElementSibling?.querySelector(unsent))
}
