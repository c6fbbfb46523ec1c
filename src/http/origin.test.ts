import { describe, expect, it } from 'vitest'
import { english, translator } from '../base/messages.js'
import { checkHost, checkOrigin, type Hosts } from './origin.js'

const t = translator(english)

describe('the host', () => {
  const ask = (url: string, hosts: Hosts, host?: string) => () =>
    checkHost(new Request(url, host === undefined ? {} : { headers: { host } }), hosts, t)

  it.each([
    'http://127.0.0.1/',
    'http://127.0.0.1:3000/x',
    'http://localhost:1?x',
    'http://LOCALHOST/',
    'http://[::1]:3000/',
    'https://localhost',
  ])('%s is this machine', (url) => expect(ask(url, 'loopback')).not.toThrow())
  it.each([
    'http://example.com/',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com:3000/',
    'http://localhost./',
    'http://192.168.0.1/',
    'http://0.0.0.0/',
    'http://[::2]/',
    'http://evil.example/localhost',
    'http://evil.example?@localhost',
  ])('%s is not', (url) => expect(ask(url, 'loopback')).toThrow(english['request.host']))
  it('is what the header says, and what the address says', () => {
    expect(ask('http://localhost:3000/', 'loopback', 'localhost:3000')).not.toThrow()
    expect(ask('http://localhost:3000/', 'loopback', 'evil.example')).toThrow()
    expect(ask('http://evil.example/', 'loopback', 'localhost')).toThrow()
    expect(ask('http://localhost/', 'loopback', '')).toThrow()
  })
  it('may be one of a list, with or without a port', () => {
    const hosts = ['admin.example.com', 'other.example.com:8443']
    expect(ask('https://admin.example.com/', hosts)).not.toThrow()
    expect(ask('https://ADMIN.example.com:444/', hosts)).not.toThrow()
    expect(ask('https://other.example.com:8443/', hosts)).not.toThrow()
    expect(ask('https://other.example.com/', hosts)).toThrow()
    expect(ask('https://localhost/', hosts)).toThrow()
    expect(ask('https://anything.example/', null)).not.toThrow()
  })
})

describe('the origin of what changes something', () => {
  const ask =
    (method: string, headers: Record<string, string>, url = 'http://localhost:3000/admin') =>
    () =>
      checkOrigin(new Request(url, { method, headers }), t)

  it.each<[headers: Record<string, string>, ours: boolean]>([
    [{}, true],
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': '' }, false],
    [{ origin: 'http://localhost:3000' }, true],
    [{ origin: 'http://localhost:3000', host: 'localhost:3000' }, true],
    [{ origin: 'https://localhost:3000' }, false],
    [{ origin: 'http://localhost' }, false],
    [{ origin: 'http://localhost:3001' }, false],
    [{ origin: 'http://localhost:3000.evil.example' }, false],
    [{ origin: 'null' }, false],
    [{ origin: '' }, false],
    [{ origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' }, true],
    [{ origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' }, false],
    [{ origin: 'http://evil.example', host: 'evil.example:x' }, false],
  ])('%j: %s', (headers, ours) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      if (ours) expect(ask(method, headers)).not.toThrow()
      else expect(ask(method, headers)).toThrow(english['request.foreign'])
    }
    for (const method of ['GET', 'HEAD', 'OPTIONS']) expect(ask(method, headers)).not.toThrow()
  })
  it('leaves out the port that the scheme has anyway', () => {
    expect(
      ask('POST', { origin: 'https://admin.example.com', host: 'admin.example.com:443' }, 'https://admin.example.com:443/'),
    ).not.toThrow()
    expect(ask('POST', { origin: 'http://admin.example.com', host: 'ADMIN.example.com' }, 'http://admin.example.com/')).not.toThrow()
  })
})
