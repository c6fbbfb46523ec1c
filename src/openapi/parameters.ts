import { mostSteps } from '../crud/asked-order.js'
import { beginning, isSayable } from '../crud/begun-with.js'
import type { Realm } from '../crud/call.js'
import { parametersOf as parametersOfFilter } from '../crud/page-choices.js'
import { itemParameter } from '../crud/search.js'
import { mostLetters } from '../crud/search-text.js'
import { viewsFor } from '../crud/views.js'
import { monthPattern, weekPattern } from '../field/days-shown.js'
import type { Bound, Operator } from '../field/field.js'
import { operatorsOf } from '../field/kind.js'
import { beginSchema, filterSchema, pathSchema, type Schema } from '../field/wire-schema.js'
import { withins } from '../field/within.js'
import { filterableIn, followedIn, type Known, namedIn, relationsIn, visibleIn } from '../json/records.js'
import { uriOf } from '../resource/declared.js'
import { isSelective, matchesOf } from '../resource/narrowing.js'
import type { PageFilter } from '../resource/page-choice.js'
import type { Resource } from '../resource/resource.js'
import { tableView } from '../resource/view.js'
import { pageUrisOf } from './action-operations.js'
import { inputParameters, listSchema, selects, totalSchema } from './action-schema.js'
import type { Operation } from './operations.js'

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly description: string
  readonly schema: Schema
  readonly required?: boolean
  readonly style?: 'form'
  readonly explode?: boolean
}

/**
 * The parameters of an operation: of its path, its query and its headers.
 *
 * @param conditional whether the operation can answer 304
 */
export function parametersOf(
  operation: Operation,
  known: Known & Pick<Realm, 'formats' | 'languages'>,
  conditional: boolean,
): readonly Parameter[] {
  const { path, named, resource, verb, ends } = operation
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => pathParameter(name, named, resource, known)),
    ...queryParameters(operation, known),
    ...(verb.on === 'resource' && ends.includes('stale')
      ? [ifMatch(named !== 'updateField' && named !== 'move' && (resource?.requireIfMatch ?? false))]
      : []),
    ...(conditional ? [ifNoneMatch] : []),
    ...(ends.includes('file') ? [range, ifRange] : []),
    ...(known.languages.length > 0 ? [acceptLanguage(known.languages)] : []),
  ]
}

function queryParameters(operation: Operation, known: Parameters<typeof parametersOf>[1]): readonly Parameter[] {
  const { named, path, resource, route, actions } = operation
  if (resource && named === 'list') return listParameters(resource, known, operation)
  if (resource && (named === 'exportList' || named === 'exportSelected'))
    return [
      ...listParameters(resource, known, operation),
      ...(named === 'exportList' ? [ids('The keys of the records. Default: all of the list.')] : []),
      ...whichList(resource),
      format(known),
    ]
  if (resource && named === 'show') return picks(resource, known, [])
  if (actions.length > 0) return actionParameters(operation, known)
  if (resource && route.query === 'ids')
    return [ids('The keys of the records. In a request body, use `ids` instead.'), ...wholeList(resource, known)]
  if (route.query === 'cursor') return [text('cursor', '`nextCursor` of another page.', { type: 'string', pattern: '^[1-9]\\d{0,14}$' })]
  if (route.query === 'format') return [format(known)]
  if (route.query === 'name')
    return [{ ...text('name', 'The name of the file, with its extension.', { type: 'string', minLength: 1 }), required: true }]
  if (route.query === 'check') return [text('_check', 'Whether to tell with a 200 what is wrong.', { type: 'string', enum: ['0', '1'] })]
  if (route.query === 'path')
    return [
      text('path', 'The path of the file, as the record holds it. Needed where the field holds several.', {
        type: 'string',
        'x-more-rules': true,
      }),
    ]
  if (route.query === 'import')
    return [
      text('mode', 'What rows do, as in the body.', { type: 'string', enum: ['create', 'update', 'both'], 'x-more-rules': true }),
      text('check', 'Whether to write nothing, and only say what would be.', { type: 'string', enum: ['0', '1', 'true', 'false'] }),
    ]
  if (named === 'composed') return [...(operation.filters ?? [])].flatMap(([name, filter]) => chosenParameters(name, filter, known))
  if (route.query === 'search' || route.query === 'choices')
    return [text('query', 'Part of the label, or a key.'), ...(route.query === 'choices' ? dependencies(resource) : [])]
  if (named === 'finishOpenId')
    return [
      text('code', 'What the provider has answered. The cookie of the browser that was sent there belongs to it.', { type: 'string' }),
      text('state', 'As the browser was sent there with it.', { type: 'string' }),
    ]
  if (named === 'form' && !path.endsWith('}'))
    return [
      text('duplicate', 'The key of a record to copy the initial values from.', { type: 'string', 'x-more-rules': true }),
      ...begins(resource),
    ]
  if (named === 'form' && resource && resource.history !== false)
    return [
      text('restore', 'The `id` of a change in the history of the record: `data` has the values from before it.', {
        type: 'string',
        'x-more-rules': true,
      }),
    ]
  return []
}

/** What the choices of relations depend on, if those of any do. */
function dependencies(resource: Resource | null): readonly Parameter[] {
  const fields = resource ? visibleIn(resource) : []
  const selective = fields.filter(isSelective)
  if (selective.length === 0) return []
  const needed = new Set(selective.flatMap((field) => matchesOf(field).map(([, ours]) => ours)))
  return [
    ...fields
      .filter(({ key }) => needed.has(key))
      .map((other) =>
        text(
          beginning(other.key),
          `${other.label} of the record, for a relation that must match it; empty: none. Default: that of \`${itemParameter}\`, or any.`,
          { ...beginSchema(other), 'x-more-rules': true },
        ),
      ),
    text(itemParameter, 'The key of the record whose form asks: its values count where none is given, and what it has can be chosen.', {
      type: 'string',
      'x-more-rules': true,
    }),
  ]
}

/** The values that a new record's form may start with. */
function begins(resource: Resource | null): readonly Parameter[] {
  const fields = resource ? resource.pages.form.flatMap((key) => resource.fields.get(key) ?? []) : []
  return fields
    .filter((field) => field.visible !== false && isSayable(field))
    .map((field) => {
      const schema = beginSchema(field)
      return text(
        beginning(field.key),
        `${field.label} of a new one.`,
        field.kind.many(field) ? { type: 'array', items: oneOf(schema) } : schema,
        field.kind.many(field),
      )
    })
}

/** The name of the action, if the path does not contain it; for a GET, its input, too. */
function actionParameters({ actions, byQuery, method, named, resource }: Operation, known: Known): readonly Parameter[] {
  const names: Schema = { type: 'string', enum: actions.map(({ uri }) => uri) }
  const own = method === 'GET' ? inputParameters(actions) : []
  const taken = new Set(own.map(({ name }) => name))
  return [
    ...(byQuery ? [{ ...text(named === 'method' ? 'method' : 'handlerUri', `The name of the ${named}.`, names), required: true }] : []),
    ...(method === 'GET'
      ? [
          ...own.map(({ name, schema, required }) => ({
            ...text(name, typeof schema.description === 'string' ? schema.description : `${schema.title ?? name}.`, schema),
            ...(required && { required }),
          })),
          ...(resource && actions.some((action) => selects(action, resource))
            ? [ids('The keys of the selected records.'), ...wholeList(resource, known).filter(({ name }) => !taken.has(name))]
            : []),
        ]
      : []),
  ]
}

function listParameters(resource: Resource, known: Known, { named }: Operation): readonly Parameter[] {
  const paged = named === 'list' && resource.usePagination
  const fields = visibleIn(resource)
  const followed = followedIn(resource, known)
  const sortable = [...fields, ...followed].filter(({ key, sortable }) => sortable || key === resource.model.key.key)
  const count = (name: string, description: string, more: Schema) => text(name, description, { type: 'integer', minimum: 1, ...more })
  return [
    ...(paged
      ? [
          count('page', 'The page number, from 1. Not together with `cursor`.', { default: 1 }),
          count('perPage', 'Records per page.', { maximum: resource.maxItemsPerPage, default: resource.itemsPerPage }),
          text('cursor', '`nextCursor` or `prevCursor` of another page.', { type: 'string', 'x-more-rules': true }),
          text('total', 'Count all records, however many there are.', { type: 'string', enum: ['exact'] }),
        ]
      : []),
    ...(resource.summary.length > 0 && named === 'list'
      ? [
          text('summary', 'Whether to return the numbers below the columns, over all records that match.', {
            type: 'string',
            enum: ['0', '1', 'true', 'false'],
          }),
        ]
      : []),
    ...(named === 'list' ? viewParameters(resource) : []),
    listed(
      'sort',
      'Fields to sort by, the most important first; `-` sorts in descending order.',
      sortable.flatMap(({ key }) => [key, `-${key}`]),
      mostSteps,
    ),
    ...narrowing(resource, known),
    ...picks(resource, known, followed),
  ]
}

/** What a page does with a list, and JSON does not: the same URL is both. */
function viewParameters(resource: Resource): readonly Parameter[] {
  const views = viewsFor({ resource, readable: new Map(visibleIn(resource).map((field) => [field.key, field])) })
  const names = views.map(({ uri }) => uri)
  return [
    ...(views.length > 0
      ? [text('view', 'How a page draws the list. JSON is the same with any of them.', { type: 'string', enum: [tableView, ...names] })]
      : []),
    ...(views.some(({ is }) => is === 'calendar')
      ? [
          text('month', 'The month that the page of a calendar shows. JSON is the same with any of them.', {
            type: 'string',
            pattern: monthPattern.source,
          }),
          text('week', 'The week that it shows in place of a month, by one of its days. JSON is the same with any of them.', {
            type: 'string',
            format: 'date',
            pattern: weekPattern.source,
            'x-more-rules': true,
          }),
        ]
      : []),
  ]
}

/** The parameters that select the records of a list. */
function narrowing(resource: Resource, known: Known): readonly Parameter[] {
  const hasExact = visibleIn(resource).some(({ own, kind }) => own.searchable === true && kind.exact)
  return [
    text(
      'search',
      `Each word must ${resource.fullText ? 'begin a word' : 'occur'} in one of the searched fields${hasExact ? ', or be its number or key' : ''}.`,
      { type: 'string', maxLength: mostLetters },
    ),
    ...(resource.queryTags.size > 0
      ? [text('query-tag', 'A named filter of the resource.', { type: 'string', enum: [...resource.queryTags.keys()] })]
      : []),
    ...filterableIn(resource, known).flatMap(filterParameters),
  ]
}

/** All records that match the filters, instead of records by `ids[]`. */
function wholeList(resource: Resource, known: Known): readonly Parameter[] {
  return [
    text('_all', 'Instead of `ids[]`: all records that match the filters.', { type: 'string', enum: ['1'], 'x-more-rules': true }),
    text('_total', 'With `_all`: how many they are; 409 where they have become others.', { ...totalSchema }),
    ...whichList(resource),
    ...narrowing(resource, known).map((one) => ({ ...one, schema: { ...one.schema, 'x-more-rules': true } })),
  ]
}

/** The further index page whose list is meant, if there are any. */
function whichList(resource: Resource): readonly Parameter[] {
  const schema = listSchema(resource)
  return schema ? [text('_list', 'The index page whose list is meant. Default: the list itself.', schema)] : []
}

function picks(resource: Resource, known: Known, followed: readonly Bound[]): readonly Parameter[] {
  const names = [...visibleIn(resource), ...followed].map(({ key }) => key)
  const relations = namedIn(resource, known).map(({ name }) => name)
  return [
    listed('fields', 'Return only these fields and the key.', [...names, ...resource.computed.keys()]),
    ...(relations.length > 0 ? [listed('include', 'Related records to include.', relations)] : []),
  ]
}

const meanings: { readonly [O in Operator]: string } = {
  eq: 'equals this value',
  ne: 'does not equal this value',
  gt: 'is greater than this value',
  gte: 'is greater than or equal to this value',
  lt: 'is less than this value',
  lte: 'is less than or equal to this value',
  from: 'is greater than or equal to this value',
  to: 'is less than or equal to this value',
  contains: 'contains this text',
  startsWith: 'starts with this text',
  within: "is within this period, by the days of the panel's time zone",
  null: 'is empty (`1`) or not (`0`)',
}

function filterParameters(field: Bound): readonly Parameter[] {
  const { key, label } = field
  return operatorsOf(field).flatMap((operator) => {
    const isOne = operator === 'contains' && field.kind.many(field)
    const schema: Schema =
      operator === 'null'
        ? { type: 'string', enum: ['1', '0', 'true', 'false'] }
        : operator === 'within'
          ? { type: 'string', enum: Object.keys(withins) }
          : isOne
            ? oneOf(filterSchema(field))
            : operator === 'contains' || operator === 'startsWith'
              ? { type: 'string', maxLength: mostLetters }
              : filterSchema(field)
    const description = isOne ? `${label} contains this value.` : `${label} ${meanings[operator]}.`
    if (operator !== 'eq') return [text(`filter[${key}][${operator}]`, description, schema)]
    return [
      text(`filter[${key}]`, description, schema),
      text(`filter[${key}][]`, `${label} equals one of these values.`, { type: 'array', items: schema }, true),
    ]
  })
}

/** What users choose on a page. */
function chosenParameters(name: string, filter: PageFilter, known: Known): readonly Parameter[] {
  if (filter.is === 'value') {
    const field = known.resources.get(uriOf(filter.resource))?.fields.get(filter.field)
    return field ? [text(name, `${filter.label ?? field.label} of the records that the page shows.`, beginSchema(field))] : []
  }
  const [, from = '', to = ''] = parametersOfFilter(name, filter)
  const day: Schema = { type: 'string', format: 'date', 'x-more-rules': true }
  const initial = filter.initial === null ? 'any time' : filter.initial
  return [
    text(name, `The period that the page shows. Not together with its days. Default: ${initial}.`, {
      type: 'string',
      enum: [...filter.options],
    }),
    text(from, 'The first day of the period that the page shows.', day),
    text(to, 'The last day of that period. Default: today.', day),
  ]
}

/** The schema of one item of a list. */
const oneOf = ({ items }: Schema): Schema => (typeof items === 'object' && items !== null ? (items as Schema) : { type: 'string' })

function pathParameter(name: string, named: string, resource: Resource | null, known: Known): Parameter {
  const about: { readonly [name: string]: readonly [description: string, schema: Schema] } = {
    resourceItem: ['The key of the record, as in JSON.', resource ? pathSchema(resource.model.key) : { type: 'string' }],
    field: fieldNames(named, resource, known),
    id: ['The id, from another response.', { type: 'string' }],
    provider: ['The `id` of the OpenID provider.', { type: 'string' }],
    token: ['The token of the link.', { type: 'string' }],
    pageUri: ['The URI of the page.', { type: 'string', ...(resource && { enum: pageUrisOf(resource) }) }],
  }
  const [description, schema] = about[name] ?? [name, { type: 'string' }]
  return { name, in: 'path', required: true, description, schema }
}

function fieldNames(named: string, resource: Resource | null, known: Known): readonly [description: string, schema: Schema] {
  if (!resource) return ['The field.', { type: 'string' }]
  if (named === 'search')
    return [
      'A relation; or the key, for the records of this resource itself.',
      { type: 'string', enum: [...new Set([...relationsIn(resource, known).map(({ field }) => field.key), resource.model.key.key])] },
    ]
  const names = visibleIn(resource).flatMap(({ key, kind }) => (kind.file ? [key] : []))
  return ['The field that holds the file.', { type: 'string', enum: names, 'x-more-rules': true }]
}

const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'An `ETag`: if it is still current, the response is 304.',
  schema: { type: 'string' },
}

const range: Parameter = {
  name: 'Range',
  in: 'header',
  description: 'The bytes to send, such as `bytes=0-499`. Several ranges, or other units, get the whole file.',
  schema: { type: 'string' },
}

const ifRange: Parameter = {
  name: 'If-Range',
  in: 'header',
  description: 'The `ETag` of the file that `Range` is a part of: of another one, the whole is sent.',
  schema: { type: 'string' },
}

function acceptLanguage(languages: readonly string[]): Parameter {
  return {
    name: 'Accept-Language',
    in: 'header',
    description: `The language of what people read, such as \`detail\` of an error: ${languages.join(', ')}. Names and values are the same in each.`,
    schema: { type: 'string' },
  }
}

function ids(description: string): Parameter {
  return text('ids[]', description, { type: 'array', items: { type: 'string' }, 'x-more-rules': true }, true)
}

function ifMatch(required: boolean): Parameter {
  return {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` of the record as you read it: if the record has changed since, the response is 412. `*` matches any version.',
    schema: { type: 'string' },
    ...(required && { required }),
  }
}

function listed(name: string, description: string, names: readonly string[], most?: number): Parameter {
  return {
    name,
    in: 'query',
    description,
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { type: 'string', enum: names }, ...(most !== undefined && { maxItems: most }) },
  }
}

function text(name: string, description: string, schema: Schema = { type: 'string' }, many = false): Parameter {
  return { name, in: 'query', description, schema, ...(many && { style: 'form' as const, explode: true }) }
}

function format({ formats }: Pick<Realm, 'formats'>): Parameter {
  return text('format', 'What the file is. Default: `csv`.', { type: 'string', enum: ['csv', ...formats.keys()] })
}
