import { expect, test } from 'vitest'
import { isMonth, monthOf } from './month.js'
import { dayText } from './span.js'

const daysOf = (text: string, locale: string) => monthOf(text, locale).days.map(dayText)

test('a month has the days of whole weeks, which begin as a locale has it', () => {
  // It begins on a Sunday.
  const [american, german] = [daysOf('2026-11', 'en-US'), daysOf('2026-11', 'de')]
  expect([american[0], american.at(-1), american.length]).toEqual(['2026-11-01', '2026-12-05', 35])
  expect([german[0], german.at(-1), german.length]).toEqual(['2026-10-26', '2026-12-06', 42])
  // As short as can be: it begins with a week, and has four.
  expect([daysOf('2021-02', 'de')[0], daysOf('2021-02', 'de').length]).toEqual(['2021-02-01', 28])
  expect(daysOf('2026-11', 'ar-EG')[0]).toBe('2026-10-31')
})

test('a month knows those beside it, and what ends it', () => {
  const { start, until, previous, next } = monthOf('2026-12', 'en')
  expect([dayText(start), dayText(until), previous, next]).toEqual(['2026-12-01', '2027-01-01', '2026-11', '2027-01'])
  expect([monthOf('1000-01', 'en').previous, monthOf('8999-12', 'en').next]).toEqual([null, null])
})

test.each(['2026-11', '1000-01', '8999-12'])('%s is a month', (text) => expect(isMonth(text)).toBe(true))
test.each(['', '2026-13', '2026-00', '2026-1', '0999-12', '9000-01', '2026-11-01', ' 2026-11', '２026-11'])('"%s" is none', (text) =>
  expect(isMonth(text)).toBe(false),
)
