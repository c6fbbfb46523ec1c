import type { InferInsertModel, InferSelectModel, Table } from 'drizzle-orm'
import type { Wired } from '../../field/builder.js'
import type { Json, MarksOf, ValueOf } from '../../field/field.js'
import type { Where } from './condition.js'

/** The types of a resource's declaration: a phantom, never set at run time. */
export declare const declared: unique symbol

/** Whatever names a resource: pages, menus and URLs take it. Its types know the columns and fields. */
export interface Declared {
  /** The name in paths: `{resourceUri}`. */
  readonly uriKey: string
  readonly [declared]?: {
    readonly table: Table
    readonly fields: unknown
    readonly computed: string
    readonly handlers: unknown
    readonly methods: unknown
  }
}

/** The URI of a resource that is named by itself or by its URI. */
export function uriOf(named: Pick<Declared, 'uriKey'> | string): string {
  return typeof named === 'string' ? named : named.uriKey
}

export type Row<T extends Table> = InferSelectModel<T>
export type New<T extends Table> = InferInsertModel<T>
// So that the compiler lists the names where one is wrong, instead of what they are made of.
export type ColumnKey<T extends Table> = { [K in keyof Row<T>]: K }[keyof Row<T>] & string
/** The names of what is declared: of fields, computed values, actions. */
export type KeyName<F> = keyof F & string
/** The lists of linked records among fields, by their names, which are no columns. */
export type Linked<F> = { [K in keyof F as 'linked' extends MarksOf<F[K]> ? K : never]: ValueOf<F[K]> }
/** What tells of related records among fields, by their names, which are no columns. */
type Tallies<F> = { [K in keyof F as 'tally' extends MarksOf<F[K]> ? K : never]: ValueOf<F[K]> }
export type TallyKey<F> = keyof Tallies<F> & string
/** A record as callbacks get it: its columns, its lists of linked records, and what tells of related ones. */
export type Whole<T extends Table, F> = Row<T> & Linked<F> & Tallies<F>
/** The value of a column in JSON: times, exact decimals and large integers are texts there. */
export type Wire<V> = V extends Date | bigint ? string : unknown extends V ? Json : V
/** What a kind says of its values in JSON, whatever its column holds. */
export type WiredIn<M> = Extract<M, Wired> extends Wired<infer W> ? W : never
/** What can be written of a record. */
export type Written<T extends Table, F> = New<T> & Partial<Linked<F>>
/** The same as code may give it: a list that is only read, as those of a form are, is one like any other. */
export type Taken<N> = { [K in keyof N]: N[K] extends infer V ? (V extends readonly unknown[] ? Readonly<V> : V) : never }
/**
 * What actions take, by name. TypeScript infers nothing from an object that holds nothing but functions whose parameters it is about to type, so
 * the names are inferred on their own: an action that is missing in `A` takes no input.
 */
export type ActionInputs<A, N extends string> = { readonly [K in N]: K extends keyof A ? A[K] : unknown }
/** What the handler of `massUpdate` takes: the fields to change. */
export type MassUpdate<T extends Table, F, UN extends string> = [UN] extends [never]
  ? unknown
  : { readonly massUpdate: { readonly [K in UN]?: K extends keyof Whole<T, F> ? Whole<T, F>[K] : never } }
type Lower =
  | 'a'
  | 'b'
  | 'c'
  | 'd'
  | 'e'
  | 'f'
  | 'g'
  | 'h'
  | 'i'
  | 'j'
  | 'k'
  | 'l'
  | 'm'
  | 'n'
  | 'o'
  | 'p'
  | 'q'
  | 'r'
  | 's'
  | 't'
  | 'u'
  | 'v'
  | 'w'
  | 'x'
  | 'y'
  | 'z'
type Before = Lower | '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'
type Dashed<S extends string> = S extends `${infer A}_${infer B}` ? `${A}-${Dashed<B>}` : S
type Humps<S extends string, Last extends string = '', Out extends string = ''> = S extends `${infer A}${infer Rest}`
  ? Humps<Rest, A, `${Out}${Last extends Before ? (A extends Uppercase<Lower> ? '-' : '') : ''}${A}`>
  : Out
/**
 * The default `uriKey` of a resource: the table's name in kebab-case. Names in lower case skip the letter-by-letter conversion, which costs
 * the compiler.
 */
export type UriOf<T extends Table> = T['_']['name'] extends infer N extends string
  ? string extends N
    ? string
    : Dashed<N extends Lowercase<N> ? N : Lowercase<Humps<N>>>
  : never

declare const carried: unique symbol
/** The resources in the type of a panel, from which `daymark/client` infers its types. Never set at run time. */
export interface Carries<R> {
  readonly [carried]?: R
}
/** The types of a resource's declaration. */
export type DeclaredOf<R> = TypesOf<R>
export type ResourcesOf<P> = P extends Carries<infer R> ? NonNullable<R> : never

/** The names that pages and filters may contain. Without `fields`, those are the model's columns. */
export type Names<F, T extends Table, C extends string> = C | ([keyof F] extends [never] ? ColumnKey<T> : KeyName<F>)

type TypesOf<R> = R extends { readonly [declared]?: infer D } ? NonNullable<D> : never
type TableOf<R> = TypesOf<R> extends { readonly table: infer T extends Table } ? T : never

type FieldsOf<R> = TypesOf<R> extends { readonly fields: infer F } ? F : never

/** The columns of a resource; any text if only its URI is given. */
export type ColumnsOf<R> = R extends string ? string : ColumnKey<TableOf<R>>
/** The value of a column of a resource, as conditions take it; if only the URI of that is given, it passes for any. */
export type ColumnValueOf<R, K> = R extends string
  ? never
  : TableOf<R> extends infer T extends Table
    ? NonNullable<InferSelectModel<T>[K & string]>
    : never
/** The columns of a resource that hold numbers, exact decimals included; any text if only its URI is given. */
export type NumbersOf<R> = R extends string ? string : NumberKey<TableOf<R>>
export type NumberKey<T extends Table> = {
  [K in ColumnKey<T>]: T['_']['columns'][K]['_'] extends { readonly data: number | bigint } | { readonly columnType: `${string}Numeric` }
    ? K
    : never
}[ColumnKey<T>]
/** The fields and computed values of a resource. */
export type NamesOf<R> = R extends string
  ? string
  : TypesOf<R> extends { readonly table: infer T extends Table; readonly fields: infer F; readonly computed: infer C extends string }
    ? Names<F, T, C>
    : never
/** A condition on the records of a resource. */
export type WhereOf<R> = R extends string ? Where<Record<string, unknown>> : Where<Whole<TableOf<R>, FieldsOf<R>>>
/** The relations of a resource by which its records may belong to others; any text if only its URI is given. */
export type RelationsOf<R> = R extends string ? string : ColumnKey<TableOf<R>> | (keyof Linked<FieldsOf<R>> & string)
