import { expect, test } from 'vitest'
import { DaymarkError } from './errors.js'

test('what is away says when to try again: the one time that whoever throws it says, or in five seconds', () => {
  expect(new DaymarkError('unavailable', 'Away').headers).toEqual({ 'retry-after': '5' })
  expect(new DaymarkError('unavailable', 'Away', { headers: { 'Retry-After': '3600' } }).headers).toEqual({ 'retry-after': '3600' })
  expect(new DaymarkError('forbidden', 'No', { headers: { 'X-Why': 'so' } }).headers).toEqual({ 'x-why': 'so' })
})
