// What handlers and methods read, as the document says it.
import { definePanel, defineResource, memoryStore, number, type Panel, type StandardSchema, text } from 'daymark'
import { oag } from 'daymark/oag'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { inlined } from '../support/inlined.js'

// biome-ignore lint/suspicious/noExplicitAny: a part of a JSON document
type Any = any

const things = sqliteTable('things', { id: integer().primaryKey(), name: varchar().notNull() })

/** A validator of somebody else's, with a JSON Schema or without. */
function other(jsonSchema?: object): StandardSchema<{ word: string }> {
  const validate = (value: unknown) =>
    typeof (value as Any)?.word === 'string' ? { value: value as { word: string } } : { issues: [{ message: 'No word', path: ['word'] }] }
  const standard = { version: 1 as const, vendor: 'other', validate, ...(jsonSchema && { jsonSchema: { input: () => jsonSchema } }) }
  return { '~standard': standard }
}

const said = { type: 'object', properties: { word: { type: 'string', minLength: 2 } }, required: ['word'] }
const run = () => 'Done'
const panel = definePanel({
  auth: 'open',
  resources: [
    defineResource({
      model: memoryStore(things),
      handlers: {
        byFields: { label: 'By fields', fields: { to: text('To').required().max(5), many: number('Many').default(1).min(1) }, run },
        byZod: { input: z.strictObject({ to: z.string().max(5), many: z.int().optional() }), run },
        byZodChoice: { input: z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]), run },
        byOther: { input: other(said), run },
        byOtherBlind: { input: other(), run },
        byText: { input: z.string() as never, run },
        byNothing: { run },
        'by 100 %': { run },
        read: { method: 'GET', safe: true, input: z.object({ at: z.string().describe('Where'), up: z.string().optional() }), run },
      },
      methods: {
        look: { method: 'GET', safe: true, fields: { far: number('Far').required() }, run },
        say: { input: other(said), run },
        hush: { input: other(), run },
      },
    }),
  ],
  plugins: [oag()],
})
const document = async (of: Panel): Promise<Any> => (await of.fetch(new Request('http://127.0.0.1/oag.json'))).json()
const { paths } = inlined(await document(panel))
const handler = (name: string) => paths[`/admin/resource/things/handler/${name}`]
const bodyOf = (operation: Any) => operation.post.requestBody.content['application/json'].schema

it('names a handler as an address could', () => {
  expect(handler('by%20100%20%25').post.operationId).toBe('things.handler.by~20100~20~25')
})

it('reads the fields of an action', () => {
  const { properties, required, additionalProperties } = bodyOf(handler('byFields'))
  expect(properties.to).toMatchObject({ title: 'To', type: 'string', maxLength: 5 })
  expect(properties.many).toMatchObject({ type: ['number', 'null'], minimum: 1 })
  expect({ required, additionalProperties }).toEqual({ required: ['to'], additionalProperties: false })
  expect(Object.keys(properties)).toEqual(['to', 'many', 'ids', '_all', '_total'])
})

it('reads the schema of zod, and that of any library that says it', () => {
  const zod = bodyOf(handler('byZod'))
  expect(zod.properties.to).toEqual({ type: 'string', maxLength: 5 })
  expect(zod).toMatchObject({ required: ['to'], additionalProperties: false })
  expect(bodyOf(handler('byZodChoice')).anyOf).toMatchObject([{ required: ['a'] }, { required: ['b'] }])
  expect(bodyOf(handler('byOther')).properties.word).toEqual({ type: 'string', minLength: 2 })
  expect(bodyOf(handler('byOther')).required).toEqual(['word'])
})

it('takes nothing but records where nothing is declared', () => {
  const { properties, additionalProperties } = bodyOf(handler('byNothing'))
  expect(Object.keys(properties)).toEqual(['ids', '_all', '_total'])
  expect(additionalProperties).toBe(false)
})

it('says at the start which schemas it cannot say, and takes any object there', async () => {
  expect(panel.warnings.filter(({ id }) => id === 'action-schema').map(({ where }) => where)).toEqual([
    'things.handlers.byOtherBlind.input',
    'things.handlers.byText.input',
    'things.methods.hush.input',
  ])
  expect(bodyOf(handler('byOtherBlind'))).toMatchObject({ description: expect.stringContaining('any object'), additionalProperties: true })
  const alone = definePanel({
    auth: 'open',
    resources: [defineResource({ model: memoryStore(things), handlers: { byOtherBlind: { input: other(), run } } })],
  })
  expect(alone.warnings).toEqual([])
})

it('takes the filters of a list in place of records', () => {
  const { patternProperties, properties } = bodyOf(handler('byNothing'))
  const [pattern = ''] = Object.keys(patternProperties)
  for (const name of ['filter[name]', 'filter[name][]', 'filter[id][gte]', 'match', 'search', 'query-tag'])
    expect(name).toMatch(new RegExp(pattern))
  for (const name of ['filter', 'searches', 'page']) expect(name).not.toMatch(new RegExp(pattern))
  expect(properties._all.description).toContain('match the filters')
  const { requestBody, parameters } = paths['/admin/resource/things/crud'].delete
  const [named, all] = requestBody.content['application/json'].schema.anyOf
  expect(named).toMatchObject({ required: ['ids'], additionalProperties: false })
  expect(all).toMatchObject({ required: ['_all', '_total'], additionalProperties: false, patternProperties })
  expect(parameters.map(({ name }: Any) => name)).toEqual(expect.arrayContaining(['ids[]', '_all', '_total', 'search', 'filter[name][]']))
})

it('reads of a GET in the query', () => {
  const of = ({ get }: Any) => get.parameters.map(({ name, required = false }: Any) => [name, required])
  const narrowing = paths['/admin/resource/things/export'].get.parameters.flatMap(({ name }: Any) =>
    /^(?:filter|match|search)/.test(name) ? [name] : [],
  )
  expect(narrowing).toContain('filter[name]')
  const list = ['_all', '_total', ...narrowing].map((name) => [name, false])
  expect(of(handler('read'))).toEqual([['at', true], ['up', false], ['ids[]', false], ...list])
  expect(handler('read').get).not.toHaveProperty('requestBody')
  expect(of(paths['/admin/method/{pageUri}/things'])).toEqual([
    ['pageUri', true],
    ['method', true],
    ['far', true],
    ['ids[]', false],
    ...list,
  ])
})

it('names the methods of a page, and what each of them reads', () => {
  const { post } = paths['/admin/method/{pageUri}/things']
  expect(post.operationId).toBe('things.method.post')
  expect(post.parameters.find(({ name }: Any) => name === 'method')).toMatchObject({ required: true, schema: { enum: ['say', 'hush'] } })
  expect(post.parameters.find(({ name }: Any) => name === 'pageUri').schema.enum).toEqual(['index-page', 'form-page', 'detail-page'])
  expect(bodyOf(paths['/admin/method/{pageUri}/things']).anyOf).toMatchObject([
    { title: 'say', required: ['word'] },
    { title: 'hush', description: expect.stringContaining('any object') },
  ])
})
