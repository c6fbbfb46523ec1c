import { mostLetters } from '../crud/query/search-text.js'
import { mostSortSteps } from '../crud/query/sort-order.js'
import { viewsFor } from '../crud/query/views.js'
import { monthPattern, weekPattern } from '../field/days-shown.js'
import type { Bound, Operator } from '../field/field.js'
import { operatorsOf } from '../field/kind.js'
import { filterSchema, type Schema } from '../field/wire-schema.js'
import { withins } from '../field/within.js'
import { filterableIn, followedIn, type Known, namedIn, visibleIn } from '../json/records.js'
import { tableView } from '../resource/pages/view.js'
import type { Resource } from '../resource/resource.js'
import { listSchema, totalSchema } from './action-schema.js'
import type { Operation } from './operations.js'
import { listed, type Parameter, text } from './parameter.js'

export function listParameters(resource: Resource, known: Known, { named }: Operation): readonly Parameter[] {
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
      mostSortSteps,
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
    ...(filterableIn(resource, known).length > 0 ? [match] : []),
  ]
}

const match = text(
  'match',
  'Whether a record meets all of the filters, or any of them: the ends of a range of one field are one. Default: `all`.',
  {
    type: 'string',
    enum: ['all', 'any'],
  },
)

/** All records that match the filters, instead of records by `ids[]`. */
export function wholeList(resource: Resource, known: Known): readonly Parameter[] {
  return [
    text('_all', 'Instead of `ids[]`: all records that match the filters.', { type: 'string', enum: ['1'], 'x-more-rules': true }),
    text('_total', 'With `_all`: how many they are; 409 where they have become others.', { ...totalSchema }),
    ...whichList(resource),
    ...narrowing(resource, known).map((one) => ({ ...one, schema: { ...one.schema, 'x-more-rules': true } })),
  ]
}

/** The further index page whose list is meant, if there are any. */
export function whichList(resource: Resource): readonly Parameter[] {
  const schema = listSchema(resource)
  return schema ? [text('_list', 'The index page whose list is meant. Default: the list itself.', schema)] : []
}

export function picks(resource: Resource, known: Known, followed: readonly Bound[]): readonly Parameter[] {
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
          : !isOne && (operator === 'contains' || operator === 'startsWith')
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
