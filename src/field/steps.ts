/** The values that `step` allows: multiples of it, counted from `min`, or else from 0. */
interface Steps {
  readonly min?: number
  readonly max?: number
  readonly step?: number
}

/** A decimal as an integer and a number of decimal places. With doubles, 0.15 would not be a multiple of 0.05. */
interface Exact {
  readonly units: bigint
  readonly digits: number
}

const written = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/

function exactly(number: number | string): Exact {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = written.exec(String(number)) ?? []
  const digits = fraction.length - Number(exponent)
  const units = BigInt(sign + whole + fraction)
  return digits < 0 ? { units: units * 10n ** BigInt(-digits), digits: 0 } : { units, digits }
}

/** The digits of a fraction without zeros at their end. `/0+$/` would look at each of a million zeros from each of them. */
export const withoutZeros = (fraction: string): string => /^\d*[1-9]/.exec(fraction)?.[0] ?? ''

function text(units: bigint, digits: number): string {
  const all = String(units < 0n ? -units : units).padStart(digits + 1, '0')
  const fraction = withoutZeros(all.slice(all.length - digits))
  return `${units < 0n ? '-' : ''}${all.slice(0, all.length - digits)}${digits > 0 && fraction !== '' ? `.${fraction}` : ''}`
}

/** A number written without an exponent. */
export function decimalText(number: number | string): string {
  const { units, digits } = exactly(number)
  return text(units, digits)
}

/** The text of a number, written without an exponent; any other text as it is. */
export const withoutExponent = (text: string): string => (/^-?\d+(?:\.\d+)?e[+-]\d+$/.test(text) ? decimalText(text) : text)

// Counting takes longer than a server may be busy with one request where a number has a million digits.
const longest = 1000

/**
 * The nearest allowed values around one that is on no step, within `min` and `max`; null: it is on a step, or there are no steps. A number
 * of more than 1,000 characters is on none, and has none around it.
 *
 * @param value a number as JSON writes it
 */
export function besideSteps(value: number | string, { min, max, step }: Steps): readonly string[] | null {
  if (step === undefined) return null
  if (typeof value === 'string' && value.length > longest) return []
  const [one, from, by] = [exactly(value), exactly(min ?? 0), exactly(step)]
  const digits = Math.max(one.digits, from.digits, by.digits)
  const [units, base, apart] = [one, from, by].map((exact) => exact.units * 10n ** BigInt(digits - exact.digits)) as [
    bigint,
    bigint,
    bigint,
  ]
  const over = (units - base) % apart
  if (over === 0n) return null
  const below = units - over - (over < 0n ? apart : 0n)
  const isPossible = (next: string) =>
    Number(next) >= (min ?? Number.NEGATIVE_INFINITY) && Number(next) <= (max ?? Number.POSITIVE_INFINITY)
  return [below, below + apart].map((next) => text(next, digits)).filter(isPossible)
}

/**
 * Why no value can be on such steps; null: one can.
 *
 * @param digits the most digits that values have after the point; null: any number of them
 */
export function stepFault({ min = 0, step }: Steps, digits: number | null): string | null {
  if (step === undefined) return null
  if (!Number.isFinite(step) || step <= 0) return `step(${step}) is not a number above 0`
  if (digits === null || (exactly(step).digits <= digits && exactly(min).digits <= digits)) return null
  const values = digits === 0 ? 'whole numbers' : `numbers of ${digits} digits after the point`
  return `no ${values} go in steps of ${step} from ${min}`
}
