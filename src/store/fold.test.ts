import { expect, test } from 'vitest'
import { fold, variants } from './fold.js'

test.each([
  ['s', ['S', 's', 'ſ']],
  ['K', ['K', 'k', '\u212a']],
  ['ı', ['I', 'i', 'İ', 'ı']],
  ['İ', ['I', 'i', 'İ', 'ı']],
  ['ς', ['Σ', 'ς', 'σ']],
  ['µ', ['µ', 'Μ', 'μ']],
  ['ß', ['ß', 'ẞ']],
  ['𐐨', ['𐐀', '𐐨']],
  ['ä', ['Ä', 'ä']],
  ['7', ['7']],
  ['日', ['日']],
  ['😀', ['😀']],
])('%s is also %j', (character, all) => {
  expect([...variants(character)].sort()).toEqual([...all].sort())
})

test('texts that differ in case only fold to one', () => {
  expect(fold('ΟΔΌΣ İstanbul STRAẞE')).toBe(fold('οδός ISTANBUL straße'))
  expect(fold('strasse')).not.toBe(fold('straße'))
  expect(fold('e\u0301')).not.toBe(fold('é'))
})

test('being a variant goes both ways', () => {
  for (const character of 'aßsſkKiıİσςΣµåÅ') for (const other of variants(character)) expect(variants(other)).toContain(character)
})
