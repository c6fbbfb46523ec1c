import type { Table } from 'drizzle-orm'
import { iconFault } from '../base/icon-paths.js'
import type { Bound, ColumnType } from '../field/field.js'
import { actionMethods } from './action.js'
import type { BoundAction } from './bind-action.js'
import { type Column, shapeOf } from './model.js'
import { list, type Say } from './problem.js'
import type { Resource } from './resource.js'

/** What is wrong with the handlers, methods and buttons of a resource. */
export function checkActions({ handlers, methods, indexButtons, buttons }: Resource, say: Say): void {
  for (const [at, all] of Object.entries({ handlers, methods })) {
    for (const [uri, action] of all) if (!action.changes) checkAction(`${at}.${uri}`, action, say)
  }
  for (const [at, all] of Object.entries({ indexButtons, buttons })) {
    for (const button of all) {
      checkButton(at, button, { handlers, methods }, say)
      if ('bulk' in button && button.bulk && button.handler === undefined)
        say('button-bulk', at, `"${button.label}" acts on the selected rows, so it must name a handler`)
    }
  }
}

/** What is wrong with a handler or a method. */
export function checkAction(at: string, { method, safe, long, transaction, fields }: BoundAction, say: Say): void {
  if (!actionMethods.includes(method)) say('setting-value', `${at}.method`, `"${method}" is none of ${actionMethods.join(', ')}`)
  if (method === 'GET' && !safe) say('handler-safe', at, 'a GET action must declare `safe: true`: it gets a store that only reads')
  if (long && (method === 'GET' || !transaction))
    say('handler-long', at, 'a long handler writes in batches, each in a transaction: it is neither a GET nor `transaction: false`')
  for (const key of fields.keys())
    if (key.startsWith('_') || reservedInputs.has(key))
      say('handler-field', `${at}.fields.${key}`, 'the panel itself uses this name; choose another one')
  for (const [key, { kind }] of fields)
    if (kind.file)
      say('handler-file', `${at}.fields.${key}`, 'an action has no record that could take a file; let users set the field of the record')
  for (const [key, { own }] of fields)
    if (own.fills !== undefined) say('relation-fills', `${at}.fields.${key}.fills`, 'an action has no record whose fields could be filled')
  for (const [key, { required, hasDefault, readOnly, visible, editable }] of fields)
    if (required && !hasDefault && (readOnly || visible !== true || editable !== true))
      say('handler-unasked', `${at}.fields.${key}`, 'it is required, but not everybody is asked for it: give it a `default`')
}

/** What is wrong with a button that may use these actions. */
export function checkButton(
  at: string,
  { label, icon, handler, method, href, event, confirm }: ButtonFacts,
  { handlers, methods }: Actions,
  say: Say,
): void {
  const fault = icon === undefined ? null : iconFault(icon)
  if (fault !== null) say('icon', at, fault)
  if (handler !== undefined && !handlers.has(handler))
    say('button-handler', at, `"${label}" names the handler "${handler}". Valid: ${list(handlers.keys())}`)
  if (method !== undefined && !methods.has(method))
    say('button-method', at, `"${label}" names the method "${method}". Valid: ${list(methods.keys())}`)
  if ([handler, method, href, event].filter((one) => one !== undefined).length !== 1)
    say('button-does', at, `"${label}" must do one thing: name a handler, a method, an href or an event`)
  const action = handler === undefined ? methods.get(method ?? '') : handlers.get(handler)
  if (action?.method === 'GET' && (action.fields.size > 0 || confirm !== undefined || action.confirm !== null))
    say('button-get', at, `"${label}" names a GET, which acts at once: it cannot ask for input or confirmation first`)
}

interface ButtonFacts {
  readonly label: string
  readonly icon?: string | undefined
  readonly handler?: string | undefined
  readonly method?: string | undefined
  readonly href?: string | undefined
  readonly event?: string | undefined
  readonly confirm?: string | undefined
}

interface Actions {
  readonly handlers: ReadonlyMap<string, BoundAction>
  readonly methods: ReadonlyMap<string, BoundAction>
}

// Names in a request that select the action and its records.
export const reservedInputs = new Set(['ids', 'handlerUri', 'method'])

/** The resource that a relation leads to; text: what is wrong with it; null: the field is not a relation. */
export function related(resource: Resource | null, field: Bound, resources: readonly Resource[]): Resource | string | null {
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
  const led = leadsTo(resource, field)
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
function leadsTo(resource: Resource | null, field: Bound): string | null {
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
