import type { Realm } from '../crud/call/call.js'
import { isPrefillable, prefillParameter } from '../crud/form/prefill.js'
import { itemParameter } from '../crud/form/search.js'
import { pageFilterParameters as parametersOfFilter } from '../crud/pages/page-choices.js'
import { beginSchema, chosenSchema, itemSchema, pathSchema, type Schema } from '../field/wire-schema.js'
import { type Known, relationsIn, visibleIn } from '../json/records.js'
import { uriOf } from '../resource/condition/declared.js'
import type { PageFilter } from '../resource/condition/page-choice.js'
import { isSelective, matchesOf } from '../resource/relation/narrowing.js'
import type { Resource } from '../resource/resource.js'
import type { Route } from '../route/routes.js'
import { pageUrisOf } from './action-operations.js'
import { inputParameters, selects } from './action-schema.js'
import { listParameters, picks, whichList, wholeList } from './list-parameters.js'
import type { Operation } from './operations.js'
import { header, ids, type Parameter, text } from './parameter.js'

type Told = Known & Pick<Realm, 'formats' | 'languages'>

/**
 * The parameters of an operation: of its path, its query and its headers.
 *
 * @param conditional whether the operation can answer 304
 */
export function parametersOf(operation: Operation, known: Told, conditional: boolean): readonly Parameter[] {
  const { path, named, resource, verb, ends } = operation
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => pathParameter(name, named, resource, known)),
    ...queryParameters(operation, known),
    ...(verb.on === 'resource' && ends.includes('stale')
      ? [ifMatch(named !== 'updateField' && named !== 'move' && (resource?.requireIfMatch ?? false))]
      : []),
    ...(conditional ? [ifNoneMatch] : []),
    ...(ends.includes('file') ? ranges : []),
    ...(known.languages.length > 0 ? [acceptLanguage(known.languages)] : []),
  ]
}

function queryParameters(operation: Operation, known: Told): readonly Parameter[] {
  const { named, resource, route, actions, filters } = operation
  if (resource && named === 'list') return listParameters(resource, known, operation)
  if (resource && (named === 'exportList' || named === 'exportSelected'))
    return [
      ...listParameters(resource, known, operation),
      ...(named === 'exportList' ? [ids('The keys of the records. Default: all of the list.')] : []),
      ...whichList(resource),
      format(known),
    ]
  if (resource && named === 'show') return picks(resource, known, [])
  if (named === 'form') return formParameters(operation)
  if (named === 'composed') return [...(filters ?? [])].flatMap(([name, filter]) => chosenParameters(name, filter, known))
  if (named === 'finishOpenId') return returned
  if (actions.length > 0) return actionParameters(operation, known)
  return queries[route.query]?.(resource, known) ?? []
}

/** What a route takes, by its `query`. */
const queries: { readonly [Q in Route['query']]?: (resource: Resource | null, known: Told) => readonly Parameter[] } = {
  ids: (resource, known) =>
    resource ? [ids('The keys of the records. In a request body, use `ids` instead.'), ...wholeList(resource, known)] : [],
  cursor: () => [text('cursor', '`nextCursor` of another page.', { type: 'string', pattern: '^[1-9]\\d{0,14}$' })],
  format: (_, known) => [format(known)],
  name: () => [{ ...text('name', 'The name of the file, with its extension.', { type: 'string', minLength: 1 }), required: true }],
  check: () => [text('_check', 'Whether to tell with a 200 what is wrong.', { type: 'string', enum: ['0', '1'] })],
  path: () => [text('path', 'The path of the file, as the record holds it. Needed where the field holds several.', ruled)],
  import: () => [
    text('mode', 'What rows do, as in the body.', { type: 'string', enum: ['create', 'update', 'both'], 'x-more-rules': true }),
    text('check', 'Whether to write nothing, and only say what would be.', { type: 'string', enum: ['0', '1', 'true', 'false'] }),
  ],
  search: () => [part],
  choices: (resource) => [part, ...dependencies(resource)],
}

/** A text that more rules hold for than a schema can say. */
const ruled: Schema = { type: 'string', 'x-more-rules': true }

const part = text('query', 'Part of the label, or a key.')

/** What an OpenID provider sends a browser back with. */
const returned = [
  text('code', 'What the provider has answered. The cookie of the browser that was sent there belongs to it.'),
  text('state', 'As the browser was sent there with it.'),
]

function formParameters({ path, resource }: Operation): readonly Parameter[] {
  if (!path.endsWith('}')) return [text('duplicate', 'The key of a record to copy the initial values from.', ruled), ...begins(resource)]
  if (!resource || resource.history === false) return []
  return [text('restore', 'The `id` of a change in the history of the record: `data` has the values from before it.', ruled)]
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
          prefillParameter(other.key),
          `${other.label} of the record, for a relation that must match it; empty: none. Default: that of \`${itemParameter}\`, or any.`,
          { ...beginSchema(other), 'x-more-rules': true },
        ),
      ),
    text(
      itemParameter,
      'The key of the record whose form asks: its values count where none is given, and what it has can be chosen.',
      ruled,
    ),
  ]
}

/** The values that a new record's form may start with. */
function begins(resource: Resource | null): readonly Parameter[] {
  const fields = resource ? resource.pages.form.flatMap((key) => resource.fields.get(key) ?? []) : []
  return fields
    .filter((field) => field.visible !== false && isPrefillable(field))
    .map((field) => {
      const schema = beginSchema(field)
      return text(
        prefillParameter(field.key),
        `${field.label} of a new one.`,
        field.kind.many(field) ? { type: 'array', items: itemSchema(schema) } : schema,
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

/** What users choose on a page. */
function chosenParameters(name: string, filter: PageFilter, known: Known): readonly Parameter[] {
  if (filter.is === 'value') {
    const field = known.resources.get(uriOf(filter.resource))?.fields.get(filter.field)
    return field ? [text(name, `${filter.label ?? field.label} of the records that the page shows.`, chosenSchema(field))] : []
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

const ifNoneMatch = header('If-None-Match', 'An `ETag`: if it is still current, the response is 304.')

const ranges = [
  header('Range', 'The bytes to send, such as `bytes=0-499`. Several ranges, or other units, get the whole file.'),
  header('If-Range', 'The `ETag` of the file that `Range` is a part of: of another one, the whole is sent.'),
]

const acceptLanguage = (languages: readonly string[]) =>
  header(
    'Accept-Language',
    `The language of what people read, such as \`detail\` of an error: ${languages.join(', ')}. Names and values are the same in each.`,
  )

const ifMatch = (required: boolean) =>
  header(
    'If-Match',
    'The `ETag` of the record as you read it: if the record has changed since, the response is 412. `*` matches any version.',
    required,
  )

function format({ formats }: Pick<Realm, 'formats'>): Parameter {
  return text('format', 'What the file is. Default: `csv`.', { type: 'string', enum: ['csv', ...formats.keys()] })
}
