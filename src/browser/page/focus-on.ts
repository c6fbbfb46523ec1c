/** Focuses a control and selects what is in it, as Tab does: what is typed then replaces it. */
export function focusOn(control: HTMLElement | null | undefined, options?: FocusOptions): void {
  control?.focus(options)
  if (control instanceof HTMLInputElement) control.select()
}

/**
 * The first control that was refused; of rows, of which there are too few or too many, the rows themselves; of what is not ticked as to be
 * changed, the box.
 */
export function wrongIn(root: ParentNode | null): HTMLElement | null {
  const rows = '.field:has(> .error) .repeater:not(:has([aria-invalid=true]))'
  const control = root?.querySelector<HTMLElement>(`[aria-invalid=true], ${rows}`) ?? null
  return control?.closest('.change')?.querySelector<HTMLElement>(':scope > label > input:not(:checked)') ?? control
}
