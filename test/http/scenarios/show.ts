import type { Scenario } from '../scenario.js'
import { oddWords } from '../world.js'

const none = (name: string, path: string, says = 'There is no such record'): Scenario => ({
  name: `${name}: ${path}`,
  request: { path },
  status: 404,
  headers: { 'content-type': 'application/problem+json' },
  says: [says],
})

export const show: readonly Scenario[] = [
  {
    name: 'a record: the detail fields and its version',
    request: { path: 'cities/crud/1' },
    status: 200,
    headers: { etag: /^"[0-9a-f]{32}"$/, 'cache-control': 'private, no-cache' },
    exactly: {
      data: { id: 1, name: 'Berlin', countryId: 1, population: 3_426_354, area: 891.7, isCapital: true, notes: null, size: 'large' },
    },
    not: ['sesame', 'secret'],
  },
  {
    name: 'numbers beyond what JSON says exactly are text',
    request: { path: 'coins/crud/1' },
    status: 200,
    exactly: { data: { id: 1, mint: '9007199254740993' } },
  },
  {
    name: 'a part of a record has no version',
    request: { path: 'cities/crud/1?fields=name' },
    status: 200,
    headers: { etag: null },
    exactly: { data: { id: 1, name: 'Berlin' } },
  },
  {
    name: 'a record with a relation has no version',
    request: { path: 'cities/crud/4?include=country' },
    status: 200,
    headers: { etag: null },
    body: { data: { countryId: 2, country: { id: 2, label: 'France' } } },
  },
  { name: 'a slash at the end', request: { path: 'cities/crud/1/' }, status: 200, body: { data: { id: 1 } } },
  {
    name: 'HEAD is GET without its body',
    request: { method: 'HEAD', path: 'cities/crud/1' },
    status: 200,
    headers: { 'content-length': /^\d+$/, 'content-type': 'application/json', etag: /^"/ },
  },
  {
    name: 'a page of a record',
    request: { path: 'cities/crud/1', headers: { accept: 'text/html' } },
    status: 200,
    headers: { 'content-type': /^text\/html/ },
    says: ['Berlin'],
    not: ['sesame'],
  },
  none('a record that is not there', 'cities/crud/99'),
  none('another spelling of a key', 'cities/crud/01'),
  none('another spelling of a key', 'cities/crud/1.0'),
  none('another spelling of a key', 'cities/crud/+1'),
  none('another spelling of a key', 'cities/crud/%201'),
  none('another spelling of a key', 'cities/crud/1e0'),
  none('another spelling of a key', 'cities/crud/0x1'),
  none('a key beyond every integer', 'cities/crud/9007199254740993'),
  none('a key of hostile text', "cities/crud/1'%20or%201=1--"),
  none('a key of the prototype', 'cities/crud/__proto__'),
  none('NUL in a key', 'cities/crud/1%00'),
  none('NUL in a key of text', 'words/crud/a%00b'),
  none('half a percent sequence', 'words/crud/100%'),
  none('a percent sequence of nothing', 'words/crud/%zz'),
  none('bytes that are no UTF-8', 'words/crud/%ff'),
  none('a surrogate in UTF-8', 'words/crud/%ED%A0%80'),
  none('a key without end', `words/crud/${'x'.repeat(5000)}`),
  none('a key in another case', 'words/crud/CRUD'),
  none('an unknown resource', 'towns/crud', 'There is no such resource'),
  none('a resource of the prototype', '__proto__/crud', 'There is no such resource'),
  none('a resource of the prototype, for one record', 'constructor/crud/1', 'There is no such resource'),
  none('a resource in another case', 'Cities/crud', 'There is no such resource'),
  none('half a percent sequence for a resource', '%/crud', 'There is no such resource'),
  {
    name: 'a page says 404 as a page',
    request: { path: 'cities/crud/99', headers: { accept: 'text/html' } },
    status: 404,
    headers: { 'content-type': /^text\/html/ },
    says: ['There is no such record'],
  },
  ...oddWords.map(
    (word): Scenario => ({
      name: `a key round-trips: ${word}`,
      request: { path: `words/crud/${encodeURIComponent(word)}` },
      status: 200,
      body: { data: { word, meaning: `about ${word}` } },
    }),
  ),
  ...oddWords.map(
    (word): Scenario => ({
      name: `a key leads to its record from where it was created: ${word}`,
      before: [{ method: 'POST', path: 'words/crud', json: { word: `new ${word}` } }],
      request: ([created]) => ({ path: created?.headers.get('location') as string }),
      status: 200,
      body: { data: { word: `new ${word}` } },
      next: [
        {
          method: 'PUT',
          path: `words/crud/${encodeURIComponent(word)}`,
          json: { meaning: 'changed' },
          answers: { data: { word, meaning: 'changed' } },
        },
      ],
    }),
  ),
]
