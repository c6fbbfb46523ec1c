/** What is wrong with times in seconds; null: nothing. */
export function secondsFault(times: readonly number[]): string | null {
  return times.every((one) => Number.isSafeInteger(one) && one > 0) ? null : 'every time must be a whole number of seconds'
}
