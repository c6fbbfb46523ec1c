import { expect, test } from 'vitest'
import { isFor } from './database.js'

test.each([
  ['>=22', '20.19.0', false],
  ['>=22', '22.0.0', true],
  ['>=22', '24.1.0', true],
  ['20.x || 22.x || >=23.5', '20.19.0', true],
  ['20.x || 22.x || >=23.5', '21.0.0', false],
  ['20.x || 22.x || >=23.5', '25.0.0', true],
  ['^20.0.0', '20.19.0', true],
  ['>= 22.1 <25', '20.19.0', false],
  ['', '20.19.0', true],
  ['*', '20.19.0', true],
])('a driver for %s runs on Node %s: %s', (engines, version, runs) => {
  expect(isFor(engines, version)).toBe(runs)
})
