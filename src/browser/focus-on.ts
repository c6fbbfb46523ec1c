/** Focuses a control and selects what is in it, as Tab does: what is typed then replaces it. */
export function focusOn(control: HTMLElement | null | undefined, options?: FocusOptions): void {
  control?.focus(options)
  if (control instanceof HTMLInputElement) control.select()
}
