import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localAt, periodStarts, periods, periodWords, startsIn, wireAt } from './period.js'

const texts = (starts: readonly number[]) => starts.map((start) => new Date(start).toISOString().slice(0, 16))

test.each([
  ['hour', ['2024-02-29T14:00', '2024-02-29T15:00', '2024-02-29T16:00']],
  ['day', ['2024-02-28T00:00', '2024-02-29T00:00', '2024-03-01T00:00']],
  ['week', ['2024-02-19T00:00', '2024-02-26T00:00', '2024-03-04T00:00']],
  ['month', ['2024-01-01T00:00', '2024-02-01T00:00', '2024-03-01T00:00']],
  ['quarter', ['2023-10-01T00:00', '2024-01-01T00:00', '2024-04-01T00:00']],
  ['year', ['2023-01-01T00:00', '2024-01-01T00:00', '2025-01-01T00:00']],
] as const)('the last two of each %s, and the end', (every, starts) => {
  expect(texts(periodStarts(every, 2, Date.parse('2024-02-29T15:30:00Z')))).toEqual(starts)
})

test('the last period holds the time, and each begins where the one before ends', () => {
  const time = fc.date({ min: new Date('1971-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(fc.constantFrom(...periods), fc.integer({ min: 1, max: 366 }), time, (every, count, at) => {
      const starts = periodStarts(every, count, at.getTime())
      expect(starts).toHaveLength(count + 1)
      expect(starts.at(-2)).toBeLessThanOrEqual(at.getTime())
      expect(starts.at(-1)).toBeGreaterThan(at.getTime())
      expect(starts.every((start, index) => index === 0 || start > (starts[index - 1] as number))).toBe(true)
      // A later look at the same periods has the same ones.
      expect(periodStarts(every, 1, starts[0] as number)[0]).toBe(starts[0])
    }),
  )
})

test('a day begins at the first instant that its zone has of it, and Monday begins a week', () => {
  const local = localAt(Date.parse('2026-09-06T12:00:00Z'), 'America/Santiago')
  // That midnight was skipped.
  expect(periodStarts('day', 1, local).map((start) => wireAt(start, 'instant', 'America/Santiago'))).toEqual([
    '2026-09-06T04:00:00.000Z',
    '2026-09-07T03:00:00.000Z',
  ])
  expect(wireAt(local, 'day', 'America/Santiago')).toBe('2026-09-06')
  expect(periodWords('week', Date.parse('2026-08-31'), 'en')?.replaceAll('\u2009', ' ')).toBe('Aug 31 – Sep 6, 2026')
  expect(periodWords('month', Date.parse('2026-08-01'), 'de')).toBe('August 2026')
  expect(periodWords('quarter', Date.parse('2026-08-01'), 'de')).toBeNull()
})

test('in every zone, periods follow each other, and the last one is now', () => {
  const zones = ['UTC', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Santiago', 'Pacific/Apia', 'America/Havana', 'Africa/Monrovia']
  // Apia left out 30 December 2011; Lord Howe shifts by half an hour; Havana's midnight comes twice.
  const time = fc.oneof(
    fc.date({ min: new Date('1971-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
    fc.date({ min: new Date('2011-12-28'), max: new Date('2012-01-03'), noInvalidDate: true }),
    fc.date({ min: new Date('2026-04-04'), max: new Date('2026-04-07'), noInvalidDate: true }),
    fc.date({ min: new Date('2026-10-31'), max: new Date('2026-11-03'), noInvalidDate: true }),
  )
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.constantFrom(...periods), fc.integer({ min: 1, max: 40 }), time, (zone, every, count, at) => {
      const starts = periodStarts(every, count, localAt(at.getTime(), zone)).map((start) => Date.parse(wireAt(start, 'instant', zone)))
      expect(starts.every((start, index) => index === 0 || start >= (starts[index - 1] as number))).toBe(true)
      expect(starts.at(-2)).toBeLessThanOrEqual(at.getTime())
      expect(starts.at(-1)).toBeGreaterThan(at.getTime())
    }),
    { numRuns: 3000 },
  )
})

test.each([
  [
    'an hour',
    'hour',
    'Europe/Berlin',
    '2026-03-29T03:30:00Z',
    ['2026-03-28T23:00', '2026-03-29T00:00', '2026-03-29T01:00', '2026-03-29T02:00', '2026-03-29T03:00', '2026-03-29T04:00'],
  ],
  [
    'a day',
    'day',
    'Pacific/Apia',
    '2011-12-31T12:00:00Z',
    ['2011-12-28T10:00', '2011-12-29T10:00', '2011-12-30T10:00', '2011-12-31T10:00', '2012-01-01T10:00'],
  ],
] as const)('%s that the clocks skip is no period, and another one comes before', (_, every, zone, now, starts) => {
  const found = startsIn(every, starts.length - 1, localAt(Date.parse(now), zone), 'instant', zone)
  expect(texts(found.map((start) => Date.parse(wireAt(start, 'instant', zone))))).toEqual(starts)
})

test('months and years are called as ISO 8601 divides them, in the calendar of the locale if that does, too', () => {
  const start = Date.parse('2026-11-01')
  const called = (locale: string) => [periodWords('month', start, locale), periodWords('year', Date.parse('2026-01-01'), locale)]
  expect(called('th')).toEqual(['พฤศจิกายน 2569', 'พ.ศ. 2569'])
  // The Persian month of this day is half over, and its year began in March.
  expect(called('fa')).toEqual(['نوامبر ۲۰۲۶', '۲۰۲۶'])
  expect(called('he-u-ca-hebrew')).toEqual(called('he'))
})
