/** Who makes a request. Policies decide by `roles`; the panel knows nothing else about a user. */
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

/** The one identity of `auth: 'open'`: for a panel on loopback that has no users. */
export const localIdentity: Identity = Object.freeze({ id: 'local', username: 'local', name: 'Local', roles: Object.freeze(['admin']) })
