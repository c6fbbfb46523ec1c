import type { SummaryNumber } from '../crud/outcomes/lists.js'
import type { Schema } from '../field/wire-schema.js'
import type { Resource } from '../resource/resource.js'
import { visibleIn } from './records.js'
import { closed } from './schema.js'

/** The numbers below the columns of a list: those of each column by what they are. */
export type SummaryBody = { readonly [column: string]: { readonly [of: string]: number | null } }

export function summaryBody(all: readonly SummaryNumber[]): SummaryBody {
  const body: Record<string, Record<string, number | null>> = {}
  // JSON has no infinity.
  for (const { field, of, value } of all) body[field.key] = { ...body[field.key], [of]: Number.isFinite(value) ? value : null }
  return body
}

/** The schema of the numbers below the columns of a resource's lists; null: it has none. */
export function summarySchema(resource: Resource): Schema | null {
  const visible = new Map(visibleIn(resource).map((field) => [field.key, field]))
  const columns = resource.summary.filter(({ column }) => visible.has(column))
  if (columns.length === 0) return null
  const number: Schema = { type: ['number', 'null'] }
  return closed(
    Object.fromEntries(columns.map(({ column, of }) => [column, closed(Object.fromEntries(of.map((one) => [one, number])))])),
    columns.flatMap(({ column }) => (visible.get(column)?.visible === true ? [] : [column])),
  )
}
