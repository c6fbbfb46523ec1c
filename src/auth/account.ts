import type { AccountEvent, EventOrigin } from './account-event.js'
import type { Identity } from './identity.js'

/** A user who may be able to sign in, as a `UserSource` returns it. */
export interface Account {
  /** Who this is to the rest of the panel. */
  readonly identity: Identity
  /** `false`: the user is locked out, from the next request on. */
  readonly active: boolean
  /** An argon2 hash in PHC form (`$argon2id$…`); null: no password lets this user in. */
  readonly passwordHash: string | null
  /** The second factor, as the panel stores it; null: the user signs in with the password alone. */
  readonly twoFactor: string | null
  /** An IANA time zone; null: the panel's `timeZone`. */
  readonly timeZone: string | null
  /** Where mails reach the user. Default: the username, if it is an address. */
  readonly email?: string | null
  /** When the user was last disabled, also if they are active again: sessions, links and API keys from before stay void. Default: never. */
  readonly disabledAt?: Date | null
  /** When somebody else last ended the user's sessions: they stay void, and links, too. Default: never. */
  readonly signedOutAt?: Date | null
}

/** Where a panel looks up its users: its own table, or the model in `users`. */
export interface UserSource {
  /** The user with this username, or null. */
  byUsername(username: string): Promise<Account | null>
  /** The user with this id, or null. */
  byId(id: string): Promise<Account | null>
  /**
   * Changes what is given of a user, and nothing else. With `from`, nothing is changed if the stored password hash is not that one any
   * more. Returns whether there was something to change: of two simultaneous changes, one succeeds. `event` is kept with the change, as it
   * is everywhere here.
   */
  change(
    id: string,
    to: {
      /** What other users read. */
      readonly name?: string
      /** An IANA time zone; null: the panel's. */
      readonly timeZone?: string | null
      /** An argon2 hash in PHC form. */
      readonly passwordHash?: string
      /** Role names, where the panel may set them. */
      readonly roles?: readonly string[]
    },
    from?: Pick<Account, 'passwordHash'>,
    event?: AccountEvent,
  ): Promise<boolean>
  /**
   * Stores another second factor, or none, unless the stored one is not `from` any more. Returns whether it did: of two simultaneous
   * changes, one succeeds.
   */
  changeTwoFactor(id: string, from: string | null, to: string | null, event?: AccountEvent): Promise<boolean>
  /**
   * Creates a user without a password, and returns whether it did: the username may be taken. Left out: the users are the application's.
   *
   * @throws DaymarkError `invalid` for a username that cannot be
   */
  create?(user: Pick<Identity, 'username' | 'name' | 'roles'>, how: EventOrigin): Promise<boolean>
  /** The user whom a record with every column stands for; null: it is of another table than the users. */
  of(table: object | null, record: Readonly<Record<string, unknown>>): Account | null
  /** What can be stored for a user besides the password. */
  readonly keeps: {
    /** Whether there is a name besides the username. */
    readonly name: boolean
    /** Whether there is a time zone. */
    readonly timeZone: boolean
    /** Whether there is a second factor. */
    readonly twoFactor: boolean
  }
}
