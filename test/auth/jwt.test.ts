import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { authenticate, definePanel, password } from 'daymark'
import { authenticateApi, type JwtOptions, jwtAuth } from 'daymark/jwt'
import { SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { Cities, Countries, jwtSecret, openWorld, secret, tokenMode, Vaults, type World } from './world.js'

let world: World
let good: { readonly header: Record<string, unknown>; readonly claims: Record<string, unknown>; readonly token: string }
beforeAll(async () => {
  world = await openWorld(tokenMode())
  const { authorization = '' } = await world.as('admin')
  const token = authorization.slice('Bearer '.length)
  const [header = '', claims = ''] = token.split('.')
  good = { header: decoded(header), claims: decoded(claims), token }
})
afterAll(() => world.close())
afterEach(() => {
  vi.useRealTimers()
  expect(world.log).toEqual([])
})

const key = Buffer.from(jwtSecret, 'base64')
const encoded = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
const hmac = (text: string, by: Buffer | string = key, hash = 'sha256') => createHmac(hash, by).update(text).digest('base64url')
const now = () => Math.floor(Date.now() / 1000)

/** A token rightly signed over whatever stands in it. */
function made(header: Record<string, unknown> | string, claims: Record<string, unknown> | string): string {
  const text = `${encoded(header)}.${encoded(claims)}`
  return `${text}.${hmac(text)}`
}
const withClaims = (more: Record<string, unknown>) => () => made(good.header, { ...good.claims, ...more })
const withHeader = (more: Record<string, unknown>) => () => made({ ...good.header, ...more }, good.claims)
const without = (claim: string) => () =>
  made(good.header, Object.fromEntries(Object.entries(good.claims).filter(([name]) => name !== claim)))
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const signedBy = (header: Record<string, unknown>, how: (text: string) => string) => () => {
  const text = `${encoded({ ...good.header, ...header })}.${encoded(good.claims)}`
  return `${text}.${how(text)}`
}
const names = ['iss', 'aud', 'sub', 'sid', 'iat', 'nbf', 'exp', 'jti']

const attacks: Record<string, () => string> = {
  ...Object.fromEntries(
    ['none', 'None', 'NONE', 'nOnE', ''].map((alg) => [`alg ${alg || 'empty'}, unsigned`, signedBy({ alg }, () => '')]),
  ),
  ...Object.fromEntries(['none', 'None', ''].map((alg) => [`alg ${alg || 'empty'}, signed`, signedBy({ alg }, (text) => hmac(text))])),
  'HS384 by our key': signedBy({ alg: 'HS384' }, (text) => hmac(text, key, 'sha384')),
  'HS512 by our key': signedBy({ alg: 'HS512' }, (text) => hmac(text, key, 'sha512')),
  'HS384 that is HS256': signedBy({ alg: 'HS384' }, (text) => hmac(text)),
  'HS256 that is HS512': signedBy({}, (text) => hmac(text, key, 'sha512')),
  'RS256 by a key of their own': signedBy({ alg: 'RS256' }, (text) =>
    sign('sha256', Buffer.from(text), rsa.privateKey).toString('base64url'),
  ),
  'RS256 that is HS256': signedBy({ alg: 'RS256' }, (text) => hmac(text)),
  'ES256 without a key': signedBy({ alg: 'ES256' }, () => Buffer.alloc(64).toString('base64url')),
  'EdDSA without a key': signedBy({ alg: 'EdDSA' }, () => Buffer.alloc(64).toString('base64url')),
  'HS256 by a public key': signedBy({}, (text) => hmac(text, rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString())),
  'HS256 by no key': signedBy({}, (text) => hmac(text, '')),
  'HS256 by zeros': signedBy({}, (text) => hmac(text, Buffer.alloc(32))),
  'HS256 by the secret as it is written': signedBy({}, (text) => hmac(text, jwtSecret)),
  'HS256 by "secret"': signedBy({}, (text) => hmac(text, 'secret')),
  'a key in the header': withHeader({ jwk: { kty: 'oct', k: encoded('mine') } }),
  'a key in the header, signed by it': signedBy({ jwk: { kty: 'oct', k: Buffer.alloc(32, 1).toString('base64url') } }, (text) =>
    hmac(text, Buffer.alloc(32, 1)),
  ),
  'a key elsewhere': withHeader({ jku: 'https://evil.example/keys.json' }),
  'a certificate elsewhere': withHeader({ x5u: 'https://evil.example/cert.pem' }),
  'a certificate': withHeader({ x5c: ['MIIB'] }),
  'a thumbprint': withHeader({ x5t: 'AAAA' }),
  'a kid that is a path': withHeader({ kid: '../../../../dev/null' }),
  'a kid that is SQL': withHeader({ kid: "x' union select 'mine" }),
  'a kid that is a command': withHeader({ kid: '|id' }),
  'a kid that is empty': withHeader({ kid: '' }),
  'a kid that is an object': withHeader({ kid: {} }),
  'crit that nobody knows': withHeader({ crit: ['exp'] }),
  'crit that is empty': withHeader({ crit: [] }),
  'crit of b64': withHeader({ crit: ['b64'], b64: false }),
  'b64 false': withHeader({ b64: false }),
  compressed: withHeader({ zip: 'DEF' }),
  'a nested token': withHeader({ cty: 'JWT' }),
  'encrypted by its header': withHeader({ enc: 'A256GCM' }),
  'no typ': () => made({ alg: 'HS256' }, good.claims),
  ...Object.fromEntries(['JWT', 'jwt', 'dpop+jwt', 'id_token', '', 'at+jwt2'].map((typ) => [`typ ${typ || 'empty'}`, withHeader({ typ })])),
  'typ that is a number': withHeader({ typ: 1 }),
  'alg that is a list': withHeader({ alg: ['HS256'] }),
  'alg that is missing': () => made({ typ: 'at+jwt' }, good.claims),
  'alg in lower case': withHeader({ alg: 'hs256' }),
  ...Object.fromEntries(names.map((name) => [`no ${name}`, without(name)])),
  ...Object.fromEntries(names.map((name) => [`${name} null`, withClaims({ [name]: null })])),
  ...Object.fromEntries(names.map((name) => [`${name} an object`, withClaims({ [name]: {} })])),
  ...Object.fromEntries(names.map((name) => [`${name} true`, withClaims({ [name]: true })])),
  ...Object.fromEntries(['iss', 'aud', 'sub', 'sid', 'jti'].map((name) => [`${name} empty`, withClaims({ [name]: '' })])),
  'sid no session can have': withClaims({ sid: '\0' }),
  ...Object.fromEntries(['iss', 'aud', 'sub', 'sid'].map((name) => [`${name} of somebody else`, withClaims({ [name]: 'other' })])),
  ...Object.fromEntries(['iss', 'aud', 'sub', 'sid', 'jti'].map((name) => [`${name} a number`, withClaims({ [name]: 1 })])),
  ...Object.fromEntries(['iat', 'nbf', 'exp'].map((name) => [`${name} text`, withClaims({ [name]: String(now()) })])),
  ...Object.fromEntries(['iat', 'nbf', 'exp'].map((name) => [`${name} a fraction`, withClaims({ [name]: now() + 0.5 })])),
  ...Object.fromEntries(['iat', 'nbf', 'exp'].map((name) => [`${name} a list`, withClaims({ [name]: [now()] })])),
  'aud a list with us in it': () => made(good.header, { ...good.claims, aud: [good.claims.aud, 'other'] }),
  'aud a list of us': () => made(good.header, { ...good.claims, aud: [good.claims.aud] }),
  'sub of another user': withClaims({ sub: '2' }),
  'sub as a number': withClaims({ sub: 1 }),
  'sub spelled otherwise': withClaims({ sub: '01' }),
  'sub with a space': withClaims({ sub: '1 ' }),
  'exp long ago': withClaims({ exp: now() - 3600 }),
  'exp beyond the skew': withClaims({ exp: now() - 62 }),
  'exp zero': withClaims({ exp: 0 }),
  'exp below zero': withClaims({ exp: -1 }),
  'exp without end': () => made(good.header, JSON.stringify({ ...good.claims, exp: 'END' }).replace('"END"', '1e999')),
  'exp beyond all numbers': withClaims({ exp: 2 ** 60 }),
  'exp beyond all days': withClaims({ exp: 8.64e12 + 1 }),
  'nbf below zero': withClaims({ nbf: -1 }),
  'iat below zero': withClaims({ iat: -1 }),
  'nbf beyond the skew': withClaims({ nbf: now() + 600 }),
  'nbf tomorrow': withClaims({ nbf: now() + 86_400 }),
  'iat beyond the skew': withClaims({ iat: now() + 600 }),
  'iat tomorrow': withClaims({ iat: now() + 86_400 }),
  'claims that are a list': () => made(good.header, '[]'),
  'claims that are text': () => made(good.header, '"admin"'),
  'claims that are no JSON': () => made(good.header, '{'),
  'claims that are empty': () => made(good.header, ''),
  'a header that is no JSON': () => made('{', good.claims),
  'a header that is a list': () => made('[]', good.claims),
  'no signature': () => `${good.token.split('.').slice(0, 2).join('.')}.`,
  'two parts': () => good.token.split('.').slice(0, 2).join('.'),
  'four parts': () => `${good.token}.x`,
  'five parts': () => 'a.b.c.d.e',
  'one part': () => 'abc',
  'another signature': () => good.token.replace(/.{6}$/, 'AAAAAA'),
  'a shorter signature': () => good.token.slice(0, -4),
  ...Object.fromEntries(
    [1, 2, 3].map((more) => [
      `a last digit of the signature with ${more} in the bits that say nothing`,
      () => {
        const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
        return `${good.token.slice(0, -1)}${digits[digits.indexOf(good.token.at(-1) as string) + more]}`
      },
    ]),
  ),
  'padding in the signature': () => `${good.token}=`,
  'claims changed under the signature': () => {
    const [header, , signature] = good.token.split('.')
    return `${header}.${encoded({ ...good.claims, sub: '2' })}.${signature}`
  },
  'a header changed under the signature': () => {
    const [, claims, signature] = good.token.split('.')
    return `${encoded({ alg: 'none', typ: 'at+jwt' })}.${claims}.${signature}`
  },
  'dots alone': () => '..',
  'an endless token': () => `${good.token}${'A'.repeat(8000)}`,
  'no base64': () => `${good.token.slice(0, 10)}!${good.token.slice(11)}`,
}

const ask = (headers: Record<string, string>, face: 'json' | 'html' = 'json', path = '/admin/resource/cities/crud') =>
  world.ask({ path, headers, face })

test('the token itself is good', async () => {
  expect((await ask({ authorization: `Bearer ${good.token}` })).status).toBe(200)
  expect((await ask({ authorization: `Bearer ${made(good.header, good.claims)}` })).status).toBe(200)
  expect(good.header).toEqual({ alg: 'HS256', typ: 'at+jwt' })
  expect(Object.keys(good.claims).sort()).toEqual([...names].sort())
})

test('there are at least 100 attacks', () => expect(Object.keys(attacks).length).toBeGreaterThanOrEqual(100))

test.each(Object.entries(attacks))('is refused: %s', async (_, make) => {
  const answer = await ask({ authorization: `Bearer ${make()}` })
  expect(answer.status, answer.text).toBe(401)
  expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(answer.headers.getSetCookie()).toEqual([])
})

describe('a token counts in its header alone', () => {
  test.each<[string, (token: string) => { headers?: Record<string, string>; path?: string }]>([
    ['a cookie', (token) => ({ headers: { cookie: `daymark-admin=${token}; token=${token}; access_token=${token}` } })],
    ['the query', (token) => ({ path: `/admin/resource/cities/crud?fields=id&access_token=${token}` })],
    ['another header', (token) => ({ headers: { 'x-access-token': token, 'x-authorization': `Bearer ${token}` } })],
    ['Basic', (token) => ({ headers: { authorization: `Basic ${token}` } })],
    ['no scheme', (token) => ({ headers: { authorization: token } })],
    ['two of them', (token) => ({ headers: { authorization: `Bearer ${token}, Bearer ${token}` } })],
    ['Proxy-Authorization', (token) => ({ headers: { 'proxy-authorization': `Bearer ${token}` } })],
  ])('not in %s', async (_, make) => {
    const { headers = {}, path } = make(good.token)
    expect((await ask(headers, 'json', path)).status).toBe(401)
  })
  test('the scheme in any case', async () => expect((await ask({ authorization: `bearer ${good.token}` })).status).toBe(200))
})

test('clocks may differ by a minute', async () => {
  expect((await ask({ authorization: `Bearer ${withClaims({ exp: now() - 50 })()}` })).status).toBe(200)
  expect((await ask({ authorization: `Bearer ${withClaims({ nbf: now() + 50, iat: now() + 50 })()}` })).status).toBe(200)
})

test('an hour later it is over', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 + 62_000 })
  expect((await ask({ authorization: `Bearer ${good.token}` })).status).toBe(401)
})

const post = (path: string, json: unknown, headers: Record<string, string> = {}) => world.ask({ method: 'POST', path, json, headers })

describe('signing in', () => {
  test('gives tokens, whatever is accepted, and no cookie', async () => {
    for (const headers of [{ accept: 'application/json' }, { accept: '*/*' }, { accept: 'text/html' }]) {
      const answer = await post('/admin/authenticate', { username: 'reader', password: secret }, headers)
      expect(answer.status).toBe(200)
      expect(answer.json).toEqual({ token: expect.any(String), tokenType: 'Bearer', expiresIn: 3600, refreshToken: expect.any(String) })
      expect(answer.headers.getSetCookie()).toEqual([])
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })
  test.each([
    [{ username: 'reader', password: 'wrong' }, 401],
    [{ username: 'unheard of', password: secret }, 401],
    [{ username: 'reader' }, 422],
    [{ password: secret }, 422],
    [{}, 422],
    [{ username: 'reader', password: secret, more: '1' }, 422],
    [{ username: ['reader'], password: secret }, 422],
    [{ username: 'reader', password: 1 }, 422],
    [{ username: '', password: '' }, 422],
  ])('%j → %i', async (json, status) => {
    const answer = await post('/admin/authenticate', json)
    expect(answer.status, answer.text).toBe(status)
    if (status === 401) expect(answer.json.message).toBe('Wrong username or password')
  })
  test('there is no page for it', async () => {
    expect((await ask({}, 'html', '/admin/login')).status).toBe(404)
    const page = await ask({}, 'html')
    expect(page.status).toBe(401)
    expect(page.text).toContain('This panel uses access tokens')
    expect(page.headers.getSetCookie()).toEqual([])
  })
  test('pages are served to a bearer, and read or set no cookie', async () => {
    const headers = { authorization: `Bearer ${good.token}`, cookie: 'daymark-admin-theme=dark; daymark-admin-flash=x.y; daymark-admin=z' }
    const page = await ask(headers, 'html')
    expect(page.status).toBe(200)
    expect(page.text).toContain('Berlin')
    expect(page.text).not.toContain('data-theme')
    expect(page.headers.getSetCookie()).toEqual([])
    const theme = await world.ask({ method: 'PATCH', path: '/admin/preferences', json: { theme: 'dark' }, headers, face: 'html' })
    expect(theme.headers.getSetCookie()).toEqual([])
  })
  test('says who one is', async () => {
    const { json } = await ask({ authorization: `Bearer ${good.token}` }, 'json', '/admin/profile')
    expect(json.data).toMatchObject({ username: 'admin', roles: ['admin'] })
    expect(json.data.sessions).toContainEqual(expect.objectContaining({ kind: 'tokens', current: true }))
  })
})

describe('refreshing', () => {
  const signIn = async () => (await post('/admin/authenticate', { username: 'editor', password: secret })).json
  const refresh = (refreshToken: unknown) => post('/admin/refresh', { refreshToken })
  const works = async (token: string) => (await ask({ authorization: `Bearer ${token}` })).status === 200

  test('gives new tokens, and takes the old one from use', async () => {
    const first = await signIn()
    const second = await refresh(first.refreshToken)
    expect(second.status).toBe(200)
    expect(second.json).toEqual({ token: expect.any(String), tokenType: 'Bearer', expiresIn: 3600, refreshToken: expect.any(String) })
    expect(second.json.refreshToken).not.toBe(first.refreshToken)
    expect(await works(second.json.token)).toBe(true)
  })
  test('twice at once is no theft', async () => {
    const { refreshToken } = await signIn()
    const both = await Promise.all([refresh(refreshToken), refresh(refreshToken)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    for (const { json } of both) expect(await works(json.token)).toBe(true)
  })
  test('used again later, it ends the whole family', async () => {
    const first = await signIn()
    const second = (await refresh(first.refreshToken)).json
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11_000 })
    expect(await works(second.token)).toBe(true)
    expect((await refresh(first.refreshToken)).status).toBe(401)
    expect(await works(second.token)).toBe(false)
    expect((await refresh(second.refreshToken)).status).toBe(401)
  })
  test('is over with the family', async () => {
    const { refreshToken } = await signIn()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * 86_400_000 })
    expect((await refresh(refreshToken)).status).toBe(401)
  })
  test.each([undefined, '', 'nonsense', 1, null, { a: 1 }, good?.token])('is not for %j', async (token) => {
    expect([401, 422]).toContain((await refresh(token)).status)
  })
  test('signing out ends it at once', async () => {
    const { token, refreshToken } = await signIn()
    expect((await post('/admin/logout', {}, { authorization: `Bearer ${token}` })).json).toEqual({ message: 'Signed out' })
    expect(await works(token)).toBe(false)
    expect((await refresh(refreshToken)).status).toBe(401)
  })
})

describe('JWT_SECRET', () => {
  const start = () =>
    definePanel({
      database: 'sqlite::memory:',
      resources: [Countries, Cities, Vaults],
      middleware: [],
      auth: { middleware: authenticateApi(), pipelines: [jwtAuth()] },
    })
  afterEach(() => void vi.unstubAllEnvs())
  test.each([
    ['unset', undefined],
    ['empty', ''],
    ['no base64', 'not base64 at all, but long enough to be some'],
    ['too short', Buffer.alloc(31, 1).toString('base64')],
    ['base64 with rubbish behind', `${Buffer.alloc(32, 1).toString('base64')}!`],
  ])('%s: the start fails and says how to make one', (_, value) => {
    vi.stubEnv('JWT_SECRET', value)
    expect(start).toThrow(/jwt-secret {2}auth: JWT_SECRET .*openssl rand -base64 32/)
  })
  test('of 32 bytes in base64 it will do, with a line break behind it, too', () => {
    vi.stubEnv('JWT_SECRET', `${Buffer.alloc(64, 1).toString('base64').replace(/.{40}/g, '$&\n')}\n`)
    expect(start).not.toThrow()
    vi.stubEnv('JWT_SECRET', `${Buffer.alloc(32, 1).toString('base64')}\n`)
    expect(start).not.toThrow()
  })
  test('a previous one still verifies, and signs nothing', async () => {
    const before = Buffer.alloc(32, 9)
    const next = await openWorld({
      middleware: [],
      auth: { middleware: authenticateApi(), pipelines: [jwtAuth({ secret: jwtSecret, previousSecrets: [before.toString('base64')] })] },
    })
    try {
      const { authorization = '' } = await next.as('admin')
      const claims = decoded(authorization.split('.')[1] ?? '')
      const old = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' }).sign(before)
      const stranger = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' }).sign(Buffer.alloc(32, 8))
      expect((await next.ask({ path: '/admin', headers: { authorization: `Bearer ${old}` } })).status).toBe(200)
      expect((await next.ask({ path: '/admin', headers: { authorization: `Bearer ${stranger}` } })).status).toBe(401)
    } finally {
      await next.close()
    }
  })
})

test.each([
  ['tokens first', [jwtAuth({ secret: jwtSecret }), password()]],
  ['passwords first', [password(), jwtAuth({ secret: jwtSecret })]],
])('a panel that would sign users in in two ways does not start: %s', (_, pipelines) => {
  const start = () =>
    definePanel({ database: 'sqlite::memory:', resources: [Countries, Cities, Vaults], auth: { middleware: authenticate(), pipelines } })
  expect(start).toThrow(/sign-in-twice {2}auth: two of the pipelines .* apiKeys\(\)/)
})

describe('times', () => {
  const start = (options: JwtOptions) => () =>
    definePanel({
      database: 'sqlite::memory:',
      resources: [Countries, Cities, Vaults],
      middleware: [],
      auth: { middleware: authenticateApi(), pipelines: [jwtAuth({ secret: jwtSecret, ...options })] },
    })
  // Such tokens were refused with 401 however often one signed in, or the sign-in was a 500.
  test.each([900.5, 0, -1, Number.NaN, Number.POSITIVE_INFINITY, '3600' as never])('%s is no time: the start fails', (time) => {
    expect(start({ lifetime: time })).toThrow(/jwt-seconds {2}auth: .*whole number of seconds/)
    expect(start({ familyLifetime: time })).toThrow(/jwt-seconds {2}auth: .*whole number of seconds/)
  })
  test('whole seconds will do', () => {
    expect(start({ lifetime: 1, familyLifetime: 60 })).not.toThrow()
  })
})
