import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endsOfSpan, spanOf } from './span.js'
import { isWithin, type Within, withins } from './within.js'

const at = Date.parse('2026-11-27T23:30:00Z')
const endsOf = (name: Within, time: 'day' | 'instant', zone: string, now: number) => endsOfSpan(spanOf(name, zone, now), time, zone)
const days = (name: Within, zone = 'UTC') => endsOf(name, 'day', zone, at).join(' ')

test.each<[Within, string]>([
  ['today', '2026-11-27 2026-11-28'],
  ['yesterday', '2026-11-26 2026-11-27'],
  ['tomorrow', '2026-11-28 2026-11-29'],
  ['last-7-days', '2026-11-21 2026-11-28'],
  ['last-30-days', '2026-10-29 2026-11-28'],
  ['next-7-days', '2026-11-27 2026-12-04'],
  ['next-30-days', '2026-11-27 2026-12-27'],
  ['this-week', '2026-11-23 2026-11-30'],
  ['last-week', '2026-11-16 2026-11-23'],
  ['next-week', '2026-11-30 2026-12-07'],
  ['this-month', '2026-11-01 2026-12-01'],
  ['last-month', '2026-10-01 2026-11-01'],
  ['next-month', '2026-12-01 2027-01-01'],
  ['this-quarter', '2026-10-01 2027-01-01'],
  ['last-quarter', '2026-07-01 2026-10-01'],
  ['this-year', '2026-01-01 2027-01-01'],
  ['last-year', '2025-01-01 2026-01-01'],
])('%s', (name, expected) => {
  expect(days(name)).toBe(expected)
})

test('days are those of the zone, from their first instant, whatever its clocks do', () => {
  expect(days('today', 'Asia/Tokyo')).toBe('2026-11-28 2026-11-29')
  // The clocks go back in this month, and it has an hour more.
  expect(endsOf('this-month', 'instant', 'America/New_York', at)).toEqual(['2026-11-01T04:00:00.000Z', '2026-12-01T05:00:00.000Z'])
  // That day begins at one o'clock.
  expect(endsOf('today', 'instant', 'America/Santiago', Date.parse('2026-09-06T15:00:00Z'))).toEqual([
    '2026-09-06T04:00:00.000Z',
    '2026-09-07T03:00:00.000Z',
  ])
})

test('the current day is in those that say so, and in no other', () => {
  const current = new Set(Object.keys(withins).filter((name) => /^(?:today|this-|last-\d|next-\d)/.test(name)))
  const zones = ['UTC', 'Europe/Berlin', 'Pacific/Kiritimati', 'America/St_Johns']
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }), fc.constantFrom(...zones), (date, zone) => {
      for (const name of Object.keys(withins) as Within[]) {
        const [from, until] = endsOf(name, 'instant', zone, date.getTime())
        expect(from < until).toBe(true)
        expect(from <= date.toISOString() && date.toISOString() < until).toBe(current.has(name))
      }
    }),
  )
})

test('names are only those', () => {
  expect(['today', 'toString', 'Today', ''].map(isWithin)).toEqual([true, false, false, false])
})
