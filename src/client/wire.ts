import { Problem } from './problem.js'

/** The tokens that a sign-in or a refresh returns. */
export interface Tokens {
  /** The access token, sent with every request. */
  readonly token: string
  /** Works once, to get the next pair. */
  readonly refreshToken: string
}

/** The options of `createClient`. */
export interface ClientOptions {
  /** The panel's URL with its prefix: `https://example.com/admin`. */
  readonly baseUrl: string
  /** The access token to begin with. Default: none. */
  readonly token?: string
  /** Gets a new token when the old one has expired. It works only once: `onTokens` receives the next one. Default: none. */
  readonly refreshToken?: string
  /** Signs in if there is no token, or none that can be refreshed. Default: none. */
  readonly credentials?: {
    /** The user to sign in. */
    readonly username: string
    /** The user's password. */
    readonly password: string
  }
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
}

/** Sends one request; `path` is relative to the panel's URL. */
export type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answered>

const mostTries = 3
const longestWait = 30_000

/** Sends requests, refreshes tokens, and retries what is safe to retry. */
export function makeSend(options: ClientOptions): { readonly send: Send; readonly signIn: (as: object) => Promise<void> } {
  const base = options.baseUrl.replace(/\/+$/, '')
  const ask = options.fetch ?? ((request) => fetch(request))
  let { token, refreshToken } = options
  let renewing: Promise<void> | null = null

  const once = (method: string, path: string, body: unknown, headers: Record<string, string> = {}, bearer?: string) =>
    ask(
      new Request(base + path, {
        method,
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(bearer && { authorization: `Bearer ${bearer}` }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )

  const signIn = async (body: object, path = '/authenticate') => {
    const given = (await answered(await once('POST', path, body))).body as unknown as Tokens
    ;({ token, refreshToken } = given)
    options.onTokens?.(given)
  }

  const renew = async () => {
    const used = refreshToken
    // A refresh token works once: using it again would end the session.
    refreshToken = undefined
    if (used !== undefined) {
      try {
        return await signIn({ refreshToken: used }, '/refresh')
      } catch (thrown) {
        const refused = thrown instanceof Problem && thrown.status === 401
        if (!refused) refreshToken = used
        if (!refused || !options.credentials) throw thrown
      }
    }
    await signIn(options.credentials as object)
  }
  // However many requests find the token expired, one renews it and the others wait.
  const renewed = () => {
    renewing ??= renew().finally(() => {
      renewing = null
    })
    return renewing
  }

  const send: Send = async (method, path, body, headers) => {
    let fresh = false
    for (let tries = 1; ; tries++) {
      if (renewing || (token === undefined && options.credentials)) await renewed()
      const bearer = token
      const again = method === 'GET' && tries < mostTries
      let response: Response
      try {
        response = await once(method, path, body, headers, bearer)
      } catch (thrown) {
        if (!again) throw thrown
        await wait(2 ** tries * 100)
        continue
      }
      // While another request renews the token, the refresh token is used up already.
      const renews = renewing || token !== bearer || refreshToken !== undefined || options.credentials
      if (response.status === 401 && !fresh && renews) {
        fresh = true
        await response.body?.cancel()
        if (token === bearer) await renewed()
        continue
      }
      const pause = again && (response.status === 503 || response.status === 429) ? pauseOf(response, tries) : Number.POSITIVE_INFINITY
      if (pause > longestWait) return answered(response)
      await response.body?.cancel()
      await wait(pause)
    }
  }
  return { send, signIn: (as) => signIn(as) }
}

async function answered(response: Response): Promise<Answered> {
  const text = await response.text()
  let body: Record<string, unknown> = {}
  try {
    body = JSON.parse(text)
  } catch {
    // Not from the panel: a proxy's page, or nothing at all.
    if (response.ok) throw new Problem(response, { title: 'The answer is not JSON' })
  }
  if (!response.ok) throw new Problem(response, body)
  return { body, etag: response.headers.get('etag'), location: response.headers.get('location') }
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
