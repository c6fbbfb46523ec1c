import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { architectureFaults, type Sources } from './support/architecture.js'

/** The rooms of src, and the folders of the largest of them, in their one fixed order: an import only ever points up this list, type imports
 * counted. */
const order = [
  'base',
  'field',
  'auth',
  'resource/page.ts',
  'resource/problem.ts',
  'resource/model',
  'resource/condition',
  'resource/action',
  'resource/pages',
  'resource/components',
  'resource',
  'resource/relation',
  'resource/check',
  'route',
  'store',
  'crud/realm',
  'crud/call',
  'crud/input',
  'crud/relation',
  'crud/query',
  'crud/outcomes',
  'crud/body',
  'crud/commit',
  'crud/history',
  'crud/comments',
  'crud/form',
  'crud/import',
  'crud/list',
  'crud/record',
  'crud/pages',
  'crud/account',
  'crud/action',
  'crud',
  'face',
  'xlsx',
  'plugin',
  'json',
  'openapi',
  'html/components',
  'html/frame',
  'html/list',
  'html/form',
  'html/composed',
  'html/pages',
  'html',
  'browser/page',
  'browser/list',
  'browser/form',
  'browser/action',
  'browser',
  'http',
  'panel',
  'panel.ts',
  'index.ts',
  'jwt.ts',
  'markdown.ts',
  'oag.ts',
  'openid.ts',
  'xlsx.ts',
  'client',
  'client.ts',
  'testing',
  'testing.ts',
  'preload.ts',
  'cli',
]

test('src keeps the house rules', () => {
  const sources = readSources(new URL('../src/', import.meta.url))
  expect(Object.keys(sources)).not.toHaveLength(0)
  expect(architectureFaults(sources, order)).toEqual([])
})

describe('the checker finds', () => {
  test.each<[string, Sources, string]>([
    ['a downward import', { 'base/a.ts': "import { b } from '../field/b.js'" }, 'base/a.ts:1: base imports field'],
    ['a downward type import', { 'base/a.ts': "\nimport type { B } from '../field/b.js'" }, 'base/a.ts:2: base imports field'],
    ['a downward import() type', { 'base/a.ts': "type B = import('../field/b.js').B" }, 'base/a.ts:1: base imports field'],
    ['a downward dynamic import', { 'base/a.ts': "const b = await import('../field/b.js')" }, 'base/a.ts:1: base imports field'],
    ['a downward re-export', { 'base/a.ts': "export { b } from '../field/b.js'" }, 'base/a.ts:1: base imports field'],
    ['a downward import within a room', { 'crud/call/a.ts': "import { b } from '../list/b.js'" }, 'crud/call imports crud/list'],
    ['a folder importing what a room ends in', { 'crud/call/a.ts': "import { b } from '../b.js'" }, 'crud/call imports crud'],
    ['a room importing the panel', { 'http/app.ts': "import { p } from '../panel.js'" }, 'http imports panel.ts'],
    ['html importing json', { 'html/a.ts': "import { b } from '../json/b.js'" }, 'html and json are siblings'],
    ['json importing html', { 'json/a.ts': "import { b } from '../html/b.js'" }, 'json imports html'],
    ['browser importing a room', { 'browser/a.ts': "import { b } from '../base/b.js'" }, 'browser imports no other room'],
    ['a kind importing another', { 'field/kinds/a.ts': "import { b } from './b.js'" }, 'no other kind'],
    ['an import from outside src', { 'base/a.ts': "import { b } from '../../test/b.js'" }, 'outside src'],
    ['an import of the own package', { 'http/a.ts': "import { b } from 'daymark/jwt'" }, 'its own package'],
    ['export *', { 'base/a.ts': "export * from './b.js'" }, 'export * hides'],
    ['an unknown room', { 'misc/a.ts': '' }, 'misc has no place in the order'],
    ['an unknown file', { 'extra.ts': '' }, 'extra.ts has no place in the order'],
    ['types.ts', { 'field/types.ts': '' }, 'no types.ts'],
    ['a drawer', { 'field/utils/a.ts': '' }, 'no types.ts, utils/'],
    [
      'a cycle of files',
      { 'base/a.ts': "import './b.js'", 'base/b.ts': "import type { C } from './c.js'", 'base/c.ts': "import './a.js'" },
      'import cycle: base/a.ts → base/b.ts → base/c.ts → base/a.ts',
    ],
    ['a file importing itself', { 'base/a.ts': "import './a.js'" }, 'import cycle: base/a.ts → base/a.ts'],
  ])('%s', (_name, sources, fault) => {
    const faults = architectureFaults(sources, order)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain(fault)
  })

  test('nothing in a good house', () => {
    const sources = {
      'base/html.ts': "import { x } from 'hono'\nexport const s = \"import '../http/app.js'\"",
      'field/kind.ts': "import { html } from '../base/html.js'",
      'field/kinds/text.ts': "import { defineKind } from '../kind.js'\nimport { html } from '../../base/html.js'\nimport { z } from 'zod'",
      'field/kinds/text.test.ts': "import { text } from './text.js'",
      'panel.ts': "import { text } from './field/kinds/text.js'\nimport { html } from './base/html.js'",
      'cli/main.ts': "import { panel } from '../panel.js'",
    }
    expect(architectureFaults(sources, order)).toEqual([])
  })
})

function readSources(src: URL): Sources {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'))
  return Object.fromEntries(files.filter((file) => file.endsWith('.ts')).map((file) => [file, readFileSync(new URL(file, src), 'utf8')]))
}
