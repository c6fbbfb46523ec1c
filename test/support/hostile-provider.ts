import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/** An OpenID provider that says what it is told to say. */
export interface HostileProvider {
  readonly issuer: string
  /** The claims of the next ID token. */
  claims: Readonly<Record<string, unknown>>
  /** Makes its ID tokens; null: as it should. */
  forge: ((claims: JWTPayload) => string | Promise<string>) | null
  /** What UserInfo answers; null: there is none. Set it before the first sign-in, which asks whether there is one. */
  info: Readonly<Record<string, unknown>> | null
  /** What it publishes besides what it must. Set it before the first sign-in. */
  metadata: Readonly<Record<string, unknown>>
  /** Answers in place of the provider, by path. */
  readonly instead: Map<string, (response: ServerResponse) => void>
  /** The bodies that its token endpoint got, with the `Authorization` header. */
  readonly asked: string[]
  /** Where it sends the browser back to that was led to `location`. */
  back(location: string): string
  close(): Promise<void>
}

export async function startHostile(): Promise<HostileProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }
  const begun = new Map<string, string>()
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '', 'http://x').pathname
    let body = ''
    for await (const some of request) body += some
    if (path === '/token') provider.asked.push(`${request.headers.authorization ?? ''} ${body}`)
    const instead = provider.instead.get(path)
    if (instead) return instead(response)
    answerJson(response, await saidAt(path, new URLSearchParams(body).get('code') ?? ''))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function saidAt(path: string, code: string): Promise<object> {
    if (path === '/jwks') return { keys: [jwk] }
    if (path === '/info') return provider.info ?? {}
    if (path !== '/token')
      return {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        ...(provider.info && { userinfo_endpoint: `${issuer}/info` }),
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...provider.metadata,
      }
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: issuer, aud: 'panel', iat: now, exp: now + 300, nonce: begun.get(code), ...provider.claims }
    const token = provider.forge
      ? await provider.forge(claims)
      : await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(privateKey)
    return { access_token: 'SECRET-ACCESS-TOKEN', token_type: 'Bearer', id_token: token }
  }

  const provider: HostileProvider = {
    issuer,
    claims: {},
    forge: null,
    info: null,
    metadata: {},
    instead: new Map(),
    asked: [],
    back(location) {
      const { searchParams } = new URL(location)
      const code = `SECRET-CODE-${begun.size}`
      begun.set(code, searchParams.get('nonce') ?? '')
      const { pathname } = new URL(searchParams.get('redirect_uri') ?? '')
      return `${pathname}?code=${code}&state=${searchParams.get('state')}`
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
  return provider
}

/** An answer of the hostile provider's: JSON, or any text. */
export function answerJson(response: ServerResponse, body: object | string, status = 200, type = 'application/json'): void {
  response.writeHead(status, { 'content-type': type })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
