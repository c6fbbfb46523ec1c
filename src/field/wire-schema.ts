import * as z from 'zod'
import type { Bound, BoundColumn, ColumnType } from './field.js'
import { keySchema } from './key.js'
import type { StandardSchema } from './standard-schema.js'

/** A JSON Schema (2020-12). */
export type Schema = { readonly [keyword: string]: unknown }

/**
 * The schema of a field's value in a request; it includes null for a nullable field. It allows anything if the kind's schema cannot be
 * embedded. With `x-more-rules`, it doesn't express every check of the value.
 */
export function inputSchema(field: Bound): Schema {
  const schema = inColumn(plain(field.kind.schema(field)), field.column)
  return { ...(field.nullable ? orNull(schema) : schema), ...(!isExpressed(field) && unsaid) }
}

const unsaid = { 'x-more-rules': true }

/** The schema of a record's key in a path. */
export function pathSchema(column: BoundColumn): Schema {
  return plain(keySchema(column))
}

/**
 * The schema of a value that a filter asks for; of a field that holds several, of one of them. The declared bounds and options don't apply: a
 * stored value may be older than they are. Those of the column do.
 */
export function filterSchema(field: Bound): Schema {
  const { column, kind } = field
  const asked = without(beginSchema(field), ['enum', 'const'])
  return kind.many(field) ? inColumn(itemSchema(asked), column.element ?? column) : inColumn(asked, column)
}

/** The schema of a value that users choose for what a page shows: an option of the field, and one that the column can be compared with. */
export function chosenSchema(field: Bound): Schema {
  return inColumn(beginSchema(field), field.column)
}

/** The schema of one item of a list. */
export const itemSchema = ({ items }: Schema): Schema =>
  typeof items === 'object' && items !== null ? (items as Schema) : { type: 'string' }

/** A schema of values of a column, with what the database takes of their type. */
function inColumn(schema: Schema, { type, range, options, takes }: BoundColumn): Schema {
  const [least, most] = range ?? [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
  return {
    ...schema,
    ...(schema.type === 'integer' && type === 'integer' && { minimum: least, maximum: most }),
    ...(schema.type === 'string' && takes === 'options' && { enum: options }),
    ...(schema.type === 'string' && type === 'uuid' && { pattern: '^[\\da-fA-F]{8}(?:-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}$' }),
    ...(takes === 'some' && unsaid),
    // What the field says is narrower.
    ...schema,
  }
}

/** The schema of a value that a new record's form may start with, not yet validated: the right format, without bounds. */
export function beginSchema(field: Bound): Schema {
  return without(plain(field.kind.schema(field)), [...bounds, 'description'])
}

/** The schema of a field's value in an answer: its type only. A stored value may be older than the rules, so none is promised. */
export function outputSchema(field: Bound): Schema {
  const parts = field.kind.rows?.parts(field)
  if (parts) return orNull({ type: 'array', items: rowSchema(parts) })
  const { enum: options, ...input } = plain(field.kind.schema(field)) as { enum?: unknown }
  const kept = formats[field.column.type]
  const type = without(input, [...bounds, 'pattern', 'enum', 'const', 'format', ...Object.keys(unsaid)])
  const one = { ...type, ...(kept && type.type === 'string' && { format: kept }), ...(options !== undefined && { examples: options }) }
  const isUnsure = unsure.has(field.column.type) && !field.kind.relation
  const empty = !(field.column as { notNull?: boolean }).notNull || isUnsure
  return empty ? orNull(one) : one
}

/** A stored row may be older than its parts. */
function rowSchema(parts: ReadonlyMap<string, Bound>): Schema {
  const properties = Object.fromEntries([...parts].map(([name, part]) => [name, outputSchema(part)]))
  return { type: 'object', properties, additionalProperties: false }
}

/** Whether there are no checks of a field's value beside the schema of its kind. */
function isExpressed(field: Bound): boolean {
  const { kind, rules, column } = field
  const parts = kind.rows?.parts(field)
  if (parts && ![...parts.values()].every(isExpressed)) return false
  // Any JSON may be sent, and the items of such a column have one type.
  const isOfItems = column.element !== null && !kind.many(field)
  return rules.length === 0 && !kind.relation && !kind.file && !isOfItems
}

/** The schema with null added. */
function orNull(schema: Schema): Schema {
  const { type } = schema
  if (Object.keys(schema).length === 0) return schema
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  return { ...schema, type: [type, 'null'], ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }) }
}

// Keywords that only state bounds: filters, cursors and stored values may lie outside.
const bounds = [
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
]

// In these columns an unreadable value is shown as null: an invalid time, broken JSON, or anything that makes a custom type throw. The keys
// of related records are no such JSON.
const unsure: ReadonlySet<ColumnType> = new Set(['dateTime', 'json', 'other'])

const formats: { readonly [T in ColumnType]?: string } = { date: 'date', dateTime: 'date-time' }

function plain(schema: z.ZodType): Schema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, about)
  // A `$ref` refers to the root, which is another one once the schema is embedded in a document.
  return JSON.stringify(json).includes('"$ref"') ? {} : (json as Schema)
}

const about: z.core.ToJSONSchemaParams = { unrepresentable: 'any', io: 'input', override: truthful }

function truthful({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  // A format that only our error texts know: `time` of JSON Schema has an offset. The pattern says it.
  if (jsonSchema.format === 'daytime') delete jsonSchema.format
  if (zodSchema._zod.def.checks?.some((check) => check._zod.def.check === 'custom')) Object.assign(jsonSchema, unsaid)
}

function without(schema: Schema, keywords: readonly string[]): Schema {
  const out: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (keywords.includes(keyword)) continue
    out[keyword] =
      keyword === 'items'
        ? without(value as Schema, keywords)
        : keyword === 'anyOf'
          ? (value as Schema[]).map((one) => without(one, keywords))
          : value
  }
  return out
}

/**
 * The schema of an object, or of one of several, that a Standard Schema accepts. Null if its library doesn't export one that a document can
 * embed.
 */
export function standardInput(schema: StandardSchema): Schema | null {
  const offered = (schema['~standard'] as { jsonSchema?: { input?(about: { target: string }): Schema } }).jsonSchema
  try {
    const json = schema instanceof z.ZodType ? z.toJSONSchema(schema, about) : offered?.input?.({ target: 'draft-2020-12' })
    const { $schema: _, ...said } = (json ?? {}) as Schema
    const isObject = said.type === 'object' || [said.anyOf, said.oneOf].some((all) => Array.isArray(all) && all.every(isObjectSchema))
    // A `$ref` refers to the root, which is another one once the schema is embedded in a document.
    return isObject && !JSON.stringify(said).includes('"$ref"') ? said : null
  } catch {
    // A schema that cannot be exported counts as unknown.
    return null
  }
}

function isObjectSchema(one: Schema): boolean {
  return one.type === 'object' && one.additionalProperties !== false
}
