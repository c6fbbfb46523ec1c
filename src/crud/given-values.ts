import type { Model } from '../resource/model.js'

type Values = Record<string, unknown>

/** Values as code of the panel's own gives them: what goes into JSON is what `JSON.stringify` makes of it where that loses nothing, so that a record with its times can be kept. */
export function givenValues({ columns }: Model, values: Values): Values {
  let given = values
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'object' || value === null || columns.get(name)?.type !== 'json') continue
    if (given === values) given = { ...values }
    given[name] = asJson(value)
  }
  return given
}

// Everything else is as it was, and refused by the store where it is no JSON.
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
