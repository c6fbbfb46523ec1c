import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Configuration, default as OidcProvider } from 'oidc-provider'

/** What a user of the provider is called there. */
export interface Person {
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
  readonly preferred_username?: string
  readonly groups?: readonly string[]
}

/** An OpenID provider on this machine: a real one, whose sign-in page takes any name and any password. */
export interface TestProvider {
  readonly issuer: string
  /** Its users by the name that they type. */
  readonly people: Map<string, Person>
  /** How often each of its addresses was asked. */
  readonly asked: Map<string, number>
  /** Goes through its pages as a person does, from where a panel leads to where it leads back. */
  visit(url: string, as: string | null): Promise<string>
  close(): Promise<void>
}

export const client = { clientId: 'panel', clientSecret: 'a secret of the panel, long enough to sign' }

export async function startProvider(returns: readonly string[], more: Configuration = {}): Promise<TestProvider> {
  // Development pages say on every start that they are for development.
  const [info, warn] = [console.info, console.warn]
  console.info = console.warn = () => {}
  const { default: Provider } = (await import('oidc-provider')) as { readonly default: typeof OidcProvider }
  const people = new Map<string, Person>()
  const asked = new Map<string, number>()
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [...returns],
        post_logout_redirect_uris: returns.map((one) => new URL('/admin/login', one).href),
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username', 'groups'] },
    findAccount: (_, sub) => (people.has(sub) ? { accountId: sub, claims: () => ({ sub, ...people.get(sub) }) } : undefined),
    cookies: { keys: ['a key for a test'] },
    features: {
      rpInitiatedLogout: {
        logoutSource(context, form) {
          context.body = `<!doctype html><title>Sign out</title>${form}<button form="op.logoutForm" name="logout" value="yes">Yes</button>`
        },
      },
    },
    // In seconds. It says so on the console where it takes its own.
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    ...more,
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    asked.set(path, (asked.get(path) ?? 0) + 1)
    answer(request, response)
  })
  console.info = info
  console.warn = warn
  return {
    issuer,
    people,
    asked,
    visit: (url, as) => goThrough(issuer, url, as),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

/** @param as null: the person says no */
async function goThrough(issuer: string, start: string, as: string | null): Promise<string> {
  const jar = new Map<string, string>()
  let [at, form]: [string, Record<string, string> | null] = [start, null]
  for (let steps = 0; steps < 12; steps++) {
    if (!at.startsWith(issuer)) return at
    const response: Response = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const location = response.headers.get('location')
    const page = await response.text()
    form = null
    if (location) at = new URL(location, at).href
    else if (response.status !== 200) throw new Error(`The provider says ${response.status}: ${page}`)
    else if (as === null) at = new URL(/href="([^"]*\/abort)"/.exec(page)?.[1] ?? '', at).href
    else {
      at = new URL(/action="([^"]+)"/.exec(page)?.[1] ?? '', at).href
      form = page.includes('name="password"') ? { prompt: 'login', login: as, password: 'any' } : { prompt: 'consent' }
    }
  }
  throw new Error('The provider leads nowhere')
}
