import type { Resource } from '../../resource/resource.js'

/** @throws TypeError if user code gives a value for a name that is not a column: a bug, not the caller's mistake */
export function checkColumns(what: string, { model }: Resource, values: Readonly<Record<string, unknown>>): void {
  const wrong = Object.keys(values).find((name) => !model.columns.has(name))
  if (wrong !== undefined)
    throw new TypeError(`${what} gives a value for "${wrong}", which is not a column. Valid: ${[...model.columns.keys()].join(', ')}`)
}
