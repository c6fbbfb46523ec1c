import { type OpenIdOptions, openIdFault } from './open-id-options.js'
import { makeProvider } from './open-id-provider.js'
import type { Pipeline } from './pipeline.js'

/**
 * Lets users sign in with an OpenID Connect provider, such as Google, Microsoft Entra ID, Okta, Auth0 or Keycloak: the authorization code
 * flow (OpenID Connect Core 1.0 §3.1) with PKCE (RFC 7636). `session()` keeps them signed in, and must be among the panel's `middleware`.
 *
 * The provider must know the panel's address of return: `…/admin/authenticate/openid/{id}/return`.
 *
 * @example
 * ```ts
 * import { password } from 'daymark'
 * import { openId } from 'daymark/openid'
 *
 * const google = openId({ id: 'google', label: 'Google', issuer: 'https://accounts.google.com', clientId: '…', clientSecret: '…' })
 * export const pipelines = [password(), google]
 * ```
 */
export function openId(options: OpenIdOptions): Pipeline {
  return Object.freeze({
    name: 'openid',
    cookies: false,
    needsSession: true,
    openId: makeProvider(options),
    check: () => openIdFault(options),
  })
}
