import { expect, test } from 'vitest'
import { typedTime } from './typed-time.js'

test.each([
  ['en-US', '5:30 PM', '17:30'],
  ['en', '5:30\u202fpm', '17:30'],
  ['en-US', '5:30p.m.', '17:30'],
  ['en-US', '12:00 AM', '00:00'],
  ['en-US', '12:05 PM', '12:05'],
  ['en-US', '5:30:15 AM', '05:30:15'],
  ['en-US', '17:30', '17:30'],
  ['en-US', '9:05', '09:05'],
  ['de', ' 9:05 ', '09:05'],
  ['de', '17:30', '17:30'],
  ['da', '17.30', '17:30'],
  ['fi', '9.05', '09:05'],
  ['fr-CA', '17 h 30', '17:30'],
  ['es-MX', '5:30 p. m.', '17:30'],
  ['ja', '17:30', '17:30'],
])('in %s, %s is %s', (locale, text, time) => {
  expect(typedTime(text, locale)).toBe(time)
})

test.each(['en-US', 'de', 'da', 'fr-CA', 'es-MX', 'ko', 'zh-TW', 'hi', 'bg', 'ar-EG', 'fa', 'he', 'pt', 'it'])(
  'what %s writes is read back, at every hour',
  (locale) => {
    const format = new Intl.DateTimeFormat(locale, { timeStyle: 'short', numberingSystem: 'latn', timeZone: 'UTC' })
    for (let hour = 0; hour < 24; hour++)
      expect(typedTime(format.format(Date.UTC(1970, 0, 1, hour, 7)), locale)).toBe(`${String(hour).padStart(2, '0')}:07`)
  },
)

test.each([
  ['de', '5:30 PM'],
  ['en-US', '13:30 PM'],
  ['en-US', '0:30 PM'],
  ['de', '17.30'],
  ['de', '5'],
  ['de', '17:3'],
  ['de', ''],
  ['de', 'x17:30'],
  [undefined, '5:30 PM'],
])('in %s, "%s" stays as it is', (locale, text) => {
  expect(typedTime(text, locale)).toBe(text)
})

test('a time that there is not is no other time', () => {
  expect(typedTime('25:00', 'de')).toBe('25:00')
})
