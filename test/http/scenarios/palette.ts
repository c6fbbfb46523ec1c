import type { Scenario } from '../scenario.js'

const ask = (query: string) => ({ path: `/admin/palette${query}` }) as const

export const palette: readonly Scenario[] = [
  {
    name: 'without a query: the lists and the pages that one may see',
    request: ask(''),
    status: 200,
    body: {
      data: [
        { kind: 'list', label: 'Countries', url: '/admin/resource/countries/crud' },
        { kind: 'list', label: 'Cities' },
        { kind: 'list', label: 'Words' },
        { kind: 'list', label: 'Coins' },
        { kind: 'list', label: 'Vaults' },
        { kind: 'list', label: 'Archives' },
        { kind: 'page', label: 'New in Countries', url: '/admin/resource/countries/form-page' },
        { kind: 'page', label: 'New in Cities' },
        { kind: 'page', label: 'New in Words' },
        { kind: 'page', label: 'New in Coins' },
        { kind: 'page', label: 'New in Vaults' },
      ],
    },
    not: ['Berlin', 'New in Archives'],
  },
  {
    name: 'records are found by what is searched in their lists',
    request: ask('?query=bER'),
    status: 200,
    exactly: { data: [{ kind: 'record', group: 'Cities', label: 'Berlin', url: '/admin/resource/cities/crud/1' }] },
    not: ['sesame'],
  },
  {
    name: 'at most a few of each resource',
    before: ['A', 'B', 'C', 'D', 'E'].map(
      (name) => ({ method: 'POST', path: 'cities/crud', json: { name: `Same ${name}`, countryId: 1 } }) as const,
    ),
    request: ask('?query=same'),
    rows: {},
    status: 200,
    body: { data: ['A', 'B', 'C', 'D'].map((name) => ({ label: `Same ${name}` })) },
    not: ['Same E'],
  },
  { name: 'every word must match', request: ask('?query=new%20citi'), status: 200, body: { data: [{ label: 'New in Cities' }] } },
  { name: 'nothing matches', request: ask('?query=zzz'), status: 200, exactly: { data: [] } },
  { name: 'what means something in SQL is text', request: ask(`?query=${encodeURIComponent("%_'")}`), status: 200, exactly: { data: [] } },
  ...['/admin/palette', '/admin/async-search/cities/countryId'].flatMap((path): readonly Scenario[] => [
    {
      name: `${path}: no more words than a person types`,
      request: { path: `${path}?query=${'a+'.repeat(21)}` },
      status: 422,
      fields: ['query'],
      says: ['at most 20 words'],
    },
    { name: `${path}: no more letters`, request: { path: `${path}?query=${'a'.repeat(201)}` }, status: 422, fields: ['query'] },
  ]),
  {
    name: 'a form that searches a related record by too much shows none',
    request: {
      method: 'POST',
      path: 'cities/crud',
      form: [
        ['_search', 'countryId'],
        ['_query[countryId]', 'e '.repeat(21)],
      ],
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    },
    status: 200,
    not: ['Germany'],
  },
  {
    name: 'as a page it is links',
    request: { path: '/admin/palette?query=berlin', headers: { accept: 'text/html' } },
    status: 200,
    says: ['href="/admin/resource/cities/crud/1">Berlin'],
  },
]
