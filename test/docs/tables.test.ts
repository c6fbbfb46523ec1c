import { readdirSync } from 'node:fs'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, test } from 'vitest'
import { errors } from '../../src/base/errors.js'
import type { Field } from '../../src/field/field.js'
import { defaultLimits } from '../../src/http/limits.js'
import * as daymark from '../../src/index.js'
import { abilities } from '../../src/resource/action/policy.js'
import { routes } from '../../src/route/routes.js'
import { codes, firstCodes, tableRows } from './markdown.js'
import { filesIn, members, sourceText } from './source.js'

test('docs/errors.md has every code with its status, in the order of the source', () => {
  const rows = tableRows('docs/errors.md', 'Errors').map(([code, status]) => [codes(code ?? '')[0], Number(status)])
  expect(rows).toEqual(Object.entries(errors).map(([code, { status }]) => [code, status]))
})

test('docs/checks.md has every check of the source and no other', () => {
  const checksIn = (room: string) => filesIn(room).filter((file) => /\/check[^.]*\.ts$/.test(file))
  const others = ['resource/model/full-text.ts', 'plugin/install.ts', 'openapi/unsaid.ts', 'base/setting.ts']
  const checks = [...checksIn('resource'), ...checksIn('panel'), ...others].map(sourceText).join('')
  const auth = ['assemble.ts', 'api-key.ts', 'session.ts', 'jwt.ts', 'two-factor.ts'].map((file) => sourceText(`auth/${file}`)).join('')
  const said = [
    ...checks.matchAll(/\b(?:say|warn)\(\s*'([\w-]+)'/g),
    ...`${checks}${auth}`.matchAll(/\bid: (?:[^,']*\? )?'([\w-]+)'(?: : '([\w-]+)')?/g),
  ]
  const ids = new Set(said.flatMap(([, ...found]) => found.filter((id) => id !== undefined)))
  expect(ids.size).toBeGreaterThan(20)
  const documented = ['The panel', 'Resources', 'Warnings'].flatMap((heading) => firstCodes('docs/checks.md', heading))
  expect(new Set(documented)).toEqual(ids)
})

describe('docs/resources.md', () => {
  test('has every setting of a resource, in the order of the source', () => {
    expect(firstCodes('docs/resources.md', 'Settings')).toEqual(members('resource/settings.ts', 'Spec'))
  })

  test('says the defaults that a resource has', () => {
    const resource = daymark.defineResource({ model: sqliteTable('things', { id: integer().primaryKey() }) })
    const values = Object.entries(resource).map(([name, value]) => [name, typeof value === 'string' ? `'${value}'` : String(value)])
    const plain = tableRows('docs/resources.md', 'Settings').flatMap(([name = '', , value = '']) =>
      /^`?(?:\d+|true|false|null|'[A-Za-z]+')`?$/.test(value) ? [[codes(name)[0], value.replaceAll('`', '')]] : [],
    )
    expect(plain.length).toBeGreaterThan(10)
    for (const row of plain) expect(values).toContainEqual(row)
  })
})

describe('docs/panel.md', () => {
  test('has every setting of a panel, in the order of the source', () => {
    expect(firstCodes('docs/panel.md', 'Settings')).toEqual(members('panel/spec.ts', 'PanelSpec'))
  })

  test('has everything that a panel gives', () => {
    const named = tableRows('docs/panel.md', 'What you get').flatMap(([cell]) => codes(cell ?? '').map((code) => code.replace(/\(.*/, '')))
    expect(named.sort()).toEqual(members('panel.ts', 'Panel').sort())
  })

  test('has every limit with its default', () => {
    const rows = tableRows('docs/panel.md', 'Limits').map(([name, text]) => [
      codes(name ?? '')[0],
      Number(/^[\d,]+/.exec(text ?? '')?.[0].replaceAll(',', '')),
    ])
    expect(rows).toEqual(Object.entries(defaultLimits))
  })
})

describe('docs/fields.md', () => {
  const common = members('field/builder.ts', 'Common')

  test('has every method of every field', () => {
    const rows = tableRows('docs/fields.md', 'Methods of every field').map(([cell]) => codes(cell ?? '')[0]?.replace(/\(.*/, ''))
    expect(rows).toEqual(common)
  })

  test('has every kind with its columns, its methods and its operators', async () => {
    const rows = tableRows('docs/fields.md', 'Kinds').map(([kind, columns, , own, operators]) => [
      codes(kind ?? '')[0],
      columns?.split(', '),
      codes(own ?? ''),
      codes(operators ?? ''),
    ])
    // A list of records is over no column of its table, and the function names the link table's.
    const ofLinks = (name: string) => name === 'belongsToMany'
    const source = (await kinds()).map(({ kind, ...field }) => [
      kind.name,
      ofLinks(kind.name) ? ['none: [a link table](#several-related-records)'] : kind.columns,
      Object.keys(field).filter((name) => !['facts', 'through', ...common].includes(name)),
      ofLinks(kind.name) ? kind.operatorsOfMany : kind.operators,
    ])
    const byName = (a: unknown[], b: unknown[]) => String(a[0]).localeCompare(String(b[0]))
    expect(rows.sort(byName)).toEqual(source.sort(byName))
  })

  test('has every part of a kind', () => {
    expect(firstCodes('docs/fields.md', 'A kind of your own').sort()).toEqual(members('field/kind.ts', 'KindSpec').sort())
  })
})

test('docs/authentication.md has every command', () => {
  const commands = [...sourceText('cli/main.ts').matchAll(/'(user:[\w-]+)': \(\) => import/g)].map(([, name]) => name)
  expect(firstCodes('docs/authentication.md', 'Users')).toEqual(commands)
})

test('docs/policies.md has every ability', () => {
  expect(firstCodes('docs/policies.md', 'Abilities: `can`')).toEqual([...abilities])
})

test('docs/hooks.md has every hook', () => {
  expect(firstCodes('docs/hooks.md', 'Hooks')).toEqual(members('resource/action/hooks.ts', 'Hooks'))
})

describe('docs/json-api.md', () => {
  test('has every route with its methods and its path', () => {
    const rows = tableRows('docs/json-api.md', 'Routes').map(([name, methods, path]) => [
      codes(name ?? '')[0],
      methods,
      codes(path ?? '')[0],
    ])
    expect(rows).toEqual(routes.map(({ name, methods, path }) => [name, methods.join(', '), path === '/' ? '/admin' : `/admin${path}`]))
  })

  test('has every parameter of a list: those that a refusal names', async () => {
    const things = sqliteTable('things', { id: integer().primaryKey(), count: integer(), day: text() })
    const Things = daymark.defineResource({
      model: daymark.memoryStore(things),
      fields: { id: daymark.id(), count: daymark.number(), day: daymark.date() },
      filters: ['day'],
      summary: { count: 'sum' },
      views: [daymark.view.calendar('day')],
    })
    const panel = daymark.definePanel({ auth: 'open', resources: [Things] })
    const headers = { accept: 'application/json' }
    const response = await panel.fetch(new Request('http://localhost/admin/resource/things/crud?nothing=1', { headers }))
    const { detail } = (await response.json()) as { detail: string }
    expect(detail.replace(/.*Valid: /, '').split(', ')).toEqual(firstCodes('docs/json-api.md', 'Lists'))
  })
})

/** A field of every built-in kind. */
async function kinds(): Promise<Field[]> {
  const files = readdirSync(new URL('../../src/field/kinds/', import.meta.url)).filter((file) => !file.endsWith('.test.ts'))
  const modules = await Promise.all(files.map((file) => import(`../../src/field/kinds/${file.replace('.ts', '')}.ts`)))
  return modules.flatMap((module) => Object.values<() => Field>(module)).map((start) => start())
}
