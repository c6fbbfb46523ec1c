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
])('%j is as it should be', (spec) => {
  expect(found(spec)).toEqual([])
})

test.each([
  [{ prefix: { panel: 'x y' } }, 'prefix prefix.panel: "x y" is no part of a path'],
  [{ prefix: { panel: 'admin/' } }, 'prefix prefix.panel: "admin/" is no part of a path'],
  [{ prefix: { resource: '' } }, 'prefix prefix.resource: "" is no part of a path'],
  [{ prefix: { pages: 'p' } }, 'prefix prefix.pages: there are panel, resource and page'],
  [{ limits: { body: -5 } }, 'limits limits.body: -5 is no whole number from 1 on'],
  [{ limits: { body: '1 MB' } }, 'limits limits.body: 1 MB is no whole number from 1 on'],
  [{ limits: { bodies: 5 } }, 'limits limits.bodies: there are body, depth, fields, parameters, url'],
  [{ secret: ' ' }, 'secret secret: is blank'],
])('of %j is said what is wrong', (spec, text) => {
  expect(found(spec)).toEqual([expect.stringContaining(text)])
})
