import { namedLists } from '../crud/input/named-list.js'
import { inputSchema, type Schema, standardInput } from '../field/wire-schema.js'
import { describedChoices } from '../json/choosable.js'
import type { BoundAction } from '../resource/action/bind-action.js'
import type { Resource } from '../resource/resource.js'

/** The body of an action: its own input, and the records that it is about. With several actions, that of any of them. */
export function actionsSchema(actions: readonly BoundAction[], resource: Resource | null): Schema {
  const [first, ...more] = actions.map((action) => actionSchema(action, selects(action, resource) ? resource : null))
  if (more.length === 0) return first as Schema
  return { anyOf: [first, ...more].map((schema, i) => ({ title: actions[i]?.uri, ...schema })) }
}

/** Whether an action works on selected records. One that a page itself declares does not. */
export function selects(action: BoundAction, resource: Resource | null): boolean {
  return resource?.handlers.get(action.uri) === action || resource?.methods.get(action.uri) === action
}

/** @param selected the resource whose records it works on; null: none */
function actionSchema(action: BoundAction, selected: Resource | null): Schema {
  const { properties = {}, required = [], additionalProperties = true, anyOf, oneOf, ...own } = inputOf(action)
  const whole = {
    ...own,
    type: 'object',
    properties: { ...properties, ...(selected && selectionOf(selected)) },
    ...(selected && filtering),
    required,
    additionalProperties,
  }
  return { ...whole, ...(anyOf !== undefined && { anyOf }), ...(oneOf !== undefined && { oneOf }) }
}

/** The input of actions as query parameters. With several actions, none is required, since not all of them need it. */
export function inputParameters(
  actions: readonly BoundAction[],
): readonly { readonly name: string; readonly schema: Schema; readonly required: boolean }[] {
  const found = new Map<string, { readonly name: string; readonly schema: Schema; readonly required: boolean }>()
  for (const action of actions) {
    const { properties = {}, required = [] } = inputOf(action)
    for (const [name, schema] of Object.entries(properties))
      if (!found.has(name)) found.set(name, { name, schema: schema as Schema, required: actions.length === 1 && required.includes(name) })
  }
  return [...found.values()]
}

/** Whether an action's input has no schema, so that the document allows any object. */
export function isUnsaid({ input, fields }: BoundAction): boolean {
  return input !== null && fields.size === 0 && standardInput(input) === null
}

/** The total that the client's list showed. */
export const totalSchema: Schema = {
  type: 'integer',
  minimum: 0,
  description: 'With `_all`: how many they are; 409 where they have become others.',
  'x-more-rules': true,
}

/** The further index pages whose lists a selection and an export can name; null: there are none. */
export function listSchema(resource: Resource): Schema | null {
  const uris = namedLists(resource).map(({ uri }) => uri)
  if (uris.length === 0) return null
  return { type: 'string', enum: uris, description: 'The index page whose list is meant. Default: the list itself.', 'x-more-rules': true }
}

/** The filters of a list in a body, under the same names as in its query. */
export const filtering: Schema = {
  patternProperties: {
    '^(?:filter\\[.+\\](?:\\[\\])?|match|search|query-tag)$': {
      type: ['string', 'number', 'boolean', 'array'],
      items: { type: ['string', 'number', 'boolean'] },
      description: 'With `_all`: a filter of the list, as in its query.',
      'x-more-rules': true,
    },
  },
}

const selectionOf = (resource: Resource): Readonly<Record<string, Schema>> => ({
  ids: {
    type: 'array',
    items: { type: ['string', 'integer'] },
    description: 'The keys of the selected records.',
    'x-more-rules': true,
  },
  _all: {
    type: 'boolean',
    description: 'Instead of `ids`: all records that match the filters, which are given here or in the query.',
    'x-more-rules': true,
  },
  _total: totalSchema,
  ...listNamed(resource),
})

/** The name of the list in a body that means all of its records. */
export function listNamed(resource: Resource): Readonly<Record<string, Schema>> {
  const schema = listSchema(resource)
  return schema ? { _list: schema } : {}
}

interface Objects extends Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** The fields describe what is sent; a schema beside them only adds rules. */
function inputOf({ fields, input, changes }: BoundAction): Objects {
  if (!input || fields.size > 0) {
    const all = [...fields.values()].filter(({ readOnly }) => !readOnly)
    return {
      properties: Object.fromEntries(
        all.map((field) => [
          field.key,
          {
            title: field.label,
            ...inputSchema(field),
            ...describedChoices(field, all),
            ...(input && { 'x-more-rules': true }),
          },
        ]),
      ),
      // Of those that change records, at least one is named.
      ...(changes
        ? { anyOf: all.map(({ key }) => ({ properties: { [key]: {} }, required: [key] })) }
        : { required: all.filter((field) => field.required && !field.hasDefault).map(({ key }) => key) }),
      additionalProperties: false,
    }
  }
  return standardInput(input) ?? { description: `A schema of ${input['~standard'].vendor}, without a JSON Schema: any object.` }
}
