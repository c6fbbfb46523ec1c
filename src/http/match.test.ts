import { describe, expect, it } from 'vitest'
import type { Verb } from '../crud/verbs.js'
import { verbs } from '../crud/verbs.js'
import { type Route, routes } from '../route/routes.js'
import { matcher } from './match.js'

const place = { mount: '', prefix: { panel: 'admin', resource: 'resource', page: 'page' } }
const run: Verb = { on: 'resource', run: async () => ({ is: 'healthy' }), ends: [] }

describe('the route table', () => {
  const match = matcher(routes, verbs, place)
  const names = (path: string) => [...(match(path)?.methods ?? [])].map(([method, { route }]) => `${method} ${route.name}`)

  it('finds a path and what its methods do', () => {
    expect(names('/admin/resource/cities/crud')).toEqual(['GET crud.index', 'POST crud.store', 'DELETE crud.massDelete'])
    expect(match('/admin/resource/cities/crud')?.allow).toBe('GET, HEAD, POST, DELETE, OPTIONS')
    expect(names('/admin/health')).toEqual(['GET health'])
  })
  it('takes one slash at the end, and no more', () => {
    for (const path of ['/admin', '/admin/resource/cities/crud', '/admin/resource/cities/crud/7']) {
      expect(names(path)).not.toEqual([])
      expect(names(`${path}/`)).toEqual(names(path))
      expect(match(`${path}//`)).toBeNull()
    }
  })
  it('gives parameters as they stand in the path', () => {
    expect(match('/admin/resource/a%2Fb/crud/c%20d%2F%25')?.params).toEqual(
      new Map([
        ['resourceUri', 'a%2Fb'],
        ['resourceItem', 'c%20d%2F%25'],
      ]),
    )
    expect(match('/admin/resource/__proto__/crud')?.params).toEqual(new Map([['resourceUri', '__proto__']]))
  })
  it.each([
    '/',
    '',
    '/Admin',
    '/admin2',
    '/admin/resource',
    '/admin/resource/cities',
    '/admin/resource//crud',
    '/admin/resource/cities/crud/1/2',
    '//admin',
    '/admin/resource/cities/crud//',
    '/resource/cities/crud',
    '/admin/none',
    '/admin/__proto__',
    '/admin/constructor',
  ])('does not know %s', (path) => expect(match(path)).toBeNull())
  it('stands below other prefixes', () => {
    const other = matcher(routes, verbs, { mount: '/x', prefix: { panel: 'back', resource: 'r', page: 'p' } })
    expect(other('/back/r/cities/crud/1')?.params.get('resourceItem')).toBe('1')
    expect(other('/back/resource/cities/crud')).toBeNull()
    expect(other('/admin/r/cities/crud')).toBeNull()
    const bare = matcher(routes, verbs, { mount: '', prefix: { panel: '', resource: 'r', page: 'p' } })
    expect(bare('/')?.methods.get('GET')?.route.name).toBe('index')
    expect(bare('/r/cities/crud')?.methods.get('GET')?.route.name).toBe('crud.index')
  })
})

describe('a row that can never be served is a start-up error', () => {
  const good: Route = { name: 'x', methods: ['GET'], path: '/x/{resourceUri}', verb: 'x', ability: 'view', query: 'none' }
  const start =
    (route: Partial<Route>, ...others: Route[]) =>
    () =>
      matcher([{ ...good, ...route } as Route, ...others], { x: run }, place)

  it('and a good one is none', () => expect(start({})).not.toThrow())
  it.each<[what: string, row: Partial<Record<keyof Route, unknown>>, says: string]>([
    ['an unknown verb', { verb: 'y' }, 'which is not a verb. Valid: x'],
    ['a verb of every object', { verb: 'toString' }, 'which is not a verb'],
    ['no ability', { ability: undefined }, 'its ability is one of viewAny'],
    ['an unknown ability', { ability: 'fly' }, 'not "fly"'],
    ['a record for anybody', { ability: 'public' }, 'not "public"'],
    ['nothing that is asked', { ability: 'signedIn' }, 'must say what it asks'],
    ['no resource in the path', { path: '/x' }, 'needs {resourceUri}'],
  ])('%s', (_what, row, says) => expect(start(row as Partial<Route>)).toThrow(says))
  it('one method twice', () => expect(start({}, { ...good, name: 'y' })).toThrow('"y" and "x" are both GET /x/{resourceUri}'))
})
