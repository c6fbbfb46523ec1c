import { describe, expect, test } from 'vitest'
import {
  dayAt,
  daysWords,
  dayText,
  endsOfSpan,
  isNever,
  lastDay,
  periodIn,
  type Span,
  spanBefore,
  spanFrom,
  spanOf,
  startsWithin,
} from './span.js'
import type { Within } from './within.js'

const now = Date.parse('2026-11-27T22:30:00Z')
const at = (text: string) => dayAt(text) as number
const days = (span: Span) => [dayText(span.from), dayText(lastDay(span))]

test('a ready period is told by the days of the zone', () => {
  expect(days(spanOf('today', 'UTC', now))).toEqual(['2026-11-27', '2026-11-27'])
  expect(days(spanOf('today', 'Asia/Tokyo', now))).toEqual(['2026-11-28', '2026-11-28'])
  expect(days(spanOf('last-7-days', 'UTC', now))).toEqual(['2026-11-21', '2026-11-27'])
})

test.each<[Within, string, string]>([
  ['today', '2026-11-26', '2026-11-26'],
  ['last-7-days', '2026-11-14', '2026-11-20'],
  ['this-week', '2026-11-16', '2026-11-22'],
  ['this-month', '2026-10-01', '2026-10-31'],
  ['last-month', '2026-09-01', '2026-09-30'],
  ['this-quarter', '2026-07-01', '2026-09-30'],
  ['this-year', '2025-01-01', '2025-12-31'],
])('before %s is %s to %s', (name, from, to) => {
  expect(days(spanBefore(spanOf(name, 'UTC', now)))).toEqual([from, to])
})

test('before some days are as many, unless there were none', () => {
  expect(days(spanBefore(spanFrom(at('2026-03-01'), at('2026-03-10'))))).toEqual(['2026-02-19', '2026-02-28'])
  expect(isNever(spanBefore(spanFrom(at('0001-01-03'), at('2026-03-10'))))).toBe(true)
})

test.each(['2026-02-30', '2026-2-1', '0001-01-01', '9999-12-31', 'today', ''])('%j is no day', (text) => {
  expect(dayAt(text)).toBeNull()
})

test('days are words in the language of the user', () => {
  expect(daysWords(spanFrom(at('2026-03-01'), at('2026-03-10')), 'de')).toBe('01.–10.03.2026')
})

describe('the groups of some days', () => {
  const year = spanFrom(at('2025-01-15'), at('2026-01-14'))

  test('are as many as can be read, or as long as is said', () => {
    expect(periodIn(spanFrom(at('2026-01-01'), at('2026-01-02')), null, 'instant')).toBe('hour')
    expect(periodIn(spanFrom(at('2026-01-01'), at('2026-01-02')), null, 'day')).toBe('day')
    expect(periodIn(spanFrom(at('2026-01-01'), at('2026-03-31')), null, 'instant')).toBe('day')
    expect(periodIn(year, null, 'instant')).toBe('month')
    expect(periodIn(year, 'week', 'instant')).toBe('week')
    expect(periodIn(spanFrom(at('1900-01-01'), at('2026-01-01')), null, 'instant')).toBe('year')
    // No chart has more of them than it can draw.
    expect(periodIn(year, 'hour', 'instant')).toBe('week')
  })

  test('begin where the periods do, and end with the last of them', () => {
    const starts = startsWithin('month', year, 'instant', 'Europe/Berlin').map(dayText)
    expect([starts[0], starts.at(-2), starts.at(-1), starts.length]).toEqual(['2025-01-01', '2026-01-01', '2026-02-01', 14])
  })

  test('leave out an hour that the clocks skip', () => {
    const day = spanFrom(at('2026-03-29'), at('2026-03-29'))
    expect(startsWithin('hour', day, 'instant', 'Europe/Berlin')).toHaveLength(24)
    expect(endsOfSpan(day, 'instant', 'Europe/Berlin')).toEqual(['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'])
    expect(endsOfSpan(day, 'day', 'Europe/Berlin')).toEqual(['2026-03-29', '2026-03-30'])
  })
})
