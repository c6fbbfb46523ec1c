import { expect, test, vi } from 'vitest'
import type { Account } from './account.js'
import { localIdentity } from './identity.js'
import { hashPassword, isPassword } from './password.js'

const now = vi.hoisted(() => ({ running: 0, most: 0, with: '' }))
vi.mock('@node-rs/argon2', () => {
  const work = async (stored: string) => {
    now.with = stored
    now.most = Math.max(now.most, ++now.running)
    await new Promise((resolve) => setTimeout(resolve, 2))
    now.running -= 1
    return 'hash'
  }
  return { hash: work, verify: work }
})

test('at most four hashes are computed at once, whoever asks', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? hashPassword(`password ${i}`) : isPassword(null, `password ${i}`))))
  expect(now).toMatchObject({ running: 0, most: 4 })
})

test('for an unknown user, a hash is computed as for the users there are, and lets nobody in', async () => {
  const slow = '$argon2id$v=19$m=65536,t=8,p=4$of$ada'
  const ada: Account = { identity: localIdentity, active: true, passwordHash: slow, twoFactor: null, timeZone: null }
  expect(await isPassword(ada, 'right')).toBe(true)
  expect(await isPassword({ ...ada, passwordHash: 'never hashed' }, 'right')).toBe(true)
  for (const nobody of [null, { ...ada, passwordHash: null }]) {
    now.with = ''
    expect(await isPassword(nobody, 'right')).toBe(false)
    expect(now.with).toBe(slow)
  }
})
