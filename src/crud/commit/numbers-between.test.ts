import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type NumberRange, numbersBetween } from './numbers-between.js'

const whole: NumberRange = { whole: true, least: -2_147_483_648, most: 2_147_483_647 }
const doubles: NumberRange = { whole: false, least: -Number.MAX_VALUE, most: Number.MAX_VALUE }
const counted: NumberRange = { ...whole, least: 0 }

describe('between', () => {
  it.each([
    ['the first of all', null, null, 1, whole, [1024]],
    ['a list of its own', null, null, 3, doubles, [1, 2, 3]],
    ['after the last', 7, null, 2, whole, [1031, 2055]],
    ['before the first', null, 7, 2, whole, [-2041, -1017]],
    ['before the first, where none is negative', null, 7, 2, counted, [2, 4]],
    ['before the first, where nothing is left', null, 0, 1, counted, null],
    ['the one number left', null, 1, 1, counted, [0]],
    ['in the middle', 1, 2, 1, doubles, [1.5]],
    ['in the middle of whole numbers', 0, 10, 1, whole, [5]],
    ['where just as many are left', 0, 3, 2, whole, [1, 2]],
    ['where one is missing', 0, 2, 2, whole, null],
    ['between neighbours', 1, 2, 1, whole, null],
    ['between equal ones', 1, 1, 1, doubles, null],
    ['between neighbouring doubles', 1, 1 + Number.EPSILON, 1, doubles, null],
    ['in the wrong order', 2, 1, 1, doubles, null],
    ['after the last that can be', 2_147_483_647, null, 1, whole, null],
    ['after one of the last', 2_147_483_640, null, 1, whole, [2_147_483_644]],
    ['beyond the largest double', Number.MAX_VALUE, null, 1, doubles, null],
    ['after what JavaScript cannot count', Number.MAX_SAFE_INTEGER, null, 1, { ...whole, most: Number.MAX_VALUE }, null],
    ['as many as there are', null, null, 4, { whole: true, least: 1, most: 4 }, [1, 2, 3, 4]],
    ['where all are negative', null, null, 1, { whole: true, least: -10, most: -1 }, [-5]],
    ['beside no number', Number.POSITIVE_INFINITY, null, 1, doubles, null],
    ['beside a text', 'a', null, 1, doubles, null],
  ] as const)('%s', (_, low, high, count, numbers, expected) => {
    expect(numbersBetween(low, high, count, numbers)).toEqual(expected)
  })

  it('gives numbers in order, between the two, that the column takes', () => {
    const end = fc.option(fc.oneof(fc.integer(), fc.double({ noNaN: true })), { nil: null })
    fc.assert(
      fc.property(end, end, fc.integer({ min: 1, max: 50 }), fc.constantFrom(whole, doubles, counted), (low, high, count, numbers) => {
        const all = numbersBetween(low, high, count, numbers)
        if (all === null) return
        expect(all).toHaveLength(count)
        const ends = [low ?? Number.NEGATIVE_INFINITY, ...all, high ?? Number.POSITIVE_INFINITY]
        for (const [i, one] of ends.slice(1).entries()) expect(one).toBeGreaterThan(ends[i] as number)
        for (const one of all) expect(numbers.whole ? Number.isSafeInteger(one) : Number.isFinite(one)).toBe(true)
        expect(Math.min(...all)).toBeGreaterThanOrEqual(numbers.least)
        expect(Math.max(...all)).toBeLessThanOrEqual(numbers.most)
      }),
      { numRuns: 1000 },
    )
  })

  it('finds room wherever whole numbers have it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1000, max: 1000 }),
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        (low, room, count) => {
          expect(numbersBetween(low, low + room + 1, count, whole) !== null).toBe(room >= count)
        },
      ),
    )
  })
})
