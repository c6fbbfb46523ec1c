/** The numbers that a column can hold as places. */
export interface NumberRange {
  /** Whether they are whole. */
  readonly whole: boolean
  /** The smallest and the largest that it takes. */
  readonly least: number
  readonly most: number
}

// Where nothing limits them: whole numbers leave room for ten halvings, doubles have room for fifty in any case.
const step = ({ whole }: NumberRange) => (whole ? 1024 : 1)

/**
 * So many numbers in ascending order between two others, as evenly as they allow; null: there are none. What is no finite number has none
 * beside it.
 *
 * @param low what they are greater than; null: nothing
 * @param high what they are less than; null: nothing
 */
export function numbersBetween(low: unknown, high: unknown, count: number, numbers: NumberRange): readonly number[] | null {
  const [from, to] = [bound(low), bound(high)]
  if (Number.isNaN(from) || Number.isNaN(to)) return null
  const { least, most } = numbers
  const by = step(numbers)
  if (to === null) {
    const start = from ?? Math.max(0, least)
    const free = made(count, (i) => start + by * (i + 1), from, to, numbers)
    const last = most + (numbers.whole ? 1 : 0)
    // Nothing on either side: all that the column takes.
    return (
      free ??
      evenly(start, last, count, from, to, numbers) ??
      (from === null ? evenly(least - (numbers.whole ? 1 : 0), last, count, from, to, numbers) : null)
    )
  }
  if (from !== null) return evenly(from, to, count, from, to, numbers)
  return (
    made(count, (i) => to - by * (count - i), from, to, numbers) ?? evenly(least - (numbers.whole ? 1 : 0), to, count, from, to, numbers)
  )
}

function bound(value: unknown): number | null {
  if (value === null) return null
  return typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN
}

function evenly(start: number, end: number, count: number, from: number | null, to: number | null, numbers: NumberRange) {
  const by = (end - start) / (count + 1)
  return made(count, (i) => start + by * (i + 1), from, to, numbers)
}

/** The numbers, if they are in order and can be stored. */
function made(
  count: number,
  at: (i: number) => number,
  from: number | null,
  to: number | null,
  { whole, least, most }: NumberRange,
): readonly number[] | null {
  const all: number[] = []
  let before = from ?? Number.NEGATIVE_INFINITY
  for (let i = 0; i < count; i++) {
    const exact = at(i)
    const value = whole ? Math.round(exact) : exact
    const holds = (whole ? Number.isSafeInteger(value) : Number.isFinite(value)) && value >= least && value <= most
    if (!holds || value <= before || (to !== null && value >= to)) return null
    all.push(value)
    before = value
  }
  return all
}
