import type { ClientAuth, Configuration, CustomFetch } from 'openid-client'
import { guarded, OpenIdError } from './open-id-error.js'
import { isLocal, type OpenIdClaims, type OpenIdOptions, verifiedEmail } from './open-id-options.js'
import { isPlainText } from './username.js'

/** A sign-in that has been begun at a provider. The browser keeps it in a cookie of its own until it comes back. */
export interface OpenIdFlow {
  /** Comes back in the address: the answer is for this browser. */
  readonly state: string
  /** Comes back in the ID token: the token is for this sign-in. */
  readonly nonce: string
  /** Proves that whoever brings the code has begun the sign-in (RFC 7636). */
  readonly verifier: string
}

/** A provider of sign-ins, as a panel uses it. */
export interface OpenIdProvider extends Required<Pick<OpenIdOptions, 'id' | 'label' | 'issuer' | 'clientId' | 'secondFactor' | 'signOut'>> {
  /** Whether its secret is the one of the environment. */
  readonly takesEnvironment: boolean
  /** The roles of new users; null: none are made. */
  readonly create: readonly string[] | null
  /**
   * The username of somebody who comes for the first time.
   *
   * @throws OpenIdError
   */
  username(claims: OpenIdClaims): string | null
  /**
   * The roles of a user, or null to keep them out. Null in its place: they keep theirs.
   *
   * @throws OpenIdError
   */
  readonly roles: ((claims: OpenIdClaims) => readonly string[] | null) | null
  /**
   * Begins a sign-in, and returns where the browser has to go.
   *
   * @param back the address of return, as the provider knows it
   * @param anew whether the provider is asked to have the user sign in there, whatever session it has
   * @throws OpenIdError
   */
  begin(back: string, anew: boolean): Promise<{ readonly url: string; readonly flow: OpenIdFlow }>
  /**
   * Who has come back, and where they sign out at the provider; null: nowhere.
   *
   * @param url the address of return, with what the provider has added
   * @param since the user has to have signed in there since then, in milliseconds since 1970; null: no matter when
   * @param home where the provider sends the browser back that has signed out
   * @throws OpenIdError
   */
  finish(
    url: string,
    flow: OpenIdFlow,
    since: number | null,
    home: string,
  ): Promise<{ readonly claims: OpenIdClaims; readonly signOut: string | null }>
}

// Loaded with the first sign-in.
const library = () => import('openid-client')

// In seconds: somebody waits for the answer.
const patience = 10
// In milliseconds. Providers change their keys and addresses seldom; the keys of tokens are fetched anew when one is missing.
const knownFor = 3_600_000

export function makeProvider(options: OpenIdOptions): OpenIdProvider {
  const {
    id = 'openid',
    label,
    issuer,
    clientId,
    clientSecret,
    scope = 'openid email profile',
    parameters = {},
    create = null,
    secondFactor = false,
    signOut = false,
  } = options
  const ofEnvironment = process.env.DAYMARK_OPENID_SECRET?.trim() || null
  const secret = clientSecret === undefined ? ofEnvironment : clientSecret
  let known: { readonly until: number; readonly found: Promise<Configuration> } | null = null

  /** What the provider publishes about itself, asked for by the first sign-in. */
  function configuration(): Promise<Configuration> {
    if (known && known.until > Date.now()) return known.found
    const found = discover(options, secret)
    const asked = { until: Date.now() + knownFor, found }
    known = asked
    // The next sign-in asks again.
    found.catch(() => {
      if (known === asked) known = null
    })
    return found
  }

  return Object.freeze({
    id,
    label,
    issuer,
    clientId,
    secondFactor,
    signOut,
    takesEnvironment: clientSecret === undefined && secret !== null,
    create: create && Object.freeze([...create]),
    username: told('username', options.username ?? verifiedEmail, isText),
    roles: options.roles ? told('roles', options.roles, isRoles) : null,
    begin: (back: string, anew: boolean) =>
      guarded(id, async () => {
        const client = await library()
        const [config, verifier] = [await configuration(), client.randomPKCECodeVerifier()]
        const flow = { state: client.randomState(), nonce: client.randomNonce(), verifier }
        const url = client.buildAuthorizationUrl(config, {
          ...parameters,
          // Unlike `prompt=login`, every provider has to know it (OpenID Connect Core 1.0 §3.1.2.1).
          ...(anew && { max_age: '0' }),
          redirect_uri: back,
          scope,
          state: flow.state,
          nonce: flow.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        })
        return { url: url.href, flow }
      }),
    finish: (url: string, { state, nonce, verifier }: OpenIdFlow, since: number | null, home: string) =>
      guarded(id, async () => {
        const client = await library()
        const config = await configuration()
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
        const tokens = await client.authorizationCodeGrant(config, new URL(url), checks)
        const claims = tokens.claims() as OpenIdClaims | undefined
        if (!claims || !isSubject(claims.sub)) throw new OpenIdError('broken', `The provider "${id}" sent no usable claim sub`)
        if (since !== null && !isSince(claims.auth_time, since))
          throw new OpenIdError(
            'notAnew',
            `The provider "${id}" does not say in the claim auth_time that the user has just signed in there`,
          )
        const { userinfo_endpoint: hasMore, end_session_endpoint: end } = config.serverMetadata()
        const ending = signOut && typeof end === 'string' ? endingAt(end, { issuer, clientId, home, token: tokens.id_token }) : null
        // Many providers tell name and address there alone.
        const info = hasMore ? await client.fetchUserInfo(config, tokens.access_token, claims.sub) : {}
        return { claims: together(claims, info), signOut: ending }
      }),
  })
}

/** What two documents say of a user. What the signed token says counts more. */
function together(claims: OpenIdClaims, info: Partial<OpenIdClaims>): OpenIdClaims {
  // Which address is verified, only the document says that names it.
  if (claims.email === undefined) {
    const { email_verified, ...others } = claims
    return { ...info, ...others }
  }
  const { email, email_verified, ...others } = info
  return { ...others, ...claims }
}

// Microsoft Entra ID refuses longer addresses, and asks users whom it is not told of.
const longestAddress = 2000

/** Where a browser signs out at a provider (OpenID Connect RP-Initiated Logout 1.0 §2). Null if that is no address to lead anybody to. */
function endingAt(
  end: string,
  { issuer, clientId, home, token }: { issuer: string; clientId: string; home: string; token: string | undefined },
): string | null {
  if (!URL.canParse(end)) return null
  const url = new URL(end)
  const { protocol, username, password, searchParams } = url
  if ((protocol !== 'https:' && !(isLocal(issuer) && isLocal(end))) || username !== '' || password !== '') return null
  searchParams.set('client_id', clientId)
  searchParams.set('post_logout_redirect_uri', home)
  const plain = url.href
  // Without it, the provider asks the user, or says that it is missing.
  if (token) searchParams.set('id_token_hint', token)
  if (url.href.length <= longestAddress) return url.href
  return plain.length <= longestAddress ? plain : null
}

/** @param secret null: the panel is a public client, which PKCE protects alone */
async function discover({ issuer, clientId }: OpenIdOptions, secret: string | null): Promise<Configuration> {
  const client = await library()
  return client.discovery(new URL(issuer), clientId, undefined, secret === null ? client.None() : authentication(client, secret), {
    timeout: patience,
    [client.customFetch]: boundedFetch,
    // The token's signature is checked, too, though it comes from the provider itself over TLS.
    execute: [client.enableNonRepudiationChecks, ...(isLocal(issuer) ? [client.allowInsecureRequests] : [])],
  })
}

// In bytes: far more than any answer has.
const longestAnswer = 1_000_000

/** Fetches a whole answer, unless it is too long: within the time for the answer, too, which else ends with its headers. */
async function boundedFetch(...[address, init]: Parameters<CustomFetch>): Promise<Response> {
  const response = await fetch(address, init as RequestInit)
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    length += part.length
    if (length > longestAnswer) throw new Error('The answer is too long')
    parts.push(part)
  }
  return new Response(response.body && Buffer.concat(parts), response)
}

/** Sends the secret as the provider takes it. One that does not say takes the header (OpenID Connect Discovery 1.0 §3). */
function authentication(client: typeof import('openid-client'), secret: string): ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported
    return (methods && !methods.includes('client_secret_basic') ? post : basic)(server, ...rest)
  }
}

/**
 * What a function of the options says of somebody. It is the application's, and what it is made of may be missing: any other answer lets
 * nobody in.
 */
function told<T>(name: string, say: (claims: OpenIdClaims) => unknown, isRight: (value: unknown) => value is T) {
  return (claims: OpenIdClaims): T | null => {
    let value: unknown
    try {
      value = say(claims)
    } catch (thrown) {
      throw new OpenIdError(
        'broken',
        `The function ${name} of openId() failed: ${String((thrown as Partial<Error> | null)?.message ?? thrown)}`,
      )
    }
    if (value === null || isRight(value)) return value
    // Nobody else would hear of its failure, which ends the process.
    if (value instanceof Promise) value.catch(() => {})
    const type = value instanceof Promise ? 'a promise' : Array.isArray(value) ? 'a list of something else' : typeof value
    throw new OpenIdError('broken', `The function ${name} of openId() returned ${type}`)
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isRoles = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => isText(one) && one.trim() !== '' && isPlainText(one))

// OpenID Connect Core 1.0 §2.
const longestSubject = 255
const isSubject = (sub: unknown) => isText(sub) && sub !== '' && sub.length <= longestSubject && isPlainText(sub)

// In milliseconds: how far the clocks of the two servers may differ.
const tolerance = 30_000
const isSince = (at: unknown, since: number) =>
  typeof at === 'number' && at * 1000 >= since - tolerance && at * 1000 <= Date.now() + tolerance
