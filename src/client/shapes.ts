import type { Table } from 'drizzle-orm'
import type { Filling, Wired } from '../field/builder.js'
import type { Field as AnyField, Json, MarksOf, Operator, ValueOf } from '../field/field.js'
import type { Within } from '../field/within.js'
import type { HasMany } from '../resource/components/has-many.js'
import type { ColumnKey, DeclaredOf, Names, ResourcesOf, Row, Whole, Wire, WiredIn, Written } from '../resource/condition/declared.js'
import type { FollowedIn } from '../resource/filter-names.js'
import type { Problem, Would } from './problem.js'

/** The resources of a panel, inferred from its declarations. */
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
  readonly sortable: string
  readonly detail: string
  readonly nested: unknown
  readonly match: string
}

/** Whether a resource has no `fields`: then it has a field for each column, and nothing more is known about them. */
type Derived<D extends Types> = [keyof D['fields']] extends [never] ? true : false
type Field<D extends Types> = Names<D['fields'], D['table'], never>
type Marks<D extends Types, K> = K extends keyof D['fields'] ? MarksOf<D['fields'][K]> : Operator | 'sortable'
type Marked<D extends Types, M> = { [K in Field<D>]: M extends Marks<D, K> ? K : never }[Field<D>]

type Columns<D extends Types> = D['table']['_']['columns']
type PrimaryOf<D extends Types> = {
  [K in ColumnKey<D['table']>]: Columns<D>[K]['_']['isPrimaryKey'] extends true ? K : never
}[ColumnKey<D['table']>]
type At<R, K> = K extends keyof R ? Wire<R[K]> : Json
type Value<D extends Types, K> = [Extract<Marks<D, K>, Wired>] extends [never]
  ? At<Whole<D['table'], D['fields']>, K>
  : WiredIn<Marks<D, K>> | NoneIn<Row<D['table']>, K>
type NoneIn<R, K> = K extends keyof R ? Extract<R[K], null> : never
/** The key that names the record of a row. */
type Keyed<D extends Types> = { readonly [K in PrimaryOf<D>]: Value<D, K> }
/** What names the record of a row of an import: its key, or the values by which `import` of the resource finds it. */
type Matched<D extends Types> = Keyed<D> | ([D['match']] extends [never] ? never : { readonly [K in D['match']]: NonNullable<Value<D, K>> })
/** The type of a record's key. */
type KeyOf<D extends Types> =
  Extract<Value<D, PrimaryOf<D>>, string | number> extends infer K ? ([K] extends [never] ? string | number : K) : never

/** Fields that some users do not see, so they may be missing. */
type Hidden<D extends Types> = Marked<D, 'hidden'>
type All<D extends Types> = Field<D> | D['computed']
/** What a list may have: with what it shows of records that relations lead to. */
type InList<D extends Types> = All<D> | FollowedIn<D['index']>
type Chosen<D extends Types, N extends string> = {
  readonly [K in Exclude<N | PrimaryOf<D>, Unsure<D>>]: Value<D, K>
} & { readonly [K in Extract<N, Unsure<D>>]?: Value<D, K> }
/** And what relations lead to, which only those have who may list the records on the way. */
type Unsure<D extends Types> = Hidden<D> | `${string}.${string}`

/** A record, as on its detail page and as a write returns it. A field that not everybody sees may be missing. */
export type RecordOf<D extends Types> = Show<Chosen<D, [D['detail']] extends [never] ? All<D> : D['detail']>>
/** A record in a list. Without `pages.index` the type cannot tell which fields it has, so only the key is certain. */
type Listed<D extends Types> = Show<
  [D['index']] extends [never] ? Chosen<D, never> & { readonly [K in Exclude<All<D>, PrimaryOf<D>>]?: Value<D, K> } : Chosen<D, D['index']>
>
type Show<T> = { [K in keyof T]: T[K] }

type WithoutId<K> = K extends `${infer A}Id` | `${infer A}_id`
  ? A extends ''
    ? K
    : A
  : // A GUID is no id of a "GU".
    K extends `${infer A}ID`
    ? A extends Uppercase<A>
      ? K
      : A
    : K
type Named<M, K> = [Extract<M, `as ${string}`>] extends [never] ? WithoutId<K> : M extends `as ${infer N}` ? N : never
/** The names of relations. Without `fields`, foreign keys are relations, but column types do not tell which columns those are. */
type Relation<D extends Types> =
  Derived<D> extends true
    ? WithoutId<Field<D>>
    : { [K in Field<D>]: 'relation' extends Marks<D, K> ? Named<Marks<D, K>, 'linked' extends Marks<D, K> ? never : K> : never }[Field<D>]
/** Those that lead to several records. A list of keys has no name to follow it by unless it was given one. */
type Listing<D extends Types> = { [K in Field<D>]: 'linked' extends Marks<D, K> ? Named<Marks<D, K>, never> : never }[Field<D>]
/** A related record: its key, its label, and the fields of its resource's list. */
export type Related = { readonly label: string; readonly [field: string]: Json }
type Including<D extends Types, N extends string> = { readonly [K in N]: K extends Listing<D> ? readonly Related[] : Related | null }

type Filterable<D extends Types> = [D['filters']] extends [never] ? (Derived<D> extends true ? Field<D> : never) : D['filters']
type None<O> = 'null' extends O ? null : never
type Equal<V, O> = V | readonly V[] | None<O>
type Asked<V, O> = {
  readonly [K in Extract<O, Operator>]?: K extends 'null'
    ? boolean
    : K extends 'within'
      ? Within
      : K extends 'eq'
        ? Equal<V, O>
        : K extends 'ne'
          ? V | None<O>
          : V
}
type Filter<V, O> = Asked<V, O> | ('eq' extends O ? Equal<V, O> : never)
/** The filters of a list, by field: a value, several values of which one must match, or operators of its kind. */
export type Filters<D extends Types> = {
  readonly [K in Filterable<D>]?: K extends `${string}.${string}`
    ? Filter<string | number | boolean, Operator>
    : Filter<Scalar<NonNullable<Value<D, K>>> | Moment<Row<D['table']>, Columns<D>, K>, Marks<D, K>>
}
/** A filter on a column of times also takes a `Date`, which is sent as text. */
type Moment<R, C, K> = K extends keyof R & keyof C ? (C[K] extends Day ? never : NonNullable<R[K]> extends Date ? Date : never) : never
/** A column of days. Drizzle may read it as a `Date`, but a filter of days takes texts. */
type Day = { readonly _: { readonly columnType: 'PgDate' } }
type Scalar<V> = V extends readonly (infer One)[] ? One : V

type Sortable<D extends Types> = Marked<D, 'sortable'> | PrimaryOf<D> | Followed<D>
/** The columns to sort by that relations lead to. Without `fields`, they are all. */
type Followed<D extends Types> = [D['sortable']] extends [never]
  ? Derived<D> extends true
    ? FollowedIn<D['index']>
    : never
  : D['sortable']
type Step<D extends Types> = Sortable<D> | `-${Sortable<D>}`

/** Which parts of a record to return. */
export interface Parts<N extends string, R extends string> {
  /** Only these fields, and the key. Default: those of the page. */
  readonly fields?: readonly N[]
  /** Relations to return as records, beside their keys. Default: none. */
  readonly include?: readonly R[]
}

/** What `list` and `each` take. */
export interface Query<D extends Types, N extends string, R extends string> extends Parts<N, R> {
  /**
   * Filters, by field. An empty text, an empty list, an object without operators, or anything that is not a value throws a `TypeError`
   * before the request: without its filter, the list would hold every record. `contains` and `startsWith` may be empty.
   */
  readonly filter?: Filters<D>
  /** Whether a record meets all of the filters or any of them; the ends of a range of one field are one filter. Default: `all`. */
  readonly match?: 'all' | 'any'
  /** One field to sort by or several, `-` for descending. Default: the resource's order. */
  readonly sort?: Step<D> | readonly Step<D>[]
  /** One of the resource's query tags. Default: none. */
  readonly tag?: D['tags']
  /** What to search for. Default: nothing. */
  readonly search?: string
  /** The number of the page, from 1; not together with `cursor`. Default: 1. */
  readonly page?: number
  /** Records per page, up to the resource's `maxItemsPerPage`. Default: the resource's `itemsPerPage`. */
  readonly perPage?: number
  /** The cursor of a page: `nextCursor` or `prevCursor` of another one. Default: none. */
  readonly cursor?: string
  /** `exact` counts to the end if the resource sets `count: 'capped'`. Default: up to 10,000. */
  readonly total?: 'exact'
  /** Whether to return the numbers below the columns, if the resource sets `summary`. Default: `false`. */
  readonly summary?: boolean
}

/** What a file of a list holds. */
export interface ExportQuery<D extends Types, N extends string>
  extends Pick<Query<D, N, never>, 'filter' | 'match' | 'sort' | 'tag' | 'search' | 'fields'> {
  /** `csv`, or the name of one of the panel's `formats`, as `xlsx`. Default: `csv`. */
  readonly format?: string
}

type Found<D extends Types, N extends string, R extends string, Whole> = ([N] extends [never] ? Whole : Show<Chosen<D, N>>) &
  ([R] extends [never] ? unknown : Including<D, R>)

/** A page of a list. How the resource pages decides which members `meta` has. */
export interface Page<T> {
  /** The records. */
  readonly data: readonly T[]
  /** Where the page is in the list. */
  readonly meta: {
    /** The number of the page. */
    readonly page?: number
    /** Records per page. */
    readonly perPage?: number
    /** The number of its first record in the list; null if the page is empty. */
    readonly from?: number | null
    /** The number of its last record in the list; null if the page is empty. */
    readonly to?: number | null
    /** How many records the list has. */
    readonly total?: number
    /** `false`: there are more than `total`. */
    readonly totalExact?: boolean
    /** The number of the last page; null if it is not known. */
    readonly lastPage?: number | null
    /** The cursor of the next page; null: there is none. */
    readonly nextCursor?: string | null
    /** The cursor of the previous page; null: there is none. */
    readonly prevCursor?: string | null
  }
  /** The numbers below the columns, over all records that match, if they were asked for; null: no record has a value. */
  readonly summary?: {
    readonly [column in string]?: { readonly [of in 'sum' | 'average' | 'smallest' | 'largest']?: number | null }
  }
  /** The paths of neighbouring pages; null: there is none. */
  readonly links?: { readonly [K in 'first' | 'prev' | 'next' | 'last']: string | null }
}

/** A page of the history of a record, the newest first. */
export interface HistoryPage<N extends string = string> {
  /** What writes did. */
  readonly data: readonly {
    /** Identifies the write. */
    readonly id: number
    /** When it was, as RFC 3339 in UTC. */
    readonly at: string
    /** What it did. */
    readonly action: 'create' | 'update' | 'delete' | 'restore'
    /** Whose it was, with the name that the user had then. */
    readonly user: { readonly id: string; readonly name: string }
    /** The fields that it changed; the values of a secret are null. */
    readonly changes: { readonly [K in N]?: { readonly before: Json; readonly after: Json } }
  }[]
  /** Where the page is. */
  readonly meta: {
    /** The most entries of a page. */
    readonly perPage: number
    /** The cursor of the page with older entries; null: there are none. */
    readonly nextCursor: string | null
  }
}

/** What a user has written on a record. */
export interface Comment {
  /** Identifies it. */
  readonly id: number
  /** What it says. */
  readonly text: string
  /** When it was written, as RFC 3339 in UTC. */
  readonly at: string
  /** When it was last changed; null: it is as it was written. */
  readonly editedAt: string | null
  /** Its author, with the name of then; the `id` is null for a user of another panel. */
  readonly user: { readonly id: string | null; readonly name: string }
}

/** A page of the comments on a record, the newest first. */
export interface CommentPage {
  /** The comments. */
  readonly data: readonly Comment[]
  /** Where the page is. */
  readonly meta: {
    /** How many there are on all pages. */
    readonly total: number
    /** The most comments of a page. */
    readonly perPage: number
    /** The cursor of the page with earlier comments; null: there are none. */
    readonly nextCursor: string | null
  }
}

/** The fields that a relation fills, so that they need not be sent. */
type Filled<D extends Types> = {
  [K in Field<D>]: Extract<Marks<D, K>, Filling> extends Filling<infer X> ? keyof X : never
}[Field<D>]
type Writable<D extends Types> = Exclude<Field<D>, Marked<D, 'readOnly'>> & keyof Written<D['table'], D['fields']>
type Optional<D extends Types, K> =
  'required' extends Marks<D, K>
    ? 'default' extends Marks<D, K>
      ? true
      : false
    : 'default' extends Marks<D, K>
      ? true
      : Missing<Written<D['table'], D['fields']>, K>
type Missing<N, K> = K extends keyof N ? (undefined extends N[K] ? true : false) : true
type Needed<D extends Types> = {
  [K in Writable<D>]: Derived<D> extends true
    ? Missing<Written<D['table'], D['fields']>, K> extends true
      ? never
      : K
    : Optional<D, K> extends true
      ? never
      : K extends Filled<D>
        ? never
        : K
}[Writable<D>]
/** The values of a new record. */
export type Body<D extends Types> = Show<
  { readonly [K in Needed<D>]: Sent<D, K> } & { readonly [K in Exclude<Writable<D>, Needed<D>>]?: Sent<D, K> }
>
/** The values to change in a record. */
export type Patch<D extends Types> = { readonly [K in Writable<D>]?: Sent<D, K> }
/** The same in an import, where related records are also named by what imports of their resource find them by. */
type InRows<D extends Types, T> = {
  [K in keyof T]: 'relation' extends Marks<D, K>
    ? 'linked' extends Marks<D, K>
      ? readonly (Scalar<NonNullable<T[K]>> | ByMatch)[]
      : T[K] | ByMatch
    : T[K]
}
type ByMatch = { readonly [field: string]: string | number | boolean }
/** What can be written: a required field is never emptied, even if its column may be. */
type Sent<D extends Types, K> = 'required' extends Marks<D, K> ? NonNullable<Value<D, K>> : Value<D, K>

/** Related records that are written along with a record, by the name of their list. */
export type Nested<D extends Types> = {
  readonly [H in Extract<D['nested'], HasMany> as NestedName<H>]?: readonly NestedRow<H>[]
}
/** The same for a check, which takes what is not complete yet. */
export type Drafts<D extends Types> = {
  readonly [K in keyof Nested<D>]: NonNullable<Nested<D>[K]> extends readonly (infer Row)[] ? readonly Partial<Row>[] : never
}
// What is declared elsewhere, with a type that names nothing, may hold anything: it is sent by `request`.
type NestedName<H> = H extends HasMany<infer K, unknown, infer I> ? (string extends K ? never : [I] extends [undefined] ? never : K) : never
type NestedRow<H> =
  H extends HasMany<string, infer R, infer I>
    ? [Extract<DeclaredOf<R>, Types>] extends [never]
      ? { readonly [field: string]: Json | undefined }
      : // The compiler says of what fits neither what the last one lacks: most rows that lack something are new.
        KnownRow<Extract<DeclaredOf<R>, Types>, I> | NewRow<Extract<DeclaredOf<R>, Types>, I>
    : never
/** The fields of a row: those that `inForm` names, or all of the form. */
type InRow<C extends Types, I> = Exclude<Extract<I extends readonly (infer N)[] ? N : Writable<C>, Field<C>>, PrimaryOf<C>>
/**
 * Those that a new record must have. Of all of a form, one is the relation to the record of the form, which sets it. The types do not tell
 * which one, so no relation is asked for then, nor is any field without declared ones.
 */
type NeededInRow<C extends Types, I> = I extends readonly unknown[]
  ? Extract<Needed<C>, InRow<C, I>>
  : Derived<C> extends true
    ? never
    : Exclude<Extract<Needed<C>, InRow<C, I>>, Marked<C, 'relation'>>
/** A record to create: without a key. */
type NewRow<C extends Types, I> = Show<
  { readonly [K in PrimaryOf<C>]?: undefined } & { readonly [K in NeededInRow<C, I>]: Sent<C, K> } & {
    readonly [K in Exclude<InRow<C, I>, NeededInRow<C, I>>]?: Sent<C, K>
  } & { readonly _version?: undefined; readonly _delete?: false }
>
/** A record to change or to delete, by its key; where callers choose the keys, also one to create. */
type KnownRow<C extends Types, I> = Show<
  { readonly [K in PrimaryOf<C>]: Value<C, K> } & { readonly [K in InRow<C, I>]?: Sent<C, K> } & RowMarks
>
interface RowMarks {
  /** The version that was read: if the record has another one by now, nothing is written. Default: any. */
  readonly _version?: string
  /** Whether to delete the record. Default: false. */
  readonly _delete?: boolean
}

/** What an action answered. */
export interface Said {
  /** The text for the user. */
  readonly message?: string
  /** How the message is meant. */
  readonly messageType?: 'success' | 'info' | 'warning' | 'error'
  /** Where a browser would go next. */
  readonly redirect?: string
  /** The client events that a page would fire. */
  readonly events?: readonly string[]
  /** Markup, or markup by the id of the element that it fills. */
  readonly html?: string | Readonly<Record<string, string>>
  /** Values for the fields of a form, by name. */
  readonly fieldsValues?: Readonly<Record<string, Json>>
  /** The job that a `long` handler has begun. */
  readonly data?: {
    /** Identifies the job. */
    readonly id: string
    /** How far it is: `running`, `done`, `failed`, `cancelled` or `interrupted`. */
    readonly state: string
    /** The URL of its progress. */
    readonly url: string
    readonly [more: string]: Json
  }
}

type Asks<I> = { [K in keyof I]: 'required' extends MarksOf<I[K]> ? ('default' extends MarksOf<I[K]> ? never : K) : never }[keyof I]
type Given<F> = [Extract<MarksOf<F>, Wired>] extends [never] ? Wire<ValueOf<F>> : WiredIn<MarksOf<F>>
/** The input of an action: a value for each of its fields, or the output of its schema. */
type Input<I> =
  I extends Readonly<Record<string, AnyField>>
    ? Show<{ readonly [K in Asks<I>]: Given<I[K]> } & { readonly [K in Exclude<keyof I, Asks<I>>]?: Given<I[K]> | null }>
    : { readonly [K in keyof I]: Wire<I[K]> }

/** Calls an action on the records with these keys, with its input. */
export type ActionCall<Key, I> = unknown extends I
  ? (keys?: readonly Key[]) => Promise<Said>
  : Record<never, never> extends Input<I>
    ? (keys?: readonly Key[], input?: Input<I>) => Promise<Said>
    : (keys: readonly Key[], input: Input<I>) => Promise<Said>
type Calls<Key, A> = { readonly [K in keyof A & string]: ActionCall<Key, A[K]> }

/** What `import` takes besides the records. */
export interface ImportOptions {
  /**
   * Writes nothing, and returns what would be done. Hooks are not run, and what only the database itself refuses is not found. Default:
   * `false`.
   */
  readonly check?: boolean
}

/** What an import has done. */
export interface ImportResult {
  /** How many records were created. */
  readonly created: number
  /** How many records were changed. */
  readonly updated: number
  /** How many rows are as their records are. */
  readonly unchanged: number
  /** The columns of the file that are not imported. */
  readonly ignored: readonly string[]
  /** Whether nothing was written, since it was only to be checked. */
  readonly checked: boolean
}

/** Which version of a record a write is about (RFC 9110 §13.1.1). */
export interface Match {
  /**
   * The version that must be current, else the write is a 412; null: any. Default: the version that this client last read or wrote, if
   * there is one.
   */
  readonly ifMatch?: string | null
}

/** The operations on one resource. Each throws a `Problem` for an unsuccessful response. */
export interface ResourceClient<D extends Types> {
  /** Returns a page of the list: `{ data, meta, links }`. */
  list<const N extends InList<D> = never, const R extends Relation<D> & string = never>(
    query?: Query<D, N, R>,
  ): Promise<Page<Found<D, N, R, Listed<D>>>>
  /**
   * Returns every record, page after page. By page number, it skips records if earlier ones are deleted or leave the filter meanwhile; with
   * `simplePaginate`, it walks by cursor.
   */
  each<const N extends InList<D> = never, const R extends Relation<D> & string = never>(
    query?: Query<D, N, R>,
  ): AsyncGenerator<Found<D, N, R, Listed<D>>, void, undefined>
  /**
   * Returns a whole list as a file, or some of its records.
   *
   * @param keys of which records, at most 10,000; one that is not in the list is a 404. Default: all
   */
  export<const N extends InList<D> = never>(query?: ExportQuery<D, N>, keys?: readonly KeyOf<D>[]): Promise<Blob>
  /** Returns one record. */
  get<const N extends All<D> = never, const R extends Relation<D> & string = never>(
    key: KeyOf<D>,
    parts?: Parts<N, R>,
  ): Promise<Found<D, N, R, RecordOf<D>>>
  /** Returns a page of what was written to a record, the newest first; without `history` in the resource, it is a 404. */
  history(
    key: KeyOf<D>,
    options?: {
      /** `nextCursor` of another page. Default: the first page. */
      readonly cursor?: string
    },
  ): Promise<HistoryPage<Field<D>>>
  /** Returns a page of the comments on a record, the newest first; without `comments` in the resource, this and what follows are 404s. */
  comments(
    key: KeyOf<D>,
    options?: {
      /** `nextCursor` of another page. Default: the first page. */
      readonly cursor?: string
    },
  ): Promise<CommentPage>
  /** Writes a comment on a record, of at most 5,000 characters, and returns it. */
  comment(key: KeyOf<D>, text: string): Promise<Comment>
  /** Changes a comment of the caller's, and returns it. */
  editComment(key: KeyOf<D>, id: number, text: string): Promise<Comment>
  /** Deletes a comment: the caller's, or, for who may delete the record, anybody's. */
  deleteComment(key: KeyOf<D>, id: number): Promise<void>
  /**
   * Keeps a file for a field, and returns its path: the value to create or update a record with, or one of those. A record must take it
   * within a day.
   *
   * @param name the file's name, with its extension. Default: that of a `File`
   */
  upload(field: Field<D>, file: Blob, name?: string): Promise<string>
  /**
   * Returns the file that a field of a record holds; without one, it is a 404.
   *
   * @param path which one, by its path in the record. Needed where the field holds several
   */
  file(key: KeyOf<D>, field: Field<D>, path?: string): Promise<Blob>
  /** Creates a record and returns it. */
  create(values: Body<D> & Nested<D>): Promise<RecordOf<D>>
  /** Changes a record and returns it. */
  update(key: KeyOf<D>, patch: Patch<D> & Nested<D>, options?: Match): Promise<RecordOf<D>>
  /**
   * Checks the values of a new record, or the changes of one, without writing them. Returns what a form would show: its computed values, and
   * what relations fill.
   *
   * @throws Problem whose `errors` say what is wrong, and whose `would` has the same
   */
  validate(values: Patch<D> & Drafts<D>, key?: KeyOf<D>): Promise<Would>
  /**
   * Puts a record right before or after another one, or at an end, in the order that `reorderable` names, and returns it; without
   * `reorderable` in the resource, it is a 404.
   */
  move(
    key: KeyOf<D>,
    place: { readonly before: KeyOf<D> } | { readonly after: KeyOf<D> } | { readonly to: 'first' | 'last' },
  ): Promise<RecordOf<D>>
  /** Deletes a record. */
  delete(key: KeyOf<D>, options?: Match): Promise<void>
  /** Deletes all of these records or none, and returns how many there were. */
  deleteMany(keys: readonly KeyOf<D>[]): Promise<number>
  /**
   * Creates a record of each, all of them or none: of a list, or of the lines of a file in a `Blob`: CSV, or a workbook where the panel has
   * that format. Without `import` in the resource, it is a 404.
   *
   * @throws Problem whose `errors` name row and field: `records[0].name`, `lines[2].name`
   */
  import(records: readonly InRows<D, Body<D>>[] | Blob, options?: ImportOptions & { readonly mode?: 'create' }): Promise<ImportResult>
  /** Changes the records that rows name by their key, or by what the resource finds them by: `import: { match: 'sku' }`. */
  import(
    records: readonly InRows<D, Patch<D> & Matched<D>>[] | Blob,
    options: ImportOptions & { readonly mode: 'update' },
  ): Promise<ImportResult>
  /** Changes the records that rows name so, and creates one of each other row. */
  import(
    records: readonly (InRows<D, Patch<D> & Matched<D>> | InRows<D, Body<D>>)[] | Blob,
    options: ImportOptions & { readonly mode: 'both' },
  ): Promise<ImportResult>
  /** The handlers by name: `handlers.archive(keys, input)`. */
  readonly handlers: Calls<KeyOf<D>, D['handlers']>
  /** The methods by name: `methods.nameTaken([], input)`. */
  readonly methods: Calls<KeyOf<D>, D['methods']>
  /** Whether something thrown is a `Problem`; the names in its `errors` are then those of this resource. */
  isProblem(thrown: unknown): thrown is Problem<Field<D>>
}
