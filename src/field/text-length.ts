import * as z from 'zod'
import { countCharacters, isLonger } from '../base/characters.js'
import { type Html, html } from '../base/html.js'
import type { Bound, BoundColumn } from './field.js'

/** What `min` and `max` of a field of text state, in characters. */
export interface Lengths {
  readonly min?: number
  readonly max?: number
}

/** The most characters that a value may have, as the field and its column state. */
export const mostCharacters = (max = Number.POSITIVE_INFINITY, { maxLength }: Pick<BoundColumn, 'maxLength'>): number =>
  Math.min(max, maxLength ?? Number.POSITIVE_INFINITY)

/**
 * The schema of a text of so many characters.
 *
 * @param abort whether nothing else is said of a longer one
 */
export function textOf({ min = 0, max = Number.POSITIVE_INFINITY }: Lengths, abort = false): z.ZodString {
  const text = z.string()
  const long = min > 0 ? text.check(longEnough(min)) : text
  return Number.isFinite(max) ? long.check(shortEnough(max, abort)) : long
}

/** That of a field with `min` and `max`. */
export const textSchema = ({ own, column, required }: Bound<Lengths>): z.ZodString =>
  textOf({ min: own.min ?? (required ? 1 : 0), max: mostCharacters(own.max, column) })

/**
 * Says in its control how many characters a text may have, from which scripts count. `maxlength` would count an emoji as two, and cut what
 * is pasted without a word.
 */
export function mostAttribute({ own, column }: Pick<Bound<Lengths>, 'own' | 'column'>): Html | false {
  const most = mostCharacters(own.max, column)
  return Number.isFinite(most) && html` data-characters="${most}"`
}

// Zod counts the units of a string. What its checks say of the length, as in JSON Schema, is of characters.
function longEnough(minimum: number) {
  const check = z.minLength(minimum)
  check._zod.check = ({ value: input, issues }) => {
    const isLong = (input as string).length >= 2 * minimum || countCharacters(input as string) >= minimum
    if (!isLong) issues.push({ origin: 'string', code: 'too_small', minimum, inclusive: true, input, inst: check, continue: true })
  }
  return check
}

function shortEnough(maximum: number, abort: boolean) {
  const check = z.maxLength(maximum)
  check._zod.check = ({ value: input, issues }) => {
    if (isLonger(input as string, maximum))
      issues.push({ origin: 'string', code: 'too_big', maximum, inclusive: true, input, inst: check, continue: !abort })
  }
  return check
}
