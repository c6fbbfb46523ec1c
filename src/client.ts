import { resourceClient } from './client/resource.js'
import type { Resources } from './client/shapes.js'
import { type ClientOptions, type Credentials, makeSend } from './client/wire.js'
import type { Carries } from './resource/condition/declared.js'

export { Problem, type Would, type WouldBe } from './client/problem.js'
export type {
  ActionCall,
  Comment,
  CommentPage,
  ExportQuery,
  HistoryPage,
  ImportOptions,
  ImportResult,
  Match,
  Page,
  Parts,
  Query,
  Related,
  ResourceClient,
  Said,
} from './client/shapes.js'
export type { ClientOptions, Credentials, Tokens } from './client/wire.js'

/** A client of a panel: each resource is a property, named by its `uriKey`. */
export type Client<P> = Resources<P> & {
  /**
   * Signs in to a panel that takes tokens; later requests are made as this user.
   *
   * @throws Problem for a wrong password or code, a code that is missing, and too many attempts
   * @throws TypeError if the panel signs in with a cookie
   */
  signIn(as: Credentials): Promise<void>
  /**
   * Calls any other route, such as one of a plugin, with the same token and retries. `path` is relative to `baseUrl`. Returns the JSON
   * object of the answer.
   *
   * @throws Problem for every unsuccessful response
   */
  request(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: `/${string}`,
    body?: object,
  ): Promise<Readonly<Record<string, unknown>>>
}

/**
 * Makes a typed client of a panel's JSON API. Its types come from your declarations: import only the panel's type, and no server code comes
 * along.
 *
 * @example
 * ```ts
 * import { definePanel, defineResource } from 'daymark'
 * import { createClient } from 'daymark/client'
 * import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
 *
 * const cities = sqliteTable('cities', { id: integer('id').primaryKey() })
 * const panel = definePanel({ auth: 'open', database: 'sqlite:atlas.db', resources: [defineResource({ model: cities })] })
 *
 * const client = createClient<typeof panel>({ baseUrl: 'https://example.com/admin', token: '…' })
 * const { data } = await client.cities.list({ sort: '-id' })
 * ```
 */
export function createClient<P extends Carries<unknown>>(options: ClientOptions): Client<P> {
  const { send, signIn } = makeSend(options)
  const request = async (method: string, path: string, body?: unknown) => (await send(method, path, body)).body
  const known = new Map<string, unknown>([
    ['signIn', signIn],
    ['request', request],
  ])
  return new Proxy(Object.freeze({}), {
    get(_, name) {
      if (typeof name !== 'string') return undefined
      if (!known.has(name)) known.set(name, resourceClient(send, options.prefix ?? 'resource', name))
      return known.get(name)
    },
  }) as Client<P>
}
