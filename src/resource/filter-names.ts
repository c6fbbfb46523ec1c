import type { Table } from 'drizzle-orm'
import type { MarksOf } from '../field/field.js'
import type { HasMany } from './components/has-many.js'
import type { ColumnKey, DeclaredOf, KeyName, Linked, Names } from './condition/declared.js'

/**
 * The names of filters: fields, and those of related records. What is behind a relation, only start-up knows: `companyId.country`. Behind a
 * list, the type of its resource does: `orders.productId`. They follow three relations at most.
 */
export type FilterNames<F, T extends Table, L, Left extends readonly unknown[] = [1, 2, 3]> =
  | Names<F, T, never>
  | (Left extends readonly [unknown, ...infer Fewer] ? `${RelationKey<F, T>}.${string}` | ListFilter<L, Fewer> : never)
/** The names of the columns of lists: those of fields and computed values, and of fields that relations to one record lead to. */
export type ColumnNames<F, T extends Table, C extends string> = Names<F, T, C> | `${Exclude<RelationKey<F, T>, keyof Linked<F>>}.${string}`
/** The columns of lists that relations lead to. */
export type FollowedIn<I> = Extract<I, `${string}.${string}`>
type RelationKey<F, T extends Table> = [keyof F] extends [never]
  ? ColumnKey<T>
  : { [K in KeyName<F>]: 'relation' extends MarksOf<F[K]> ? K : never }[KeyName<F>]
type ListFilter<L, Left extends readonly unknown[]> =
  L extends HasMany<infer K, infer R>
    ? R extends string
      ? `${K}.${string}`
      : DeclaredOf<R> extends { readonly table: infer T extends Table; readonly fields: infer F; readonly nested: infer N }
        ? `${K}.${FilterNames<F, T, N, Left>}`
        : never
    : never
