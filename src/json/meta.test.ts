import { describe, expect, it } from 'vitest'
import type { Listed } from '../crud/outcomes/lists.js'
import type { PresenterContext } from '../face/face.js'
import { metaOf } from './meta.js'

const path = '/admin/resource/cities/crud'
function meta({
  page = null,
  rows = 0,
  total = null,
  exact = true,
  goesOn = false,
  next = null,
  prev = null,
  query = {},
}: {
  page?: number | null
  rows?: number
  total?: number | null
  exact?: boolean
  goesOn?: boolean
  next?: string | null
  prev?: string | null
  query?: Record<string, string[]>
}) {
  const listed = {
    listing: { page, perPage: 10 },
    rows: Array.from({ length: rows }, () => []),
    total: total === null ? null : { count: total, exact },
    goesOn,
    nextCursor: next,
    prevCursor: prev,
  } as unknown as Listed
  return metaOf(listed, { path, query: new Map(Object.entries(query)) } as unknown as PresenterContext)
}

describe('a list that was counted', () => {
  it('says where its page stands', () => {
    expect(meta({ page: 2, rows: 10, total: 35 })).toEqual({
      meta: { page: 2, perPage: 10, from: 11, to: 20, total: 35, lastPage: 4 },
      links: { first: `${path}?page=1`, prev: `${path}?page=1`, next: `${path}?page=3`, last: `${path}?page=4` },
    })
  })
  it('ends', () => {
    expect(meta({ page: 4, rows: 5, total: 35 })).toMatchObject({
      meta: { from: 31, to: 35 },
      links: { prev: `${path}?page=3`, next: null },
    })
    expect(meta({ page: 1, rows: 10, total: 10 })).toMatchObject({ meta: { lastPage: 1 }, links: { prev: null, next: null } })
  })
  it('is empty past its end, and leads back to it', () => {
    expect(meta({ page: 9, total: 35 })).toEqual({
      meta: { page: 9, perPage: 10, from: null, to: null, total: 35, lastPage: 4 },
      links: { first: `${path}?page=1`, prev: `${path}?page=4`, next: null, last: `${path}?page=4` },
    })
    expect(meta({ page: 1, total: 0 })).toMatchObject({
      meta: { from: null, to: null, total: 0, lastPage: 1 },
      links: { prev: null, next: null },
    })
  })
  it('does not know its last page where counting stopped', () => {
    expect(meta({ page: 3, rows: 10, total: 10_000, exact: false, goesOn: false }).links.next).toBeNull()
    expect(meta({ page: 3, rows: 10, total: 10_000, exact: false, goesOn: true })).toEqual({
      meta: { page: 3, perPage: 10, from: 21, to: 30, total: 10_000, totalExact: false, lastPage: null },
      links: { first: `${path}?page=1`, prev: `${path}?page=2`, next: `${path}?page=4`, last: null },
    })
  })
  it('keeps every other parameter', () => {
    const query = { sort: ['-name'], page: ['2'], 'filter[name][]': ['a&b', 'c d', 'ü?#'], search: ['100%'] }
    expect(meta({ page: 2, rows: 10, total: 35, query }).links.next).toBe(
      `${path}?sort=-name&filter%5Bname%5D%5B%5D=a%26b&filter%5Bname%5D%5B%5D=c%20d&filter%5Bname%5D%5B%5D=%C3%BC%3F%23&search=100%25&page=3`,
    )
  })
})

describe('a list that was not counted', () => {
  it('goes by cursor', () => {
    expect(meta({ rows: 10, next: 'N', prev: 'P', query: { cursor: ['C'], sort: ['id'] } })).toEqual({
      meta: { perPage: 10, nextCursor: 'N', prevCursor: 'P' },
      links: { first: `${path}?sort=id`, prev: `${path}?sort=id&cursor=P`, next: `${path}?sort=id&cursor=N`, last: null },
    })
  })
  it('says the page that was asked for', () => {
    expect(meta({ page: 3, rows: 10, next: 'N', query: { page: ['3'] } })).toEqual({
      meta: { page: 3, perPage: 10, nextCursor: 'N', prevCursor: null },
      links: { first: path, prev: null, next: `${path}?cursor=N`, last: null },
    })
  })
})
