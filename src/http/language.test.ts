import fc from 'fast-check'
import { expect, it } from 'vitest'
import { languageFor } from './language.js'

const locales = ['en', 'de', 'pt-BR', 'zh-Hant', 'de-AT']

it.each([
  ['', 'en', 'nothing'],
  [' , ;q=1', 'en', 'nothing that can be read'],
  ['de', 'de', 'a language'],
  ['DE', 'de', 'case does not count'],
  ['de-CH', 'de', 'a shorter tag'],
  ['de-at', 'de-AT', 'the whole tag'],
  ['pt', 'pt-BR', 'a language of which there is a variety'],
  ['pt-PT', 'pt-BR', 'another variety'],
  ['zh-Hant-TW', 'zh-Hant', 'a tag with a script'],
  ['ja', 'en', 'another language'],
  ['ja, de', 'de', 'the second'],
  ['en;q=0.5, de;q=0.9', 'de', 'the weightier'],
  ['fr, en;q=0.5, de;q=0.5', 'en', 'of the same weight, the first'],
  ['de;q=0, en', 'en', 'one that is not wanted'],
  ['de;q=0', 'en', 'nothing but what is not wanted'],
  ['ja, *;q=0.1', 'en', 'anything'],
  ['en;q=0, *', 'de', 'anything but what is not wanted'],
  ['en;q=0, de;q=0, *', 'pt-BR', 'anything but what is not wanted, or a variety of it'],
])('"%s" gets %s: %s', (asked, locale) => {
  expect(languageFor(asked, locales)).toBe(locale)
})

it('always finds one of the locales, and one that is asked for by itself', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-zA-Z*,;=.0-9 -]{0,40}$/)), fc.constantFrom(...locales), (text, locale) => {
      expect(locales).toContain(languageFor(text, locales))
      expect(languageFor(`${locale}, ${text}`, locales)).toBe(languageFor(`${locale};q=1, ${text}`, locales))
      expect(languageFor(locale.toUpperCase(), locales)).toBe(locale)
    }),
  )
})
