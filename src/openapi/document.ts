import type { Schema } from '../field/wire-schema.js'
import { choiceSchema } from '../json/bodies/found.js'
import { mayBeUnseen, recordSchemas, type SchemaName, schemaNames } from '../json/records.js'
import { closed, plain } from '../json/schema.js'
import { type WireAbout, wouldProperties } from '../json/wires.js'
import type { House } from '../plugin/plugin.js'
import { uriOf } from '../resource/condition/declared.js'
import type { Resource } from '../resource/resource.js'
import { answersOf, problemSchemas, sharedHeaders, sharedResponses } from './answers.js'
import { type Operation, operationsOf } from './operations.js'
import { parametersOf } from './parameters.js'
import { requestOf } from './request.js'
import { securitySchemes } from './security.js'
import { sharedParameters } from './shared-parameters.js'
import { summaryOf } from './summary.js'
import { webhooksOf } from './webhooks.js'

/** An OpenAPI 3.1 document, as in JSON. */
export interface OpenApi {
  /** The version of OpenAPI. */
  readonly openapi: '3.1.1'
  /** The title and version of the API. */
  readonly info: { readonly title: string; readonly version: string; readonly [name: string]: unknown }
  /** The operations, by path and by HTTP method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  /** The schemas, headers, parameters and responses that operations share. */
  readonly components: object
  readonly [part: string]: unknown
}

/** An operation of an OpenAPI document. */
export interface OperationObject {
  /** Its stable id, such as `cities.index`. */
  readonly operationId: string
  /** What it takes in the path, the query and headers, or references to it. */
  readonly parameters: readonly object[]
  /** What it returns, by status. */
  readonly responses: Readonly<Record<string, object>>
  readonly [part: string]: unknown
}

interface About {
  readonly title: string
  readonly version?: string
  readonly license?: object | undefined
}

/** Generates a panel's document from its declarations alone: routes × resources × verbs × the shapes of their Outcomes. */
export function documentOf(house: House, { title, version = '1.0.0', license }: About): OpenApi {
  const { realm, place } = house
  const schemes = securitySchemes(house)
  const security = Object.keys(schemes).map((name) => ({ [name]: [] }))
  const operations = operationsOf(house).map((operation) => ({ operation, ...partsOf(operation, house) }))
  const { byName, nameOf } = sharedParameters(operations)
  const paths: Record<string, Record<string, OperationObject>> = {}
  const resources = new Set<Resource>()
  for (const { operation, parameters: own, body, responses } of operations) {
    const { resource, route, id, path, method } = operation
    if (resource) resources.add(resource)
    const object = {
      operationId: id,
      tags: [resource?.title ?? panelTag],
      summary: summaryOf(operation),
      security: route.ability === 'public' ? [] : security,
      parameters: own.map((one) => {
        const name = nameOf(operation, one)
        return name === undefined ? one : reference(name, 'parameters')
      }),
      ...(body && { requestBody: body }),
      responses,
    }
    paths[path] = { ...paths[path], [method.toLowerCase()]: object }
  }
  const webhooks = webhooksOf(house, (name) => reference(name))
  return {
    openapi: '3.1.1',
    info: { title, version, description, ...(license && { license }) },
    servers: [{ url: place.mount || '/', description: house.title }],
    security,
    tags: tagsOf(resources),
    paths,
    ...(Object.keys(webhooks).length > 0 && { webhooks }),
    components: {
      ...(security.length > 0 && { securitySchemes: schemes }),
      ...used(
        { paths, webhooks },
        {
          headers: sharedHeaders(),
          parameters: Object.fromEntries(byName),
          responses: sharedResponses,
          schemas: { ...sharedSchemas, ...problemSchemas, ...resourceSchemas([...realm.resources.values()], house) },
        },
      ),
    },
  }
}

const description =
  'Send `Accept: application/json`: without it, these paths return HTML pages. Errors are problem details (RFC 9457). Each record has a version, its `ETag`: send it back as `If-Match`, and the write is refused if the record has changed in the meantime. A value marked `x-more-rules` must also satisfy rules that its schema cannot express; otherwise the response is 422.'

/** What an operation takes and returns. */
function partsOf(operation: Operation, house: House) {
  const { resource, method, actions } = operation
  const { realm } = house
  const ref: WireAbout['ref'] = (name, of = resource) =>
    reference(of && schemaNames.includes(name as SchemaName) ? `${of.uriKey}.${name}` : name)
  const about: WireAbout = {
    method,
    resource,
    single: operation.path.endsWith('}'),
    auth: realm.auth,
    formats: [...realm.formats.values()],
    refusable: operation.ends.includes('unauthenticated'),
    begins: actions.length > 0,
    unseen: resource !== null && mayBeUnseen(resource, realm.can),
    components: operation.components ?? [],
    filters: operation.filters ?? new Map(),
    resourceOf: (named) => realm.resources.get(uriOf(named)) as Resource,
    ref,
  }
  const body = requestOf(operation, ref, realm)
  const responses = answersOf(operation, about, house)
  return { parameters: parametersOf(operation, realm, '304' in responses), body, responses }
}

const panelTag = 'Panel'

function tagsOf(resources: ReadonlySet<Resource>): readonly object[] {
  // Several resources may share a title, but each tag must have a name of its own.
  const titles = new Set([...resources].map(({ title }) => title))
  titles.delete(panelTag)
  return [
    ...[...titles].map((title) => ({ name: title, description: `Records of ${title}` })),
    { name: panelTag, description: 'The panel itself: sign-in, profile and preferences' },
  ]
}

function resourceSchemas(resources: readonly Resource[], { realm }: House): Readonly<Record<string, Schema>> {
  const ref = ({ uriKey }: Resource, name: SchemaName) => reference(`${uriKey}.${name}`)
  return Object.fromEntries(
    resources.flatMap((resource) =>
      Object.entries(recordSchemas(resource, realm, ref)).map(([name, schema]) => [`${resource.uriKey}.${name}`, schema]),
    ),
  )
}

type Part = 'headers' | 'parameters' | 'responses' | 'schemas'

/** The components that are referenced, directly or not, so that switched-off actions leave no schemas behind. */
function used(said: object, components: Readonly<Record<Part, Readonly<Record<string, object>>>>): object {
  const found = new Set<string>()
  const follow = (part: unknown) => {
    for (const [, pointer = '', of, name = ''] of JSON.stringify(part).matchAll(
      /"#\/components\/((headers|parameters|responses|schemas)\/([^"]+))"/g,
    )) {
      if (found.has(pointer)) continue
      found.add(pointer)
      follow(components[of as Part][name])
    }
  }
  follow(said)
  const only = (of: Part) => Object.fromEntries(Object.entries(components[of]).filter(([name]) => found.has(`${of}/${name}`)))
  return { headers: only('headers'), parameters: only('parameters'), responses: only('responses'), schemas: only('schemas') }
}

const count: Schema = { type: 'integer', minimum: 0 }
const path: Schema = { type: 'string' }
const orNone: Schema = { type: ['string', 'null'] }
const place: Schema = { type: ['integer', 'null'], minimum: 1, description: 'Null beyond the last page.' }

const sharedSchemas: Readonly<Record<string, Schema>> = {
  CountedMeta: closed({ page: count, perPage: count, from: place, to: place, total: count, lastPage: { type: 'integer', minimum: 1 } }),
  CappedMeta: closed(
    {
      page: count,
      perPage: count,
      from: place,
      to: place,
      total: count,
      totalExact: { const: false, description: 'Present if counting stopped before the end.' },
      lastPage: { type: ['integer', 'null'], minimum: 1 },
    },
    ['totalExact'],
  ),
  CursorMeta: closed({ page: count, perPage: count, nextCursor: orNone, prevCursor: orNone }, ['page']),
  Links: {
    ...closed({ first: path, prev: orNone, next: orNone, last: orNone }),
    description: 'Absolute paths with all other parameters of the request.',
  },
  Choice: plain(choiceSchema),
  Would: closed(
    {
      ...wouldProperties,
      errors: {
        type: 'object',
        additionalProperties: { type: 'array', items: { type: 'string' } },
        description: 'What is wrong, by field: only in an answer to `_check=1`.',
      },
    },
    ['errors'],
  ),
}

function reference(name: string, part: Part = 'schemas'): Schema {
  return { $ref: `#/components/${part}/${name}` }
}
