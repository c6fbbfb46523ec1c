import { describe, expect, test } from 'vitest'
import { endIn, inNotation, isStoredTime, type StoredTime, timeIn } from './stored-time.js'

const legible: readonly (readonly [text: string, iso: string | null])[] = [
  ['2026-11-29 17:35:40', '2026-11-29T17:35:40.000Z'],
  ['2026-11-29T17:35:40.123Z', '2026-11-29T17:35:40.123Z'],
  ['2026-11-29 17:35:40.123456', '2026-11-29T17:35:40.123Z'],
  ['2026-11-29 17:35:40.5', '2026-11-29T17:35:40.500Z'],
  ['2026-11-29t17:35:40,25z', '2026-11-29T17:35:40.250Z'],
  ['2026-11-29 17:35', '2026-11-29T17:35:00.000Z'],
  ['2026-11-29', '2026-11-29T00:00:00.000Z'],
  ['2026-11-29 17:35:40 UTC', '2026-11-29T17:35:40.000Z'],
  ['2026-11-29 17:35:40 +0100', '2026-11-29T16:35:40.000Z'],
  ['2026-11-29T17:35:40-05', '2026-11-29T22:35:40.000Z'],
  ['1890-01-01 00:53:28+00:53:28', '1890-01-01T00:00:00.000Z'],
  ['2026-11-29 24:00:00', '2026-11-30T00:00:00.000Z'],
  ['0000-01-01 00:00:00', '0000-01-01T00:00:00.000Z'],
  ['0000-01-01 00:00:00+01:00', null],
  ['2026-02-30 00:00:00', null],
  ['2026-13-01 00:00:00', null],
  ['2026-11-29 25:00:00', null],
  ['1764437740', null],
  ['now', null],
  ['', null],
  ['2026-11-29 17:35:40\n', null],
]

test.each(legible)('%j means %s', (text, iso) => {
  const time = timeIn(text)
  expect(Number.isNaN(time) ? null : new Date(time).toISOString()).toBe(iso)
})

test.each<readonly [StoredTime, string, string]>([
  ['YYYY-MM-DD HH:MM:SS', '2026-11-29 17:35:40', '2026-11-29 17:35:40.123'],
  ['YYYY-MM-DDTHH:MM:SSZ', '2026-11-29T17:35:40Z', '2026-11-29T17:35:40.123Z'],
  ['YYYY-MM-DDTHH:MM:SS.SSSZ', '2026-11-29T17:35:40.123Z', '2026-11-29T17:35:40.123Z'],
  ['YYYY-MM-DD HH:MM:SS.SSSSSS', '2026-11-29 17:35:40.123000', '2026-11-29 17:35:40.123000'],
  ['YYYY-MM-DDTHH:MM:SS.SSS+00:00', '2026-11-29T17:35:40.123+00:00', '2026-11-29T17:35:40.123+00:00'],
])('writes %j', (stored, cut, whole) => {
  expect(inNotation(stored, '2026-11-29T18:35:40.123+01:00', true)).toBe(cut)
  expect(inNotation(stored, '2026-11-29T18:35:40.123+01:00', false)).toBe(whole)
  expect(inNotation(stored, 'never', true)).toBe('never')
})

test('takes no other notation', () => {
  expect(isStoredTime('YYYY-MM-DD HH:MM:SS')).toBe(true)
  for (const other of ['YYYY-MM-DD', 'YYYY-MM-DD HH:MM', 'YYYY-MM-DD HH:MM:SS.SS', 'YYYY-MM-DD HH:MM:SS+01:00', 'iso', undefined])
    expect(isStoredTime(other)).toBe(false)
})

const operators = {
  gt: (a: string | number, b: string | number) => a > b,
  gte: (a: string | number, b: string | number) => a >= b,
  lt: (a: string | number, b: string | number) => a < b,
  lte: (a: string | number, b: string | number) => a <= b,
} as const

describe('compares texts as times', () => {
  const second = Date.parse('2026-11-29T17:35:40Z')
  const times = [-1000, -1, 0, 1, 9, 10, 120, 499, 500, 999, 1000, 1500].map((more) => second + more)
  const iso = (time: number) => new Date(time).toISOString()
  const days = ['YYYY-MM-DD', 'YYYY-MM-DDT'] as const
  for (const end of ['', '+00:00'] as const)
    test(`with any number of digits, ending in "${end}"`, () => {
      for (const fraction of ['', '.SSS', '.SSSSSS'] as const)
        for (const day of days) {
          const stored: StoredTime = day === 'YYYY-MM-DD' ? `YYYY-MM-DD HH:MM:SS${fraction}${end}` : `YYYY-MM-DDTHH:MM:SS${fraction}${end}`
          const texts = times.flatMap((time) => {
            const whole = inNotation(stored, iso(time), false)
            const digits = /\.\d+/.exec(whole)?.[0] ?? ''
            const as = (other: string) => [time, digits ? whole.replace(digits, other) : whole] as const
            const most = (digits || '.').padEnd(7, '0')
            return [as(most), as(most.replace(/\.?0+$/, '')), as(most.slice(0, 4)), as(`${most}999`)]
          })
          for (const [time, text] of texts)
            for (const asked of times)
              for (const by of ['gt', 'gte', 'lt', 'lte'] as const)
                expect([text, by, asked, operators[by](text, endIn(stored, iso(asked), by))]).toEqual([
                  text,
                  by,
                  asked,
                  operators[by](time, asked),
                ])
        }
    })

  test.each<StoredTime>(['YYYY-MM-DDTHH:MM:SSZ', 'YYYY-MM-DDTHH:MM:SS.SSSZ', 'YYYY-MM-DD HH:MM:SS.SSSSSSZ'])('as %j says', (stored) => {
    const kept = times.map((time) => (stored.includes('.') ? time : Math.floor(time / 1000) * 1000))
    for (const time of kept)
      for (const asked of times)
        for (const by of ['gt', 'gte', 'lt', 'lte'] as const)
          expect([time, by, asked, operators[by](inNotation(stored, iso(time), true), endIn(stored, iso(asked), by))]).toEqual([
            time,
            by,
            asked,
            operators[by](time, asked),
          ])
  })
})
