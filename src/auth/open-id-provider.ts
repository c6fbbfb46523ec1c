import type { ClientAuth, Configuration } from 'openid-client'
import { isLocal, type OpenIdClaims, type OpenIdOptions, verifiedEmail } from './open-id-options.js'

/** A sign-in that has been begun at a provider. The browser keeps it in a cookie of its own until it comes back. */
export interface OpenIdFlow {
  /** Comes back in the address: the answer is for this browser. */
  readonly state: string
  /** Comes back in the ID token: the token is for this sign-in. */
  readonly nonce: string
  /** Proves that whoever brings the code has begun the sign-in (RFC 7636). */
  readonly verifier: string
}

/** Why a sign-in with a provider has failed: it said no (`refused`), cannot be reached (`away`), or its answer is not to be trusted. */
export type OpenIdFailure = 'refused' | 'away' | 'broken'

/** A sign-in with a provider has failed. Its cause is for the log. */
export class OpenIdError extends Error {
  override readonly name = 'OpenIdError'
  readonly why: OpenIdFailure
  constructor(why: OpenIdFailure, cause: unknown) {
    super(`The sign-in with a provider failed: ${String((cause as Partial<Error> | null)?.message ?? cause)}`, { cause })
    this.why = why
  }
}

/** A provider of sign-ins, as a panel uses it. */
export interface OpenIdProvider extends Required<Pick<OpenIdOptions, 'id' | 'label' | 'issuer' | 'secondFactor'>> {
  /** The roles of new users; null: none are made. */
  readonly create: readonly string[] | null
  /** The username of somebody who comes for the first time. */
  username(claims: OpenIdClaims): string | null
  /** The roles of a user, or null to keep them out. Undefined: they keep theirs. */
  readonly roles: ((claims: OpenIdClaims) => readonly string[] | null) | undefined
  /**
   * Begins a sign-in, and returns where the browser has to go.
   *
   * @param back the address of return, as the provider knows it
   * @param anew whether the provider is asked not to take a session of its own for it
   * @throws OpenIdError
   */
  begin(back: string, anew: boolean): Promise<{ readonly url: string; readonly flow: OpenIdFlow }>
  /**
   * Who has come back.
   *
   * @param url the address of return, with what the provider has added
   * @throws OpenIdError
   */
  finish(url: string, flow: OpenIdFlow): Promise<OpenIdClaims>
}

// Loaded with the first sign-in.
const library = () => import('openid-client')

// In seconds: somebody waits for the answer.
const patience = 10
// In milliseconds. Providers change their keys and addresses seldom; the keys of tokens are fetched anew when one is missing.
const knownFor = 3_600_000

/** @param secret null: the panel is a public client, which PKCE protects alone */
export function makeProvider(options: OpenIdOptions, secret: string | null): OpenIdProvider {
  const { id = 'openid', label, issuer, scope = 'openid email profile', parameters = {}, create = null, secondFactor = false } = options
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
    secondFactor,
    create: create && Object.freeze([...create]),
    username: options.username ?? verifiedEmail,
    roles: options.roles,
    begin: (back: string, anew: boolean) =>
      guarded(async () => {
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
    finish: (url: string, { state, nonce, verifier }: OpenIdFlow) =>
      guarded(async () => {
        const client = await library()
        const config = await configuration()
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
        const tokens = await client.authorizationCodeGrant(config, new URL(url), checks)
        const claims = tokens.claims() as OpenIdClaims
        if (!config.serverMetadata().userinfo_endpoint) return claims
        // Many providers tell name and address there alone. What the signed token says counts more.
        return { ...(await client.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims }
      }),
  })
}

async function discover({ issuer, clientId }: OpenIdOptions, secret: string | null): Promise<Configuration> {
  const client = await library()
  return client.discovery(new URL(issuer), clientId, undefined, secret === null ? client.None() : authentication(client, secret), {
    timeout: patience,
    // The token's signature is checked, too, though it comes from the provider itself over TLS.
    execute: [client.enableNonRepudiationChecks, ...(isLocal(issuer) ? [client.allowInsecureRequests] : [])],
  })
}

/** Sends the secret as the provider takes it. One that does not say takes the header (OpenID Connect Discovery 1.0 §3). */
function authentication(client: typeof import('openid-client'), secret: string): ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported
    return (methods && !methods.includes('client_secret_basic') ? post : basic)(server, ...rest)
  }
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    throw new OpenIdError(await failureOf(thrown), thrown)
  }
}

async function failureOf(thrown: unknown): Promise<OpenIdFailure> {
  const client = await library()
  if (thrown instanceof client.AuthorizationResponseError) return thrown.error === 'access_denied' ? 'refused' : 'broken'
  const { code, cause } = (thrown ?? {}) as { readonly code?: unknown; readonly cause?: unknown }
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') return 'away'
  // Node's fetch says no more than that it has failed, and why in the cause.
  const isNetwork = thrown instanceof TypeError && thrown.message === 'fetch failed'
  return isNetwork || (cause instanceof Response && cause.status >= 500) ? 'away' : 'broken'
}
