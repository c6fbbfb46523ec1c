import type { Table } from 'drizzle-orm'
import type { Field as AnyField, Json, MarksOf, Operator, ValueOf } from '../field/field.js'
import type { ColumnKey, DeclaredOf, Names, New, ResourcesOf, Row } from '../resource/declared.js'
import type { Problem } from './problem.js'

/** What a client infers from the declarations of a panel. */
export type Resources<P> =
  ResourcesOf<P> extends readonly (infer R)[]
    ? {
        readonly [X in R as X extends { readonly uriKey: infer U extends string } ? (string extends U ? never : U) : never]: ResourceClient<
          Extract<DeclaredOf<X>, Types>
        >
      }
    : never

interface Types {
  readonly table: Table
  readonly fields: unknown
  readonly computed: string
  readonly handlers: unknown
  readonly methods: unknown
  readonly filters: string
  readonly tags: string
  readonly index: string
  readonly detail: string
}

// Times, exact decimals and large integers travel as text.
type Wire<V> = V extends Date | bigint ? string : unknown extends V ? Json : V

/** With no `fields`: a field for each column, of which the type knows nothing more. */
type Derived<D extends Types> = [keyof D['fields']] extends [never] ? true : false
type Field<D extends Types> = Names<D['fields'], D['table'], never>
type Marks<D extends Types, K> = K extends keyof D['fields'] ? MarksOf<D['fields'][K]> : Operator | 'sortable'
type Marked<D extends Types, M> = { [K in Field<D>]: M extends Marks<D, K> ? K : never }[Field<D>]

type Columns<D extends Types> = D['table']['_']['columns']
type PrimaryOf<D extends Types> = {
  [K in ColumnKey<D['table']>]: Columns<D>[K]['_']['isPrimaryKey'] extends true ? K : never
}[ColumnKey<D['table']>]
type At<R, K> = K extends keyof R ? Wire<R[K]> : Json
type Value<D extends Types, K> = At<Row<D['table']>, K>
/** How a record is addressed. */
type KeyOf<D extends Types> =
  Extract<Value<D, PrimaryOf<D>>, string | number> extends infer K ? ([K] extends [never] ? string | number : K) : never

/** A field that not everybody sees may be missing. */
type Hidden<D extends Types> = Marked<D, 'hidden'>
type All<D extends Types> = Field<D> | D['computed']
type Chosen<D extends Types, N extends string> = {
  readonly [K in Exclude<N | PrimaryOf<D>, Hidden<D>>]: Value<D, K>
} & { readonly [K in Extract<N, Hidden<D>>]?: Value<D, K> }

/** The record of a detail page, or of what a write answers. */
export type RecordOf<D extends Types> = Show<Chosen<D, [D['detail']] extends [never] ? All<D> : D['detail']>>
/** The record of a list: without `pages.index` the type cannot say which fields it shows, so it promises none but the key. */
type Listed<D extends Types> = Show<
  [D['index']] extends [never] ? Chosen<D, never> & { readonly [K in Exclude<All<D>, PrimaryOf<D>>]?: Value<D, K> } : Chosen<D, D['index']>
>
type Show<T> = { [K in keyof T]: T[K] }

type WithoutId<K> = K extends `${infer A}Id` ? (A extends '' ? K : A) : K extends `${infer A}_id` ? (A extends '' ? K : A) : K
type Named<M, K> = [Extract<M, `as ${string}`>] extends [never] ? WithoutId<K> : M extends `as ${infer N}` ? N : never
/** The names of its relations. With no `fields`, foreign keys are relations; their columns' types do not say so. */
type Relation<D extends Types> =
  Derived<D> extends true
    ? WithoutId<Field<D>>
    : { [K in Field<D>]: 'relation' extends Marks<D, K> ? Named<Marks<D, K>, K> : never }[Field<D>]
/** A related record: its key, its label, and the fields of its own list. */
export type Related = { readonly label: string; readonly [field: string]: Json }
type Including<N extends string> = { readonly [K in N]: Related | null }

type Filterable<D extends Types> = [D['filters']] extends [never] ? (Derived<D> extends true ? Field<D> : never) : D['filters']
type None<O> = 'null' extends O ? null : never
type Equal<V, O> = V | readonly V[] | None<O>
type Asked<V, O> = {
  readonly [K in Extract<O, Operator>]?: K extends 'null' ? boolean : K extends 'eq' ? Equal<V, O> : K extends 'ne' ? V | None<O> : V
}
type Filter<V, O> = Asked<V, O> | ('eq' extends O ? Equal<V, O> : never)
/** The conditions of a list, by field: a value, several as alternatives, or operators that its kind has. */
export type Filters<D extends Types> = {
  readonly [K in Filterable<D>]?: Filter<Scalar<NonNullable<Value<D, K>>> | Moment<Row<D['table']>, K>, Marks<D, K>>
}
/** A column of times is asked for by a `Date`, too: it is sent as text. */
type Moment<R, K> = K extends keyof R ? (NonNullable<R[K]> extends Date ? Date : never) : never
type Scalar<V> = V extends readonly (infer One)[] ? One : V

type Sortable<D extends Types> = Marked<D, 'sortable'> | PrimaryOf<D>
type Step<D extends Types> = Sortable<D> | `-${Sortable<D>}`

/** What a record is asked with. */
export interface Parts<N extends string, R extends string> {
  /** Only these fields, and the key. */
  readonly fields?: readonly N[]
  /** Related records beside their keys. */
  readonly include?: readonly R[]
}

/** What a list is asked with. */
export interface Query<D extends Types, N extends string, R extends string> extends Parts<N, R> {
  readonly filter?: Filters<D>
  /** `-` before the name: descending. */
  readonly sort?: Step<D> | readonly Step<D>[]
  /** One of the resource's query tags. */
  readonly tag?: D['tags']
  readonly search?: string
  readonly page?: number
  readonly perPage?: number
  readonly cursor?: string
  /** Counts on where `count: 'capped'` stopped. */
  readonly total?: 'exact'
}

type Found<D extends Types, N extends string, R extends string, Whole> = ([N] extends [never] ? Whole : Show<Chosen<D, N>>) &
  ([R] extends [never] ? unknown : Including<R>)

/** A page of a list. Which of `meta` there is says how the resource pages. */
export interface Page<T> {
  readonly data: readonly T[]
  readonly meta: {
    readonly page?: number
    readonly perPage?: number
    readonly from?: number | null
    readonly to?: number | null
    readonly total?: number
    readonly totalExact?: boolean
    readonly lastPage?: number | null
    readonly nextCursor?: string | null
    readonly prevCursor?: string | null
  }
  readonly links?: { readonly [K in 'first' | 'prev' | 'next' | 'last']: string | null }
}

type Writable<D extends Types> = Exclude<Field<D>, Marked<D, 'readOnly'>> & keyof New<D['table']>
type Optional<D extends Types, K> =
  'required' extends Marks<D, K>
    ? 'default' extends Marks<D, K>
      ? true
      : false
    : 'default' extends Marks<D, K>
      ? true
      : Missing<New<D['table']>, K>
type Missing<N, K> = K extends keyof N ? (undefined extends N[K] ? true : false) : true
type Needed<D extends Types> = {
  [K in Writable<D>]: Derived<D> extends true
    ? Missing<New<D['table']>, K> extends true
      ? never
      : K
    : Optional<D, K> extends true
      ? never
      : K
}[Writable<D>]
/** What makes a record. */
export type Body<D extends Types> = Show<
  { readonly [K in Needed<D>]: Value<D, K> } & { readonly [K in Exclude<Writable<D>, Needed<D>>]?: Value<D, K> }
>
/** What changes one. */
export type Patch<D extends Types> = { readonly [K in Writable<D>]?: Value<D, K> }

/** What an action said. A long one has begun: `data` is its job. */
export interface Said {
  readonly message?: string
  readonly messageType?: 'success' | 'info' | 'warning' | 'error'
  readonly redirect?: string
  readonly events?: readonly string[]
  readonly html?: string | Readonly<Record<string, string>>
  readonly fieldsValues?: Readonly<Record<string, Json>>
  readonly data?: { readonly id: string; readonly state: string; readonly url: string; readonly [more: string]: Json }
}

type Asks<I> = { [K in keyof I]: 'required' extends MarksOf<I[K]> ? ('default' extends MarksOf<I[K]> ? never : K) : never }[keyof I]
/** What an action reads: a value for each of its fields, or what its schema gives. */
type Input<I> =
  I extends Readonly<Record<string, AnyField>>
    ? Show<{ readonly [K in Asks<I>]: Wire<ValueOf<I[K]>> } & { readonly [K in Exclude<keyof I, Asks<I>>]?: Wire<ValueOf<I[K]>> | null }>
    : { readonly [K in keyof I]: Wire<I[K]> }

/** Calls an action, about the records of these keys, with what it reads. */
export type ActionCall<Key, I> = unknown extends I
  ? (keys?: readonly Key[]) => Promise<Said>
  : Record<never, never> extends Input<I>
    ? (keys?: readonly Key[], input?: Input<I>) => Promise<Said>
    : (keys: readonly Key[], input: Input<I>) => Promise<Said>
type Calls<Key, A> = { readonly [K in keyof A & string]: ActionCall<Key, A[K]> }

/** Which version a write is about. */
export interface Match {
  /** Default: the version of the last read or write of the record through this client, where there was one; `null`: any. */
  readonly ifMatch?: string | null
}

/** The operations on one resource. */
export interface ResourceClient<D extends Types> {
  list<const N extends All<D> = never, const R extends Relation<D> & string = never>(
    query?: Query<D, N, R>,
  ): Promise<Page<Found<D, N, R, Listed<D>>>>
  /** Every record, page after page, as one goes on. */
  each<const N extends All<D> = never, const R extends Relation<D> & string = never>(
    query?: Query<D, N, R>,
  ): AsyncGenerator<Found<D, N, R, Listed<D>>, void, undefined>
  get<const N extends All<D> = never, const R extends Relation<D> & string = never>(
    key: KeyOf<D>,
    parts?: Parts<N, R>,
  ): Promise<Found<D, N, R, RecordOf<D>>>
  create(values: Body<D>): Promise<RecordOf<D>>
  update(key: KeyOf<D>, patch: Patch<D>, options?: Match): Promise<RecordOf<D>>
  delete(key: KeyOf<D>, options?: Match): Promise<void>
  /** All of them or none; how many there were. */
  deleteMany(keys: readonly KeyOf<D>[]): Promise<number>
  readonly handlers: Calls<KeyOf<D>, D['handlers']>
  readonly methods: Calls<KeyOf<D>, D['methods']>
  /** Whether something thrown is the panel's refusal; its `errors` then have the names of this resource. */
  isProblem(thrown: unknown): thrown is Problem<Field<D>>
}
