import { expect, test } from 'vitest'
import { daysShown, isMonth, isWeek } from './days-shown.js'
import { dayText } from './span.js'

const daysOf = (text: string, locale: string) => daysShown('month', text, locale).days.map(dayText)

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
  const { start, until, previous, next } = daysShown('month', '2026-12', 'en')
  expect([dayText(start), dayText(until), previous, next]).toEqual(['2026-12-01', '2027-01-01', '2026-11', '2027-01'])
  expect([daysShown('month', '1000-01', 'en').previous, daysShown('month', '8999-12', 'en').next]).toEqual([null, null])
})

test.each(['2026-11', '1000-01', '8999-12'])('%s is a month', (text) => expect(isMonth(text)).toBe(true))
test.each(['', '2026-13', '2026-00', '2026-1', '0999-12', '9000-01', '2026-11-01', ' 2026-11', '２026-11'])('"%s" is none', (text) =>
  expect(isMonth(text)).toBe(false),
)

test('a week has seven days, whichever of them names it, from the one with which a locale begins', () => {
  const weekOf = (text: string, locale: string) => daysShown('week', text, locale)
  const [american, german] = [weekOf('2026-11-28', 'en-US'), weekOf('2026-11-29', 'de')]
  expect([american.days.map(dayText)[0], american.days.length, american.previous, american.next]).toEqual([
    '2026-11-22',
    7,
    '2026-11-15',
    '2026-11-29',
  ])
  expect([dayText(german.start), dayText(german.until)]).toEqual(['2026-11-23', '2026-11-30'])
  expect(weekOf('2026-11-23', 'de')).toEqual(german)
  expect([weekOf('1000-01-01', 'en').previous, weekOf('8999-12-31', 'en').next]).toEqual([null, null])
})

test.each(['2026-11-28', '1000-01-01', '8999-12-31', '2024-02-29'])('%s names a week', (text) => expect(isWeek(text)).toBe(true))
test.each(['', '2026-11', '2026-02-29', '2026-11-31', '0999-12-31', '9000-01-01', '2026-W48', '2026-11-28T00:00'])(
  '"%s" names none',
  (text) => expect(isWeek(text)).toBe(false),
)
