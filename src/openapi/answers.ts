import { type ErrorCode, errors } from '../base/errors.js'
import type { Schema } from '../field/wire-schema.js'
import { ticketSchema } from '../json/bodies/sign-in.js'
import { closed, plain } from '../json/schema.js'
import { type Wire, type WireAbout, wires, wouldProperties } from '../json/wires.js'
import type { House } from '../plugin/plugin.js'
import { isTold } from '../resource/tally.js'
import type { Operation } from './operations.js'
import { refusalsOf } from './refusals.js'

type Header =
  | 'Allow'
  | 'ETag'
  | 'ETag?'
  | 'Content-Disposition'
  | 'Content-Range'
  | 'Location'
  | 'WWW-Authenticate'
  | 'Retry-After'
  | 'X-Request-Id'
  | 'Vary'
  | 'Cache-Control'

/** The responses of an operation by status: those of its outcomes, and those of its errors. */
export function answersOf(operation: Operation, about: WireAbout, house: House): Readonly<Record<string, object>> {
  const { ends: outcomes, resource, method } = operation
  const ends = outcomes.flatMap((is) => wires[is](about))
  const said = new Map<number, object>()
  for (const status of new Set(ends.map((one) => one.status))) said.set(status, answer(ends.filter((one) => one.status === status)))
  if (method === 'GET' && ends.some(({ headers = [] }) => headers.some((one) => one.startsWith('ETag'))) && !isMore(operation))
    said.set(304, { $ref: '#/components/responses/notModified' })
  for (const code of refusalsOf(operation, house)) {
    const { status } = errors[code]
    const asks = code === 'unauthenticated' && outcomes.includes('codeAsked')
    const name = code === 'invalid' && outcomes.includes('valid') ? 'unfit' : code
    said.set(status, code === 'stale' && resource ? stale(about) : asks ? asksCode : { $ref: `#/components/responses/${name}` })
  }
  return Object.fromEntries([...said].sort(([a], [b]) => a - b))
}

/** Whether it shows what the ETag of a record does not cover: what tells of other records, or is made of columns that nobody may read. */
function isMore({ ends, resource, shows = resource?.pages.detail ?? [] }: Operation): boolean {
  if (!resource || !ends.includes('shown')) return false
  const { model, fields, computed, version } = resource
  const isBeyond = (name: string) => isTold(model, name) && fields.get(name)?.visible === true
  return shows.some((name) => {
    const needs = computed.get(name)?.needs ?? []
    return isBeyond(name) || needs.some(isBeyond) || (version === null && needs.some((need) => !fields.has(need)))
  })
}

/** The schemas of problems by error code. */
export const problemSchemas: Readonly<Record<string, Schema>> = Object.fromEntries(
  (Object.keys(errors) as ErrorCode[]).map((code) => [`Problem.${code}`, problemSchema(code)]),
)

function problemSchema(code: ErrorCode): Schema {
  return closed(problemProperties(code), ['errors'])
}

function problemProperties(code: ErrorCode): Readonly<Record<string, Schema>> {
  const { status, title } = errors[code]
  return {
    type: { type: 'string', const: `urn:daymark:error:${code}` },
    title: { type: 'string', const: title },
    status: { type: 'integer', const: status },
    detail: { type: 'string' },
    message: { type: 'string', description: 'The same as `detail`.' },
    requestId: { type: 'string', format: 'uuid' },
    errors: {
      type: 'object',
      description: 'The errors of each field or parameter.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
  }
}

const ownHeaders: { readonly [C in ErrorCode]?: readonly Header[] } = {
  unauthenticated: ['WWW-Authenticate'],
  methodNotAllowed: ['Allow'],
  outOfRange: ['Content-Range'],
  throttled: ['Retry-After'],
  unavailable: ['Retry-After'],
}

/** The headers of responses, by component name. */
export const sharedHeaders = (): Readonly<Record<string, object>> =>
  Object.fromEntries(Object.entries(headerTable).map(([name, one]) => [componentOf(name as Header), one]))

/** The responses that all operations share. */
export const sharedResponses: Readonly<Record<string, object>> = {
  // What a form could not be saved for, and what it would show nevertheless.
  unfit: {
    description: errors.invalid.title,
    headers: headers([]),
    content: {
      'application/problem+json': {
        schema: closed({ ...problemProperties('invalid'), ...wouldProperties }, ['errors', ...Object.keys(wouldProperties)]),
      },
    },
  },
  notModified: { description: 'Not modified: the caller already has this version', headers: headers(['ETag']) },
  ...Object.fromEntries(
    (Object.keys(errors) as ErrorCode[])
      .filter((code) => code !== 'stale')
      .map((code) => [
        code,
        {
          description: errors[code].title,
          headers: headers(ownHeaders[code] ?? []),
          content: { 'application/problem+json': { schema: { $ref: `#/components/schemas/Problem.${code}` } } },
        },
      ]),
  ),
}

const headerTable: { readonly [H in Header]: object } = {
  ETag: header('The version of a record, or of a list', { type: 'string', pattern: '^(?:W/)?"[^"]*"$' }),
  'ETag?': {
    ...header('The version of the record; absent where only some of its fields were asked for', {
      type: 'string',
      pattern: '^(?:W/)?"[^"]*"$',
    }),
    required: false,
  },
  'Content-Disposition': header('The name of the file', { type: 'string' }),
  'Content-Range': header('Which bytes are sent, and of how many', { type: 'string', pattern: '^bytes (?:\\d+-\\d+|\\*)/\\d+$' }),
  Allow: header('The allowed methods', { type: 'string' }),
  Location: header('The path of the new record or job', { type: 'string' }),
  'WWW-Authenticate': header('How to sign in', { type: 'string', enum: ['Session', 'Bearer', 'Session, Bearer'] }),
  'Retry-After': header('How many seconds to wait before trying again', { type: 'string', pattern: '^\\d+$' }),
  'X-Request-Id': header('The id of the request, also in problems', { type: 'string', format: 'uuid' }),
  Vary: header('The response depends on `Accept`', { type: 'string', pattern: '^Accept' }),
  'Cache-Control': header('How the response may be cached', { type: 'string' }),
}

function answer(wires: readonly Wire[]): object {
  const types = new Set(wires.map(({ type = 'application/json' }) => type))
  return {
    description: wires.map((one) => one.description).join('; or: '),
    headers: headers(headersOf(wires)),
    content: Object.fromEntries(
      [...types].map((type) => [type, { schema: either(wires.filter((one) => (one.type ?? 'application/json') === type)) }]),
    ),
  }
}

function either(wires: readonly Wire[]): Schema | undefined {
  const schemas = wires.map((one) => one.schema)
  return schemas.length === 1 ? schemas[0] : { anyOf: schemas }
}

/** The headers of several answers together. `ETag` counts as optional unless all of them have it. */
function headersOf(wires: readonly Wire[]): readonly Header[] {
  const each = wires.map(({ headers = [] }) => new Set<string>(headers))
  return [...new Set(each.flatMap((one) => [...one]))].map((name) =>
    name === 'ETag' && !each.every((one) => one.has(name)) ? 'ETag?' : name,
  ) as Header[]
}

/** A sign-in that was refused, or that goes on with a code. */
const asksCode: object = {
  description: `${errors.unauthenticated.title}; or: a code is needed, too`,
  headers: headers(['WWW-Authenticate']),
  content: {
    'application/problem+json': {
      schema: closed({ ...problemProperties('unauthenticated'), ...(plain(ticketSchema).properties as Readonly<Record<string, Schema>>) }, [
        'errors',
        'ticket',
        'expiresIn',
      ]),
    },
  },
}

/** The problem with the current record, for callers who may view it. */
function stale({ ref, unseen }: WireAbout): object {
  const schema = closed({ ...problemProperties('stale'), data: ref('Whole') }, unseen ? ['errors', 'data'] : ['errors'])
  return {
    description: errors.stale.title,
    headers: headers([unseen ? 'ETag?' : 'ETag']),
    content: { 'application/problem+json': { schema } },
  }
}

function headers(own: readonly Header[]): object {
  const all: readonly Header[] = [...own, 'X-Request-Id', 'Vary', 'Cache-Control']
  return Object.fromEntries(all.map((name) => [name.replace('?', ''), { $ref: `#/components/headers/${componentOf(name)}` }]))
}

/** Component names must not contain a question mark. */
function componentOf(name: Header): string {
  return name.replace('?', '.sometimes')
}

function header(description: string, schema: Schema): object {
  return { description, required: true, schema }
}
