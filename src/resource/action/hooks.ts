import type { Identity } from '../../auth/identity.js'
import type { PageContext } from '../page.js'
import type { ScopedStore, StoreOf } from './action.js'
import type { Notify } from './notice.js'

// biome-ignore lint/suspicious/noConfusingVoidType: a callback may plainly return nothing
type Nothing = undefined | void

/** What `validate` gets besides the record: the user, and the page that the write comes from. */
export interface RuleContext extends PageContext {
  /** The user who writes. */
  readonly user: Identity
}

/**
 * What a hook gets besides the record: the user, the page that the write comes from, and the records of its resource, with the user's
 * permissions and in the transaction of the write.
 */
export interface HookContext<R, New> extends RuleContext, ScopedStore<R, New> {
  /** The records of another resource; in the same transaction if they are in the same database. */
  readonly of: StoreOf
  /** Notifies users, in the transaction of the write. */
  readonly notify: Notify
}

/**
 * Your code around each write, inside its transaction, for pages and JSON alike. `refuse(field, text)` returns 422; anything else that you
 * throw is a 500. Either rolls the write back.
 *
 * The transaction holds SQLite's only writer, so await nothing slow. Nothing is committed yet: `afterSave` runs before the commit.
 */
export interface Hooks<R, New> {
  /** Runs before a create (`before` is null) or an update. Return values to override what is about to be written. */
  beforeSave?(
    about: HookContext<R, New> & {
      /** The stored record, with every column; null for a new one. */
      readonly before: R | null
      /** What is about to be written. */
      readonly values: Readonly<Partial<New>>
    },
  ): Nothing | Partial<New> | Promise<Nothing | Partial<New>>
  /** Runs after a create (`before` is null) or an update, before the commit. */
  afterSave?(
    about: HookContext<R, New> & {
      /** The record as it was, with every column; null for a new one. */
      readonly before: R | null
      /** The record as it is now, with every column. */
      readonly after: R
    },
  ): void | Promise<void>
  /** Runs before a delete; in a mass delete, for every record first. */
  beforeDelete?(
    about: HookContext<R, New> & {
      /** The record that is about to be deleted, with every column. */
      readonly record: R
    },
  ): void | Promise<void>
  /** Runs after a delete, before the commit. */
  afterDelete?(
    about: HookContext<R, New> & {
      /** The record that was deleted, with every column. */
      readonly record: R
    },
  ): void | Promise<void>
  /**
   * Runs at the end of the transaction, once for each record that was created or changed in it, or whose lists (`hasMany` in `related`) had
   * records created, changed, moved to another one or deleted: in its form, by themselves, by an import, a handler or a hook. The record is
   * locked before. What it writes to the record itself is no reason to run again.
   */
  settled?(
    about: HookContext<R, New> & {
      /** The record as it is now, with every column. */
      readonly record: R
    },
  ): void | Promise<void>
}

/**
 * Validation across several fields. It gets the record as it would be stored, and returns texts by field, or nothing; null, `false` and
 * `''` count as no text. It is synchronous: for anything else, use a `rule` or `beforeSave`.
 */
export type Validate<R, New> = (
  about: RuleContext & {
    /** The stored record, with every column; null for a new one. */
    readonly before: R | null
    /** The record as it would be stored: the stored one with the changes, or what is known of a new one. */
    readonly values: Readonly<Partial<New>>
  },
) => { readonly [Name in (keyof R | keyof New) & string]?: string | readonly string[] | null | undefined | false } | null | Nothing
