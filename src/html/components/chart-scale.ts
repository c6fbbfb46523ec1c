/** The scale of a chart: from its lowest line to its highest, in even steps. */
export interface Scale {
  /** The numbers at its lines, ascending. */
  readonly ticks: readonly number[]
  /** The place of a number, in percent from the top. */
  at(value: number): number
}

// Doubles are not exact: 0.0004 is a little more than four steps of 0.0001.
const tiny = 1e-9
// Four steps are five lines, as many as a small chart has room for.
const steps = 4
// Below, steps would be no doubles any more.
const smallest = 1e-300
const largest = Number.MAX_VALUE

/** A scale that holds all of these numbers and 0, in steps of 1, 2, 2.5 or 5 times a power of ten. */
export function scaleOf(values: readonly number[], wholeNumbers: boolean): Scale {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  const span = most - least || 1
  const power = 10 ** Math.floor(Math.log10(span / steps))
  const factor = [1, 2, 2.5, 5, 10].find((one) => one * power >= (span / steps) * (1 - tiny)) ?? 10
  const step = Math.max(smallest, wholeNumbers ? Math.max(1, Math.ceil(factor * power)) : factor * power)
  const first = Math.floor(least / step + tiny)
  const last = Math.max(Math.ceil(most / step - tiny), first + 1)
  if (!Number.isFinite(first * step) || !Number.isFinite(last * step)) return vastScale(least, most)
  // Multiplied, not added up: 0.1 + 0.2 is no 0.3.
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
  const [low, high] = [first * step, last * step]
  return { ticks, at: (value) => ((high - value) / (high - low)) * 100 }
}

/** The scale of numbers so large that a line above them would be no double. */
function vastScale(least: number, most: number): Scale {
  const [low, high] = [least < 0 ? -1 : 0, most > 0 ? 1 : 0]
  const ticks = [-1, 0, 1].filter((one) => one >= low && one <= high).map((one) => one * largest)
  // As shares of the largest double, since their differences may be none.
  const share = (value: number) => Math.max(-largest, Math.min(largest, value)) / largest
  return { ticks, at: (value) => ((high - share(value)) / (high - low)) * 100 }
}
