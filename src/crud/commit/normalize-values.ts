import type { Model } from '../../resource/model/model.js'

type Values = Record<string, unknown>

/**
 * Normalizes values from user code: JSON columns get what `JSON.stringify` would make of them if that loses nothing, so that a record with
 * dates can be stored.
 */
export function normalizeValues({ columns }: Model, values: Values): Values {
  let given = values
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'object' || value === null || columns.get(name)?.type !== 'json') continue
    if (given === values) given = { ...values }
    given[name] = asJson(value)
  }
  return given
}

// Other values stay as they are; the store refuses them if they are not JSON.
function asJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? value : value.toISOString()
  if (Array.isArray(value)) return value.map(asJson)
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([name, one]) => [name, asJson(one)]),
  )
}
