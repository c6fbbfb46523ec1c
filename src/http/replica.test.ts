import { afterEach, expect, test, vi } from 'vitest'
import { recordWrite, replicaRealm } from './replica.js'
import type { RequestContext } from './request-context.js'

afterEach(() => vi.useRealTimers())

test('whoever has written reads where they wrote for as long as was said, from the last of several writes on', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const start = Date.now()
  let wroteAt: Date | null = null
  const sessions = {
    wrote: async (_: string, at: Date) => {
      wroteAt = at
    },
  }
  const realm = { replica: { after: 2, storeOf: () => 'replica' }, storeOf: () => 'primary', auth: { services: { sessions } } }
  const visit = (reads: boolean) => ({ visitor: { session: 's', wroteAt }, around: { realm, reads } }) as unknown as RequestContext
  const readsFrom = () => replicaRealm(visit(true), { verb: 'list' } as never).storeOf(null as never)
  expect(readsFrom()).toBe('replica')
  for (const at of [0, 990]) {
    vi.setSystemTime(start + at)
    await recordWrite(visit(false))
  }
  vi.setSystemTime(start + 990 + 1999)
  expect(readsFrom()).toBe('primary')
  vi.setSystemTime(start + 990 + 3000)
  expect(readsFrom()).toBe('replica')
})
