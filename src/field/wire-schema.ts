import * as z from 'zod'
import type { Bound, BoundColumn, ColumnType } from './field.js'
import { keySchema } from './key.js'
import type { StandardSchema } from './standard-schema.js'

/** A JSON Schema (2020-12). */
export type Schema = { readonly [keyword: string]: unknown }

/** What may be sent for a field, null included where it may be empty. Anything where the kind's schema cannot stand within another. */
export function inputSchema(field: Bound): Schema {
  const schema = plain(field.kind.schema(field))
  return field.nullable ? orNull(schema) : schema
}

/** What the key of a record is in a path. */
export function pathSchema(column: BoundColumn): Schema {
  return plain(keySchema(column))
}

/** What a filter of a field compares with. The bounds and options of the declaration don't matter: one may well ask for what cannot be. */
export function filterSchema(field: Bound): Schema {
  return without(beginSchema(field), ['enum', 'const'])
}

/** What a new record may begin with, before it is put right: any value of its form, whatever its bounds. */
export function beginSchema(field: Bound): Schema {
  return without(plain(field.kind.schema(field)), bounds)
}

/** What an answer holds of a field: its type. What is stored may be older than the rules, so no rule is promised. */
export function outputSchema(field: Bound): Schema {
  const { enum: options, ...input } = plain(field.kind.schema(field)) as { enum?: unknown }
  const kept = formats[field.column.type]
  const type = without(input, [...bounds, 'pattern', 'enum', 'const', 'format'])
  const one = { ...type, ...(kept && type.type === 'string' && { format: kept }), ...(options !== undefined && { examples: options }) }
  const empty = !(field.column as { notNull?: boolean }).notNull || unsure.has(field.column.type)
  return empty ? orNull(one) : one
}

/** Whether the schema of a field says all that is asked of its value. */
export function isExpressed(field: Bound): boolean {
  const checks = (field.kind.schema(field) as z.core.$ZodType)._zod.def.checks ?? []
  return field.rules.length === 0 && !field.kind.relation && !checks.some((check) => check._zod.def.check === 'custom')
}

/** A schema that null meets, too. */
function orNull(schema: Schema): Schema {
  const { type } = schema
  if (Object.keys(schema).length === 0) return schema
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  return { ...schema, type: [type, 'null'], ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }) }
}

// What is longer or larger than this is refused for other reasons.
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
]

// A time that is none, JSON that cannot be read and what a type of the user's own throws at are shown as nothing.
const unsure: ReadonlySet<ColumnType> = new Set(['dateTime', 'json', 'other'])

const formats: { readonly [T in ColumnType]?: string } = { date: 'date', dateTime: 'date-time' }

function plain(schema: z.ZodType): Schema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' })
  // A reference is to the root, which is another one where this stands within a document.
  return JSON.stringify(json).includes('"$ref"') ? {} : (json as Schema)
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

/** What a Standard Schema takes, where it says so itself: an object, or one of several. Null: nothing is known of it that could stand in a document. */
export function standardInput(schema: StandardSchema): Schema | null {
  const offered = (schema['~standard'] as { jsonSchema?: { input?(about: { target: string }): Schema } }).jsonSchema
  try {
    const json =
      schema instanceof z.ZodType
        ? z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
        : offered?.input?.({ target: 'draft-2020-12' })
    const { $schema: _, ...said } = (json ?? {}) as Schema
    const isObject = said.type === 'object' || [said.anyOf, said.oneOf].some((all) => Array.isArray(all) && all.every(isObjectSchema))
    // A reference is to the root, which is another one where this stands within a document.
    return isObject && !JSON.stringify(said).includes('"$ref"') ? said : null
  } catch {
    // A schema that cannot be written as one is as good as none.
    return null
  }
}

function isObjectSchema(one: Schema): boolean {
  return one.type === 'object' && one.additionalProperties !== false
}
