import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import {
  belongsTo,
  date,
  defineKind,
  definePanel,
  definePanelIn,
  defineResource,
  html,
  id,
  memoryStore,
  number,
  type Panel,
  select,
  switcher,
  text,
  view,
} from 'daymark'
import { authenticateApi, jwtAuth } from 'daymark/jwt'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { atlas } from '../../examples/atlas/panel.js'
import { documentOf } from '../../src/openapi/document.js'
import { type Inside, inside } from '../../src/panel.js'
import { jwtSecret } from '../auth/world.js'
import { inlined } from '../support/inlined.js'

// biome-ignore lint/suspicious/noExplicitAny: whatever a test looks for
type Any = any

const things = sqliteTable('things', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  state: varchar({ enum: ['draft', 'done'] }),
  amount: integer(),
  ownerId: integer('owner_id').references(() => owners.id),
  secret: varchar(),
  note: varchar(),
  on: integer('is_on', { mode: 'boolean' }).notNull().default(false),
})
const owners = sqliteTable('owners', { id: integer().primaryKey(), name: varchar().notNull() })

const rating = defineKind<number>({
  name: 'rating',
  columns: ['integer'],
  schema: () => z.int().min(1).max(5),
  input: (typed) => html`<input value="${typed}">`,
})

const Owners = () => defineResource({ model: memoryStore(owners), can: { delete: false } })
const Things = (more: object = {}) =>
  defineResource({
    model: memoryStore(things),
    fields: {
      id: id(),
      name: text('Name').required().max(40).sortable().example('One'),
      amount: rating('Amount').sortable(),
      ownerId: belongsTo('Owner', owners),
      secret: text('Secret').visible(['admin']).hint('Between us'),
      note: text('Note').visible(false),
      on: switcher('On').default(true),
    },
    computed: { half: { label: 'Half', needs: ['amount'], value: ({ amount }) => (amount ?? 0) / 2 } },
    filters: ['name', 'amount'],
    queryTags: { many: { label: 'Many', where: { amount: { gt: 3 } } } },
    ...more,
  })

const panelOf = (more: object = {}, spec: object = {}) => definePanel({ auth: 'open', resources: [Owners(), Things(more)], ...spec })
// The linter wants one of every document.
const license = { name: 'MIT', identifier: 'MIT' }
const made = (panel: Panel): Any =>
  structuredClone(documentOf((panel as unknown as Record<symbol, Inside>)[inside]?.house as never, { title: 'Test', license }))

const panels: readonly (readonly [string, () => Panel])[] = [
  ['the atlas, by sessions', () => atlas('sqlite::memory:')],
  ['the atlas, open', () => atlas('sqlite::memory:', { open: true })],
  ['things', () => panelOf()],
  [
    'things by token, below a path',
    () =>
      panelOf(
        {},
        {
          auth: { middleware: authenticateApi(), pipelines: [jwtAuth({ secret: jwtSecret })] },
          middleware: [],
          database: 'sqlite::memory:',
          url: 'https://example.com/below/this',
        },
      ),
  ],
  [
    'lists of every sort',
    () => definePanel({ auth: 'open', resources: [Owners(), Things({ simplePaginate: true, requireIfMatch: true })] }),
  ],
  [
    'resources and pages called like parts of the panel',
    () =>
      definePanel({
        database: 'sqlite::memory:',
        resources: [
          defineResource({ model: memoryStore(owners), uriKey: 'profile', title: 'Panel', can: { viewAny: true } }),
          defineResource({
            model: memoryStore(owners),
            uriKey: 'job',
            title: 'Same',
            handlers: { long: { long: true, run: () => 'Done' } },
            pages: { more: [{ uri: 'store', title: 'Store', type: 'index', fields: ['name'] }] },
          }),
          Things({ title: 'Same', fields: { id: id() }, computed: {}, filters: [], queryTags: {} }),
        ],
      }),
  ],
  [
    'resources whose records others are told of',
    () => {
      const Kept = defineResource({
        model: things,
        uriKey: 'kept',
        fields: { id: id(), name: text('Name'), secret: text('Secret').visible(['admin']) },
      })
      const webhooks = [{ name: 'shop', url: 'https://shop.example', secret: Buffer.alloc(32).toString('base64'), of: [Kept] }]
      return definePanel({ auth: 'open', database: 'sqlite::memory:', resources: [Kept], webhooks })
    },
  ],
  ['a list without pages', () => panelOf({ usePagination: false, count: 'capped' })],
]

describe.each(panels)('the document of %s', (_, panel) => {
  test('is valid by the official schema, and clean under a strict linter', async () => {
    const document = made(panel())
    expect(await new Validator().validate(document)).toMatchObject({ valid: true })
    const config = await createConfig({ extends: ['recommended-strict'] })
    const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/document.json', config })
    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([])
  })

  test('has what several operations take once, and refers to it', () => {
    const { paths, components } = made(panel())
    const taken = Object.values(paths).flatMap((path: Any) => Object.values(path).flatMap(({ parameters }: Any) => parameters))
    const shared = taken.filter(({ $ref }: Any) => $ref)
    expect(new Set(shared.map(({ $ref }: Any) => $ref)).size).toBe(Object.keys(components.parameters).length)
    expect(shared.length).toBeGreaterThanOrEqual(2 * Object.keys(components.parameters).length)
    // None stands twice in the operations of a resource.
    const inline = Object.values(paths).flatMap((path: Any) =>
      Object.values(path).flatMap(({ operationId, parameters }: Any) =>
        parameters.flatMap((one: Any) => (one.$ref ? [] : [`${operationId.split('.')[0]} ${JSON.stringify(one)}`])),
      ),
    )
    expect(new Set(inline).size).toBe(inline.length)
  })

  test('names each operation once, and says the same each time', () => {
    const document = made(panel())
    const ids = Object.values(document.paths).flatMap((path: Any) => Object.values(path).map((one: Any) => one.operationId))
    expect(new Set(ids).size).toBe(ids.length)
    expect(JSON.stringify(made(panel()))).toBe(JSON.stringify(document))
  })
})

describe('the document', () => {
  const told = (panel: Panel) => inlined(made(panel))
  const { paths, components } = told(panelOf())
  const crud = paths['/admin/resource/things/crud']
  const item = paths['/admin/resource/things/crud/{resourceItem}']
  const parameter = (operation: Any, name: string) => operation.parameters.find((one: Any) => one.name === name)

  it('has the parameters of a list', () => {
    expect(parameter(crud.get, 'sort').schema.items.enum).toEqual(['id', '-id', 'name', '-name', 'amount', '-amount'])
    expect(parameter(crud.get, 'filter[name][contains]').schema).toEqual({ type: 'string', maxLength: 200 })
    expect(parameter(crud.get, 'filter[amount]').schema).toEqual({ type: 'integer', minimum: -(2 ** 53) + 1, maximum: 2 ** 53 - 1 })
    expect(parameter(crud.get, 'query-tag').schema.enum).toEqual(['many'])
    expect(parameter(crud.get, 'perPage').schema.maximum).toBe(100)
    expect(parameter(crud.get, 'include').schema.items.enum).toEqual(['owner'])
    expect(parameter(crud.get, 'fields').schema.items.enum).toEqual(['id', 'name', 'amount', 'ownerId', 'secret', 'on', 'half'])
  })

  it('has the views of a list that has some, and says that JSON is the same with any', () => {
    const jobs = sqliteTable('jobs', { id: integer().primaryKey(), state: varchar({ enum: ['open', 'done'] }), due: varchar() })
    const of = (more: object) =>
      told(
        definePanel({
          auth: 'open',
          resources: [
            defineResource({
              model: memoryStore(jobs),
              fields: { id: id(), state: select(), due: date() },
              filters: ['state', 'due'],
              ...more,
            } as never),
          ],
        }),
      ).paths['/admin/resource/jobs/crud'].get
    const both = of({ views: [view.board('state'), view.calendar('due', { uri: 'days' })] })
    expect(parameter(both, 'view')).toMatchObject({
      schema: { type: 'string', enum: ['table', 'board', 'days'] },
      description: 'How a page draws the list. JSON is the same with any of them.',
    })
    expect(new RegExp(parameter(both, 'month').schema.pattern).test('2026-11')).toBe(true)
    expect(parameter(of({ views: [view.board('state')] }), 'month')).toBeUndefined()
    expect(parameter(of({}), 'view')).toBeUndefined()
    const hidden = of({
      fields: { id: id(), state: select().visible(false), due: date() },
      views: [view.board('state'), view.calendar('due')],
    })
    expect(parameter(hidden, 'view').schema.enum).toEqual(['table', 'calendar'])
  })

  it('says that a column of related records may be null, though its own never is', () => {
    const owned = told(
      definePanel({
        auth: 'open',
        database: 'sqlite::memory:',
        resources: [defineResource({ model: owners }), Things({ model: things, pages: { index: ['name', 'ownerId.name'] } })],
      }),
    ).components.schemas
    expect(owned['owners.Row'].properties.name.type).toBe('string')
    for (const name of ['things.Row', 'things.Part']) expect(owned[name].properties['ownerId.name'].type).toEqual(['string', 'null'])
  })

  it('has bodies by the rules of fields', () => {
    const create = components.schemas['things.Create']
    expect(create.required).toEqual(['name'])
    expect(create.additionalProperties).toBe(false)
    expect(create.properties.name).toMatchObject({ type: 'string', minLength: 1, maxLength: 40, examples: ['One'] })
    expect(create.properties.amount).toMatchObject({ type: ['integer', 'null'], minimum: 1, maximum: 5 })
    expect(create.properties.on).toMatchObject({ type: 'boolean', default: true })
    expect(create.properties).not.toHaveProperty('id')
    expect(components.schemas['things.Update'].required).toEqual([])
    expect(components.schemas['things.Update'].properties.half).toMatchObject({ readOnly: true })
  })

  it('promises no rule of what is stored, nor what not everybody sees', () => {
    const record = components.schemas['things.Record']
    expect(record.properties.amount).toEqual({ title: 'Amount', type: ['integer', 'null'] })
    expect(record.required).toEqual(['id', 'name', 'amount', 'ownerId', 'on', 'half'])
    expect(record.properties.secret).toMatchObject({ description: 'Between us' })
    expect(JSON.stringify(told(panelOf()))).not.toContain('"note"')
  })

  it('declares every answer, and no other', () => {
    const said = ({ responses }: Any) => Object.keys(responses).join(' ')
    // Nobody signs in to an open panel, which is there for this machine alone.
    expect(said(crud.post)).toBe('201 400 403 406 409 413 415 421 422 500 503')
    expect(said(item.put)).toBe('200 400 403 404 406 409 412 413 415 421 422 500 503')
    expect(said(crud.get)).toBe('200 304 404 406 421 422 500 503')
    expect(said(item.delete)).toBe('200 400 403 404 406 409 412 421 422 500 503')
    expect(said(paths['/admin/health'].get)).toBe('200 406 421 422')
    expect(said(paths['/admin/ready'].get)).toBe('200 406 421 422 503')
    expect(said(paths['/admin/preferences'].get)).toBe('200 406 421 422')
    expect(said(paths['/admin/resource/things/validate'].post)).toBe('200 400 403 406 413 415 421 422 500 503')
    const { paths: signedIn } = told(atlas('sqlite::memory:'))
    expect(said(signedIn['/admin/resource/cities/crud'].get)).toBe('200 304 401 403 404 406 422 500 503')
    expect(said(signedIn['/admin/resource/cities/handler/survey'].post)).toBe('202 400 401 403 404 406 409 413 415 422 500 503')
    expect(crud.post.responses[201].headers).toHaveProperty('Location')
    const strict = told(panelOf({ requireIfMatch: true })).paths['/admin/resource/things/crud/{resourceItem}'].put
    expect(Object.keys(strict.responses)).toContain('428')
    expect(parameter(strict, 'If-Match').required).toBe(true)
  })

  it('leaves out what is switched off, and what nobody may', () => {
    expect(paths['/admin/resource/owners/crud/{resourceItem}']).not.toHaveProperty('delete')
    expect(paths['/admin/resource/owners/crud']).not.toHaveProperty('delete')
    const off = told(panelOf({ activeActions: ['view'] })).paths
    expect(Object.keys(off['/admin/resource/things/crud'])).toEqual(['get'])
    expect(Object.keys(off['/admin/resource/things/crud/{resourceItem}'])).toEqual(['get'])
  })

  it('says who may call: nobody signs in to an open panel, and a token is a bearer', () => {
    expect(components).not.toHaveProperty('securitySchemes')
    const [, , , token] = panels as Any
    const document = told(token[1]())
    expect(document.components.securitySchemes).toEqual({
      bearer: expect.objectContaining({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }),
    })
    expect(document.servers[0].url).toBe('/below/this')
    expect(document.paths['/admin/authenticate'].post.security).toEqual([])
    expect(document.paths['/admin/refresh'].post.requestBody.content['application/json'].schema.required).toEqual(['refreshToken'])
    expect(document.paths).not.toHaveProperty('/admin/login')
  })
})

// A number of the demo's own is in the document.
test('a declared number is bounded by its column', () => {
  const small = sqliteTable('small', { id: integer().primaryKey(), amount: integer() })
  const panel = definePanel({
    auth: 'open',
    resources: [defineResource({ model: memoryStore(small), fields: { id: id(), amount: number().min(0) } })],
  })
  expect(made(panel).components.schemas['small.Create'].properties.amount).toMatchObject({ minimum: 0 })
})

test('the header that chooses a language is named where there are several, and nowhere else', () => {
  const Owned = Owners()
  const headersOf = (panel: Panel) => {
    const { paths } = inlined(made(panel))
    return paths['/admin/resource/owners/crud'].get.parameters.filter(({ name }: { name: string }) => name === 'Accept-Language')
  }
  expect(headersOf(definePanel({ auth: 'open', resources: [Owned] }))).toEqual([])
  const two = definePanelIn(['en', 'de'], () => ({ auth: 'open', resources: [Owned] }))
  expect(headersOf(two)).toEqual([expect.objectContaining({ in: 'header', description: expect.stringContaining('en, de') })])
})
