import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { instantText } from './instant-text.js'

const locales =
  'en de fr es pt-BR pt-PT it nl pl cs ru uk el tr ar ar-EG fa he hi bn ta th my km zh zh-TW ja ko vi id fi sv da hu ro bg ca eu sq lv lt et is ga cy mk sr mn ne am sw zu en-GB en-IN de-AT fr-CA es-MX ar-u-nu-latn fa-u-ca-gregory th-u-ca-buddhist ja-u-ca-japanese zh-u-ca-chinese en-u-hc-h11 en-u-hc-h24'.split(
    ' ',
  )
const styles = [
  { dateStyle: 'medium', timeStyle: 'short' },
  { dateStyle: 'full', timeStyle: 'long' },
] as const
const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')]

const known = new Map<string, readonly [ours: (instant: number) => string, format: Intl.DateTimeFormat]>()

function same(locale: string, timeZone: string, instant: number): void {
  for (const style of styles) {
    const key = [locale, timeZone, style.dateStyle].join(' ')
    const given = { ...style, timeZone }
    const [ours, format] = known.get(key) ?? [instantText(locale, given), new Intl.DateTimeFormat(locale, given)]
    known.set(key, [ours, format])
    // A day is cached only when it comes up a second time.
    for (let i = 0; i < 2; i++) expect(ours(instant), `${key} ${instant}`).toBe(format.format(instant))
  }
}

const day = 86_400_000
const instants = fc.oneof(
  fc.integer({ min: Date.UTC(1850, 0), max: Date.UTC(2150, 0) }),
  fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) }),
  fc.date({ noInvalidDate: true }).map((date) => date.getTime()),
)

test('any instant is written as Intl writes it, in every zone and many languages', () => {
  fc.assert(fc.property(fc.constantFrom(...locales), fc.constantFrom(...zones), instants, same), { numRuns: 2000 })
})

test('so is each minute of the days on which clocks move', () => {
  const moves = ['2026-03-29', '2026-10-25', '2011-12-29', '2011-12-30', '2011-12-31', '1883-11-18', '2026-04-04', '2026-04-05'].map(
    Date.parse,
  )
  for (const zone of ['Europe/Berlin', 'Pacific/Apia', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca'])
    for (const start of moves) for (let at = start - day / 2; at < start + 1.5 * day; at += 7 * 60_000 + 11_003) same('en', zone, at)
})

test.each([
  ['Pacific/Chatham', '2026-04-04T14:05:00Z', '2026-06-14T13:35:00Z'],
  ['America/St_Johns', '2006-10-29T02:30:30Z', '2026-01-15T03:45:00Z'],
])('an hour that %s shows twice says nothing of the same hour of other days', (zone, twice, plain) => {
  for (const style of styles) {
    const given = { ...style, timeZone: zone }
    const [ours, format] = [instantText('en', given), new Intl.DateTimeFormat('en', given)]
    for (const instant of [twice, twice, plain, plain].map(Date.parse)) expect(ours(instant)).toBe(format.format(instant))
  }
})

test('and what is farthest', () => {
  for (const zone of ['UTC', 'Asia/Tokyo', 'America/Lima'])
    for (const instant of [8.64e15, -8.64e15, 8.64e15 - 1, 8.64e15 - day, day - 8.64e15, -1, 0, -62_167_219_200_001])
      same('en', zone, instant)
})

test('Intl is asked for each day and each hour, not for each instant', () => {
  const instants = Array.from({ length: 2000 }, (_, i) => Date.UTC(2026, 5, 1) + i * 173_011)
  for (const [locale, timeZone] of [
    ['en', 'UTC'],
    ['de', 'Europe/Berlin'],
  ] as const) {
    const texts = styles.map((style) => instantText(locale, { ...style, timeZone }))
    const asked = vi.spyOn(Intl.DateTimeFormat.prototype as { readonly format: unknown }, 'format', 'get')
    for (const instant of instants) for (const text of texts) text(instant)
    // For both locales: three calls for each of five days (its first time, then its start and end), and one for each of 24 hours.
    expect(asked).toHaveBeenCalledTimes(2 * (5 * 3 + 24))
    asked.mockRestore()
  }
})
