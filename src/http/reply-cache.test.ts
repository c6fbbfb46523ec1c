import { expect, test } from 'vitest'
import { ReplyCache } from './reply-cache.js'

const head = (mark: number) => ({ mark, text: () => `/${mark}` })
const reply = { status: 200, headers: {}, body: 'an answer' }

/** Makes a request and says whether its answer was known, newly kept, or made without being kept. */
function ask(cache: ReplyCache, mark: number): 'known' | 'kept' | 'made' {
  const found = cache.find(head(mark), '::1')
  if (found === null) return 'made'
  if ('status' in found) return 'known'
  cache.keep(head(mark), '::1', { reply, at: found, until: Number.POSITIVE_INFINITY })
  return 'kept'
}

test('what comes for the second time is kept, so that the third is known', () => {
  const cache = new ReplyCache(() => 1)
  const round = () => new Set(Array.from({ length: 200 }, (_, mark) => ask(cache, mark)))
  expect([round(), round(), round()]).toEqual([new Set(['made']), new Set(['kept']), new Set(['known'])])
})

test('what comes again only after more others than are kept is never kept', () => {
  const cache = new ReplyCache(() => 1)
  const round = () => new Set(Array.from({ length: 600 }, (_, mark) => ask(cache, mark)))
  expect([round(), round(), round()]).toEqual(Array(3).fill(new Set(['made'])))
})

test('an answer is known as long as nothing has changed, and not longer than it says', () => {
  let version = 1
  const cache = new ReplyCache(() => version)
  expect([ask(cache, 7), ask(cache, 7), ask(cache, 7)]).toEqual(['made', 'kept', 'known'])
  version = 2
  expect([ask(cache, 7), ask(cache, 7)]).toEqual(['kept', 'known'])
  cache.changes()
  expect([ask(cache, 7), ask(cache, 7)]).toEqual(['kept', 'known'])
  cache.keep(head(7), '::1', { reply, at: { requests: 1, version: 2 }, until: 0 })
  expect(ask(cache, 7)).toBe('kept')
})
