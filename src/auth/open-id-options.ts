/** What a provider says about a user: the claims of the ID token and of the provider's UserInfo (OpenID Connect Core 1.0 §5.1). */
export interface OpenIdClaims {
  /** The provider's issuer. */
  readonly iss: string
  /** Identifies the user at this issuer. Some issuers give each client id another one. */
  readonly sub: string
  /** An e-mail address. It only says who somebody is if the provider has verified it. */
  readonly email?: string
  /** Whether the provider has verified that the address is the user's. */
  readonly email_verified?: boolean
  /** What the user calls themselves at the provider, where they can often change it. */
  readonly preferred_username?: string
  /** The full name. */
  readonly name?: string
  /** Any other claim, such as `groups`. */
  readonly [claim: string]: unknown
}

/** The options of `openId()`. */
export interface OpenIdOptions {
  /**
   * Names the provider in addresses and in what the panel keeps: lower-case letters, digits and `-`. Each of several needs its own. Default:
   * `openid`.
   */
  readonly id?: string
  /** What users call the provider: the button says “Sign in with …”. */
  readonly label: string
  /** The provider's issuer, as its documentation names it: an https URL below which it publishes `/.well-known/openid-configuration`. */
  readonly issuer: string
  /** The client id, which the provider gave you for the panel. */
  readonly clientId: string
  /**
   * The client secret; null: the panel is a public client, which has none. Default: the environment variable `DAYMARK_OPENID_SECRET`; without
   * one, null.
   */
  readonly clientSecret?: string | null
  /** What the provider is asked for, with spaces: `openid` and more. Default: `openid email profile`. */
  readonly scope?: string
  /** Further parameters of the request to the provider, such as `{ prompt: 'select_account' }`. Default: none. */
  readonly parameters?: Readonly<Record<string, string>>
  /**
   * The username in the panel of somebody who comes for the first time; null: they have none. Only return what the provider vouches for:
   * whoever can choose it can become that user. Default: the e-mail address, if the provider says that it has verified it.
   */
  username?(claims: OpenIdClaims): string | null
  /**
   * The roles of a user, set at each sign-in; null: they are not let in. For the panel's own users. Default: a user keeps the roles that
   * they have in the panel.
   */
  roles?(claims: OpenIdClaims): readonly string[] | null
  /** The roles of a user who is made at their first sign-in. For the panel's own users. Default: nobody is made, so users must exist. */
  readonly create?: readonly string[]
  /** Whether the provider asks for a second factor itself, so that the panel asks for none. Default: `false`. */
  readonly secondFactor?: boolean
  /**
   * Whether signing out of the panel leads to the provider, which ends its own session, too (OpenID Connect RP-Initiated Logout 1.0). The
   * provider must know the address of the panel's sign-in page. Default: `false`.
   */
  readonly signOut?: boolean
}

/** The name of somebody who comes for the first time, if it is not said how it is found. */
export function verifiedEmail({ email, email_verified: verified }: OpenIdClaims): string | null {
  return typeof email === 'string' && verified === true ? email : null
}

/** What is wrong with the options; null: nothing. */
export function openIdFault({
  id = 'openid',
  label,
  issuer,
  clientId,
  clientSecret,
  scope,
  username,
  roles,
  create,
}: OpenIdOptions): { readonly id: string; readonly text: string } | null {
  const fault = (text: string) => ({ id: 'openid', text: `openId({ id: ${JSON.stringify(id)} }): ${text}` })
  const isText = (value: unknown) => typeof value === 'string' && value.trim() !== ''
  if (!/^[a-z\d][a-z\d-]{0,39}$/.test(id)) return fault('its id must be lower-case letters, digits and "-", 40 at most')
  if (!isText(label)) return fault('label is missing: what users call the provider')
  if (!isText(clientId)) return fault('clientId is missing')
  if (clientSecret != null && !isText(clientSecret)) return fault('clientSecret is empty: null says that there is none')
  if (scope !== undefined && !(isText(scope) && scope.split(' ').includes('openid'))) return fault('scope must have openid in it')
  for (const [name, say] of Object.entries({ username, roles }))
    if (say !== undefined && typeof say !== 'function') return fault(`${name} must be a function`)
  if (!isIssuer(issuer)) return fault('issuer must be an https URL without a query (http only on this machine)')
  if (create !== undefined && !(Array.isArray(create) && create.every(isText))) return fault('create must be a list of roles')
  return null
}

function isIssuer(issuer: unknown): boolean {
  if (typeof issuer !== 'string' || !URL.canParse(issuer)) return false
  const { protocol, search, hash } = new URL(issuer)
  return search === '' && hash === '' && (protocol === 'https:' || isLocal(issuer))
}

/** Whether an issuer is a server of this machine, as in development: only such a one may be asked over plain http. */
export function isLocal(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer)
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}
