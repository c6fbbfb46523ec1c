import type { Table } from 'drizzle-orm'
import type { Identity } from '../../auth/identity.js'
import type { Html } from '../../base/html.js'
import type { IconName } from '../../base/icon-paths.js'
import { a, type Setting, type Settings } from '../../base/setting.js'
import type { Field, Json, MarksOf } from '../../field/field.js'
import type { StandardSchema } from '../../field/standard-schema.js'
import { aField, aSchema } from '../../field/taking.js'
import type { Where } from '../condition/condition.js'
import type { Declared, Taken, Whole, Written } from '../condition/declared.js'
import type { Over } from '../model/model.js'
import { aResource } from '../model/sorts.js'
import type { PageContext } from '../page.js'
import type { Notify } from './notice.js'
import type { Ability, Policy, RecordPolicy } from './policy.js'

/** A named condition on a list: users see a tab, programs add `?query-tag=key`. */
export interface QueryTag<R> {
  /** What users read on the tab. */
  readonly label: string
  /** The condition that records must meet. */
  readonly where: Where<R>
}

/** The key of a record, as it is stored or as text. */
export type RecordId = string | number | bigint

/** What `list` of a handler or a hook takes. */
export interface ScopedQuery<R> {
  /** The condition that records must meet. Default: all records. */
  readonly where?: Where<R>
  /** The column to sort by. Default: the key. */
  readonly sortColumn?: keyof R & string
  /** The direction of the sort. Default: `ASC`. */
  readonly sortDirection?: 'ASC' | 'DESC'
  /** The most records to return, a whole number from 0. Default: 500. */
  readonly limit?: number
  /** How many records to skip, a whole number from 0. Default: 0. */
  readonly offset?: number
}

/**
 * The records of a resource as the user may see and change them. Writes go through policies, scope, relations, `validate` and hooks, as on
 * a page.
 *
 * Each call throws a `DaymarkError` `forbidden` if the user lacks the ability for it. A refused write rolls back its whole transaction,
 * even if you catch the error.
 */
export interface ScopedStore<R, N> {
  /** The record with this key, with every column; null if it does not exist for this user. */
  find(id: RecordId): Promise<R | null>
  /**
   * The records that meet a condition, with every column.
   *
   * @throws TypeError for a wrong condition, `limit` or `offset`
   */
  list(query?: ScopedQuery<R>): Promise<readonly R[]>
  /**
   * How many records meet a condition. Default: all records.
   *
   * @throws TypeError for a wrong condition
   */
  count(where?: Where<R>): Promise<number>
  /**
   * Creates a record from stored values, and returns it as stored. In a JSON column, a `Date` becomes its text.
   *
   * @throws DaymarkError `invalid` or `conflict` if the values are refused
   */
  create(values: Taken<N>): Promise<R>
  /**
   * Changes a record, and returns it as stored. In a JSON column, a `Date` becomes its text.
   *
   * @throws DaymarkError `notFound` for a missing record, `invalid` or `conflict` if the values are refused
   */
  update(id: RecordId, values: Partial<Taken<N>>): Promise<R>
  /**
   * Deletes a record.
   *
   * @throws DaymarkError `notFound` for a missing record, `conflict` if others refer to it
   */
  delete(id: RecordId): Promise<void>
  /**
   * The same without `can`, `canRecord`, `scope` and `activeActions`. Use it for what the panel does by itself, whoever calls: to write a
   * log, or to move a record out of the user's scope. Validation and hooks still run, and those hooks get the user's own permissions. What
   * `softDelete` has deleted is not there, either.
   */
  readonly unrestricted: ScopedStore<R, N>
}

/**
 * Returns the records of a resource of the panel; in the same transaction if they are in the same database.
 *
 * @throws TypeError for a resource that the panel does not have
 */
export type StoreOf = <T extends Table, F>(resource: Over<T, F>) => ScopedStore<Whole<T, F>, Written<T, F>>

/** What `run` of every action gets. */
export interface ActionContext<I> extends PageContext {
  /** The user who calls. */
  readonly user: Identity
  /** The validated input. */
  readonly input: I
  /** The records of another resource; in the same transaction if they are in the same database. */
  readonly of: StoreOf
  /** Notifies users, in the same transaction. */
  readonly notify: Notify
}

/**
 * What `run` of a handler or a method gets, with the records of its own resource. It is all one transaction, unless the action is `safe` or
 * sets `transaction: false`.
 */
export interface HandlerContext<R, N, I> extends ActionContext<I>, ScopedStore<R, N> {
  /**
   * The keys of the selected records, as text; with `long`, those of this batch. Each record exists, is in the user's scope and is allowed.
   */
  readonly ids: readonly string[]
  /**
   * The selected records with every column, in chunks of 500; with `long`, those of this batch. Those that are gone meanwhile are left out. In
   * a transaction, nobody else changes what it has read.
   */
  selected(): AsyncIterable<readonly R[]>
  /** How many records earlier batches of a `long` handler have finished; 0 for any other. */
  readonly done: number
  /** How many records are selected, in all batches. */
  readonly total: number
}

/** A file to send instead of a page, whatever `Accept` says. */
export interface Download {
  /** The name of the file. */
  readonly name: string
  /** Its media type: `text/csv`. */
  readonly type: string
  /** Its content. */
  readonly body: string | Uint8Array | AsyncIterable<string>
}

/** What an action returns. A text alone is its `message`. */
export interface Answer {
  /** The text for the user. */
  readonly message?: string
  /** How the message looks. An error stays until it is dismissed. Default: `success`. */
  readonly messageType?: 'success' | 'info' | 'warning' | 'error'
  /** Where the browser goes next: a path of this host, or a URL at an origin in `redirectsTo`. Anything else is a 500 and rolls back. */
  readonly redirect?: string
  /** Client events to fire on `window`: `jsEvent('TABLE_UPDATED', 'index-table-cities')`. */
  readonly events?: readonly string[]
  /** Markup to show, or markup by the id of the element that it fills. */
  readonly html?: Html | Readonly<Record<string, Html>>
  /** Values for the fields of the form on the page, by name. */
  readonly fieldsValues?: Readonly<Record<string, Json>>
  /** A file instead of all this. The file of a job may have 1 MiB. */
  readonly download?: Download
}

// A form's field is never a bigint: only a bigint column makes it one, and such fields have no column.
type ValueIn<F> = F extends Field<infer V> ? Chosen<Timed<V extends bigint ? never : V, MarksOf<F>>, MarksOf<F>> : never
/** Without a column, a day is a text and an instant a `Date`. */
type Timed<V, M> = string extends M ? V : 'day' extends M ? Exclude<V, Date> : 'instant' extends M ? Exclude<V, string> : V
/** A kind for one value or several says by its operators which it is: `eq` is of one, `contains` of several. A text has both. */
type Chosen<V, M> = string extends M
  ? V
  : 'eq' extends M
    ? 'contains' extends M
      ? V
      : Exclude<V, readonly unknown[]>
    : 'contains' extends M
      ? Extract<V, readonly unknown[]>
      : V
/** Only what is required is never null: a default stands for what was not sent, and a switch of its own accord has a third answer. */
type NullIn<M> = string extends M ? null : 'required' extends M ? never : null
/** The `input` of an action: the output of its schema, or a value for each of its `fields`; null if nothing was typed, unless required. */
export type InputOf<I> = I extends Readonly<Record<string, Field>> ? { readonly [K in keyof I]: ValueIn<I[K]> | NullIn<MarksOf<I[K]>> } : I

export const actionMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** The HTTP methods that an action can have. */
export type ActionMethod = (typeof actionMethods)[number]

// biome-ignore lint/suspicious/noConfusingVoidType: an action may plainly return nothing
type Said = Answer | string | undefined | void

/** The settings that handlers and methods share. */
export interface Action<I> {
  /** The HTTP method that calls it. Default: `POST`. */
  readonly method?: ActionMethod
  /** `true`: its store only reads. Required for `GET`. Default: `false`. */
  readonly safe?: boolean
  /** The title of its form and of its job. Default: the name, as words. */
  readonly label?: string
  /** Who may run it, of the users who could otherwise. Buttons for it are shown to them alone. Default: all of those. */
  readonly can?: Policy
  /** A form to fill in first, with the same kinds of fields as a resource. Their values are the `input`. Default: none. */
  readonly fields?: I & Readonly<Record<string, Field>>
  /** A Standard Schema that validates the values of `fields`, or whatever is sent if there are none. Default: none. */
  readonly input?: StandardSchema<I>
  /** A question to confirm first. Default: none. */
  readonly confirm?: string
  /** Other origins to which it may redirect: `['https://example.com']`. Default: none. */
  readonly redirectsTo?: readonly string[]
  /** `false`: each write is its own transaction and stays if the action throws. Default: `true`, all or nothing. */
  readonly transaction?: boolean
}

/** The settings of an action over the records of a resource. */
interface OverRecords<R, I> extends Action<I> {
  /**
   * The ability that a user needs, on the resource and on each selected record (`canRecord`). Default: `update`; `view` if it is `safe`.
   */
  readonly ability?: Ability
  /**
   * Whether it may run over a record: asked for each selected one, besides the resource's `canRecord`, when the action begins, and with each
   * batch of a `long` handler. Records where it may not are without its buttons, and one of them in a selection refuses all. Default: over
   * every record.
   */
  readonly canRecord?: RecordPolicy<R>
}

/** What a button does, with the selected records or none. Its URL is `/resource/{resourceUri}/handler/{uri}`. */
export interface Handler<R, N, I> extends OverRecords<R, I> {
  /** `required`: a call without selected records is a 422. Default: `optional`. */
  readonly selection?: 'optional' | 'required'
  /**
   * `true` runs it in the background as a job, once for each batch of up to 500 selected records, each in its own transaction. Users see
   * its progress and can cancel it. Default: `false`.
   */
  readonly long?: boolean
  /**
   * Does it, and returns its answer: a text, an object, or nothing. To refuse, call `refuse(field, text)` or throw a `DaymarkError`; any
   * other exception is a 500.
   */
  run(context: HandlerContext<R, N, InputOf<I>>): Said | Promise<Said>
}

/** What code in a page calls by name. */
export interface Method<R, N, I> extends OverRecords<R, I> {
  /**
   * Does it, and returns its answer: a text, an object, or nothing. To refuse, call `refuse(field, text)` or throw a `DaymarkError`; any
   * other exception is a 500.
   */
  run(context: HandlerContext<R, N, InputOf<I>>): Said | Promise<Said>
}

/** A method of a page of your own. It has no records of its own: `of(Cities)` returns those of a resource. */
export interface PageMethod<I> extends Action<I> {
  /**
   * Does it, and returns its answer: a text, an object, or nothing. To refuse, call `refuse(field, text)` or throw a `DaymarkError`; any
   * other exception is a 500.
   */
  run(context: ActionContext<InputOf<I>>): Said | Promise<Said>
}

/** What a button does: exactly one of these. */
interface Does<H, M> {
  /** The URI of a handler to run. */
  readonly handler?: H
  /** The name of a method to call. */
  readonly method?: M
  /** The URL of a link; `{row-id}` is the record's key. */
  readonly href?: string
  /** A client event to fire; `{row-id}` is the record's key. */
  readonly event?: string
}

/** How a button looks. */
interface Looks {
  /** What users read. */
  readonly label: string
  /** The name of an icon. Default: none. */
  readonly icon?: IconName
  /** How it looks: `danger` is for what destroys something, and goes to the end of a menu. Default: an ordinary button. */
  readonly tone?: 'primary' | 'danger' | 'plain'
  /** A question to confirm first; overrides that of the handler. Default: that of the handler. */
  readonly confirm?: string
  /** Collects buttons into a menu of this name. Default: none. */
  readonly group?: string
}

/** A button of a page of your own. It does one thing: `method`, `handler`, `href` or `event`. */
export interface PageButton<M extends string = string> extends Looks {
  /** The name of a method of the page to call. */
  readonly method?: M
  /** The URI of a handler of `resource` to run, without selected records. */
  readonly handler?: string
  /** The resource of the `handler`, or its URI. */
  readonly resource?: Declared | string
  /** The URL of a link; `{row-id}` is the key of the page's record. */
  readonly href?: string
  /** A client event to fire; `{row-id}` is the key of the page's record. */
  readonly event?: string
  /** Who sees it, of the users who may do what it does. Default: all of them. */
  readonly can?: Policy
}

/** A button of a resource's detail page, forms and pages of components. Pages without a record leave out buttons that need one. */
export interface Button<R, H extends string, M extends string> extends Looks, Does<H, M> {
  /** `detail`: only on detail pages; `form`: only on forms. Default: on all pages but the index page. */
  readonly on?: 'detail' | 'form'
  /** Whether to show it for this record. Default: always. */
  visible?(about: { readonly user: Identity; readonly record: R }): boolean
}

/** A button of the index page: in the menu of each row, in the toolbar, or over the selected rows. */
export type IndexButton<R, H extends string, M extends string> = Looks &
  Does<H, M> &
  (
    | {
        /** `true` puts it over the selected rows. Default: `false`. */
        readonly bulk?: false
        /** Where it is: in the menu of each row, or in the toolbar. Default: `row`. */
        readonly at?: 'row'
        /** Whether to show it for this record. Default: always. */
        visible?(about: { readonly user: Identity; readonly record: R }): boolean
      }
    | {
        /** `true` puts it over the selected rows. Default: `false`. */
        readonly bulk?: false
        /** In the toolbar. */
        readonly at: 'toolbar'
        /** Whether to show it. Default: always. */
        visible?(about: { readonly user: Identity }): boolean
      }
    | {
        /** Acts on the selected rows, and must name a `handler`. */
        readonly bulk: true
        /** Not with `bulk`. */
        readonly at?: undefined
        /** Whether to show it. Default: always. */
        visible?(about: { readonly user: Identity }): boolean
      }
  )

/** What the settings of every action may be; of policies, the start-up checks tell what is wrong. */
export const ofActions: Omit<Settings<Action<never>>, 'can'> = {
  method: a.literal(...actionMethods),
  safe: a.switch,
  label: a.text,
  fields: a.byName(aField),
  input: aSchema,
  confirm: a.text,
  redirectsTo: a.list(a.text),
  transaction: a.switch,
}

const overRecords: Settings<OverRecords<never, never>> = { ...ofActions, ability: a.value, can: a.value, canRecord: a.value }

/** What the handlers of a resource may be. */
export const theHandlers: Setting = a.byName(
  a.form<Handler<never, never, never>>(
    { ...overRecords, selection: a.literal('optional', 'required'), long: a.switch, run: a.function },
    'run',
  ),
)

/** What the methods of a resource may be. */
export const theMethods: Setting = a.byName(a.form<Method<never, never, never>>({ ...overRecords, run: a.function }, 'run'))

const ofButtons: Settings<Looks & Does<string, string>> = {
  label: a.text,
  icon: a.value,
  tone: a.literal('primary', 'danger', 'plain'),
  confirm: a.text,
  group: a.text,
  handler: a.text,
  method: a.text,
  href: a.text,
  event: a.text,
}

/** What a button of an index page may be. */
export const anIndexButton: Setting = a.form(
  { ...ofButtons, bulk: a.switch, at: a.literal('row', 'toolbar'), visible: a.function },
  'label',
)

/** What a button of the other pages of a resource may be. */
export const aButton: Setting = a.form<Button<never, never, never>>(
  { ...ofButtons, on: a.literal('detail', 'form'), visible: a.function },
  'label',
)

/** What a button of a page of one's own may be. */
export const aPageButton: Setting = a.form<PageButton>({ ...ofButtons, resource: aResource, can: a.value }, 'label')
