import { valuesByColumn } from '../crud/call/closed-reason.js'
import { editableWhenOf } from '../crud/call/editable-when.js'
import { firstOfEach, isHistoryList, resourcesWithHistory } from '../crud/relation/history-subjects.js'
import { subjectName } from '../crud/relation/relation.js'
import type { Bound } from '../field/field.js'
import { inputSchema, outputSchema, type Schema } from '../field/wire-schema.js'
import { type Ability, declaredPolicy, type Policies } from '../resource/action/policy.js'
import type { Links } from '../resource/check/relations.js'
import { uriOf } from '../resource/condition/declared.js'
import { relationName } from '../resource/model/bind.js'
import { fillerOf } from '../resource/relation/filling.js'
import { mostNested, nestedFields } from '../resource/relation/nested.js'
import type { Through, Throughs } from '../resource/relation/through.js'
import type { Resource } from '../resource/resource.js'
import { isTold } from '../resource/tally.js'
import { describedChoices } from './choosable.js'

/** What the schemas of records need to know about the panel. */
export interface Known {
  readonly resources: ReadonlyMap<string, Resource>
  readonly links: Links
  readonly throughs: Throughs
  readonly can: Policies
}

/** The kinds of schemas that each resource has. */
export const schemaNames = ['Row', 'Record', 'Part', 'Whole', 'Related', 'Create', 'Update', 'Form', 'Told', 'Earlier'] as const
export type SchemaName = (typeof schemaNames)[number]

/** The schemas of all JSON shapes of this resource's records. `ref` returns a reference to a schema of another resource. */
export function recordSchemas(
  resource: Resource,
  known: Known,
  ref: (resource: Resource, name: SchemaName) => Schema,
): Record<SchemaName, Schema> {
  const { pages, model } = resource
  const key = model.key.key
  const values = valuesOf(resource)
  const relations = namedIn(resource, known)
  const related = new Map(
    relations.map(({ name, field, targets }) => [
      name,
      {
        always: false,
        schema: field.kind.many(field)
          ? { type: 'array', items: ref(targets[0] as Resource, 'Related') }
          : { anyOf: [...targets.map((target) => ref(target, 'Related')), { type: 'null' }] },
      },
    ]),
  )
  const followed: Values = new Map(
    followedIn(resource, known).map((field) => [field.key, { always: false, schema: described(field, outputSchema(field)) }]),
  )
  const view = (names: readonly string[]) => new Map([[key, values.get(key) ?? keyValue(resource)], ...pick(values, names)])
  const closed = (all: Values, required: (name: string, always: boolean) => boolean): Schema => ({
    type: 'object',
    properties: Object.fromEntries([...all].map(([name, { schema }]) => [name, schema])),
    required: [...all].filter(([name, { always }]) => required(name, always)).map(([name]) => name),
    additionalProperties: false,
  })
  const always = (_: string, always: boolean) => always
  const told = view(visibleIn(resource).flatMap(({ key }) => (isTold(model, key) ? [] : [key])))
  const inputs = (creating: boolean) => pick(writableIn(resource, creating), pages.form)
  const echoes: Values = new Map(
    [...values, ...followed, ...related].map(([name, { schema }]) => [name, { always: false, schema: readOnly(schema) }]),
  )
  return {
    Row: closed(new Map([...view(pages.index), ...followed, ...related]), always),
    Record: closed(new Map([...view(pages.detail), ...related]), always),
    Part: {
      ...closed(new Map([...view([...values.keys()]), ...followed, ...related]), (name) => name === key),
      description: 'The fields named in `fields`, and always the key.',
    },
    Whole: closed(view([...values.keys()]), always),
    Told: {
      ...closed(told, (name) => name === key),
      description: 'The fields that the webhook may see, and always the key.',
    },
    Earlier: { ...closed(told, () => false), description: 'The values before, of the fields that have changed.' },
    Related: closed(
      new Map([[key, view([]).get(key) as Value], ...view(pages.index), ['label', { always: true, schema: { type: 'string' } }]]),
      always,
    ),
    Create: closed(new Map([...inputs(true), ...nestedIn(resource, known)]), always),
    Update: {
      ...closed(new Map([...echoes, ...inputs(false), ...nestedIn(resource, known)]), () => false),
      description: 'The fields to change. Read-only fields may be sent back unchanged.',
    },
    Form: {
      type: 'object',
      properties: {
        data: closed(
          new Map([...values, ...nestedIn(resource, known)].map(([name, { schema }]) => [name, { always: false, schema: anyway(schema) }])),
          () => false,
        ),
        schema: { type: 'object', description: 'The JSON Schema of what may be written', additionalProperties: true },
        options: { type: 'object', additionalProperties: { type: 'array', items: { $ref: '#/components/schemas/Choice' } } },
      },
      required: ['data', 'schema', 'options'],
      additionalProperties: false,
    },
  }
}

interface Value {
  /** Whether every caller gets it. */
  readonly always: boolean
  readonly schema: Schema
}
type Values = ReadonlyMap<string, Value>

/** All values that some caller may read. Those that depend on roles are not in every answer. */
function valuesOf(resource: Resource): Values {
  const values = new Map<string, Value>()
  for (const field of visibleIn(resource))
    values.set(field.key, { always: field.visible === true, schema: described(field, outputSchema(field)) })
  for (const one of resource.computed.values()) {
    const needed = one.needs.flatMap((need) => resource.fields.get(need) ?? [])
    if (needed.some((field) => field.visible === false)) continue
    values.set(one.key, {
      always: needed.every((field) => field.visible === true),
      schema: { title: one.label, description: 'Computed.', readOnly: true },
    })
  }
  return values
}

/** Whether a caller may be able to write a record but not view it. Two role lists are compared; a policy function counts as possible. */
export function mayBeUnseen({ can, canRecord }: Resource, panel: Policies): boolean {
  const policyOf = (ability: Ability) => declaredPolicy(can, ability) ?? declaredPolicy(panel, ability)
  const view = policyOf('view')
  if (canRecord.view) return true
  return (['create', 'update', 'delete'] as const).some((ability) => {
    const policy = policyOf(ability)
    if (view === true || policy === false || (view === undefined && policy === undefined)) return false
    return !Array.isArray(view) || !Array.isArray(policy) || !policy.every((role) => view.includes(role))
  })
}

/** The fields that some caller may read. */
export function visibleIn({ fields }: Resource): readonly Bound[] {
  return [...fields.values()].filter((field) => field.visible !== false)
}

/** The relations that some caller may follow. */
export function relationsIn(resource: Resource, { links, can }: Known): readonly { readonly field: Bound; readonly target: Resource }[] {
  return visibleIn(resource).flatMap((field) => {
    const target = links.get(field)
    return target && isListed(target, can) ? [{ field, target }] : []
  })
}

const isListed = (target: Resource, can: Policies) => (declaredPolicy(target.can, 'viewAny') ?? declaredPolicy(can, 'viewAny')) !== false

/** The fields that some caller may filter a list by, in the declared order. */
export function filterableIn(resource: Resource, { throughs, can }: Known): readonly Bound[] {
  return resource.filters.flatMap((name) => {
    const through = throughs.get(resource)?.get(name)
    const field = through?.field ?? resource.fields.get(name)
    return field && field.visible !== false && (!through || isSeenThrough(through, can)) ? [field] : []
  })
}

/** The columns of lists that some caller sees, which show what relations lead to. */
export function followedIn(resource: Resource, { throughs, can }: Known): readonly Bound[] {
  return resource.pages.index.flatMap((name) => {
    const through = throughs.get(resource)?.get(name)
    return through && isSeenThrough(through, can) ? [through.shown] : []
  })
}

const isSeenThrough = ({ steps, of }: Through, can: Policies) =>
  of.visible !== false && steps.every(({ relation, target }) => relation.visible !== false && isListed(target, can))

/** The resources whose records entries of the list of all changes tell of, and some caller may view. */
function subjectsIn({ resources, can }: Known): readonly Resource[] {
  return firstOfEach(
    resourcesWithHistory(resources).filter(
      (one) => isListed(one, can) && (declaredPolicy(one.can, 'view') ?? declaredPolicy(can, 'view')) !== false,
    ),
  )
}

/** Those of them that have a name in `include`. */
export function namedIn(resource: Resource, known: Known) {
  const { fields, computed } = resource
  const named = relationsIn(resource, known).flatMap(({ field, target }) => {
    const name = relationName(field)
    return name === null || fields.has(name) || computed.has(name) ? [] : [{ name, field, targets: [target] }]
  })
  const [field, targets] = [fields.get('record'), isHistoryList(resource) ? subjectsIn(known) : []]
  return field && targets.length > 0 ? [...named, { name: subjectName, field, targets }] : named
}

/** The values that some caller may write. */
function writableIn(resource: Resource, creating: boolean): Values {
  const values = new Map<string, Value>()
  for (const field of visibleIn(resource)) {
    if (field.readOnly || field.editable === false || (!creating && field.key === resource.model.key.key)) continue
    const by = fillerOf(field, resource.fields)
    const always = field.required && !by && field.default === undefined && field.visible === true && field.editable === true
    const own = described(field, withFacts(resource, field, inputSchema(field), creating))
    const schema = { ...own, ...describedChoices(field, visibleIn(resource)) }
    values.set(field.key, {
      always: creating && always,
      schema: by && by.visible !== false ? filledBy(schema, by) : schema,
    })
  }
  return values
}

/** The schema of a field that a relation fills. */
function filledBy(schema: Schema, { key }: Bound): Schema {
  return { ...schema, description: [schema.description ?? [], `If it is not sent, what the record of \`${key}\` has.`].flat().join('\n') }
}

/** The related records that are written along with a record, by the name of their list. */
function nestedIn(resource: Resource, { resources, links }: Known): Values {
  const found = new Map<string, Value>()
  for (const { by, table, inForm } of resource.related) {
    const other = resources.get(uriOf(table.resource))
    const link = [...(other?.fields.values() ?? [])].find((field) => links.get(field) === resource && (by === null || field.key === by))
    if (inForm === null || !other || !link) continue
    const fields = nestedFields(other, link.key, inForm)
    const key = other.model.key.key
    const inputs = pick(
      writableIn(other, true),
      fields.map((field) => field.key),
    )
    const values = valuesOf(other)
    const row = new Map([...values].map(([name, { schema }]) => [name, readOnly(schema)] as const))
    for (const [name, { schema }] of inputs) row.set(name, schema)
    const { readOnly: _, ...named } = values.get(key)?.schema ?? keyValue(other).schema
    row.set(key, {
      ...named,
      description: 'The record that the row changes; without it, or with a key of your own that is not there yet, the row is a new one.',
    })
    row.set('_version', { type: 'string', description: 'The version that was read: another one by now is a 409.' })
    row.set('_delete', { type: 'boolean', description: 'Whether to delete the record.' })
    const schema = {
      title: table.title ?? other.title,
      description: 'Related records to create, change and delete along with it. Others stay as they are.',
      type: 'array',
      maxItems: mostNested(resource, fields),
      items: { type: 'object', properties: Object.fromEntries(row), additionalProperties: false, 'x-more-rules': true },
    }
    found.set(table.name, { always: false, schema })
  }
  return found
}

function described(field: Bound, schema: Schema): Schema {
  return {
    title: field.label,
    ...schema,
    ...(field.hint !== null && { description: [field.hint, schema.description ?? []].flat().join('\n') }),
    ...(field.readOnly && { readOnly: true }),
  }
}

function withFacts(resource: Resource, field: Bound, schema: Schema, creating: boolean): Schema {
  return {
    ...schema,
    ...(creating && field.default !== undefined && field.default !== null && { default: field.kind.wire(field.default, field) }),
    ...(field.example !== undefined && { examples: [field.kind.wire(field.example, field)] }),
    ...(!creating && field.editableWhen !== null && openedBy(resource, field, schema)),
  }
}

/** Which records let users change the field. Columns that nobody may see are not named. */
function openedBy({ model, fields }: Resource, field: Bound, { description }: Schema): Schema {
  const parts = valuesByColumn(editableWhenOf(model, field, 'UTC').met)?.map(({ column, values }) => {
    const other = fields.get(column)
    if (!other || other.kind.secret || other.visible === false) return null
    const [first, ...more] = values.map((value) => (value === null ? null : other.kind.wire(value, other)))
    return JSON.stringify({ [column]: more.length > 0 ? { in: [first, ...more] } : first })
  })
  const values = parts?.every((part) => part !== null) ? parts.join(' and ') : null
  const usual = values === null ? 'Not every record lets it be changed.' : `Can be changed while the record has ${values}.`
  return { description: [description ?? [], field.editableWhen?.why ?? usual].flat().join('\n') }
}

function keyValue({ model }: Resource): Value {
  return { always: true, schema: { title: model.key.key, type: model.key.type === 'integer' ? 'integer' : 'string', readOnly: true } }
}

const readOnly = (schema: Schema): Schema => ({ ...schema, readOnly: true })

/** The value that a form starts with. It has no type in the schema, since a stored value may be older than the rules; null: none. */
function anyway(schema: Schema): Schema {
  return { title: schema.title ?? '', description: 'The value that the form starts with; null if there is none.' }
}

function pick(values: Values, names: readonly string[]): readonly (readonly [string, Value])[] {
  return names.flatMap((name) => {
    const value = values.get(name)
    return value ? [[name, value] as const] : []
  })
}
