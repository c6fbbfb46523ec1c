import * as z from 'zod'
import type { Schema } from '../field/wire-schema.js'

/** An object with these properties and no others. */
export function closed(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    additionalProperties: false,
  }
}

/** A zod schema as JSON Schema. */
export function plain(schema: z.ZodType): Schema {
  const { $schema: _, ...json } = z.toJSONSchema(schema)
  return json as Schema
}
