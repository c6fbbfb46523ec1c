import { expect, test } from 'vitest'
import { listUrl, listUrlWithout, pairs } from './list-url.js'

const at = {
  path: '/admin/resource/cities/crud',
  query: new Map([
    ['search', ['san']],
    ['page', ['3']],
    ['filter[a]', ['1', '2']],
    ['sort', ['']],
    ['own', ['kept & "safe"']],
  ]),
}

test('another sort begins at the first page and keeps everything else', () => {
  expect(listUrl(at, { sort: '-name' })).toBe(
    '/admin/resource/cities/crud?search=san&filter%5Ba%5D=1&filter%5Ba%5D=2&own=kept+%26+%22safe%22&sort=-name',
  )
})

test('null leaves a parameter out, and a page is set where it is named', () => {
  expect(listUrl(at, { search: null, page: 2 })).toBe(
    '/admin/resource/cities/crud?filter%5Ba%5D=1&filter%5Ba%5D=2&own=kept+%26+%22safe%22&page=2',
  )
})

test('a list without parameters is its path', () => {
  expect(listUrlWithout(at, () => true)).toBe('/admin/resource/cities/crud')
})

test('what was given nothing is not there', () => {
  expect(pairs(at.query).map(([name]) => name)).not.toContain('sort')
})
