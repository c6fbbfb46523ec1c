import type { Condition } from './condition/condition.js'
import type { Column, Model } from './model/model.js'

/** How a resource marks its records as deleted, instead of deleting them. */
export interface SoftDelete {
  /** The column that says so. */
  readonly column: Column
  /** The condition on records that are not deleted. */
  readonly live: Condition
  /** The condition on those that are. */
  readonly deleted: Condition
  /** What marks a record as deleted now. */
  deleting(): Readonly<Record<string, unknown>>
  /** What makes it an ordinary one again. */
  readonly restoring: Readonly<Record<string, unknown>>
}

/** The columns that can say whether a record is deleted: a time that may be null, or a boolean. */
export type DeletedKey<R> = {
  [K in keyof R]: NonNullable<R[K]> extends boolean ? K : null extends R[K] ? (NonNullable<R[K]> extends Date | string ? K : never) : never
}[keyof R] &
  string

/** How records are marked by a column; null: it cannot, which the start-up checks report. */
export function softDeleteOf({ columns }: Model, name: string | undefined): SoftDelete | null {
  const column = name === undefined ? undefined : columns.get(name)
  if (!column || softDeleteFault(column) !== null) return null
  const { key, type, asDate } = column
  if (type === 'boolean')
    return Object.freeze<SoftDelete>({
      column,
      live: { op: 'ne', column: key, value: true },
      deleted: { op: 'eq', column: key, value: true },
      deleting: () => ({ [key]: true }),
      restoring: { [key]: false },
    })
  return Object.freeze<SoftDelete>({
    column,
    live: { op: 'eq', column: key, value: null },
    deleted: { op: 'ne', column: key, value: null },
    deleting: () => ({ [key]: asDate ? new Date() : new Date().toISOString() }),
    restoring: { [key]: null },
  })
}

/** Why a column cannot say whether a record is deleted; null: it can. */
export function softDeleteFault({ type, notNull, generated, link }: Column): string | null {
  if (link || generated) return 'is not written to by itself'
  if (type === 'boolean') return null
  if (type === 'text') return 'is a text; in SQLite, declare it as a field that says how it holds times: dateTime().stored(…)'
  if (type !== 'dateTime') return `is of type ${type}; it takes a date and time, or a boolean`
  return notNull ? 'is NOT NULL, so no record could be without a time of deletion' : null
}
