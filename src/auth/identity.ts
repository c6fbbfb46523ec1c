/**
 * Who makes a request. Policies decide by `roles`, and by what you declare besides: columns that `users.identity` names, or what a pipeline
 * of your own returns. `declare module 'daymark' { interface Identity { readonly companyId: number } }`
 */
export interface Identity {
  /** Unique among all users of a panel, however they sign in: preferences and jobs belong to it. The panel's own users have numbers. */
  readonly id: string
  /** What the user signs in with. */
  readonly username: string
  /** What other users read. */
  readonly name: string
  /** Role names, such as `['admin']`. By default, a user without a role may do nothing. */
  readonly roles: readonly string[]
  /** The API key by which the user calls; left out: none. A policy may ask for it: `({ user }) => !user.apiKey`. */
  readonly apiKey?: {
    /** Its id, which is no key. */
    readonly id: string
    /** The roles that it is limited to; null: it is not. */
    readonly roles: readonly string[] | null
    /** Whether it may only read. */
    readonly readOnly: boolean
  }
}

const known = { id: true, username: true, name: true, roles: true, apiKey: true } as const

/** What the panel itself knows of users. */
export type KnownOfUsers = keyof typeof known

/** Whether the panel itself knows this of users. */
export const isKnownOfUsers = (name: string) => Object.hasOwn(known, name)

/** The one identity of `auth: 'open'`: for a panel on loopback that has no users. */
export const localIdentity: Identity = Object.freeze({ id: 'local', username: 'local', name: 'Local', roles: Object.freeze(['admin']) })
