import type { Scenario } from '../scenario.js'

const names = (...all: string[]) => ({ data: all.map((name) => ({ name })) })

export const list: readonly Scenario[] = [
  {
    name: 'a listing: the index fields, the key, where the page stands, and the ways on',
    request: { path: 'cities/crud' },
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'private, no-cache', etag: /^W\/"[\w-]+"$/ },
    exactly: {
      data: [
        { id: 5, name: 'Marseille', countryId: 2, population: 794_811, isCapital: false, size: 'small' },
        { id: 4, name: 'Paris', countryId: 2, population: 2_138_551, isCapital: true, size: 'large' },
        { id: 3, name: 'Köln', countryId: 1, population: 963_395, isCapital: false, size: 'small' },
        { id: 2, name: 'Hamburg', countryId: 1, population: 1_739_117, isCapital: false, size: 'large' },
        { id: 1, name: 'Berlin', countryId: 1, population: 3_426_354, isCapital: true, size: 'large' },
      ],
      meta: { page: 1, perPage: 25, from: 1, to: 5, total: 5, lastPage: 1 },
      links: { first: '/admin/resource/cities/crud?page=1', prev: null, next: null, last: '/admin/resource/cities/crud?page=1' },
    },
    not: ['sesame', 'secret', 'notes', 'Rhein'],
  },
  {
    name: 'a page in the middle keeps every other parameter in its links',
    request: { path: 'cities/crud?sort=-population&perPage=2&page=2' },
    status: 200,
    body: {
      ...names('Hamburg', 'Köln'),
      meta: { page: 2, perPage: 2, from: 3, to: 4, total: 5, lastPage: 3 },
      links: {
        first: '/admin/resource/cities/crud?sort=-population&perPage=2&page=1',
        prev: '/admin/resource/cities/crud?sort=-population&perPage=2&page=1',
        next: '/admin/resource/cities/crud?sort=-population&perPage=2&page=3',
        last: '/admin/resource/cities/crud?sort=-population&perPage=2&page=3',
      },
    },
  },
  {
    name: 'past the end there is nothing, and a way back',
    request: { path: 'cities/crud?page=9&perPage=2' },
    status: 200,
    body: {
      data: [],
      meta: { page: 9, from: null, to: null, total: 5, lastPage: 3 },
      links: { next: null, prev: '/admin/resource/cities/crud?perPage=2&page=3' },
    },
  },
  {
    name: 'a page beyond every number that a row could have',
    request: { path: 'cities/crud?page=999999999999999' },
    status: 200,
    body: { data: [] },
  },
  {
    name: 'sorted by two fields',
    request: { path: 'cities/crud?sort=countryId,-name' },
    status: 200,
    body: names('Köln', 'Hamburg', 'Berlin', 'Paris', 'Marseille'),
  },
  {
    name: 'only some fields, and the key',
    request: { path: 'cities/crud?fields=name,notes&perPage=1' },
    status: 200,
    body: { data: [{ id: 5, name: 'Marseille', notes: null }] },
  },
  { name: 'a filter by equality', request: { path: 'cities/crud?filter[name]=Paris' }, status: 200, body: names('Paris') },
  { name: 'a filter, percent-encoded', request: { path: 'cities/crud?filter%5Bname%5D=K%C3%B6ln' }, status: 200, body: names('Köln') },
  {
    name: 'a filter by several values',
    request: { path: 'cities/crud?filter[name][]=Paris&filter[name][]=Berlin' },
    status: 200,
    body: names('Paris', 'Berlin'),
  },
  {
    name: 'a filter from and to',
    request: { path: 'cities/crud?filter[population][from]=963395&filter[population][to]=2138551' },
    status: 200,
    body: names('Paris', 'Köln', 'Hamburg'),
  },
  {
    name: 'filters that must all hold',
    request: { path: 'cities/crud?filter[isCapital]=1&filter[countryId]=2' },
    status: 200,
    body: names('Paris'),
  },
  {
    name: 'an empty filter is none',
    request: { path: 'cities/crud?filter[name]=&sort=&search=&page=' },
    status: 200,
    body: { meta: { total: 5 } },
  },
  { name: 'a search in every case', request: { path: 'cities/crud?search=KÖLN' }, status: 200, body: names('Köln') },
  {
    name: 'a search takes % literally',
    request: { path: 'cities/crud?search=%25' },
    status: 200,
    body: { data: [], meta: { total: 0, lastPage: 1 } },
  },
  { name: 'a query tag', request: { path: 'cities/crud?query-tag=capitals' }, status: 200, body: names('Paris', 'Berlin') },
  {
    name: 'an included relation',
    request: { path: 'cities/crud?include=country&filter[name]=Paris' },
    status: 200,
    body: { data: [{ countryId: 2, country: { id: 2, label: 'France', code: 'FR', name: 'France' } }] },
  },
  {
    name: 'without counting there are cursors',
    before: [
      { method: 'POST', path: 'vaults/crud', json: { name: 'Second' } },
      { method: 'POST', path: 'vaults/crud', json: { name: 'Third' } },
    ],
    request: { path: 'vaults/crud?perPage=2' },
    status: 200,
    body: { ...names('Third', 'Second'), meta: { perPage: 2, prevCursor: null }, links: { prev: null, last: null } },
    not: ['total', 'lastPage'],
  },
  {
    name: 'a cursor leads on',
    before: [{ method: 'POST', path: 'vaults/crud', json: { name: 'Second' } }, { path: 'vaults/crud?perPage=1' }],
    request: ([, first]) => ({ path: first?.json.links.next }),
    status: 200,
    body: { ...names('First'), meta: { perPage: 1, nextCursor: null }, links: { next: null } },
  },
  {
    name: 'an empty list',
    request: { path: 'cities/crud?filter[name]=Rome' },
    status: 200,
    body: { data: [], meta: { page: 1, from: null, to: null, total: 0, lastPage: 1 } },
  },
  // What a browser asks for is the same list as a page.
  {
    name: 'without a JSON Accept it is a page',
    request: { path: 'cities/crud', headers: { accept: 'text/html' } },
    status: 200,
    headers: { 'content-type': /^text\/html/, 'cache-control': 'no-store' },
    says: ['Berlin'],
    not: ['sesame'],
  },
  {
    name: 'a wrong filter gets the page all the same',
    request: { path: 'cities/crud?filter[nothing]=1&utm_source=x', headers: { accept: 'text/html' } },
    status: 200,
    says: ['Berlin'],
  },
]
