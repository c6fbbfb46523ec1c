import type { Table } from 'drizzle-orm'
import type { Closing, Filling } from '../field/builder.js'
import type { MarksOf, ValueOf } from '../field/field.js'
import type { Combined, Where } from './condition/condition.js'
import type { ColumnKey, Row, Whole } from './condition/declared.js'

type Columns<T extends Table> = T['_']['columns']
/** The type of a column's values. Exact decimals are text in Drizzle, but numbers to the kinds. */
type Cell<T extends Table, K> = K extends keyof Columns<T>
  ? Columns<T>[K]['_']['columnType'] extends 'PgNumeric' | 'SQLiteNumeric'
    ? number
    : Columns<T>[K]['_']['data']
  : never

/** What no value is: besides the columns that a setting takes, it is the compiler's error message where another one is named. */
export type Needs<M extends string> = string & { readonly [K in M]: never }

/** The columns of numbers. */
export type NumberKey<T extends Table> = {
  [K in keyof Columns<T> & string]: NonNullable<Cell<T, K>> extends number | bigint ? K : never
}[keyof Columns<T> & string]

/** Checks that every key is a column that its kind can hold. The property *name* is the compiler's error message. */
export type Checked<F, T extends Table> = {
  [K in keyof F]: K extends keyof Columns<T>
    ? Cell<T, K> extends ValueOf<F[K]>
      ? [Unfilled<F, T, K>] extends [never]
        ? [Unmet<F, T, K>] extends [never]
          ? F[K]
          : { 'no condition on the columns of the model': Unmet<F, T, K> }
        : { 'no field that this relation could fill with that column': Unfilled<F, T, K> }
      : unknown extends Cell<T, K>
        ? { 'the column has no type, as json without one: give it $type<string[]>(), or what it holds': K }
        : { 'this kind cannot hold the column type': Cell<T, K> }
    : '' extends MarksOf<F[K]>
      ? // No method states that: one value is no field, and so nothing is known of the others.
        { 'one of the fields is none: does the call of a method lack its parentheses?': K }
      : 'linked' extends MarksOf<F[K]>
        ? 'sortable' extends MarksOf<F[K]>
          ? { 'a list of records has no order': K }
          : F[K]
        : 'tally' extends MarksOf<F[K]>
          ? F[K]
          : { 'no such column in the model': K }
}

/** The condition of `editableWhen`, if it is none on the columns of the table; never: it is, or there is none. */
type Unmet<F, T extends Table, K extends keyof F> = [Extract<MarksOf<F[K]>, Closing>] extends [never]
  ? never
  : Extract<MarksOf<F[K]>, Closing> extends Closing<infer W>
    ? W extends Where<Whole<T, F>>
      ? Exclude<keyof W, keyof Whole<T, F> | keyof Combined<unknown>>
      : W
    : never

/** The fields that a relation is to fill and cannot: there are none, or the related column holds something else. */
type Unfilled<F, T extends Table, K extends keyof F> =
  Extract<MarksOf<F[K]>, Filling> extends Filling<infer X, infer R>
    ? {
        [O in keyof X & string]: O extends Exclude<keyof F, K> & ColumnKey<T> ? (Fits<R, X[O], Row<T>[O]> extends true ? never : O) : O
      }[keyof X & string]
    : never
// A related table that is not named may hold anything: start-up knows it.
type Fits<R, C, Ours> = C extends keyof R
  ? unknown extends R[C]
    ? true
    : NonNullable<R[C]> extends NonNullable<Ours>
      ? true
      : false
  : false
