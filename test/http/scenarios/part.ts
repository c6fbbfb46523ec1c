import type { Scenario } from '../scenario.js'

const page = { accept: 'text/html' }
const table = (query = '') => `/admin/component/index-page/cities?_component_name=index-table-cities${query}`

/** Parts of a page: by the component's address, and by the page's own. */
export const part: readonly Scenario[] = [
  {
    name: 'a table by its component: all of it, and nothing of the page around it',
    request: { path: table(), headers: page },
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    says: [/^<div class="listing card" id="index-table-cities"/, 'Köln', 'Marseille', 'href="/admin/resource/cities/crud?sort=name"'],
    not: ['<html', 'sidebar', 'sesame', 'href="/admin/component'],
  },
  {
    name: 'a table by a fragment of its page',
    request: { path: 'cities/crud?_fragment-load=index-table-cities', headers: page },
    status: 200,
    says: [/^<div class="listing card" id="index-table-cities"/, 'href="/admin/resource/cities/crud?sort=name"'],
    not: ['<html', 'sidebar', '_fragment-load'],
  },
  {
    name: 'a fragment of the index page by its other address',
    request: { path: 'cities/index-page?_fragment-load=index-table-cities&perPage=2', headers: page },
    status: 200,
    says: ['Paris', 'href="/admin/resource/cities/index-page?perPage=2&amp;sort=name"'],
    not: ['<html', 'Berlin'],
  },
  {
    name: "the list's own parameters come along, and lead to the page",
    request: { path: table('&filter[isCapital]=1&sort=name'), headers: page },
    status: 200,
    says: ['Berlin', 'Paris', 'href="/admin/resource/cities/crud?sort=name"'],
    not: ['Hamburg', 'href="/admin/component'],
  },
  {
    name: 'a row, as the list writes it, with its number',
    request: { path: table('&_key=3&_row=2'), headers: page },
    status: 200,
    says: [/^<tr data-key="3"><td class="pick">/, /<\/tr>$/, 'Köln', 'Germany', 'index-table-cities-row-2'],
    not: ['<html', '<table', 'Hamburg', 'sesame'],
  },
  {
    name: 'a row by a fragment',
    request: { path: 'cities/crud?_fragment-load=index-table-cities&_key=3', headers: page },
    status: 200,
    says: [/^<tr data-key="3">/, 'index-table-cities-row-0'],
  },
  {
    name: 'a row that the filters of its list leave out by now is still there',
    request: { path: table('&_key=3&filter[name]=Bonn'), headers: page },
    status: 200,
    says: ['Köln'],
  },
  { name: 'a row that is not there', request: { path: table('&_key=99'), headers: page }, status: 404, says: ['There is no such record'] },
  { name: 'a key in another spelling', request: { path: table('&_key=03'), headers: page }, status: 404 },
  {
    name: 'a part that the page does not have: it says which there are',
    request: { path: '/admin/component/index-page/cities?_component_name=nothing', headers: page },
    status: 404,
    says: ['It has: index-table-cities'],
  },
  {
    name: 'a fragment that the page does not have',
    request: { path: 'cities/crud?_fragment-load=nothing', headers: page },
    status: 404,
    says: ['It has: index-table-cities'],
  },
  {
    name: 'a page that has no parts',
    request: { path: 'cities/crud/1?_fragment-load=index-table-cities', headers: page },
    status: 404,
    not: ['index-table'],
  },
  { name: 'a component of no page', request: { path: '/admin/component/nothing?_component_name=x', headers: page }, status: 404 },
  { name: 'a component without a name', request: { path: '/admin/component/index-page/cities' }, status: 422, fields: ['_component_name'] },
  {
    name: 'a component with two names',
    request: { path: table('&_component_name=other') },
    status: 422,
    fields: ['_component_name'],
  },
  { name: 'a row number that is none', request: { path: table('&_key=3&_row=-1') }, status: 422, fields: ['_row'] },
  {
    name: 'as JSON: where the data is',
    request: { path: table('&sort=name') },
    status: 406,
    says: ['/admin/resource/cities/crud?sort=name'],
    not: ['_component_name'],
  },
  {
    name: 'a fragment as JSON',
    request: { path: 'cities/crud?_fragment-load=index-table-cities' },
    status: 406,
    says: ['/admin/resource/cities/crud'],
  },
  { name: 'a row as JSON', request: { path: table('&_key=3') }, status: 406, says: ['/admin/resource/cities/crud/3'] },
  {
    name: 'rows whose keys hold anything',
    request: {
      path: `/admin/component/index-page/words?_component_name=index-table-words&_key=${encodeURIComponent('a&b=c')}`,
      headers: page,
    },
    status: 200,
    says: ['a&amp;b=c', '/admin/resource/words/crud/a%26b%3Dc'],
  },
  { name: 'a component is only read', request: { method: 'POST', path: table(), json: {} }, status: 405 },
]
