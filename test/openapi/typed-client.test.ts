// The document as others read it: types that a generator makes of the committed file, and a client by them that asks the panel.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { atlas } from '../../examples/atlas/panel.js'
import { atlasFixture } from '../support/atlas.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

// What compiles is what runs. Each `@ts-expect-error` is a mistake that the types have to find.
const client = `
import createClient from 'openapi-fetch'
import type { components, paths } from './atlas.js'

export async function round(baseUrl: string, fetch: (request: Request) => Promise<Response>) {
  const { GET, POST, PUT, DELETE } = createClient<paths>({ baseUrl, fetch, headers: { accept: 'application/json' } })
  const crud = '/admin/resource/cities/crud'
  const item = '/admin/resource/cities/crud/{resourceItem}'

  const made = await POST(crud, { body: { name: 'Daymark', countryId: 1, population: 12 } })
  if (!made.data) throw new Error(made.error.title)
  const id: number = made.data.data.id
  const path = { resourceItem: id }

  const listed = await GET(crud, { params: { query: { 'filter[name]': 'Daymark', sort: ['-population'], perPage: 5 } } })
  const names: string[] = listed.data?.data.flatMap(({ name }) => name ?? []) ?? []

  const etag = made.response.headers.get('etag') ?? ''
  const changed = await PUT(item, { params: { path, header: { 'If-Match': etag } }, body: { population: 13 } })
  const again = await PUT(item, { params: { path, header: { 'If-Match': etag } }, body: { population: 14 } })
  const refused = await POST(crud, { body: { name: '', countryId: 1 } })
  const shown = await GET(item, { params: { path } })
  const deleted = await DELETE(item, { params: { path } })
  const gone = await GET(item, { params: { path } })
  return {
    names,
    changed: changed.data?.data.population,
    stale: [again.response.status, again.error?.type],
    refused: [refused.response.status, refused.error?.errors],
    shown: shown.data?.data.population,
    deleted: deleted.response.status,
    gone: gone.error?.type,
  }
}

type City = components['schemas']['cities.Create']
// @ts-expect-error: a city has a country
export const noCountry: City = { name: 'Nowhere' }
// @ts-expect-error: a name is a text
export const wrongType: City = { name: 1, countryId: 1 }
// @ts-expect-error: there is no such field
export const unknownField: City = { name: 'Here', countryId: 1, mayor: 'Nobody' }
// @ts-expect-error: there is no such list
export const unknownPath: keyof paths = '/admin/resource/oceans/crud'
// @ts-expect-error: nobody sorts by it
export const unknownSort: NonNullable<NonNullable<paths['/admin/resource/cities/crud']['get']['parameters']['query']>['sort']> = ['mayor']
`

let folder: string

beforeAll(() => {
  // Below the project, where the packages are found.
  mkdirSync(join(root, '.cache'), { recursive: true })
  folder = mkdtempSync(join(root, '.cache/typed-client-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('gives types that compile, and a client by them that creates, lists, changes and deletes', async () => {
  const types = await openapiTS(JSON.parse(readFileSync(join(root, 'resources/oag.json'), 'utf8')))
  writeFileSync(join(folder, 'atlas.ts'), astToString(types))
  writeFileSync(join(folder, 'client.ts'), client)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  expect(compiled(['atlas.ts', 'client.ts'])).toEqual([])

  const { round } = (await import(/* @vite-ignore */ pathToFileURL(join(folder, 'client.js')).href)) as {
    round(base: string, fetch: (request: Request) => Promise<Response>): Promise<object>
  }
  const { path, remove } = await atlasFixture()
  const panel = atlas(`sqlite:${path}`, { open: true })
  try {
    expect(await round('http://127.0.0.1:3000', panel.fetch)).toEqual({
      names: ['Daymark'],
      changed: 13,
      stale: [412, 'urn:daymark:error:stale'],
      refused: [422, { name: [expect.any(String)] }],
      shown: 13,
      deleted: 200,
      gone: 'urn:daymark:error:notFound',
    })
  } finally {
    await panel.close()
    remove()
  }
})

/** Writes JavaScript beside the files; gives what the compiler has against them. */
function compiled(names: readonly string[]): readonly string[] {
  const program = ts.createProgram({
    rootNames: names.map((name) => join(folder, name)),
    options: {
      target: ts.ScriptTarget.ES2023,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
    },
  })
  const { diagnostics } = program.emit()
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(
    ({ file, start = 0, messageText }) =>
      `${file?.fileName.slice(folder.length + 1)}:${(file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  )
}
