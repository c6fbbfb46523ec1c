import type { Scenario } from '../scenario.js'

const read = { path: 'cities/crud/1' }
const etag = (headers: Headers | undefined) => headers?.get('etag') as string

export const version: readonly Scenario[] = [
  {
    name: 'a fresh version is taken',
    before: [read],
    request: ([one]) => ({ method: 'PUT', path: 'cities/crud/1', json: { population: 1 }, headers: { 'if-match': etag(one?.headers) } }),
    status: 200,
    body: { data: { population: 1 } },
  },
  {
    name: 'the version of an update is fresh',
    before: [{ method: 'PUT', path: 'cities/crud/1', json: { population: 1 } }],
    request: ([one]) => ({ method: 'PUT', path: 'cities/crud/1', json: { population: 2 }, headers: { 'if-match': etag(one?.headers) } }),
    status: 200,
  },
  {
    name: 'the version of a create is fresh',
    before: [{ method: 'POST', path: 'words/crud', json: { word: 'new' } }],
    request: ([one]) => ({ method: 'PUT', path: 'words/crud/new', json: { meaning: 'x' }, headers: { 'if-match': etag(one?.headers) } }),
    status: 200,
    rows: {},
  },
  {
    name: 'a stale version gets the record as it is now',
    before: [read, { method: 'PUT', path: 'cities/crud/1', json: { population: 1 } }],
    request: ([one]) => ({ method: 'PUT', path: 'cities/crud/1', json: { population: 2 }, headers: { 'if-match': etag(one?.headers) } }),
    status: 412,
    headers: { etag: /^"[0-9a-f]{32}"$/ },
    body: { type: 'urn:daymark:error:stale', data: { id: 1, population: 1 } },
    not: ['sesame'],
    next: [{ path: 'cities/crud/1', answers: { data: { population: 1 } } }],
  },
  {
    name: 'the version in a 412 is fresh',
    before: [{ path: 'cities/crud/1' }],
    request: ([one]) => ({
      method: 'PATCH',
      path: 'cities/crud/1',
      json: { population: 2 },
      headers: { 'if-match': `"old", ${etag(one?.headers)}` },
    }),
    status: 200,
  },
  {
    name: 'a weak version never matches',
    before: [read],
    request: ([one]) => ({
      method: 'PUT',
      path: 'cities/crud/1',
      json: { population: 2 },
      headers: { 'if-match': `W/${etag(one?.headers)}` },
    }),
    status: 412,
  },
  {
    name: 'any version, if the record is there',
    request: { method: 'PUT', path: 'cities/crud/1', json: { population: 2 }, headers: { 'if-match': '*' } },
    status: 200,
  },
  {
    name: 'any version, where the record is not there',
    request: { method: 'PUT', path: 'cities/crud/99', json: { population: 2 }, headers: { 'if-match': '*' } },
    status: 404,
  },
  {
    name: 'a version that is malformed',
    request: { method: 'PUT', path: 'cities/crud/1', json: { population: 2 }, headers: { 'if-match': 'abc' } },
    status: 400,
    says: ['If-Match'],
  },
  {
    name: 'a stale delete deletes nothing',
    before: [read, { method: 'PUT', path: 'cities/crud/1', json: { population: 1 } }],
    request: ([one]) => ({ method: 'DELETE', path: 'cities/crud/1', headers: { 'if-match': etag(one?.headers) } }),
    status: 412,
  },
  {
    name: 'a fresh delete',
    before: [read],
    request: ([one]) => ({ method: 'DELETE', path: 'cities/crud/1', headers: { 'if-match': etag(one?.headers) } }),
    status: 200,
    rows: { cities: -1 },
  },
  {
    name: 'the version of a form',
    before: [read, { method: 'PUT', path: 'cities/crud/1', json: { population: 1 } }],
    request: ([one]) => ({
      method: 'PUT',
      path: 'cities/crud/1',
      form: [
        ['population', '2'],
        ['_version', etag(one?.headers).slice(1, -1)],
      ],
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
    status: 412,
  },
  {
    name: 'a version must be sent where the resource demands it',
    request: { method: 'PUT', path: 'vaults/crud/1', json: { name: 'x' } },
    status: 428,
    says: ['If-Match'],
  },
  { name: 'for a delete, too', request: { method: 'DELETE', path: 'vaults/crud/1' }, status: 428 },
  {
    name: 'and is then taken',
    before: [{ path: 'vaults/crud/1' }],
    request: ([one]) => ({ method: 'PUT', path: 'vaults/crud/1', json: { name: 'x' }, headers: { 'if-match': etag(one?.headers) } }),
    status: 200,
  },
  {
    name: 'who has the record already gets no second copy',
    before: [read],
    request: ([one]) => ({ ...read, headers: { 'if-none-match': etag(one?.headers) } }),
    status: 304,
    headers: { etag: /^"/, 'cache-control': 'private, no-cache', vary: 'Accept', 'content-type': null },
  },
  {
    name: 'nor who has the list',
    before: [{ path: 'cities/crud?sort=name' }],
    request: ([one]) => ({ path: 'cities/crud?sort=name', headers: { 'if-none-match': etag(one?.headers) } }),
    status: 304,
    headers: { etag: /^W\// },
  },
  {
    name: 'nor HEAD',
    before: [read],
    request: ([one]) => ({ ...read, method: 'HEAD', headers: { 'if-none-match': `"x", W/${etag(one?.headers)}` } }),
    status: 304,
  },
  {
    name: 'after a change there is something new',
    before: [read, { method: 'PUT', path: 'cities/crud/1', json: { population: 1 } }],
    request: ([one]) => ({ ...read, headers: { 'if-none-match': etag(one?.headers) } }),
    status: 200,
    body: { data: { population: 1 } },
  },
  {
    name: 'a list is new after a change, too',
    before: [{ path: 'cities/crud' }, { method: 'PUT', path: 'cities/crud/1', json: { population: 1 } }],
    request: ([one]) => ({ path: 'cities/crud', headers: { 'if-none-match': etag(one?.headers) } }),
    status: 200,
  },
  {
    name: 'a page is never kept',
    before: [read],
    request: ([one]) => ({ ...read, headers: { accept: 'text/html', 'if-none-match': etag(one?.headers) } }),
    status: 200,
    headers: { 'cache-control': 'no-store' },
  },
]
