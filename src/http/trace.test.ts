import { expect, test } from 'vitest'
import { traceOf } from './trace.js'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parentId = '00f067aa0ba902b7'
const of = (traceparent: string, proxies = 1) => traceOf({ headers: new Headers({ traceparent }) }, { proxies })

test('takes what a proxy of ours says', () => {
  expect(of(`00-${traceId}-${parentId}-01`)).toEqual({ traceId, parentId, sampled: true })
  expect(of(`00-${traceId}-${parentId}-02`)).toEqual({ traceId, parentId, sampled: false })
  expect(of(`cc-${traceId}-${parentId}-01-what-the-future-will-be-like`)).toEqual({ traceId, parentId, sampled: true })
})

test('takes nothing from strangers', () => {
  expect(of(`00-${traceId}-${parentId}-01`, 0)).toBeNull()
})

test.each([
  '',
  'x',
  `00-${traceId}-${parentId}`,
  `00-${traceId}-${parentId}-01-more`,
  `00-${traceId}-${parentId}-01, 00-${traceId}-${parentId}-01`,
  `cc-${traceId}-${parentId}-01.more`,
  `ff-${traceId}-${parentId}-01`,
  `00-${'0'.repeat(32)}-${parentId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${parentId}-01`,
  `00-${traceId}-${parentId}-0x`,
  `00-${traceId}-${parentId}-01${' '.repeat(100)}x`,
  'a'.repeat(100_000),
])('%#: none by what is no such header', (said) => {
  expect(of(said)).toBeNull()
})
