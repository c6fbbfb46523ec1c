import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scaleOf } from './chart-scale.js'

test.each<[values: number[], whole: boolean, ticks: number[]]>([
  [[], true, [0, 1]],
  [[0], true, [0, 1]],
  [[3], true, [0, 1, 2, 3]],
  [[0.3], false, [0, 0.1, 0.2, 0.3]],
  [[542, 195], true, [0, 200, 400, 600]],
  [[-2100, 5500], true, [-4000, -2000, 0, 2000, 4000, 6000]],
  [[-5], true, [-6, -4, -2, 0]],
])('%j', (values, whole, ticks) => {
  expect(scaleOf(values, whole).ticks).toEqual(ticks)
})

test('a scale holds its numbers and 0, in few even steps, from the bottom to the top', () => {
  const number = fc.double({ min: -1e15, max: 1e15, noNaN: true }).map((value) => (Math.abs(value) < 1e-9 ? 0 : value))
  fc.assert(
    fc.property(fc.array(number), (values) => {
      const { ticks, at } = scaleOf(values, false)
      const [first, last] = [ticks[0] as number, ticks.at(-1) as number]
      expect(ticks).toContain(0)
      expect(ticks.length).toBeLessThan(9)
      expect(at(first)).toBeCloseTo(100)
      expect(at(last)).toBeCloseTo(0)
      for (const value of values) {
        expect(at(value)).toBeGreaterThan(-0.01)
        expect(at(value)).toBeLessThan(100.01)
      }
    }),
  )
})

test('whole numbers have no lines between them', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1000, max: 1_000_000 })), (values) => {
      expect(scaleOf(values, true).ticks.every(Number.isInteger)).toBe(true)
    }),
  )
})

test.each([[[1.7e308, -1.7e308, 5]], [[1.7e308]], [[5e-324, 1e-323]], [[-5e-324]], [[1e308, 1e-308]]])(
  'the ends of the doubles have a scale, too: %j',
  (values) => {
    const { ticks, at } = scaleOf(values, false)
    expect(ticks.length).toBeGreaterThan(1)
    expect(ticks.length).toBeLessThan(9)
    expect(ticks).toContain(0)
    for (const value of [...values, ...ticks]) {
      expect(Number.isFinite(value)).toBe(true)
      expect(at(value)).toBeGreaterThan(-0.01)
      expect(at(value)).toBeLessThan(100.01)
    }
  },
)
