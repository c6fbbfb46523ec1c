import { type Given, session } from 'daymark'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { attempt, memoryAttempts, networkOf } from '../../src/auth/throttle.js'
import { openWorld, secret, type World } from './world.js'

let world: World
afterEach(async () => {
  vi.useRealTimers()
  await world?.close()
})

const signIn = (username: string, password: string, more: { peer?: string; headers?: Record<string, string>; face?: 'html' } = {}) =>
  world.ask({
    method: 'POST',
    path: '/admin/authenticate',
    ...more,
    ...(more.face ? { form: { username, password }, headers: { 'sec-fetch-site': 'same-origin' } } : { json: { username, password } }),
  })
const statuses = async (count: number, attempt: (i: number) => Promise<{ status: number }>) => {
  const all: number[] = []
  for (let i = 0; i < count; i++) all.push((await attempt(i)).status)
  return all
}

describe.each(['memory', 'database'] as const)('counted in the %s', (attempts) => {
  test('five failures, then a pause, whatever is typed; then the right password works again', async () => {
    world = await openWorld({ attempts })
    expect(await statuses(6, () => signIn('reader', 'wrong'))).toEqual([401, 401, 401, 401, 401, 429])
    const refused = await signIn('READER', secret)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(890)
    const page = await signIn('reader', secret, { face: 'html' })
    expect([page.status, page.text.includes('Too many attempts'), page.text.includes('value="reader"')]).toEqual([429, true, true])
    // Somebody else, and the same one from elsewhere, are not kept out.
    expect((await signIn('editor', secret)).status).toBe(200)
    expect((await signIn('reader', secret, { peer: '198.51.100.7' })).status).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 60_000 + 1000 })
    expect((await signIn('reader', secret)).status).toBe(200)
  })
  test('the name counts, however it is spelled', async () => {
    world = await openWorld({ attempts })
    const spellings = ['reader', ' reader', 'reader\u00a0', 'Reader', '\uff52eader', '\treader']
    expect(await statuses(6, (i) => signIn(spellings[i] as string, 'wrong'))).toEqual([401, 401, 401, 401, 401, 429])
    expect((await signIn('reade\uff52', secret)).status).toBe(429)
  })
  test('a success forgets the failures before it', async () => {
    world = await openWorld({ attempts })
    for (let round = 0; round < 3; round++) {
      expect(await statuses(4, () => signIn('reader', 'wrong'))).toEqual([401, 401, 401, 401])
      expect((await signIn('reader', secret)).status).toBe(200)
    }
  })
  test('attempts at once are counted before any of them is computed', async () => {
    world = await openWorld({ attempts })
    const all = await Promise.all(Array.from({ length: 12 }, () => signIn('reader', 'wrong')))
    expect(all.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(all.filter(({ status }) => status === 429)).toHaveLength(7)
  })
  test('X-Forwarded-For changes nothing', async () => {
    // Or else such a request could not sign in at all over plain http.
    world = await openWorld({ attempts, middleware: [session({ allowInsecure: true })] })
    expect(await statuses(6, (i) => signIn('reader', 'wrong', { headers: { 'x-forwarded-for': `203.0.113.${i}` } }))).toEqual([
      401, 401, 401, 401, 401, 429,
    ])
  })
})

test('what is longer than any name or password is refused before anything is computed for it', async () => {
  world = await openWorld()
  const accents = `a${'\u0316\u0301'.repeat(60_000)}`
  for (const [username, password] of [
    [accents, 'wrong'],
    ['reader', accents],
  ] as const) {
    const started = process.cpuUsage()
    expect((await signIn(username, password)).status).toBe(422)
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000)
  }
})

test('behind a proxy that is named, what it saw counts, and not what was written before it', async () => {
  world = await openWorld({ trustProxy: 1 })
  const by = (forged: number, real: string) => signIn('reader', 'wrong', { headers: { 'x-forwarded-for': `10.0.0.${forged}, ${real}` } })
  expect(await statuses(6, (i) => by(i, '203.0.113.5'))).toEqual([401, 401, 401, 401, 401, 429])
  expect((await by(1, '203.0.113.6')).status).toBe(401)
  const secure = await world.ask({
    path: '/admin/login',
    face: 'html',
    origin: 'http://panel.example',
    headers: { 'x-forwarded-proto': 'https' },
  })
  expect([secure.status, secure.headers.get('set-cookie')]).toEqual([200, expect.stringContaining('__Host-')])
})

test.each(['203.0.113.9', '[2001:db8::9]'])('a proxy may write the port beside the address: %s', async (address) => {
  world = await openWorld({ trustProxy: 1 })
  const headers = (i: number) => ({ 'x-forwarded-for': `${address}:${5000 + i}` })
  expect(await statuses(6, (i) => signIn('reader', 'wrong', { headers: headers(i) }))).toEqual([401, 401, 401, 401, 401, 429])
})

test('an address has 300 failures, whoever it tries to be', async () => {
  const attempts = memoryAttempts()
  const keys = (user: string) => [
    { key: user, most: 5 },
    { key: 'address', most: 300 },
  ]
  for (let i = 0; i < 300; i++) expect(await attempts.take(keys(`user ${i}`), 900_000, 1000 + i)).toBe(0)
  expect(await attempts.take(keys('another'), 900_000, 2000)).toBe(899_000)
  expect(await attempts.take(keys('another'), 900_000, 901_001)).toBe(0)
})

test('what is remembered is bounded', async () => {
  const attempts = memoryAttempts(10)
  for (let i = 0; i < 1000; i++) await attempts.take([{ key: String(i), most: 1 }], 900_000, i)
  expect(await attempts.take([{ key: '999', most: 1 }], 900_000, 1000)).toBeGreaterThan(0)
  expect(await attempts.take([{ key: '0', most: 1 }], 900_000, 1000)).toBe(0)
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('%j is counted as %j', (address, network) => expect(networkOf(address)).toBe(network))

test('an unknown user takes as long as a wrong password', async () => {
  world = await openWorld()
  await signIn('warm up', 'x')
  const time = async (username: string, peer: string) => {
    const start = performance.now()
    expect((await signIn(username, 'wrong', { peer })).status).toBe(401)
    return performance.now() - start
  }
  const [known, unknown]: [number[], number[]] = [[], []]
  for (let i = 0; i < 15; i++) {
    known.push(await time('reader', `203.0.113.${i}`))
    unknown.push(await time('nobody there', `203.0.113.${i}`))
  }
  const median = (all: number[]) => all.sort((a, b) => a - b)[7] as number
  expect(median(unknown) / median(known)).toBeGreaterThan(0.6)
  expect(median(unknown) / median(known)).toBeLessThan(1.67)
})

describe('panel.fetch', () => {
  const tries = async (count: number, given?: Given) =>
    statuses(count, () =>
      world.panel.fetch(
        new Request('http://localhost:3000/admin/authenticate', {
          method: 'POST',
          headers: { accept: 'application/json', 'content-type': 'application/json' },
          body: JSON.stringify({ username: 'reader', password: 'wrong' }),
        }),
        given,
      ),
    )
  test('counts by the address that it is given', async () => {
    world = await openWorld()
    expect(await tries(6, { address: '203.0.113.1' })).toEqual([401, 401, 401, 401, 401, 429])
    expect((await signIn('reader', secret, { peer: '203.0.113.1' })).status).toBe(429)
    expect(await tries(1, { address: '203.0.113.2' })).toEqual([401])
    expect(world.log).toEqual([])
  })
  test('without an address counts by the name alone, so that nobody keeps everybody out, and says so once', async () => {
    world = await openWorld()
    const attempts = memoryAttempts()
    for (let i = 0; i < 310; i++) expect((await attempt(attempts, `stranger${i}`, '')).wait).toBe(0)
    expect(await tries(6)).toEqual([401, 401, 401, 401, 401, 429])
    expect(world.log.map(({ message }) => message)).toEqual([expect.stringContaining('panel.fetch(request, { address })')])
  })
})
