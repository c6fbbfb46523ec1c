import { etagOf, Problem } from './problem.js'

/** The tokens that a sign-in or a refresh returns. */
export interface Tokens {
  /** The access token, sent with every request. */
  readonly token: string
  /** Works once, to get the next pair. */
  readonly refreshToken: string
}

/** Who signs in. */
export interface Credentials {
  /** The user to sign in. */
  readonly username: string
  /** The user's password. */
  readonly password: string
  /** The code of the user's authenticator app, or what asks for it: called only if the panel wants one. Default: none. */
  readonly code?: string | (() => string | Promise<string>)
}

/** The options of `createClient`. */
export interface ClientOptions {
  /** The panel's URL with its prefix: `https://example.com/admin`. */
  readonly baseUrl: string
  /** The access token to begin with, or an API key. Default: none. */
  readonly token?: string
  /** Gets a new token when the old one has expired. It works only once: `onTokens` receives the next one. Default: none. */
  readonly refreshToken?: string
  /** Signs in to a panel with tokens (`jwtAuth()`), if there is no token, or none that can be refreshed. Default: none. */
  readonly credentials?: Credentials
  /** Receives every new pair, for you to store. Default: none. */
  readonly onTokens?: (tokens: Tokens) => void
  /** Sends the requests; `panel.fetch` calls a panel in the same process. Default: the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>
  /** The panel's `prefix.resource`. Default: `resource`. */
  readonly prefix?: string
}

/** A successful response. */
export interface Answered {
  readonly body: Record<string, unknown>
  readonly etag: string | null
  /** The URL of a created record. */
  readonly location: string | null
  /** The body, where a file was asked for; else null. */
  readonly file: Blob | null
}

/** Sends one request; `path` is relative to the panel's URL. A `Blob` is sent as it is, anything else as JSON. */
export type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>, asFile?: boolean) => Promise<Answered>

const cookieText =
  'This panel signs in with a cookie, for people. Programs need a panel with tokens (daymark/jwt), or an API key as `token`: docs/authentication.md#api-keys'
const mostTries = 3
const longestWait = 30_000

/** Sends requests, refreshes tokens, and retries what is safe to retry. */
export function makeSend(options: ClientOptions): { readonly send: Send; readonly signIn: (as: Credentials) => Promise<void> } {
  const base = options.baseUrl.replace(/\/+$/, '')
  const ask = options.fetch ?? ((request) => fetch(request))
  let { token, refreshToken } = options
  let renewing: Promise<void> | null = null

  const once = async (
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
    bearer?: string,
    asFile = false,
  ) => {
    const response = await ask(
      new Request(base + path, {
        method,
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': body instanceof Blob ? 'application/octet-stream' : 'application/json' }),
          ...(bearer && { authorization: `Bearer ${bearer}` }),
          ...headers,
        },
        ...(body !== undefined && { body: body instanceof Blob ? body : jsonOf(body) }),
      }),
    )
    // Read here, since a connection may also break in the middle of a body.
    if (asFile && response.ok) return { response, text: '', file: await response.blob() }
    return { response, text: await response.text(), file: null }
  }

  const take = async (path: string, body: object, keepsCookies = false) => {
    const given = answered(await once('POST', path, body)).body as unknown as Tokens
    if (!given.token) {
      if (keepsCookies) return
      // Whoever goes on without a cookie would sign in again and again.
      throw new TypeError(cookieText)
    }
    ;({ token, refreshToken } = given)
    options.onTokens?.(given)
  }

  // A browser has an address, and keeps the cookie of a panel of its own origin.
  const signIn = async ({ code, ...as }: Credentials, keepsCookies = 'location' in globalThis) => {
    try {
      await take('/authenticate', as, keepsCookies)
    } catch (thrown) {
      const ticket = thrown instanceof Problem ? thrown.ticket : null
      if (ticket === null || code === undefined) throw thrown
      await take('/authenticate/code', { ticket, code: typeof code === 'string' ? code : await code() }, keepsCookies)
    }
  }

  const renew = async () => {
    const used = refreshToken
    // A refresh token works once: using it again would end the session.
    refreshToken = undefined
    if (used !== undefined) {
      try {
        return await take('/refresh', { refreshToken: used })
      } catch (thrown) {
        const refused = thrown instanceof Problem && thrown.status === 401
        if (!refused) refreshToken = used
        if (!refused || !options.credentials) throw thrown
      }
    }
    await signIn(options.credentials as Credentials, false)
  }
  // However many requests find the token expired, one renews it and the others wait.
  const renewed = () => {
    renewing ??= renew().finally(() => {
      renewing = null
    })
    return renewing
  }

  const send: Send = async (method, path, body, headers, asFile) => {
    let fresh = false
    for (let tries = 1; ; tries++) {
      if (renewing || (token === undefined && options.credentials)) await renewed()
      const bearer = token
      const again = method === 'GET' && tries < mostTries
      let got: Got
      try {
        got = await once(method, path, body, headers, bearer, asFile)
      } catch (thrown) {
        if (!again) throw thrown
        await wait(2 ** tries * 100)
        continue
      }
      const { response } = got
      // While another request renews the token, the refresh token is used up already.
      const renews = renewing || token !== bearer || refreshToken !== undefined || options.credentials
      if (response.status === 401 && !fresh && renews) {
        fresh = true
        if (token === bearer) await renewed()
        continue
      }
      const pause = again && (response.status === 503 || response.status === 429) ? pauseOf(response, tries) : Number.POSITIVE_INFINITY
      if (pause > longestWait) return answered(got)
      await wait(pause)
    }
  }
  return { send, signIn }
}

/** A response and its whole body, as text or as a file. */
interface Got {
  readonly response: Response
  readonly text: string
  readonly file: Blob | null
}

function answered({ response, text, file }: Got): Answered {
  const body = file ? {} : objectIn(text)
  if (response.ok && body) return { body, etag: etagOf(response), location: response.headers.get('location'), file }
  // Without a body it is not from the panel: a proxy's page, or nothing at all.
  throw new Problem(response, body ?? (response.ok ? { title: 'The answer is not JSON' } : {}))
}

/**
 * A body as JSON.
 *
 * @throws TypeError for a number that JSON does not have: it would arrive as null, and be stored as no value
 */
function jsonOf(body: unknown): string {
  let field = ''
  return JSON.stringify(body, function (this: unknown, name: string, value: unknown) {
    if (this === body) field = name
    if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${field} holds ${value}, which JSON does not have`)
    return value
  })
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const body = JSON.parse(text)
    return typeof body === 'object' ? body : null
  } catch {
    return null
  }
}

function pauseOf(response: Response, tries: number): number {
  const said = response.headers.get('retry-after') ?? ''
  const pause = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - Date.now()
  // Without the header, or with one that cannot be read.
  return Number.isNaN(pause) ? 2 ** tries * 100 : Math.max(0, pause)
}

function wait(time: number): Promise<void> {
  return new Promise((done) => setTimeout(done, time))
}
