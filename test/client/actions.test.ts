// Handlers and methods by their names, whatever method of HTTP they answer to, and what plugins bring.
import { date, definePanel, definePlugin, defineResource, memoryStore, number, text } from 'daymark'
import { createClient, Problem } from 'daymark/client'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'

const things = sqliteTable('things', { id: integer().primaryKey(), name: varchar().notNull() })
const extras = sqliteTable('extras', { id: integer().primaryKey(), note: varchar().notNull() })

const panel = definePanel({
  auth: 'open',
  resources: [
    defineResource({
      model: memoryStore(things),
      handlers: {
        rename: {
          fields: { to: text('To').required(), on: date('On'), times: number('Times').default(1) },
          async run({ ids, input, update }) {
            for (const id of ids) await update(id, { name: `${input.to} × ${input.times}` })
            return { message: `${ids.length} renamed`, messageType: 'info', fieldsValues: { name: input.to } }
          },
        },
        drop: { method: 'DELETE', ability: 'delete', run: ({ ids }) => `drop ${ids}` },
        'all of it': { run: ({ ids }) => `${ids.length} of all` },
        long: { long: true, run: ({ ids }) => `${ids.length}` },
        '..': { run: () => 'not by a path' },
      },
      methods: {
        greet: {
          method: 'GET',
          safe: true,
          input: z.object({ name: z.string(), tags: z.array(z.string()).optional() }),
          run: ({ input, ids }) => `Hello ${input.name} ${input.tags ?? ''} ${ids}`,
        },
        say: { input: z.object({ word: z.string() }), run: ({ input }) => input.word },
        '..': { run: () => 'by the query' },
        find: {
          method: 'GET',
          safe: true,
          input: z.object({ search: z.string(), page: z.int(), sort: z.string().optional() }),
          run: ({ input, ids }) => `${input.search} on ${input.page} ${input.sort ?? ''} ${ids.length}`,
        },
        measure: {
          method: 'GET',
          safe: true,
          input: z.object({
            far: z.number(),
            open: z.boolean(),
            sizes: z.array(z.int()),
            tags: z.array(z.string()).optional(),
            deep: z.number().nullable().optional(),
            any: z.union([z.string(), z.number()]).optional(),
          }),
          run: ({ input }) => JSON.stringify(input),
        },
      },
    }),
  ],
  plugins: [
    definePlugin({
      id: 'extra',
      resources: [defineResource({ model: memoryStore(extras) })],
      routes: () => [
        {
          name: 'told',
          methods: ['GET'],
          path: '/told',
          ability: 'signedIn',
          query: 'own',
          verb: {
            on: 'panel',
            ends: ['answered'],
            run: async ({ input }) => ({ is: 'answered', data: { said: input.query.get('of')?.[0] }, view: null }),
          },
        },
      ],
    }),
  ],
})
const asked: string[] = []
const client = createClient<typeof panel>({
  baseUrl: 'http://127.0.0.1/admin',
  fetch(request) {
    asked.push(`${request.method} ${new URL(request.url).pathname}`)
    return panel.fetch(request)
  },
})

beforeAll(async () => void (await client.things.create({ name: 'One' })))
beforeEach(() => void asked.splice(0))
afterAll(() => panel.close())

test('a handler is called with keys and what it reads', async () => {
  expect(await client.things.handlers.rename([1], { to: 'Two', on: '2026-01-02' })).toEqual({
    message: '1 renamed',
    messageType: 'info',
    fieldsValues: { name: 'Two' },
  })
  expect((await client.things.get(1)).name).toBe('Two × 1')
  expect((await client.things.handlers['all of it']()).message).toBe('0 of all')
  const { data } = await client.things.handlers.long([1])
  expect(data).toMatchObject({ handler: 'long', total: 1, url: expect.stringContaining(`/job/${data?.id}`) })
})

test('what a handler has changed is not held against the next write', async () => {
  const { id } = await client.things.create({ name: 'Seen' })
  await client.things.handlers.rename([id], { to: 'By the handler' })
  expect((await client.things.update(id, { name: 'Mine' })).name).toBe('Mine')
  await client.things.handlers.rename([id], { to: 'Again' })
  await client.things.delete(id)
})

test('the method that it answers to is learnt from a refusal, once', async () => {
  for (let i = 0; i < 2; i++) expect((await client.things.handlers.drop([1])).message).toBe('drop 1')
  expect(asked).toEqual(['POST', 'DELETE', 'DELETE'].map((method) => `${method} /admin/resource/things/handler/drop`))
})

test('what a GET reads goes into its query', async () => {
  expect((await client.things.methods.greet([1], { name: 'A & B', tags: ['x', 'y'] })).message).toBe('Hello A & B x,y 1')
  expect((await client.things.methods.say([], { word: 'so' })).message).toBe('so')
  expect(asked.at(-1)).toBe('POST /admin/method/index-page/things')
})

test('what is refused is thrown', async () => {
  const thrown = await client.things.handlers.rename([1], { to: '' }).catch((one: unknown) => one)
  expect(thrown).toBeInstanceOf(Problem)
  expect((thrown as Problem).errors.to).toHaveLength(1)
  await expect(client.things.handlers.rename([99], { to: 'x' })).rejects.toMatchObject({ status: 404 })
  // @ts-expect-error there is none of that name
  await expect(client.things.handlers.none([1])).rejects.toMatchObject({ status: 404 })
})

test('numbers, booleans and lists of one reach a schema as such, though a query holds texts', async () => {
  const { measure } = client.things.methods
  const said = async (...call: Parameters<typeof measure>) => JSON.parse((await measure(...call)).message ?? '')
  const one = { far: -1.5, open: false, sizes: [7], tags: ['1'], deep: 1e21, any: 'true' }
  expect(await said([], one)).toEqual(one)
  expect(await said([1], { far: 0, open: true, sizes: [1, 2], deep: undefined })).toEqual({ far: 0, open: true, sizes: [1, 2] })
  const wrong = await measure([], { far: 'much', open: '1', sizes: [''] } as never).catch((thrown: unknown) => thrown)
  expect(Object.keys((wrong as Problem).errors)).toEqual(['far', 'open', 'sizes'])
  await expect(measure([], { ...one, tags: [] })).rejects.toThrow(new TypeError('tags is an empty list, which no query can hold'))
})

test('what a schema asks for arrives, though a list has a parameter of that name', async () => {
  const { find } = client.things.methods
  expect((await find([], { search: 'x', page: 2 })).message).toBe('x on 2  0')
  expect((await find([1], { search: 'x', page: 2, sort: '-name' })).message).toBe('x on 2 -name 1')
})

test('a handler whose name no path can hold is not called; the name of a method is in the query', async () => {
  await expect(client.things.handlers['..']()).rejects.toThrow('".." has no address')
  expect(asked).toEqual([])
  expect((await client.things.methods['..']()).message).toBe('by the query')
})

test('they can be handed on: nothing of them is a promise', async () => {
  expect(await client.things.handlers).toBe(client.things.handlers)
})

test('resources of plugins are there, and their routes by their paths', async () => {
  const { id } = await client.extras.create({ note: 'Kept' })
  expect((await client.extras.get(id)).note).toBe('Kept')
  expect(await client.request('GET', '/plugin/extra/told?of=this')).toEqual({ said: 'this' })
})
