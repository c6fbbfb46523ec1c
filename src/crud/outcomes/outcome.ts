import { DaymarkError } from '../../base/errors.js'
import type { Row } from '../../store/store.js'
import type { Call } from '../call/call.js'
import type { Lens } from '../call/lens.js'
import type {
  ApiKeys,
  CodeAsked,
  Forgot,
  Limited,
  NotificationChanged,
  NotificationOpened,
  Notifications,
  OpenIdSentOn,
  PasskeyAsked,
  PasskeyBegun,
  Passkeys,
  Preferred,
  Profile,
  Refreshed,
  ResetPassword,
  SignedIn,
  SignedOut,
  SignIn,
  TwoFactorShown,
  Viewing,
} from './account.js'
import type { Acted, Asked, JobShown, Progress } from './actions.js'
import type { CommentChanged, CommentShown, Comments } from './comments.js'
import type { Formed, Previewed, Uploaded, Valid, Would } from './forms.js'
import type { Found, Palette } from './found.js'
import type { Imported, Importing, ImportTemplate } from './imports.js'
import type { Exported, Listed, Streamed } from './lists.js'
import type { Composed, Home, Part } from './pages.js'
import type { Confirm, Deleted, FileSent, History, Saved, Shown } from './records.js'

/** The process answers. */
export interface Healthy {
  /** The kind of outcome. */
  readonly is: 'healthy'
}

/** A body or a query that breaks the rules: 422. */
export interface Invalid {
  /** The kind of outcome. */
  readonly is: 'invalid'
  /** What is wrong. */
  readonly error: DaymarkError
  /** The call; null: it was refused before there was one. */
  readonly call: Call | null
}

/** The record has changed since the caller read it: 412. */
export interface Stale {
  /** The kind of outcome. */
  readonly is: 'stale'
  /** What is wrong, with the current record. */
  readonly error: StaleError
  /** The call; null: it was refused before there was one. */
  readonly call: Call | null
}

/** What a plugin answers: data for programs, and a view for people. */
export interface Answered {
  /** The kind of outcome. */
  readonly is: 'answered'
  /** The data: the JSON of programs, and what the view gets. */
  readonly data: object
  /** The name of the view. Default: none, and people get the data, too. */
  readonly view?: string | null
}

/** Nobody is signed in, or the password or token is not valid: 401. */
export interface Unauthenticated {
  /** The kind of outcome. */
  readonly is: 'unauthenticated'
  /** What is wrong. */
  readonly error: DaymarkError
}

/** Anything else that went wrong: its status is that of the error. */
export interface Refused {
  /** The kind of outcome. */
  readonly is: 'refused'
  /** What is wrong. */
  readonly error: DaymarkError
}

/** What a verb ends in, before it is rendered as JSON or a page. */
export type Outcome =
  | Home
  | Healthy
  | Preferred
  | Listed
  | Streamed
  | Exported
  | Importing
  | ImportTemplate
  | Imported
  | Part
  | Composed
  | Shown
  | History
  | Comments
  | CommentShown
  | CommentChanged
  | FileSent
  | Uploaded
  | Previewed
  | Formed
  | Confirm
  | Found
  | Acted
  | Asked
  | JobShown
  | Progress
  | Valid
  | Palette
  | Saved
  | Deleted
  | Invalid
  | Stale
  | SignIn
  | SignedIn
  | OpenIdSentOn
  | CodeAsked
  | Limited
  | TwoFactorShown
  | PasskeyAsked
  | PasskeyBegun
  | Passkeys
  | Notifications
  | NotificationOpened
  | NotificationChanged
  | ApiKeys
  | Refreshed
  | SignedOut
  | Viewing
  | Profile
  | ResetPassword
  | Forgot
  | Answered
  | Unauthenticated
  | Refused

/** Thrown inside a write if the version does not match. */
export class StaleError extends DaymarkError {
  /** The current record, as the user may see it; null: they may not. */
  readonly current: { readonly lens: Lens; readonly row: Row; readonly version: string } | null
  constructor(message: string, current: StaleError['current']) {
    super('stale', message)
    this.current = current
  }
}

/** Thrown where what a form holds could not be saved. */
export class UnfitError extends DaymarkError {
  /** What the form would show nevertheless. */
  readonly would: Would
  constructor({ message, errors, cause }: DaymarkError, would: Would) {
    super('invalid', message, { errors, cause })
    this.would = would
  }
}

/** Thrown where a user has to set up two-factor sign-in first. */
export class LimitedError extends DaymarkError {
  constructor(message: string) {
    super('forbidden', message)
  }
}

/** Turns an error into an Outcome. One that is not a DaymarkError is a bug, of which the caller learns nothing. */
export function outcomeOf(thrown: unknown, call: Call | null): Outcome {
  if (thrown instanceof StaleError) return { is: 'stale', error: thrown, call }
  if (!(thrown instanceof DaymarkError))
    return { is: 'refused', error: new DaymarkError('internal', 'Something went wrong on our side', { cause: thrown }) }
  if (thrown instanceof LimitedError) return { is: 'limited', error: thrown }
  if (thrown.code === 'invalid') return { is: 'invalid', error: thrown, call }
  if (thrown.code === 'unauthenticated') return { is: 'unauthenticated', error: thrown }
  return { is: 'refused', error: thrown }
}
