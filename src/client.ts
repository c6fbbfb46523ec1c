import { resourceClient } from './client/resource.js'
import type { Resources } from './client/shapes.js'
import { type ClientOptions, makeSend } from './client/wire.js'
import type { Carries } from './resource/declared.js'

export { Problem } from './client/problem.js'
export type { ActionCall, Match, Page, Parts, Query, Related, ResourceClient, Said } from './client/shapes.js'
export type { ClientOptions, Tokens } from './client/wire.js'

/** A client: the resources of the panel by their `uriKey`. */
export type Client<P> = Resources<P> & {
  /** Signs in, where the panel takes tokens; every later request is made as this user. */
  signIn(as: { readonly username: string; readonly password: string }): Promise<void>
  /** Asks any other route of the panel, such as a plugin's: its path stands below the panel's address. */
  request(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: `/${string}`,
    body?: object,
  ): Promise<Readonly<Record<string, unknown>>>
}

/**
 * Makes a client of a panel. Its types are those of the declarations: import the panel's type only, and nothing of the server comes along.
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
