import type { Scenario } from '../scenario.js'

const berlin = '/admin/update-field/column/cities/1'
const put = (fields: object, path = berlin) => ({ method: 'PUT', path, json: fields }) as const
const etag = (headers: Headers | undefined) => headers?.get('etag') ?? ''

export const updateField: readonly Scenario[] = [
  ...[['population'], { population: 1 }, 5, null].map(
    (field): Scenario => ({
      name: `a field that is called ${JSON.stringify(field)}`,
      request: put({ field, value: 5, was: 3_426_354 }),
      status: 422,
      fields: ['field'],
      next: [{ path: 'cities/crud/1', answers: { data: { population: 3_426_354 } } }],
    }),
  ),
  {
    name: 'one field is changed where it stands',
    request: put({ field: 'isCapital', value: false, was: true }),
    status: 200,
    headers: { etag: /^"[0-9a-f]{32}"$/ },
    body: { data: { id: 1, name: 'Berlin', isCapital: false }, message: 'Saved' },
    not: ['sesame'],
    next: [{ path: 'cities/crud/1', answers: { data: { isCapital: false, population: 3_426_354 } } }],
  },
  {
    name: 'any field of the form',
    request: put({ field: 'population', value: 5, was: 3_426_354 }),
    status: 200,
    body: { data: { population: 5 } },
  },
  {
    name: 'from what it was not it is not changed, and what is stored now is said',
    request: put({ field: 'isCapital', value: false, was: false }),
    status: 412,
    body: { data: { id: 1, isCapital: true } },
    not: ['sesame'],
    next: [{ path: 'cities/crud/1', answers: { data: { isCapital: true } } }],
  },
  {
    name: 'text that says a value is not that value',
    request: put({ field: 'isCapital', value: false, was: 'true' }),
    status: 412,
  },
  {
    name: 'null is what nothing was',
    request: put({ field: 'notes', value: 'new', was: null }),
    status: 200,
    body: { data: { notes: 'new' } },
  },
  {
    name: 'a form says it in texts, and comes back to where it stands',
    request: {
      method: 'POST',
      path: berlin,
      form: [
        ['_method', 'PUT'],
        ['field', 'isCapital'],
        ['was', '1'],
        ['value', '0'],
      ],
      headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin', referer: 'http://127.0.0.1:3000/admin/resource/cities/crud?page=2' },
    },
    status: 303,
    headers: { location: '/admin/resource/cities/crud?page=2' },
    next: [{ path: 'cities/crud/1', answers: { data: { isCapital: false } } }],
  },
  ...['//elsewhere.example/x', '/\\elsewhere.example/x'].map(
    (path): Scenario => ({
      name: `a form of a page at ${path} leads to no other host`,
      request: {
        method: 'POST',
        path: berlin,
        form: [
          ['_method', 'PUT'],
          ['field', 'isCapital'],
          ['was', '1'],
          ['value', '0'],
        ],
        headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin', referer: `http://127.0.0.1:3000${path}` },
      },
      status: 303,
      headers: { location: '/admin/resource/cities/crud/1' },
    }),
  ),
  {
    name: 'a form that is late is told on a page',
    request: {
      method: 'POST',
      path: berlin,
      form: [
        ['_method', 'PUT'],
        ['field', 'isCapital'],
        ['was', '0'],
        ['value', '1'],
      ],
      headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' },
    },
    status: 412,
    says: ['The record has changed since it was read'],
  },
  { name: 'all three must be sent', request: put({ field: 'isCapital' }), status: 422, fields: ['value', 'was'] },
  { name: 'nothing is nothing', request: { method: 'PUT', path: berlin }, status: 422, fields: ['field', 'value', 'was'] },
  { name: 'nothing else may be sent', request: put({ field: 'isCapital', value: true, was: true, x: 1 }), status: 422, fields: ['x'] },
  { name: 'a field that does not exist', request: put({ field: 'nope', value: 1, was: 1 }), status: 422, fields: ['field'] },
  { name: 'a field of the object itself', request: put({ field: '__proto__', value: 1, was: 1 }), status: 422, fields: ['field'] },
  {
    name: 'a hidden one answers like one that does not exist',
    request: put({ field: 'secret', value: 'x', was: 'sesame' }),
    status: 422,
    fields: ['field'],
    not: ['sesame'],
  },
  { name: 'a computed one is not a field', request: put({ field: 'size', value: 'x', was: 'large' }), status: 422, fields: ['field'] },
  { name: 'the key stays', request: put({ field: 'id', value: 9, was: 1 }), status: 422, fields: ['id'] },
  { name: 'a value that is none', request: put({ field: 'isCapital', value: 'maybe', was: true }), status: 422, fields: ['isCapital'] },
  { name: 'what a hook refuses', request: put({ field: 'name', value: 'Atlantis', was: 'Berlin' }), status: 422, fields: ['name'] },
  {
    name: 'a record that may not be changed',
    request: put({ field: 'isCapital', value: true, was: false }, '/admin/update-field/column/cities/5'),
    status: 403,
    next: [{ path: 'cities/crud/5', answers: { data: { isCapital: false } } }],
  },
  {
    name: 'a resource that may not be changed',
    request: put({ field: 'name', value: 'x', was: 'Old' }, '/admin/update-field/column/archives/1'),
    status: 403,
  },
  {
    name: 'a record that is not there',
    request: put({ field: 'isCapital', value: true, was: false }, '/admin/update-field/column/cities/99'),
    status: 404,
  },
  {
    name: 'a resource that is not there',
    request: put({ field: 'isCapital', value: true, was: false }, '/admin/update-field/column/none/1'),
    status: 404,
  },
  {
    name: 'what was is the version that a resource demands',
    request: put({ field: 'name', value: 'x', was: 'First' }, '/admin/update-field/column/vaults/1'),
    status: 200,
    body: { data: { name: 'x' } },
  },
  {
    name: 'a version that is sent besides must be that of the record',
    before: [{ path: 'cities/crud/1' }, { method: 'PUT', path: 'cities/crud/1', json: { population: 1 } }],
    request: ([one]) => ({ ...put({ field: 'isCapital', value: false, was: true }), headers: { 'if-match': etag(one?.headers) } }),
    status: 412,
  },
  {
    name: 'a key of any text',
    request: put({ field: 'meaning', value: 'x', was: 'about a/b' }, `/admin/update-field/column/words/${encodeURIComponent('a/b')}`),
    status: 200,
    body: { data: { word: 'a/b', meaning: 'x' } },
  },
  { name: 'it is not asked by GET', request: { path: berlin }, status: 405 },
  {
    name: 'a form must say that it means PUT',
    request: { method: 'POST', path: berlin, form: [['field', 'isCapital']], headers: { 'sec-fetch-site': 'same-origin' } },
    status: 405,
  },
]
