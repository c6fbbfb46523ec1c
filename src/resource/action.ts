import type { InferInsertModel, InferSelectModel, Table } from 'drizzle-orm'
import type { Identity } from '../auth/identity.js'
import type { Html } from '../base/html.js'
import type { IconName } from '../base/icon-paths.js'
import type { Field, Json } from '../field/field.js'
import type { StandardSchema } from '../field/standard-schema.js'
import type { Where } from './condition.js'
import type { Declared } from './declared.js'
import type { Over } from './model.js'
import type { PageContext } from './page.js'
import type { Ability, Policy } from './policy.js'

/** A named condition over the listing: `?query-tag=megacities`. */
export interface QueryTag<R> {
  readonly label: string
  readonly where: Where<R>
}

/** The key of a record, as it is stored or as its text. */
export type RecordId = string | number | bigint

/** What a handler lists. */
export interface ScopedQuery<R> {
  readonly where?: Where<R>
  /** Default: by the key. */
  readonly sortColumn?: keyof R & string
  /** Default `'ASC'`. */
  readonly sortDirection?: 'ASC' | 'DESC'
  /** Default 500. */
  readonly limit?: number
  readonly offset?: number
}

/** The records of a resource as somebody may see and change them: policies, scope, rules over several fields and hooks are asked as on every other way. */
export interface ScopedStore<R, N> {
  /** Null: it isn't there, or not for this user. */
  find(id: RecordId): Promise<R | null>
  list(query?: ScopedQuery<R>): Promise<readonly R[]>
  count(where?: Where<R>): Promise<number>
  create(values: N): Promise<R>
  update(id: RecordId, values: Partial<N>): Promise<R>
  delete(id: RecordId): Promise<void>
  /**
   * The same records past `can`, `canRecord`, `scope` and `activeActions`, for what the panel does by itself, whoever asks: a log, a stock, a record that goes out of sight.
   * Rules over several fields and hooks are asked all the same, and hooks are the user's again.
   */
  readonly unrestricted: ScopedStore<R, N>
}

/** The way to the records of any resource of the panel; in the same transaction where they are in the same database. */
export type StoreOf = <T extends Table>(resource: Over<T>) => ScopedStore<InferSelectModel<T>, InferInsertModel<T>>

/** What every action gets: who asks, with what, from which page, and the way to the records of any resource. */
export interface ActionContext<I> extends PageContext {
  readonly user: Identity
  readonly input: I
  /** The records of another resource; in the same transaction where they are in the same database. */
  readonly of: StoreOf
}

/** What a handler gets. Its store is that of the resource, in one transaction with all that it does. */
export interface HandlerContext<R, N, I> extends ActionContext<I>, ScopedStore<R, N> {
  /** The keys of the selected records, as text; of a long one, those of this batch. Each is there, in the user's scope, and allowed. */
  readonly ids: readonly string[]
  /** The selected records, in chunks of 500. */
  selected(): AsyncIterable<readonly R[]>
  /** How many of the selected records earlier batches of a long handler were done with, and how many there are. */
  readonly done: number
  readonly total: number
}

/** A file in place of a page. */
export interface Download {
  readonly name: string
  /** Its media type: `text/csv`. */
  readonly type: string
  readonly body: string | Uint8Array | AsyncIterable<string>
}

/** What an action says when it is done; a text alone is its message. */
export interface Answer {
  readonly message?: string
  /** Default `'success'`. */
  readonly messageType?: 'success' | 'info' | 'warning' | 'error'
  /** Where the browser goes on: a path of this host, or an address at one of the origins in `redirectsTo`. */
  readonly redirect?: string
  /** Client events, fired on `window`: `jsEvent('TABLE_UPDATED', 'index-table-cities')`. */
  readonly events?: readonly string[]
  /** Markup to be shown, or by the id of the element whose content it becomes. */
  readonly html?: Html | Readonly<Record<string, Html>>
  /** Values for the fields of the form on the page, by name. */
  readonly fieldsValues?: Readonly<Record<string, Json>>
  readonly download?: Download
}

// A form's number is never a bigint: its column would say so, and there is none.
type ValueIn<F> = F extends Field<infer V> ? (V extends bigint ? never : V) : never
/** What reaches `run` as `input`: what the schema gives, or a value for each field, null where nothing was typed. */
export type InputOf<I> = I extends Readonly<Record<string, Field>> ? { readonly [K in keyof I]: ValueIn<I[K]> | null } : I

export type ActionMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

// biome-ignore lint/suspicious/noConfusingVoidType: an action may plainly return nothing
type Said = Answer | string | undefined | void

/** What handlers and methods have in common. */
export interface Action<I> {
  /** Default `'POST'`. */
  readonly method?: ActionMethod
  /** A GET action must say so: it gets a store that only reads. */
  readonly safe?: boolean
  /** Default: the name, humanised. */
  readonly label?: string
  /** Who may. Default `'update'`; for a `safe` one `'view'`. */
  readonly ability?: Ability
  /** The form that is asked first: fields of the same kinds as a resource has. Their values are the `input`. */
  readonly fields?: I & Readonly<Record<string, Field>>
  /** What `input` must be, by any Standard Schema. With `fields`, asked with their values. */
  readonly input?: StandardSchema<I>
  /** Asked before it acts. */
  readonly confirm?: string
  /** Origins besides this one to which it may redirect: `['https://example.com']`. */
  readonly redirectsTo?: readonly string[]
  /** `false`: each write is a transaction of its own, and what was written stays when it throws. Default `true`: all or nothing. */
  readonly transaction?: boolean
}

/** A handler of a resource: what a button does with the selected records, or with none. Addressed by `?handlerUri=`. */
export interface Handler<R, N, I> extends Action<I> {
  /** `'required'`: without selected records it is a 422. Default `'optional'`. */
  readonly selection?: 'optional' | 'required'
  /** Runs behind the request, once for each batch of at most 500 selected records, each in a transaction of its own; its progress is shown, and it can be cancelled. */
  readonly long?: boolean
  run(context: HandlerContext<R, N, InputOf<I>>): Said | Promise<Said>
}

/** A method of a resource that code in the page calls by its name. */
export interface Method<R, N, I> extends Action<I> {
  run(context: HandlerContext<R, N, InputOf<I>>): Said | Promise<Said>
}

/** A method of a page of your own. It has no records of its own: `of(Cities)` leads to those of a resource. */
export interface PageMethod<I> extends Omit<Action<I>, 'ability'> {
  /** Who may call it, of those who may see the page. Default: all of them. */
  readonly can?: Policy
  run(context: ActionContext<InputOf<I>>): Said | Promise<Said>
}

/** What a button does: exactly one of these. */
interface Does<H, M> {
  readonly handler?: H
  readonly method?: M
  /** A link; in a row's menu `{row-id}` stands for the record's key. */
  readonly href?: string
  /** A client event; in a row's menu `{row-id}` stands for the record's key. */
  readonly event?: string
}

interface Looks {
  readonly label: string
  readonly icon?: IconName
  /** How much it asks for: `danger` where something is lost. */
  readonly tone?: 'primary' | 'danger' | 'plain'
  /** Asked before it acts, in place of what the handler itself asks. */
  readonly confirm?: string
  /** Buttons of one group stand together in a menu of this name. */
  readonly group?: string
}

/** A button of a page of your own; `{row-id}` in it stands for the key of the record that the page is of. */
export interface PageButton<M extends string = string> extends Looks {
  readonly method?: M
  /** With `resource`: a handler of that, without selected records. */
  readonly handler?: string
  readonly resource?: Declared | string
  readonly href?: string
  readonly event?: string
  /** Who sees it, of those who may do what it does. */
  readonly can?: Policy
}

/** A button of the pages of a resource besides the index page: of a record, and where there is none, if it needs none. */
export interface Button<R, H extends string, M extends string> extends Looks, Does<H, M> {
  /** Which pages have it: of a record's details, or forms. Default: all, pages made of components as well. */
  readonly on?: 'detail' | 'form'
  visible?(about: { readonly user: Identity; readonly record: R }): boolean
}

/** A button of the index page: in the menu of each row, in the toolbar, or over the selected rows. */
export type IndexButton<R, H extends string, M extends string> = Looks &
  Does<H, M> &
  (
    | { readonly bulk?: false; readonly at?: 'row'; visible?(about: { readonly user: Identity; readonly record: R }): boolean }
    | { readonly bulk?: false; readonly at: 'toolbar'; visible?(about: { readonly user: Identity }): boolean }
    /** Acts on the selected rows. */
    | { readonly bulk: true; readonly at?: undefined; visible?(about: { readonly user: Identity }): boolean }
  )
