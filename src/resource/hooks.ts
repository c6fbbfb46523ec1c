import type { Identity } from '../auth/identity.js'
import type { ScopedStore, StoreOf } from './action.js'
import type { PageContext } from './page.js'

// biome-ignore lint/suspicious/noConfusingVoidType: a callback may plainly return nothing
type Nothing = undefined | void

/** What a rule over several fields gets besides the record: who writes, and from which page. */
export interface RuleContext extends PageContext {
  readonly user: Identity
}

/**
 * What a hook gets besides the record: who writes, from which page, and the records of its own resource and of others as that user may see and change them, all in the
 * transaction of the write. A write of it that was refused takes all of it back, whatever the hook makes of the refusal.
 */
export interface HookContext<R, New> extends RuleContext, ScopedStore<R, New> {
  /** The records of another resource; in the same transaction where they are in the same database. */
  readonly of: StoreOf
}

/**
 * What runs inside the write's transaction, on every face and for every way of writing. `refuse('field', 'text')` answers 422 and nothing is written.
 * The database's one writer is held meanwhile: await nothing slow in here.
 */
export interface Hooks<R, New> {
  /** Before a create (`before` is null) or an update. What it returns is written too, over what was sent. */
  beforeSave?(
    about: HookContext<R, New> & { readonly before: R | null; readonly values: Readonly<Partial<New>> },
  ): Nothing | Partial<New> | Promise<Nothing | Partial<New>>
  afterSave?(about: HookContext<R, New> & { readonly before: R | null; readonly after: R }): void | Promise<void>
  beforeDelete?(about: HookContext<R, New> & { readonly record: R }): void | Promise<void>
  afterDelete?(about: HookContext<R, New> & { readonly record: R }): void | Promise<void>
}

/** A rule over several fields, asked with the record as it would stand. It gives the texts by field, or nothing; nothing of a field is no text of it. */
export type Validate<R, New> = (
  about: RuleContext & { readonly before: R | null; readonly values: Readonly<Partial<New>> },
) => Readonly<Record<string, string | readonly string[] | null | undefined | false>> | null | Nothing
