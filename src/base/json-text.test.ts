import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonText } from './json-text.js'

describe('the text of a value', () => {
  it('is that of JSON.stringify, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue({ stringUnit: 'binary', maxDepth: 2 }), fc.double(), fc.string({ unit: 'binary' })), (value) => {
        expect(jsonText(value)).toBe(JSON.stringify(value))
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['"', '"\\""'],
    ['\\', '"\\\\"'],
    ['\n\u001f', '"\\n\\u001f"'],
    ['\u007f\u2028', '"\u007f\u2028"'],
    ['\ud800', '"\\ud800"'],
    ['😀', '"😀"'],
    [-0, '0'],
    [1e21, '1e+21'],
    [Number.NaN, 'null'],
    [Number.NEGATIVE_INFINITY, 'null'],
    [undefined, 'null'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ])('of %o is %s', (value, text) => {
    expect(jsonText(value)).toBe(text)
    expect(`[${jsonText(value)}]`).toBe(JSON.stringify([value]))
  })

  it('of what JSON.stringify refuses is refused', () => {
    expect(() => jsonText(1n)).toThrow(TypeError)
  })
})
