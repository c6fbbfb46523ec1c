import { expect, test, vi } from 'vitest'
import { hashPassword, isPassword } from './password.js'

const now = vi.hoisted(() => ({ running: 0, most: 0 }))
vi.mock('@node-rs/argon2', () => {
  const work = async () => {
    now.most = Math.max(now.most, ++now.running)
    await new Promise((resolve) => setTimeout(resolve, 2))
    now.running -= 1
    return 'hash'
  }
  return { hash: work, verify: work }
})

test('at most four hashes are computed at once, whoever asks', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? hashPassword(`password ${i}`) : isPassword(null, `password ${i}`))))
  expect(now).toEqual({ running: 0, most: 4 })
})
