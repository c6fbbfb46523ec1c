import { expect, test } from 'vitest'
import { KnownAnswers } from './known.js'

const head = (mark: number) => ({ mark, text: () => `/${mark}` })
const reply = { status: 200, headers: {}, body: 'an answer' }

/** Makes a request and says whether its answer was known, newly kept, or made without being kept. */
function ask(known: KnownAnswers, mark: number): 'known' | 'kept' | 'made' {
  const found = known.find(head(mark), '::1')
  if (found === null) return 'made'
  if ('status' in found) return 'known'
  known.keep(head(mark), '::1', { reply, at: found, until: Number.POSITIVE_INFINITY })
  return 'kept'
}

test('what comes for the second time is kept, so that the third is known', () => {
  const known = new KnownAnswers(() => 1)
  const round = () => new Set(Array.from({ length: 200 }, (_, mark) => ask(known, mark)))
  expect([round(), round(), round()]).toEqual([new Set(['made']), new Set(['kept']), new Set(['known'])])
})

test('what comes again only after more others than are kept is never kept', () => {
  const known = new KnownAnswers(() => 1)
  const round = () => new Set(Array.from({ length: 600 }, (_, mark) => ask(known, mark)))
  expect([round(), round(), round()]).toEqual(Array(3).fill(new Set(['made'])))
})

test('an answer is known as long as nothing has changed, and not longer than it says', () => {
  let version = 1
  const known = new KnownAnswers(() => version)
  expect([ask(known, 7), ask(known, 7), ask(known, 7)]).toEqual(['made', 'kept', 'known'])
  version = 2
  expect([ask(known, 7), ask(known, 7)]).toEqual(['kept', 'known'])
  known.changes()
  expect([ask(known, 7), ask(known, 7)]).toEqual(['kept', 'known'])
  known.keep(head(7), '::1', { reply, at: { requests: 1, version: 2 }, until: 0 })
  expect(ask(known, 7)).toBe('kept')
})
