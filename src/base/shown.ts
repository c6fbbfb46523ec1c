/** A name from outside as it may stand in an answer: not endless. */
export function shown(name: string): string {
  const whole = name.toWellFormed()
  return whole.length > 100 ? `${whole.slice(0, 100).toWellFormed()}…` : whole
}
