import type { Scenario } from '../scenario.js'

const ask = (query: string) => ({ path: `/admin/palette${query}` }) as const

const city = (name: string) => ({ method: 'POST', path: 'cities/crud', json: { name, countryId: 1 } }) as const
const country = (code: string, name: string) => ({ method: 'POST', path: 'countries/crud', json: { code, name } }) as const

export const palette: readonly Scenario[] = [
  { name: 'two queries are none', request: ask('?query=ber&query=ham'), status: 422, fields: ['query'] },
  {
    name: 'nor where a relation is searched',
    request: { path: '/admin/async-search/cities/countryId?query=ger&query=fra' },
    status: 422,
    fields: ['query'],
  },
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
        { kind: 'page', group: 'Pages', label: 'Home', url: '/admin' },
        { kind: 'page', group: 'Pages', label: 'Overview', url: '/admin/page/overview' },
        { kind: 'page', label: 'Tools', url: '/admin/page/tools' },
        { kind: 'page', label: 'New in Countries', url: '/admin/resource/countries/form-page' },
        { kind: 'page', label: 'New in Cities' },
        { kind: 'page', label: 'New in Words' },
        { kind: 'page', label: 'New in Coins' },
        { kind: 'page', label: 'New in Vaults' },
        { kind: 'page', group: 'Cities', label: 'Capital cities', url: '/admin/resource/cities/capitals' },
        { kind: 'page', group: 'Cities', label: 'Rename', url: '/admin/resource/cities/rename' },
        { kind: 'page', group: 'Cities', label: 'Report', url: '/admin/resource/cities/report' },
      ],
    },
    not: ['Berlin', 'New in Archives', 'Closed', 'Shut', 'In short'],
  },
  {
    name: "a page of one's own is found by its title",
    request: ask('?query=OVER'),
    status: 200,
    exactly: { data: [{ kind: 'page', group: 'Pages', label: 'Overview', url: '/admin/page/overview' }] },
  },
  {
    name: 'as a page: lists, pages and what else one may go to',
    request: { path: '/admin/palette', headers: { accept: 'text/html' } },
    status: 200,
    says: ['href="/admin/page/overview">Overview', 'form-page">New in Words', 'href="/admin/resource/cities/capitals">Capital cities'],
    not: ['>Closed<', '>Shut<'],
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
    before: ['A', 'B', 'C', 'D', 'E'].map((name) => city(`Same ${name}`)),
    request: ask('?query=same'),
    rows: {},
    status: 200,
    body: {
      data: [
        ...['A', 'B', 'C', 'D'].map((name) => ({ label: `Same ${name}` })),
        { kind: 'list', group: 'Cities', label: 'All matches in Cities', url: '/admin/resource/cities/crud?search=same' },
      ],
    },
    not: ['Same E'],
  },
  {
    name: 'records that are called the same are told apart by another text of theirs, and no others have one beside them',
    before: [country('s1', 'Samsa'), country('s2', 'Samsa'), country('s3', 'Samsara')],
    request: ask('?query=samsa'),
    status: 200,
    exactly: {
      data: [
        { kind: 'record', group: 'Countries', label: 'Samsa', url: '/admin/resource/countries/crud/4', hint: 's1' },
        { kind: 'record', group: 'Countries', label: 'Samsa', url: '/admin/resource/countries/crud/5', hint: 's2' },
        { kind: 'record', group: 'Countries', label: 'Samsara', url: '/admin/resource/countries/crud/6' },
      ],
    },
  },
  {
    name: 'or by what they lead to',
    before: [city('Samsa'), { ...city('Samsa'), json: { name: 'Samsa', countryId: 2 } }],
    request: ask('?query=samsa'),
    rows: {},
    status: 200,
    body: {
      data: [
        { label: 'Samsa', hint: 'Germany' },
        { label: 'Samsa', hint: 'France' },
      ],
    },
  },
  {
    name: 'or by their keys, where that is the same, too',
    before: [city('Samsa'), city('Samsa')],
    request: ask('?query=samsa'),
    rows: {},
    status: 200,
    says: [/"hint":"Germany, \d+".*"hint":"Germany, \d+"/],
  },
  {
    name: 'what is called so comes before what begins so, and that before what has it somewhere, in whatever list it is',
    before: [country('q1', 'Berlina'), country('q2', 'New Berlin'), city('Berlin East'), city('Old Berlin')],
    request: ask('?query=berlin'),
    rows: {},
    status: 200,
    body: {
      data: [
        { group: 'Cities', label: 'Berlin' },
        { group: 'Countries', label: 'Berlina' },
        { group: 'Cities', label: 'Berlin East' },
        { group: 'Countries', label: 'New Berlin' },
        { group: 'Cities', label: 'Old Berlin' },
      ],
    },
  },
  {
    name: 'the way to all of them, as a page',
    before: ['A', 'B', 'C', 'D', 'E'].map((name) => city(`Same ${name}`)),
    request: { path: '/admin/palette?query=same', headers: { accept: 'text/html' } },
    rows: {},
    status: 200,
    says: ['href="/admin/resource/cities/crud?search=same">All matches in Cities'],
  },
  ...(
    [
      ['/admin/palette?query=', 4],
      ['/admin/async-search/cities/countryId?query=', 20],
    ] as const
  ).flatMap(([path, most]): readonly Scenario[] => [
    {
      name: `${path}: first what is called exactly so, then what begins so, then the others`,
      before: [
        ...Array.from({ length: 21 }, (_, i) => country(`${i}`.padStart(2, '0'), `A great ${i} rome`)),
        country('r1', 'Romeo'),
        country('r2', 'ROMETTA'),
        country('r3', 'rome'),
      ],
      request: { path: `${path}RoMe` },
      status: 200,
      body: {
        data: [
          { label: 'rome' },
          { label: 'ROMETTA' },
          { label: 'Romeo' },
          { label: 'A great 0 rome' },
          ...(most === 4
            ? [{ label: 'All matches in Countries' }]
            : ['1', '10', '11', '12', '13', '14', '15', '16', '17', '18', '19', '2', '20', '3', '4', '5'].map((i) => ({
                label: `A great ${i} rome`,
              }))),
        ],
      },
    },
    {
      name: `${path}: the same where there are few`,
      before: [country('r1', 'A rome'), country('r2', 'ROMETTA'), country('r3', 'rome')],
      request: { path: `${path}RoMe` },
      status: 200,
      body: { data: [{ label: 'rome' }, { label: 'ROMETTA' }, { label: 'A rome' }] },
    },
    {
      name: `${path}: what has this very key comes first`,
      before: Array.from({ length: 21 }, (_, i) => country(`${i}`.padStart(2, '0'), `A 3 ${i}`)),
      request: { path: `${path}3` },
      status: 200,
      says: [/^\{"data":\[\{[^}]*"label":"Nowhere"/],
    },
  ]),
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
