import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { besideSteps, stepFault } from './steps.js'

test.each<[value: number | string, steps: object, beside: readonly string[] | null]>([
  [7, {}, null],
  [10, { step: 5 }, null],
  [-10, { step: 5 }, null],
  [7, { step: 5 }, ['5', '10']],
  [-7, { step: 5 }, ['-10', '-5']],
  [7, { step: 5, min: 2 }, null],
  [8, { step: 5, min: 2 }, ['7', '12']],
  [8, { step: 5, min: 2, max: 9 }, ['7']],
  [0, { step: 5, min: 2 }, ['2']],
  // In doubles, no multiple of 0.05.
  [0.15, { step: 0.05 }, null],
  [0.3, { step: 0.1 }, null],
  ['0.17', { step: 0.05 }, ['0.15', '0.2']],
  [-0.01, { step: 0.05 }, ['-0.05', '0']],
  ['9007199254740993', { step: 2 }, ['9007199254740992', '9007199254740994']],
  ['12345678901234567890.25', { step: 0.25 }, null],
  [`${'1'.repeat(997)}.5`, { step: 0.5 }, null],
  // Counting a million digits would take seconds.
  [`${'1'.repeat(999)}.5`, { step: 0.5 }, []],
  [1e21, { step: 1000 }, null],
  [1.5e-7, { step: 1e-7 }, ['0.0000001', '0.0000002']],
])('%s in steps of %j: beside it are %j', (value, steps, beside) => expect(besideSteps(value, steps)).toEqual(beside))

test.each<[steps: object, digits: number | null, says: string | null]>([
  [{}, 0, null],
  [{ step: 0.5 }, null, null],
  [{ step: 0 }, null, 'not a number above 0'],
  [{ step: -1 }, null, 'not a number above 0'],
  [{ step: Number.NaN }, null, 'not a number above 0'],
  [{ step: 0.5 }, 0, 'no whole numbers'],
  [{ step: 2, min: 0.5 }, 0, 'no whole numbers'],
  [{ step: 0.05, min: 1e21 }, 2, null],
  [{ step: 0.005 }, 2, 'no numbers of 2 digits after the point go in steps of 0.005'],
  [{ step: 1, min: 0.001 }, 2, 'no numbers of 2 digits'],
])('%j where values have %s digits: %s', (steps, digits, says) =>
  says === null ? expect(stepFault(steps, digits)).toBeNull() : expect(stepFault(steps, digits)).toContain(says),
)

test('what stands beside is on a step, and one step apart', () => {
  const decimal = fc.tuple(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.integer({ min: 0, max: 6 })).map(([units, digits]) => {
    const all = String(units < 0n ? -units : units).padStart(digits + 1, '0')
    return `${units < 0n ? '-' : ''}${all.slice(0, all.length - digits)}${digits > 0 ? `.${all.slice(all.length - digits)}` : ''}`
  })
  fc.assert(
    fc.property(decimal, fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 0, max: 3 }), (value, units, digits) => {
      const step = Number(`${units}e-${digits}`)
      const beside = besideSteps(value, { step })
      if (beside === null) return
      const [below, above] = beside as [string, string]
      expect([besideSteps(below, { step }), besideSteps(above, { step })]).toEqual([null, null])
      expect(Number(below)).toBeLessThan(Number(above))
      expect(Number(above) - Number(below)).toBeCloseTo(step, 2)
    }),
  )
})
