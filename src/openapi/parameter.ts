import type { Schema } from '../field/wire-schema.js'

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

/** @param many whether it may be repeated */
export function text(name: string, description: string, schema: Schema = { type: 'string' }, many = false): Parameter {
  return { name, in: 'query', description, schema, ...(many && { style: 'form' as const, explode: true }) }
}

/** Names out of these, separated by commas. */
export function listed(name: string, description: string, names: readonly string[], most?: number): Parameter {
  return {
    name,
    in: 'query',
    description,
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { type: 'string', enum: names }, ...(most !== undefined && { maxItems: most }) },
  }
}

export function ids(description: string): Parameter {
  return text('ids[]', description, { type: 'array', items: { type: 'string' }, 'x-more-rules': true }, true)
}

export function header(name: string, description: string, required = false): Parameter {
  return { name, in: 'header', description, schema: { type: 'string' }, ...(required && { required }) }
}
