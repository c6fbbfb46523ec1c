/** Whether a date or a time is half typed: the browser has no value for it then, as if there were none. */
export const isHalf = (control: Element): boolean => !!(control as HTMLInputElement).validity?.badInput

/** Holds a form back while something in it is half typed, and has the browser say so: what was typed would be lost, or what is stored. */
export function halfTyped(): void {
  const hold = (event: SubmitEvent) => {
    const half = [...(event.target as HTMLFormElement).elements].find((one) => isHalf(one) && one.checkVisibility())
    if (!half) return
    event.preventDefault()
    event.stopImmediatePropagation()
    ;(half as HTMLInputElement).reportValidity()
  }
  // Before whatever else sends forms.
  addEventListener('submit', hold, true)
}
