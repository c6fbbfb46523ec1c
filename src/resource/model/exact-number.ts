import { withoutExponent } from '../../field/steps.js'
import { isInt64 } from './value.js'

/** A decimal as SQLite stores it: as a 64-bit integer or a double; null: it fits neither. */
export function exactNumber(decimal: string): number | bigint | null {
  const digits = withoutZeros(decimal)
  if (digits.length > longestNumber) return null
  if (withoutExponent(String(Number(digits))) === digits) return Number(digits)
  return !digits.includes('.') && isInt64(BigInt(digits)) ? BigInt(digits) : null
}

// The longest double has a sign, a point, 324 zeros and 17 digits.
const longestNumber = 343

/** Strips leading zeros, and trailing ones behind a decimal point. */
function withoutZeros(decimal: string): string {
  let end = decimal.length
  if (decimal.includes('.')) {
    while (decimal[end - 1] === '0') end--
    if (decimal[end - 1] === '.') end--
  }
  return decimal
    .slice(0, end)
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/^-0$/, '0')
}
