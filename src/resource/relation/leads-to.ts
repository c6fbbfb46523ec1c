import type { Table } from 'drizzle-orm'
import type { Bound, ColumnType } from '../../field/field.js'
import { type Column, shapeOf } from '../model/model.js'
import { list } from '../problem.js'
import type { Resource } from '../resource.js'

/** The resource that a relation leads to; text: what is wrong with it; null: the field is not a relation. */
export function leadsTo(resource: Resource | null, field: Bound, resources: readonly Resource[]): Resource | string | null {
  if (!field.kind.relation) return null
  const linked = linkedColumn(field)
  const table = field.own.table ?? (linked ?? resource?.model.columns.get(field.key))?.references?.table
  if (table === undefined)
    return linked
      ? 'the column of the link table has no foreign key, so name the other table: .to(table)'
      : 'the column has no foreign key, so name the table: belongsTo(label, table)'
  const uri = field.own.resource
  const managing = resources.filter((one) => one.model.table === table)
  if (managing.length === 0) return 'no resource of the panel manages the related table; add one'
  if (uri !== undefined && !managing.some((one) => one.uriKey === uri))
    return `no resource "${uri}" manages the related table. Valid: ${list(managing.map((one) => one.uriKey))}`
  const meant = managing.filter((one) => uri === undefined || one.uriKey === uri)
  const led = referenced(resource, field)
  if (led !== null && led !== meant[0]?.model.fullName)
    return `the foreign key of its column references the table "${led}", but the relation names "${meant[0]?.model.fullName}"; name that table, or none`
  // The field must hold a value of that resource's key column.
  const held = heldKey(resource, field, table as Table)
  const possible = meant.filter(({ model }) => held === null || model.key === held)
  if (possible.length === 0)
    return `it holds "${held?.key}" of the related record, and ${meant.map(({ uriKey, model }) => `the key of ${uriKey} is "${model.key.key}"`).join(', ')}`
  const type = (linked ?? field.column).type
  // The keys in a list are those of the records as they are.
  const named = possible.filter(({ model }) => (linked ? type === model.key.type : isAlike(type, model.key.type)))
  if (named.length === 1) return named[0] as Resource
  if (named.length === 0)
    return `its column is of type ${type}, and ${possible.map(({ uriKey, model }) => `the key of ${uriKey} is "${model.key.key}", of type ${model.key.type}`).join(', ')}`
  return `several resources manage the related table; say which: .resource('${named[0]?.uriKey}'). Valid: ${list(named.map((one) => one.uriKey))}`
}

/**
 * The name of the table that the column's foreign key references; null: none. Names are compared, since two Drizzle tables may describe one
 * database table.
 */
function referenced(resource: Resource | null, field: Bound): string | null {
  const reference = columnOf(resource, field)?.references
  return reference ? shapeOf(reference.table).fullName : null
}

/** The column that holds the key of the related record; null: a field of an action's form has none. */
function columnOf(resource: Resource | null, field: Bound): Column | null {
  const linked = linkedColumn(field)
  if (linked) return linked
  return resource?.fields.get(field.key) === field ? (resource.model.columns.get(field.key) ?? null) : null
}

/** The column of the link table that a relation to several records goes by. */
const linkedColumn = ({ kind, column }: Bound) => (kind.relation ? (column.element as Column | null) : null)

const numbers: ReadonlySet<ColumnType> = new Set(['integer', 'bigint', 'numeric'])

/** Whether a column of one type can hold a key of the other type. */
function isAlike(one: ColumnType, other: ColumnType): boolean {
  return numbers.has(one) === numbers.has(other)
}

/** The column of the related table whose value a relation holds; null: unknown. */
function heldKey(resource: Resource | null, field: Bound, table: Table): Column | null {
  const column = columnOf(resource, field)
  // A field of an action's form has no column; its own stands in for the related key.
  if (!column) return field.column as Column
  const { references: reference } = column
  return reference?.table === table ? (shapeOf(table).columns.get(reference.key) ?? null) : null
}
