import type { Scenario } from '../scenario.js'

const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const head = 'ID,Name,Country (key),Country,Population,Capital,Size\r\n'
const file = (...lines: string[]) => new RegExp(`^${[head, ...lines.map((line) => `${line}\r\n`)].join('').replace(/[()]/g, '\\$&')}$`)

export const exported: readonly Scenario[] = [
  {
    name: 'every row of the list, with the labels of its relations',
    request: { path: 'cities/export' },
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': /^attachment; filename="cities-\d{4}-\d\d-\d\d\.csv"$/,
      'cache-control': 'no-store',
    },
    says: [
      file(
        '5,Marseille,2,France,794811,false,small',
        '4,Paris,2,France,2138551,true,large',
        '3,Köln,1,Germany,963395,false,small',
        '2,Hamburg,1,Germany,1739117,false,large',
        '1,Berlin,1,Germany,3426354,true,large',
      ),
    ],
    not: ['sesame', 'Secret', 'Rhein', 'Notes'],
  },
  {
    name: 'the same file for a browser',
    request: { path: 'cities/export?filter[isCapital]=1&sort=name', headers: page },
    status: 200,
    headers: { 'content-type': 'text/csv; charset=utf-8; header=present' },
    says: [file('1,Berlin,1,Germany,3426354,true,large', '4,Paris,2,France,2138551,true,large')],
    not: ['<html'],
  },
  {
    name: 'the same file whatever is accepted',
    request: { path: 'cities/export?search=köln', headers: { accept: 'text/csv' } },
    status: 200,
    says: [file('3,Köln,1,Germany,963395,false,small')],
  },
  {
    name: 'a page is no part of the file',
    request: { path: 'cities/export?query-tag=capitals&perPage=1&page=7' },
    status: 200,
    says: ['Berlin', 'Paris'],
    not: ['Hamburg'],
  },
  {
    name: 'the fields that are asked for, in their order',
    request: { path: 'cities/export?fields=area,notes,name&filter[name]=Köln' },
    status: 200,
    says: ['Area,Notes,Name\r\n,"Dom\nRhein",Köln\r\n'],
  },
  {
    name: 'a hidden field cannot be asked for',
    request: { path: 'cities/export?fields=secret' },
    status: 422,
    fields: ['fields'],
    not: ['sesame'],
  },
  {
    name: 'a wrong filter makes no larger file, for a browser either',
    request: { path: 'cities/export?filter[nothing]=1', headers: page },
    status: 422,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-disposition': null },
    not: ['Berlin'],
  },
  {
    name: 'a list without rows is a file with its head',
    request: { path: 'cities/export?filter[name]=nobody' },
    status: 200,
    says: [file()],
  },
  {
    name: 'a formula is text',
    before: [
      { method: 'POST', path: 'countries/crud', json: { code: '=1', name: '=HYPERLINK("http://evil.example","x")' } },
      { method: 'POST', path: 'countries/crud', json: { code: '-9', name: '\t=1+1' } },
      { method: 'POST', path: 'countries/crud', json: { code: '@a', name: '+cmd|calc' } },
    ],
    request: { path: 'countries/export?sort=id' },
    status: 200,
    says: ['4,\'=1,"\'=HYPERLINK(""http://evil.example"",""x"")"\r\n', "5,'-9,'\t'=1+1\r\n", "6,'@a,'+cmd|calc\r\n"],
  },
  {
    name: 'a formula behind what splits a cell elsewhere is text',
    before: [{ method: 'POST', path: 'countries/crud', json: { code: ';=', name: 'x;"=1+1;y\n@z; -a;b' } }],
    request: { path: 'countries/export?sort=id' },
    status: 200,
    says: ['4,";\'=","x;""\'=1+1;y\n\'@z; -a;b"\r\n'],
  },
  { name: 'an exact number is one', request: { path: 'coins/export' }, status: 200, says: ['ID,Mint\r\n1,9007199254740993\r\n'] },
  {
    name: 'HEAD',
    request: { method: 'HEAD', path: 'cities/export' },
    status: 200,
    headers: { 'content-disposition': /^attachment/, 'content-length': null },
  },
  { name: 'of no resource', request: { path: 'towns/export' }, status: 404 },
  { name: 'another method', request: { method: 'POST', path: 'cities/export', form: [] }, status: 405, headers: { allow: /GET/ } },
]
