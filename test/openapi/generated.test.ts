// What the document says may be sent is taken, and what it says may not is refused: for values that nobody chose.
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import {
  belongsTo,
  date,
  dateTime,
  definePanel,
  defineResource,
  email,
  id,
  json,
  memoryStore,
  number,
  type Panel,
  select,
  switcher,
  text,
  textarea,
  url,
} from 'daymark'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { documentOf } from '../../src/openapi/document.js'
import { type Inside, inside } from '../../src/panel.js'
import { inlined as withParameters } from '../support/inlined.js'

// biome-ignore lint/suspicious/noExplicitAny: a part of a JSON document
type Any = any

const owners = sqliteTable('owners', { id: integer().primaryKey(), name: varchar().notNull() })
const things = sqliteTable('things', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  code: varchar(),
  story: varchar(),
  state: varchar({ enum: ['draft', 'done'] }).notNull(),
  amount: integer().notNull(),
  share: real(),
  on: integer('is_on', { mode: 'boolean' }).notNull().default(false),
  day: varchar(),
  moment: integer({ mode: 'timestamp_ms' }),
  mail: varchar(),
  link: varchar(),
  more: varchar({ mode: 'json' }),
  ownerId: integer('owner_id').references(() => owners.id),
})

const Owners = defineResource({ model: memoryStore(owners) })
const Things = defineResource({
  model: memoryStore(things),
  fields: {
    id: id(),
    name: text('Name').required().max(12).sortable().searchable(),
    code: text('Code').min(2).max(5),
    story: textarea('Story').max(60),
    state: select('State').required(),
    amount: number('Amount').min(-5).max(50).required().sortable(),
    share: number('Share'),
    on: switcher('On'),
    day: date('Day'),
    moment: dateTime('Moment'),
    mail: email('Mail'),
    link: url('Link'),
    more: json('More'),
    ownerId: belongsTo('Owner', owners),
  },
  filters: ['name', 'state', 'amount', 'share', 'on', 'day', 'moment', 'mail', 'ownerId'],
  queryTags: { many: { label: 'Many', where: { amount: { gt: 3 } } } },
  handlers: {
    rename: {
      label: 'Rename',
      input: z.strictObject({ to: z.string().min(1).max(9), times: z.int().min(1).max(3).optional() }),
      run: async () => ({ message: 'Done' }),
    },
  },
})

const origin = 'http://127.0.0.1:3000'
let panel: Panel
let document: Any
const ajv = new Ajv2020({ strict: false, validateFormats: true })
formats.default(ajv)

interface Described {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly operation: Any
}

const described = (): Described[] =>
  Object.entries(document.paths as Any).flatMap(([path, methods]) =>
    Object.entries(methods as Any).map(([method, operation]: [string, Any]) => ({ name: operation.operationId, method, path, operation })),
  )

panel = definePanel({ auth: 'open', resources: [Owners, Things] })
document = withParameters(documentOf((panel as unknown as Record<symbol, Inside>)[inside]?.house as never, { title: 'Test' }))
ajv.addSchema(document, 'document')

beforeAll(async () => {
  expect((await ask('post', '/admin/resource/owners/crud', { name: 'One' })).status).toBe(201)
  expect((await ask('post', '/admin/resource/things/crud', { name: 'One', state: 'draft', amount: 1 })).status).toBe(201)
})

async function ask(method: string, path: string, body?: unknown) {
  const headers = { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) }
  const sent = body === undefined ? null : JSON.stringify(body)
  const response = await panel.fetch(new Request(origin + path, { method: method.toUpperCase(), headers, body: sent }))
  const answer = await response.text()
  return {
    status: response.status,
    text: answer,
    json: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(answer) : null,
  }
}

const runs = { numRuns: 60 }
const pathOf = (path: string) => path.replace('{resourceItem}', '1').replace('{field}', path.includes('/owners/') ? 'id' : 'ownerId')

// What deletes has its own tests: what would be asked next is gone. What `validate` reads is any object.
const writing = described().filter(({ operation, name }) => bodyOf(operation)?.properties && !/massDelete|by-query/.test(name))
const reading = described().filter(({ method, path }) => method === 'get' && /\/(?:things|owners)\b/.test(path))

describe.each(writing)('$name', ({ name, method, path, operation }) => {
  const schema = bodyOf(operation)
  const pointer = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema']
    .map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/')
  const valid = ajv.compile({ $ref: `document#/${pointer}` })
  // What is wrong with the value of one field is said under the name of that field.
  const unsaid = (field: string) => (schema.properties[field] ?? schema.properties.value)?.['x-more-rules'] === true

  it('takes what its schema allows, unless a rule forbids it that no schema says', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrary(schema), async (body) => {
        fc.pre(valid(body))
        const { status, text, json } = await ask(method, pathOf(path), body)
        if (status < 300) return
        expect(operation.responses, text).toHaveProperty(String(status))
        if (status === 409) return
        if (status === 412 && name.endsWith('.update-field')) return
        expect([404, 422], `${JSON.stringify(body)} ${text}`).toContain(status)
        expect(
          Object.keys(json.errors).filter((field) => !unsaid(field)),
          `${JSON.stringify(body)} ${text}`,
        ).toEqual([])
      }),
      runs,
    )
  })

  it('refuses what its schema does not allow', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitrary(schema).chain((body) => spoiled(schema, body)),
        async (body) => {
          fc.pre(!valid(body))
          const { status, text } = await ask(method, pathOf(path), body)
          expect([400, 422], `${JSON.stringify(body)} → ${status} ${text}`).toContain(status)
          expect(operation.responses).toHaveProperty(String(status))
        },
      ),
      runs,
    )
  })
})

describe.each(reading)('$name', ({ path, operation }) => {
  const parameters: Any[] = operation.parameters.filter((one: Any) => one.in === 'query')
  const query = ({ name, explode, schema }: Any, value: Any) => {
    const texts = [value].flat().map((one: unknown) => encodeURIComponent(String(one)))
    return schema.type === 'array' && explode === false
      ? `${name}=${texts.join(',')}`
      : texts.map((one) => `${encodeURIComponent(name)}=${one}`).join('&')
  }

  it('takes each parameter as it is described', async () => {
    if (parameters.length === 0) return
    const one = fc.constantFrom(...parameters).chain((parameter) => arbitrary(parameter.schema).map((value) => ({ parameter, value })))
    await fc.assert(
      fc.asyncProperty(one, async ({ parameter, value }) => {
        fc.pre(ajv.validate(parameter.schema, value) && !(Array.isArray(value) && value.length === 0))
        const { status, text } = await ask('get', `${pathOf(path)}?${query(parameter, value)}`)
        if (parameter.schema['x-more-rules'] && (status === 422 || status === 404)) return
        expect(status, `${parameter.name} ${JSON.stringify(value)} ${text.slice(0, 300)}`).toBe(200)
      }),
      { numRuns: 150 },
    )
  })

  it('refuses a parameter that is not there, and a value of another sort', async () => {
    const known = new Set(parameters.map(({ name }) => name))
    const unknown = fc.stringMatching(/^[a-z]{3,9}$/).map((name) => ({ name, text: `${name}=1` }))
    const strict = parameters.filter(
      ({ schema }) => schema.enum || schema.items?.enum || ['integer', 'number', 'boolean'].includes(schema.type),
    )
    const wrong =
      strict.length === 0
        ? unknown
        : fc.constantFrom(...strict).map(({ name }) => ({ name: '', text: `${encodeURIComponent(name)}=n%C3%B6` }))
    await fc.assert(
      fc.asyncProperty(fc.oneof(unknown, wrong), async ({ name, text }) => {
        fc.pre(!known.has(name))
        const { status } = await ask('get', `${pathOf(path)}?${text}`)
        expect(status, text).toBe(422)
        expect(operation.responses).toHaveProperty('422')
      }),
      runs,
    )
  })
})

function bodyOf(operation: Any): Any {
  const schema = operation.requestBody?.content['application/json'].schema
  return schema && inlined(schema)
}

function inlined(schema: Any): Any {
  return schema.$ref
    ? schema.$ref
        .slice(2)
        .split('/')
        .reduce((at: Any, name: string) => at[name], document)
    : schema
}

const readable = fc.string({ unit: fc.constantFrom(...'abcXYZ019 äß-_.,'), maxLength: 14 })

/** Values that a schema allows, or nearly: what it does not is left out by whoever asks. */
function arbitrary(schema: Any): fc.Arbitrary<Any> {
  const { type, enum: options, anyOf, format, pattern, minimum, maximum, minLength = 0, maxLength = 14 } = inlined(schema)
  if ('const' in schema) return fc.constant(schema.const)
  if (options) return fc.constantFrom(...options)
  if (anyOf) return fc.oneof(...anyOf.map(arbitrary))
  if (Array.isArray(type)) return fc.oneof(...type.map((one: string) => arbitrary({ ...schema, type: one })))
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: Math.max(minimum ?? -2e9, -2e9), max: Math.min(maximum ?? 2e9, 2e9) })
    case 'number':
      return fc.double({ min: minimum ?? -1e9, max: maximum ?? 1e9, noNaN: true })
    case 'array':
      return fc.array(arbitrary(schema.items ?? {}), { minLength: 1, maxLength: 3 })
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {})
            .filter(([name, one]: Any) => !one.readOnly && !name.startsWith('_'))
            .map(([name, one]) => [name, arbitrary(one)]),
        ),
        {
          requiredKeys: schema.required ?? [],
        },
      )
    case 'string':
      break
    default:
      return fc.oneof(readable, fc.integer(), fc.boolean(), fc.constant({ a: [1] }))
  }
  const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }).map((one) => one.toISOString())
  if (format === 'date') return day.map((one) => one.slice(0, 10))
  if (format === 'date-time') return day
  if (format === 'email') return fc.stringMatching(/^[a-z]{1,8}@[a-z]{1,8}\.(?:com|org)$/)
  if (format === 'uri') return fc.stringMatching(/^https:\/\/[a-z]{1,8}\.com\/[a-z0-9]{0,8}$/)
  if (pattern) return fc.stringMatching(new RegExp(pattern))
  return readable.filter((one) => one.length >= minLength && one.length <= maxLength)
}

/** Something wrong with one field, or with all of them. */
function spoiled(schema: Any, body: Any): fc.Arbitrary<Any> {
  // Names that begin with _ are the panel's, and mean something together alone.
  const names = Object.entries(schema.properties ?? {}).filter(([name, one]: Any) => !one.readOnly && !name.startsWith('_'))
  const of = (value: Any) => names.map(([name]) => ({ ...body, [name]: value }))
  const outside = names.flatMap(([name, one]: Any) => [
    ...(one.minimum !== undefined ? [{ ...body, [name]: one.minimum - 1 }] : []),
    ...(one.maximum !== undefined ? [{ ...body, [name]: one.maximum + 1 }] : []),
    ...(one.maxLength !== undefined ? [{ ...body, [name]: 'x'.repeat(one.maxLength + 1) }] : []),
    ...(one.minLength > 0 ? [{ ...body, [name]: '' }] : []),
  ])
  const without = (schema.required ?? []).map((name: string) => Object.fromEntries(Object.entries(body).filter(([one]) => one !== name)))
  const all = [...of(true), ...of(17), ...of(null), ...of('…'), ...of({}), ...of([1]), ...outside, ...without, { ...body, unknown: 1 }]
  return fc.constantFrom(...all)
}
