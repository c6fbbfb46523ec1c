import type { Resource } from '../resource/resource.js'

/** @throws TypeError where code of the panel's own gives a value for what is not a column: the caller has not said that */
export function checkColumns(what: string, { model }: Resource, values: Readonly<Record<string, unknown>>): void {
  const wrong = Object.keys(values).find((name) => !model.columns.has(name))
  if (wrong !== undefined)
    throw new TypeError(`${what} gives a value for "${wrong}", which is not a column. Valid: ${[...model.columns.keys()].join(', ')}`)
}
