import type { Table } from 'drizzle-orm'
import type { Column } from '../model/model.js'
import { hasTextForm } from '../model/text-form.js'

export const picked: unique symbol = Symbol('valuesOf')
declare const value: unique symbol

/** The values of a column of another table, as `valuesOf` picks them. */
export interface ValuesOf<V> {
  readonly [picked]: {
    readonly table: Table
    readonly column: string
    /** The condition, if there is one: a list, so that one that is `undefined` is not taken for none. */
    readonly where: readonly unknown[]
  }
  readonly [value]?: V
}

export function isValuesOf(one: unknown): one is ValuesOf<unknown> {
  return typeof one === 'object' && one !== null && picked in one
}

/** Whether the database compares the values of two columns as what they are: for that, it has to store them the same way. */
export function areAlike(one: Column, other: Column): boolean {
  return one.type !== 'json' && one.type === other.type && formOf(one) === formOf(other)
}

function formOf(column: Column): string {
  const { type, drizzle, stored } = column
  const { columnType } = drizzle
  const dialect = columnType.startsWith('Pg') ? 'postgresql' : 'sqlite'
  // PostgreSQL compares no enum and no address with a text, nor with another enum.
  if (columnType === 'PgEnumColumn' || hasTextForm(column)) return drizzle.getSQLType()
  if (type === 'integer' || type === 'text') return dialect
  if (type === 'other') return drizzle.getSQLType()
  const { mode, withTimezone } = drizzle as { readonly mode?: unknown; readonly withTimezone?: unknown }
  // A key that counts is a number like those that refer to it.
  return [columnType.replace('Serial', 'Int'), type === 'dateTime' && [mode, withTimezone, stored]].join()
}
