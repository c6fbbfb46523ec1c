import type { Bound, ColumnType } from '../../field/field.js'
import { always, type Condition, type Where } from '../condition/condition.js'
import type { Column } from '../model/model.js'
import { list } from '../problem.js'
import type { Resource } from '../resource.js'
import { whereOf } from './reach.js'

/** A column of the related record, and the field of this one that it must equal. */
export type Match = readonly [theirs: string, ours: string]

type Row = Record<string, unknown>

/** What `.matching()` says of a relation. */
export function matchesOf({ own }: Bound): readonly Match[] {
  return isPairs(own.matching) ? Object.entries(own.matching) : []
}

/** Whether not every record of the related resource can be chosen. */
export const isSelective = (field: Bound): boolean => field.kind.relation && (field.own.where !== undefined || matchesOf(field).length > 0)

/** What `.where()` says of a relation. */
export function fixedChoices({ own }: Bound, target: Resource, timeZone: string): Condition {
  return own.where === undefined ? always : whereOf(target, own.where as Where<Row>, timeZone)
}

/** Where fields stand that a relation may match. */
export interface Beside {
  readonly fields: ReadonlyMap<string, Bound>
  /** The names of those in the form. */
  readonly form: readonly string[]
}

type Fault = readonly [method: 'where' | 'matching', text: string]

/** What is wrong with how a relation is narrowed, each with the method that says so. */
export function narrowingFaults(field: Bound, target: Resource, { fields, form }: Beside): readonly Fault[] {
  const { model } = target
  const { where, matching } = field.own
  const faults: Fault[] = []
  try {
    if (where !== undefined) whereOf(target, where as Where<Row>, 'UTC')
  } catch (thrown) {
    faults.push(['where', (thrown as Error).message])
  }
  if (matching === undefined) return faults
  const say = (text: string) => faults.push(['matching', text])
  if (!isPairs(matching) || Object.keys(matching).length === 0)
    say("it takes columns of the related table, each with the name of a field: { countryId: 'countryId' }")
  const others = form.filter((name) => name !== field.key && isMatchable(fields.get(name)?.column))
  for (const [theirs, ours] of matchesOf(field)) {
    const column = model.columns.get(theirs)
    const other = fields.get(ours)
    if (!column) say(`"${theirs}" is not a column of "${model.name}". Valid: ${list(columnsOf(model.columns))}`)
    else if (!isMatchable(column)) say(`"${theirs}" of "${model.name}" is of type ${column.type}, which is not compared`)
    if (other === field) say(`"${ours}" is the relation itself; name another field. Valid: ${list(others)}`)
    else if (!other) say(`"${ours}" is not a field. Valid: ${list(others)}`)
    else if (!form.includes(ours)) say(`"${ours}" is not in the form, so nobody could choose it first. Valid: ${list(others)}`)
    else if (column && !isAlike(column, other.column))
      say(`"${theirs}" of "${model.name}" is of type ${typeOf(column)}, but the field "${ours}" of type ${typeOf(other.column)}`)
  }
  return faults
}

/** Anything else is reported at the start. */
function isPairs(matching: unknown): matching is Readonly<Record<string, string>> {
  return (
    typeof matching === 'object' &&
    matching !== null &&
    !Array.isArray(matching) &&
    Object.values(matching).every((ours) => typeof ours === 'string')
  )
}

type Typed = Pick<Column, 'type' | 'asDate'>

const never: ReadonlySet<ColumnType> = new Set(['json', 'bytes', 'other'])
const isMatchable = (column: Typed | undefined) => column !== undefined && !never.has(column.type)
const isAlike = (one: Typed, other: Typed) => one.type === other.type && one.asDate === other.asDate
const typeOf = ({ type, asDate }: Typed) => (asDate ? `${type} (Date)` : type)
const columnsOf = (columns: ReadonlyMap<string, Column>) => [...columns.values()].filter(isMatchable).map(({ key }) => key)
