import { expect, test } from 'vitest'
import { makeIdempotency, type RepeatOptions, UsedKeyError } from './idempotency.js'

const again: RepeatOptions<string> = { said: (first) => `${first} was made` }

function counting(refuse = 0) {
  let made = 0
  const make = async () => {
    made++
    await new Promise(setImmediate)
    if (made <= refuse) throw new Error('Refused')
    return `number ${made}`
  }
  return { make, count: () => made }
}

test('the same that is sent twice is made once, whether it still runs or not', async () => {
  const once = makeIdempotency()
  const { make, count } = counting()
  const send = () => once.run('key', 'a', make, again)
  expect([...(await Promise.all([send(), send()])), await send()]).toEqual(['number 1', 'number 1', 'number 1'])
  expect(count()).toBe(1)
})

test('something else under the same key is refused, and nothing is made of it', async () => {
  const once = makeIdempotency()
  const { make, count } = counting()
  const first = once.run('key', 'a', make, again)
  await expect(once.run('key', 'b', make, again)).rejects.toThrow('number 1 was made')
  await first
  await expect(once.run('key', 'b', make, again)).rejects.toBeInstanceOf(UsedKeyError)
  expect(await once.run('key', 'a', make, again)).toBe('number 1')
  expect(count()).toBe(1)
})

test('what is mended is made where the first was refused, also while that still runs', async () => {
  const once = makeIdempotency()
  const { make } = counting(1)
  const refused = once.run('key', 'a', make, again)
  const mended = once.run('key', 'b', make, again)
  await expect(refused).rejects.toThrow('Refused')
  expect(await mended).toBe('number 2')
})

test('what is not to be kept is shared while it is made, and forgotten once it was given', async () => {
  const once = makeIdempotency()
  const { make } = counting()
  const send = () => once.run('key', 'a', make, { ...again, keeps: () => false })
  expect(await Promise.all([send(), send()])).toEqual(['number 1', 'number 1'])
  expect(await send()).toBe('number 2')
})

test('what cannot be given twice is given to the first', async () => {
  const once = makeIdempotency()
  const { make } = counting()
  const send = () => once.run('key', 'a', make, { ...again, keeps: () => false, shares: () => false })
  const [first, second] = await Promise.allSettled([send(), send()])
  expect(first).toMatchObject({ value: 'number 1' })
  expect(second).toMatchObject({ reason: expect.any(UsedKeyError) })
})

test('of what is large something small is kept, of which it is made again', async () => {
  const once = makeIdempotency()
  const { make, count } = counting()
  const kept: unknown[] = []
  const small = { of: (text: string) => text.length, again: async (length: unknown) => `one of ${kept.push(length) && length}` }
  const send = (sent = 'a') => once.run('key', sent, make, { ...again, small })
  expect(await Promise.all([send(), send()])).toEqual(['number 1', 'number 1'])
  expect(kept).toEqual([])
  expect(await send()).toBe('one of 8')
  await expect(send('b')).rejects.toThrow('one of 8 was made')
  expect(count()).toBe(1)
})
