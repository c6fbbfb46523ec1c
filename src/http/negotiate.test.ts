import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { negotiate } from './negotiate.js'

const json = 'json'
const html = 'html'

const table: [accept: string | null, face: 'json' | 'html' | null, why: string][] = [
  // No header, or an unreadable one.
  [null, html, 'no header'],
  ['', html, 'an empty header'],
  ['  ', html, 'spaces'],
  [',,,', html, 'commas'],
  [';q=1', html, 'a weight of nothing'],
  ['json', html, 'no media type'],
  ['application', html, 'half a media type'],
  ['application/', html, 'no subtype'],
  ['/json', html, 'no type'],
  ['a b/c', html, 'a space within'],
  ['application/json/x', html, 'three parts'],
  ['<script>', html, 'markup'],
  ['json, text/html', html, 'what cannot be read is left out'],
  ['json, application/json', json, 'what cannot be read is left out'],
  // One range.
  ['*/*', html, 'anything'],
  ['*', html, 'anything, as old clients write it'],
  ['application/json', json, 'JSON'],
  ['APPLICATION/JSON', json, 'case does not count'],
  ['Application/Json', json, 'case does not count'],
  [' application/json ', json, 'spaces do not count'],
  ['application/json;charset=utf-8', json, 'parameters do not count'],
  ['application/json; charset="utf-8"', json, 'quoted parameters do not count'],
  ['application/json;profile="a,b;c"', json, 'separators in quotes'],
  ['application/json;profile="a\\"b, text/html"', json, 'an escaped quote in quotes'],
  ['application/problem+json', json, 'a problem'],
  ['application/vnd.api+json', json, 'another +json'],
  ['application/ld+json;profile=x', json, 'another +json with a parameter'],
  ['application/*', json, 'any application type'],
  ['text/html', html, 'HTML'],
  ['text/html;level=1', html, 'HTML with a parameter'],
  ['text/*', html, 'any text'],
  // Nothing that we can produce.
  ['text/plain', null, 'plain text'],
  ['image/*', null, 'an image'],
  ['text/event-stream', null, 'events'],
  ['application/xml', null, 'XML'],
  ['application/x+jsonp', null, 'no +json at all'],
  ['text/csv, image/png', null, 'two that we do not have'],
  ['application/json;q=0', null, 'not JSON, and nothing else'],
  ['application/json;q=0.000', null, 'not JSON, and nothing else'],
  ['text/html;q=0', null, 'not HTML, and nothing else'],
  ['*/*;q=0', null, 'nothing'],
  ['application/json;q=0, text/html;q=0, */*', null, 'anything but our two'],
  ['text/html;q=0, application/*;q=0, */*;q=1', null, 'anything but our two, by a wildcard'],
  // The higher quality wins.
  ['text/html, application/json;q=0.9', html, 'HTML first'],
  ['text/html;q=0.9, application/json', json, 'JSON first'],
  ['text/html;q=0.5, application/json;q=0.4', html, 'HTML by a little'],
  ['text/html;q=0.4, application/json;q=0.5', json, 'JSON by a little'],
  ['text/html;q=0.123, application/json;q=0.124', json, 'three digits'],
  ['application/json;q=.5, text/html;q=.4', json, 'a weight without its zero'],
  ['text/html;q=0, */*', json, 'anything but HTML'],
  ['application/json;q=0, */*', html, 'anything but JSON'],
  ['application/json; Q=0, */*', html, 'a weight in capitals'],
  ['application/json;q=0 , */*', html, 'a space after the weight'],
  ['application/json;charset=utf-8;q=0.1, */*;q=0.2', html, 'a weight behind a parameter'],
  ['application/*;q=0.2, */*;q=0.1', json, 'the narrower wildcard'],
  ['text/*;q=0.2, */*;q=0.9', json, 'the narrower wildcard, for HTML'],
  ['text/*;q=0, */*', json, 'no text'],
  ['application/*;q=0.1, application/json;q=0.9, text/html;q=0.5', json, 'the most specific range counts'],
  ['application/*;q=0.9, application/json;q=0.1, text/html;q=0.5', html, 'the most specific range counts, wherever it stands'],
  ['text/*;q=0.9, text/html;q=0.1, application/json;q=0.5', json, 'the most specific range counts, for HTML'],
  ['application/vnd.api+json, application/json;q=0.1, text/html;q=0.5', html, 'what we send is application/json itself'],
  ['application/json;q=0.1, application/json;q=0.9, text/html;q=0.5', json, 'said twice, the better counts'],
  // An invalid weight counts as none.
  ['application/json;q=high', json, 'a word'],
  ['application/json;q=', json, 'nothing'],
  ['application/json;q=2, text/html', json, 'more than one is one'],
  ['text/html, application/json;q=-1', html, 'less than nothing'],
  ['application/json;q=0;q=1, */*', html, 'said twice, the first counts'],
  // A tie: JSON only if it is named before any text range.
  ['application/json, text/html', json, 'JSON named first'],
  ['text/html, application/json', html, 'HTML named first'],
  ['application/json, text/plain, */*', json, 'axios'],
  ['text/plain, application/json, */*', html, 'text named first'],
  ['text/plain;q=0, application/json, */*', json, 'text that is refused is not named'],
  ['application/json, */*;q=0.5', json, 'no tie'],
  ['*/*, application/json', json, 'a wildcard is not a text'],
  ['image/png, */*', html, 'a tie that names neither'],
  ['application/*, */*', json, 'any application type is JSON named'],
  ['application/json;q=0.5, */*;q=0.5', json, 'a tie below one'],
  ['application/problem+json, text/html', json, 'a problem named first'],
  // Real clients.
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8', html, 'Chrome'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', html, 'Firefox'],
  ['application/json, text/javascript, */*; q=0.01', json, 'jQuery'],
  ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', html, 'Java'],
  ['application/json, application/problem+json', json, 'a typed client'],
  ['application/vnd.github+json', json, 'a client of another API'],
]

describe('negotiate', () => {
  it('has a table worth the name', () => expect(table.length).toBeGreaterThanOrEqual(60))

  it.each(table)('%j → %s: %s', (accept, face) => expect(negotiate(accept)).toBe(face))

  it('never throws, and never takes long', () => {
    const word = fc.constantFrom(
      'application/json',
      'text/html',
      '*/*',
      'text/*',
      '+json',
      ';q=',
      '0.5',
      ',',
      ';',
      '"',
      '\\',
      ' ',
      '/',
      'é',
    )
    const header = fc.oneof(
      fc.string(),
      fc.array(word, { maxLength: 30 }).map((words) => words.join('')),
    )
    fc.assert(fc.property(header, (accept) => ['json', 'html', null].includes(negotiate(accept))))
    for (const piece of [',', ';', '"', '\\"', 'a/b,', 'a/b;q=1;', '*/*;x="'])
      expect(() => negotiate(piece.repeat(16_384 / piece.length))).not.toThrow()
  })
})
