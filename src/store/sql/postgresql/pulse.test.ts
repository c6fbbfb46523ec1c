import { expect, test, vi } from 'vitest'
import type { Pool } from './driver.js'
import { asking, Pulse } from './pulse.js'

test('a server that cannot be asked is away: who waits gets a 503, also the next time', async () => {
  class Client {
    constructor() {
      throw new TypeError('no such certificate')
    }
  }
  const ask = vi.fn(asking({ Client, options: {} } as unknown as Pool) as () => Promise<boolean>)
  const pulse = new Pulse(ask)
  for (const times of [1, 2]) {
    await expect(pulse.watch(new Promise(() => {}))).rejects.toMatchObject({ code: 'unavailable' })
    expect(ask).toHaveBeenCalledTimes(times)
  }
})

test('who waits for a server that answers goes on waiting', async () => {
  const ask = vi.fn(async () => true)
  let answer = (_: string) => {}
  const waiting = new Pulse(ask).watch(new Promise<string>((resolve) => (answer = resolve)))
  await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(2), { timeout: 10_000 })
  answer('at last')
  expect(await waiting).toBe('at last')
})
