import type { Scenario } from '../scenario.js'

const page = { accept: 'text/html' }

export const form: readonly Scenario[] = [
  {
    name: 'two records to duplicate are none',
    request: { path: 'cities/form-page?duplicate=1&duplicate=2' },
    status: 422,
    fields: ['duplicate'],
  },
  {
    name: 'nor on a page',
    request: { path: 'cities/form-page?duplicate=1&duplicate=2', headers: page },
    status: 422,
  },
  {
    name: 'a form begins with what the address says',
    request: { path: 'cities/form-page?value[countryId]=2&value[population]=5&value[isCapital]=1&value[name]=' },
    status: 200,
    body: { data: { countryId: 2, population: 5, isCapital: true, name: null } },
  },
  {
    name: 'on the page, too, and what cannot be read stands there to be put right',
    request: { path: 'cities/form-page?value[countryId]=2&value[population]=many&value[notes]=%3Cb%3E', headers: page },
    status: 200,
    says: ['France', 'value="many"', '&lt;b&gt;'],
    not: ['<b>'],
  },
  {
    name: 'a value that cannot be read is named to a program',
    request: { path: 'cities/form-page?value[population]=many' },
    status: 422,
    body: { errors: { 'value[population]': ['Population must be a whole number'] } },
  },
  {
    name: 'and one that is said twice',
    request: { path: 'cities/form-page?value[name]=a&value[name]=b' },
    status: 422,
    body: { errors: { 'value[name]': ['"value[name]" may be given only once'] } },
  },
  {
    name: 'what it began with goes along',
    request: { path: 'cities/form-page?value[countryId]=2&value[name]=a%26b', headers: page },
    status: 200,
    says: ['name="_begun" value="countryId=2&amp;name=a%26b"'],
  },
  {
    name: 'and is there again after a refusal',
    request: {
      method: 'POST',
      path: 'cities/crud',
      headers: page,
      form: [
        ['name', ''],
        ['_begun', 'countryId=2'],
      ],
    },
    status: 422,
    says: ['name="_begun" value="countryId=2"'],
  },
  {
    name: 'the next one begins with it, too',
    request: {
      method: 'POST',
      path: 'cities/crud',
      headers: page,
      form: [
        ['name', 'Lyon'],
        ['countryId', '2'],
        ['_begun', 'countryId=2&name=%22%3E'],
        ['_then', 'another'],
      ],
    },
    status: 303,
    headers: { location: '/admin/resource/cities/form-page?value%5BcountryId%5D=2&value%5Bname%5D=%22%3E' },
    rows: { cities: 1 },
  },
  {
    name: 'unless that is no address any more',
    request: {
      method: 'POST',
      path: 'cities/crud',
      headers: page,
      form: [
        ['name', 'Lyon'],
        ['countryId', '2'],
        ['_begun', `name=${'x'.repeat(5000)}`],
        ['_then', 'another'],
      ],
    },
    status: 303,
    headers: { location: '/admin/resource/cities/form-page' },
    rows: { cities: 1 },
  },
  {
    name: 'who cancels is back in the list as it was narrowed',
    request: {
      path: 'cities/form-page',
      headers: { ...page, referer: 'http://127.0.0.1:3000/admin/resource/cities/crud?filter[countryId]=2&page=2' },
    },
    status: 200,
    says: ['href="/admin/resource/cities/crud?filter[countryId]=2&amp;page=2"'],
  },
  {
    name: 'but nowhere else',
    request: { path: 'cities/form-page', headers: { ...page, referer: 'http://127.0.0.1:3000/admin/resource/countries/crud?page=2' } },
    status: 200,
    says: ['href="/admin/resource/cities/crud"'],
    not: ['countries/crud?page=2'],
  },
  {
    name: 'nobody begins with a field that is not theirs',
    request: { path: 'cities/form-page?value[secret]=sesame' },
    status: 422,
    not: ['sesame'],
  },
  {
    name: 'nor sees one on the page',
    request: { path: 'cities/form-page?value[secret]=sesame', headers: page },
    status: 200,
    not: ['sesame'],
  },
  {
    name: 'a record that is there begins with what it has',
    request: { path: 'cities/form-page/1?value[name]=Bonn' },
    status: 422,
  },
  {
    name: 'what a list is narrowed to is what a record that is made there begins with',
    request: { path: 'cities/crud?filter[countryId]=2&filter[population][gte]=5', headers: page },
    status: 200,
    says: ['/cities/form-page?value%5BcountryId%5D=2"'],
  },
]
