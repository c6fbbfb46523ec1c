import type { Schema } from '../../field/wire-schema.js'

/**
 * The texts of a name in a query or a form, as the type that a schema has for them: a number, a boolean, a list even of one. A text that is
 * none of that type stays, for the schema to refuse. Without a type, a single text or the list of several.
 */
export function coerceTexts(texts: readonly string[], schema: Schema = {}): unknown {
  const types = typesOf(schema)
  if (types.length === 1 && types[0] === 'array') return texts.map((text) => fromText(text, typesOf(schema.items as Schema | undefined)))
  return texts.length === 1 ? fromText(texts[0] as string, types) : texts
}

function fromText(text: string, types: readonly unknown[]): unknown {
  // What may be a text is one.
  if (!types.every((type) => type === 'boolean' || type === 'number' || type === 'integer')) return text
  if (types.includes('boolean') && /^(?:true|false)$/.test(text)) return text === 'true'
  if (types.every((type) => type === 'boolean') || !/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return text
  const number = Number(text)
  // Digits that would be rounded are refused, as in JSON.
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? text : number
}

function typesOf({ type, anyOf }: Schema = {}): readonly unknown[] {
  const all = Array.isArray(anyOf) ? (anyOf as Schema[]).flatMap(typesOf) : [type].flat()
  return all.filter((one) => one !== 'null')
}
