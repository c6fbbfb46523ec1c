import { expect, test } from 'vitest'
import { namedIn } from './told.js'

test.each([
  ['@ada', ['ada']],
  ['Ask @ada, or (@bob).', ['ada', 'bob']],
  ['@editor@example.com! And @editor@example.com', ['editor@example.com']],
  ['Write to ada@example.com', []],
  ['@ and @, and @@', ['@']],
  ['Zeile\n@müller-lüdenscheidt: ja', ['müller-lüdenscheidt']],
  [Array.from({ length: 12 }, (_, i) => `@u${i}`).join(' '), Array.from({ length: 10 }, (_, i) => `u${i}`)],
])('%j names %j', (text, names) => {
  expect(namedIn(text)).toEqual(names)
})
