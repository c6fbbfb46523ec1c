/** A name from outside, cut to a length that an answer can quote. */
export function shown(name: string): string {
  const whole = name.toWellFormed()
  return whole.length > 100 ? `${whole.slice(0, 100).toWellFormed()}…` : whole
}
