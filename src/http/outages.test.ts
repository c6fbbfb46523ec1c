import { expect, test } from 'vitest'
import { makeOutages } from './outages.js'

test('an outage is told at once, then once a minute, and another one for itself', () => {
  let now = 0
  const isNews = makeOutages(() => now)
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5999'), { code: 'ECONNREFUSED' })
  const full = new Error('disk full')
  expect([isNews(refused), isNews(refused), isNews(full), isNews(full)]).toEqual([true, false, true, false])
  now = 59_999
  expect([isNews(refused), isNews(full)]).toEqual([false, false])
  now = 60_000
  expect([isNews(refused), isNews(refused)]).toEqual([true, false])
})
