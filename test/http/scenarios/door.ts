import type { Ask, Scenario } from '../scenario.js'

const json = 'application/json'
const html = 'text/html'
const listed: Ask = { path: 'cities/crud' }
const created: Ask = { method: 'POST', path: 'cities/crud', json: { name: 'Lyon', countryId: 2 } }
const allow = { list: 'GET, HEAD, POST, DELETE, OPTIONS', record: /^GET, HEAD, PUT, PATCH, DELETE(, POST)?, OPTIONS$/ }

const asked = (accept: string | null, status: number, type: RegExp | string): Scenario => ({
  name: `Accept: ${accept} → ${status}`,
  request: { ...listed, headers: { accept } },
  status,
  headers: { 'content-type': type, vary: 'Accept' },
})

const foreign = (name: string, headers: Record<string, string>): readonly Scenario[] => [
  { name: `${name} creates nothing`, request: { ...created, headers }, status: 403, says: ['another site'] },
  {
    name: `${name} changes nothing`,
    request: { method: 'PATCH', path: 'cities/crud/1', json: { name: 'x' }, headers },
    status: 403,
    next: [{ path: 'cities/crud/1', answers: { data: { name: 'Berlin' } } }],
  },
  { name: `${name} deletes nothing`, request: { method: 'DELETE', path: 'cities/crud/1', headers }, status: 403 },
  { name: `${name} deletes not many`, request: { method: 'DELETE', path: 'cities/crud?ids[]=1', headers }, status: 403 },
  {
    name: `${name} may read what it could not see anyway`,
    request: { ...listed, headers },
    status: 200,
    headers: { 'access-control-allow-origin': null, 'cross-origin-resource-policy': 'same-origin' },
  },
]

export const door: readonly Scenario[] = [
  asked(json, 200, json),
  asked('application/json;charset=utf-8', 200, json),
  asked('application/problem+json', 200, json),
  asked('application/vnd.api+json', 200, json),
  asked('application/json, text/plain, */*', 200, json),
  asked('text/html;q=0, */*', 200, json),
  asked(null, 200, /^text\/html/),
  asked('*/*', 200, /^text\/html/),
  asked('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 200, /^text\/html/),
  asked('not a media type', 200, /^text\/html/),
  asked('image/png', 406, 'application/problem+json'),
  asked('application/json;q=0, text/html;q=0', 406, 'application/problem+json'),
  {
    name: '406 says what there is',
    request: { ...listed, headers: { accept: 'image/png' } },
    status: 406,
    says: ['application/json', 'text/html'],
  },

  // Paths.
  {
    name: 'the panel',
    request: { path: '/admin' },
    status: 200,
    body: { data: [{ uriKey: 'countries', title: 'Countries', url: '/admin/resource/countries/crud' }, {}, {}, {}, {}, {}] },
  },
  { name: 'the panel with a slash', request: { path: '/admin/' }, status: 200 },
  { name: 'the list with a slash', request: { path: 'cities/crud/' }, status: 200, body: { meta: { total: 5 } } },
  { name: 'the list with a slash and a query', request: { path: 'cities/crud/?perPage=1' }, status: 200, body: { meta: { perPage: 1 } } },
  { name: 'two slashes', request: { path: 'cities/crud//' }, status: 404 },
  { name: 'a path outside the panel', request: { path: '/' }, status: 404 },
  { name: 'an unknown path', request: { path: '/admin/nothing' }, status: 404 },
  {
    name: 'an unknown path in the face that asked',
    request: { path: '/admin/nothing', headers: { accept: html } },
    status: 404,
    headers: { 'content-type': /^text\/html/ },
  },
  {
    name: 'an unknown path, whatever may be accepted',
    request: { path: '/admin/nothing', headers: { accept: 'image/png' } },
    status: 404,
    headers: { 'content-type': 'application/problem+json' },
  },
  { name: 'a path that begins like the panel', request: { path: '/administrator' }, status: 404 },
  { name: 'a path below a record', request: { path: 'cities/crud/1/notes' }, status: 404 },
  { name: 'health, for anybody', request: { path: '/admin/health' }, status: 200, exactly: { status: 'ok' } },
  { name: 'ready, for anybody', request: { path: '/admin/ready' }, status: 200, exactly: { status: 'ok' } },

  // Methods.
  {
    name: 'a wrong method for a list',
    request: { method: 'PUT', path: 'cities/crud', json: {} },
    status: 405,
    headers: { allow: allow.list },
    says: ['PUT'],
  },
  {
    name: 'PATCH for a list, as a page',
    request: { method: 'PATCH', path: 'cities/crud', headers: { accept: html } },
    status: 405,
    headers: { allow: allow.list, 'content-type': /^text\/html/ },
  },
  {
    name: 'a wrong method for the panel',
    request: { method: 'POST', path: '/admin' },
    status: 405,
    headers: { allow: 'GET, HEAD, OPTIONS' },
  },
  {
    name: 'a wrong method, with a foreign origin',
    request: { method: 'DELETE', path: '/admin', headers: { origin: 'http://evil.example' } },
    status: 405,
  },
  { name: 'OPTIONS for a list', request: { method: 'OPTIONS', path: 'cities/crud' }, status: 204, headers: { allow: allow.list } },
  {
    name: 'OPTIONS for a record, there or not',
    request: { method: 'OPTIONS', path: 'cities/crud/99' },
    status: 204,
    headers: { allow: allow.record },
  },
  {
    name: 'OPTIONS, whatever may be accepted',
    request: { method: 'OPTIONS', path: 'cities/crud', headers: { accept: 'image/png' } },
    status: 204,
  },
  {
    name: 'a preflight from elsewhere is told nothing more',
    request: {
      method: 'OPTIONS',
      path: 'cities/crud',
      headers: { origin: 'http://evil.example', 'access-control-request-method': 'DELETE' },
    },
    status: 204,
    headers: { 'access-control-allow-origin': null },
  },
  { name: 'OPTIONS for nothing', request: { method: 'OPTIONS', path: '/admin/nothing' }, status: 404 },
  {
    name: 'HEAD for a list',
    request: { method: 'HEAD', path: 'cities/crud' },
    status: 200,
    headers: { 'content-type': json, 'content-length': /^\d+$/, etag: /^W\// },
  },
  {
    name: 'HEAD for a page',
    request: { method: 'HEAD', path: 'cities/crud', headers: { accept: html } },
    status: 200,
    headers: { 'content-type': /^text\/html/ },
  },
  { name: 'HEAD for nothing', request: { method: 'HEAD', path: 'cities/crud/99' }, status: 404, headers: { 'content-length': /^\d+$/ } },

  // Who asks, and from where.
  { name: 'a foreign host', request: { ...listed, headers: { host: 'evil.example' } }, status: 421, not: ['Berlin', 'evil.example'] },
  {
    name: 'a foreign host, as a page',
    request: { ...listed, headers: { host: 'evil.example:3000', accept: html } },
    status: 421,
    headers: { 'content-type': /^text\/html/ },
    not: ['Berlin', 'Cities', 'evil.example'],
  },
  {
    name: 'a foreign host asks what there is',
    request: { method: 'OPTIONS', path: 'cities/crud', headers: { host: 'evil.example' } },
    status: 421,
  },
  { name: 'a foreign host for an unknown path', request: { path: '/admin/nothing', headers: { host: 'evil.example' } }, status: 421 },
  { name: 'localhost by name', request: { ...listed, headers: { host: 'localhost:8080' } }, status: 200 },
  {
    name: 'a page of our own',
    request: { ...created, headers: { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:3000' } },
    status: 201,
    rows: { cities: 1 },
  },
  { name: 'our own origin', request: { ...created, headers: { origin: 'http://127.0.0.1:3000' } }, status: 201, rows: { cities: 1 } },
  {
    name: 'an address typed by a person',
    request: { ...created, headers: { 'sec-fetch-site': 'none' } },
    status: 201,
    rows: { cities: 1 },
  },
  { name: 'a caller that is no browser', request: created, status: 201, rows: { cities: 1 } },
  ...foreign('a foreign page', { 'sec-fetch-site': 'cross-site', origin: 'http://evil.example' }),
  ...foreign('a page of a sibling', { 'sec-fetch-site': 'same-site' }),
  ...foreign('a foreign origin', { origin: 'http://evil.example' }),
  ...foreign('an origin that hides', { origin: 'null' }),
  ...foreign('our host by another port', { origin: 'http://127.0.0.1:3001' }),
  ...foreign('our host by another scheme', { origin: 'https://127.0.0.1:3000' }),

  // What every page carries.
  {
    name: 'a page takes nothing from elsewhere',
    request: { path: '/admin', headers: { accept: html } },
    status: 200,
    headers: {
      'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    },
  },
  {
    name: 'a cookie is neither needed nor set in API mode',
    request: { ...listed, headers: { cookie: 'daymark-admin-flash=x.y; daymark-admin-theme=<script>' } },
    status: 200,
    headers: { 'set-cookie': null },
  },
  {
    name: 'a forged flash is not said',
    request: {
      path: '/admin',
      headers: {
        accept: html,
        cookie: `daymark-admin-flash=${Buffer.from('{"message":"record.deleted","fill":{}}').toString('base64url')}.x; daymark-admin-theme=<script>`,
      },
    },
    status: 200,
    not: ['<script>&', 'Deleted'],
  },
]
