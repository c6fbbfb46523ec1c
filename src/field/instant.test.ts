import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoText } from './instant.js'

test('any instant is written as toISOString writes it', () => {
  const same = fc.property(fc.date({ noInvalidDate: true }), (instant) => isoText(instant) === instant.toISOString())
  const edges = [-1, 0, -62_167_219_200_001, 8.64e15, -8.64e15]
  fc.assert(same, { numRuns: 3000, examples: edges.map((time) => [new Date(time)]) })
})

test('what is no instant has no text', () => {
  expect(isoText(new Date(Number.NaN))).toBeNull()
})
