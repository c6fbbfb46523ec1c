import { expect, test } from 'vitest'
import { checkPanel } from './check.js'
import type { PanelSpec } from './spec.js'

const found = (spec: object) =>
  checkPanel({ auth: 'open', resources: [], ...spec } as PanelSpec).map(({ id, where, text }) => `${id} ${where}: ${text}`)

test.each([
  [{ prefix: { panel: '' } }],
  [{ prefix: { panel: 'back-office', resource: 'r', page: 'my_pages' } }],
  [{ limits: { body: 1, url: 4096 } }],
  [{ secret: 'of these tests' }],
  [{ url: 'https://example.com/back' }],
  [{ trustProxy: 2 }],
])('%j is as it should be', (spec) => {
  expect(found(spec)).toEqual([])
})

test.each([
  [{ prefix: { panel: 'x y' } }, 'prefix prefix.panel: "x y" is not a path segment'],
  [{ prefix: { panel: 'admin/' } }, 'prefix prefix.panel: "admin/" is not a path segment'],
  [{ prefix: { resource: '' } }, 'prefix prefix.resource: "" is not a path segment'],
  [{ prefix: { pages: 'p' } }, 'prefix prefix.pages: unknown prefix. Valid: panel, resource, page'],
  [{ limits: { body: -5 } }, 'limits limits.body: -5 must be a whole number of at least 1'],
  [{ limits: { body: '1 MB' } }, 'limits limits.body: 1 MB must be a whole number of at least 1'],
  [{ limits: { bodies: 5 } }, 'limits limits.bodies: unknown limit. Valid: body, files, depth, fields, parameters, url'],
  [{ secret: ' ' }, 'secret secret: is blank'],
  [{ url: 'localhost:3000/back' }, 'url url: "localhost:3000/back" is not an absolute URL'],
  [{ trustProxy: -1 }, 'trust-proxy trustProxy: give the number of proxies'],
])('of %j is said what is wrong', (spec, text) => {
  expect(found(spec)).toEqual([expect.stringContaining(text)])
})
