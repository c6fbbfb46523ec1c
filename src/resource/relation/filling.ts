import type { Bound, BoundColumn, ColumnType } from '../../field/field.js'
import type { Column } from '../model/model.js'
import { list } from '../problem.js'
import type { Resource } from '../resource.js'

/** A field that a relation fills. */
export interface Fill {
  /** The relation. */
  readonly by: Bound
  /** The field that takes the value. */
  readonly ours: Bound
  /** The column of the related record that has it. */
  readonly theirs: string
}

const none: readonly Fill[] = []
const known = new WeakMap<ReadonlyMap<string, Bound>, readonly Fill[]>()

/** What the relations among fields fill. Found once, since every write asks. */
export function fillsIn(fields: ReadonlyMap<string, Bound>): readonly Fill[] {
  let fills = known.get(fields)
  if (!fills) {
    fills = [...fields.values()].flatMap((by) =>
      pairsOf(by).flatMap(([name, theirs]) => {
        const ours = fields.get(name)
        return ours ? [{ by, ours, theirs }] : []
      }),
    )
    if (fills.length === 0) fills = none
    known.set(fields, fills)
  }
  return fills
}

/** The relation that fills a field; undefined: none does. */
export function fillerOf(field: Bound, fields: ReadonlyMap<string, Bound>): Bound | undefined {
  return fillsIn(fields).find(({ ours }) => ours === field)?.by
}

/** What `.fills()` says of a relation. */
function pairsOf({ own }: Bound): readonly (readonly [ours: string, theirs: string])[] {
  return isPairs(own.fills) ? Object.entries(own.fills) : []
}

/** What is wrong with what a relation fills. */
export function fillingFaults(field: Bound, { model }: Resource, fields: ReadonlyMap<string, Bound>): readonly string[] {
  const { fills } = field.own
  if (fills === undefined) return []
  const faults: string[] = []
  if (!isPairs(fills) || Object.keys(fills).length === 0)
    faults.push("it takes fields of this record, each with a column of the related table: { price: 'price' }")
  const valid = [...fields.values()].filter((one) => one !== field && isFillable(one))
  for (const [name, theirs] of pairsOf(field)) {
    const ours = fields.get(name)
    const column = model.columns.get(theirs)
    if (!ours || !valid.includes(ours))
      faults.push(`"${name}" is not a field that can be filled. Valid: ${list(valid.map(({ key }) => key))}`)
    const fitting = [...model.columns.values()].filter((one) => !ours || isAlike(one, ours.column)).map(({ key }) => key)
    if (!column) faults.push(`"${theirs}" is not a column of "${model.name}". Valid: ${list(fitting)}`)
    else if (ours && !isAlike(column, ours.column))
      faults.push(
        `"${theirs}" of "${model.name}" is of type ${typeOf(column)}, but the field "${name}" of type ${typeOf(ours.column)}. Valid: ${list(fitting)}`,
      )
    const other = fillsIn(fields).find((one) => one.ours === ours && one.by !== field)
    if (other) faults.push(`"${name}" is filled by "${other.by.key}", too`)
  }
  return faults
}

/** Nobody writes what the database computes, a file is of one record alone, and a secret is shown to nobody. */
function isFillable({ kind, column }: Bound): boolean {
  const { generated, link } = column as Column
  return !generated && !link && kind.file === null && !kind.secret && !never.has(column.type)
}

const never: ReadonlySet<ColumnType> = new Set(['bytes', 'other'])
type Typed = Pick<BoundColumn, 'type' | 'asDate' | 'element'>
const isAlike = (one: Typed, other: Typed) =>
  one.type === other.type && one.asDate === other.asDate && one.element?.type === other.element?.type && !never.has(one.type)
const typeOf = ({ type, asDate, element }: Typed) => (element ? `list of ${element.type}` : asDate ? `${type} (Date)` : type)

/** Anything else is reported at the start. */
function isPairs(fills: unknown): fills is Readonly<Record<string, string>> {
  return (
    typeof fills === 'object' &&
    fills !== null &&
    !Array.isArray(fills) &&
    Object.values(fills).every((theirs) => typeof theirs === 'string')
  )
}
