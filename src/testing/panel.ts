import { setImmediate } from 'node:timers/promises'
import { type InferInsertModel, type InferSelectModel, is, Table } from 'drizzle-orm'
import type { Identity } from '../auth/identity.js'
import type { Outcome } from '../crud/outcomes/outcome.js'
import { type Probe, probe } from '../http/probe.js'
import { type Inside, inside, type Panel } from '../panel.js'
import { createRow, type FactoryOf } from './create.js'
import { type Factory, factory } from './factory.js'

/**
 * The user who asks, with what else `Identity` declares. Most panels only look at the roles. Defaults: id `test`, username
 * `test@example.com`, name `Test`.
 */
export interface TestUser extends Partial<Identity> {
  /** The roles of the user. */
  readonly roles: readonly string[]
}

/** How rows are made of which a test says nothing. */
export interface TestOptions {
  /** Makes the rows of these tables wherever `create` needs one, such as the customer of an order. Default: any values of their types. */
  readonly factories?: readonly Factory[]
}

/** What to send along with a request. */
export interface TestInit {
  /** Further headers. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A body: a `URLSearchParams` or `FormData` is sent as a form, a `Blob` as a file, anything else as JSON. */
export type TestBody = object | URLSearchParams | FormData | Blob

/** A response of the panel. */
export interface TestAnswer {
  /** The HTTP status. */
  readonly status: number
  /** The headers of the response. */
  readonly headers: Headers
  /** The body as text. */
  readonly text: string
  /**
   * The body as JSON, of the type that the test says it is: `answer.json<{ data: { id: number } }>()`.
   *
   * @throws SyntaxError if it is not JSON
   */
  json<T = unknown>(): T
  /**
   * Returns the outcome, before it is rendered, if it is of this kind.
   *
   * @throws Error if it is of another kind; it says which, and why
   */
  is<K extends Outcome['is']>(kind: K): Extract<Outcome, { readonly is: K }>
}

/** A panel in a test: without a server or a sign-in, and with every policy, rule and hook. */
export interface TestPanel {
  /** The same panel, asked by another user; `null`: by nobody. */
  as(user: TestUser | null): TestPanel
  /** The same panel, asked for pages. */
  readonly html: TestPanel
  /** Sends a GET. `path` is one from `panel.route()`. */
  get(path: string, init?: TestInit): Promise<TestAnswer>
  /** Sends a POST. `path` is one from `panel.route()`. */
  post(path: string, body?: TestBody, init?: TestInit): Promise<TestAnswer>
  /** Sends a PUT. `path` is one from `panel.route()`. */
  put(path: string, body?: TestBody, init?: TestInit): Promise<TestAnswer>
  /** Sends a PATCH. `path` is one from `panel.route()`. */
  patch(path: string, body?: TestBody, init?: TestInit): Promise<TestAnswer>
  /** Sends a DELETE. `path` is one from `panel.route()`. */
  delete(path: string, body?: TestBody, init?: TestInit): Promise<TestAnswer>
  /**
   * Stores a row and the records that it needs, bypassing rules and policies, and returns it as stored.
   *
   * @throws TypeError if no store of the panel can hold the table, and for a required relation to the same table that you leave out
   * @throws DaymarkError for a row that the store refuses
   */
  create<T extends Table>(of: T | Factory<T>, given?: Partial<InferInsertModel<T>>): Promise<InferSelectModel<T>>
}

/**
 * Calls a panel from inside a test, without a server: as a user with the role `admin`, and for JSON, unless `as` and `html` say otherwise.
 *
 * @example
 * ```ts
 * import { definePanel, defineResource, id, memoryStore, text } from 'daymark'
 * import { testPanel } from 'daymark/testing'
 * import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
 *
 * const cities = sqliteTable('cities', { id: integer().primaryKey(), name: varchar().notNull() })
 * const Cities = defineResource({ model: memoryStore(cities), fields: { id: id(), name: text('Name') }, can: { delete: ['admin'] } })
 * const panel = definePanel({ auth: 'open', resources: [Cities] })
 *
 * const { id: key } = await testPanel(panel).create(cities, { name: 'Bern' })
 * const path = panel.route('crud.destroy', { resource: 'cities', resourceItem: String(key) })
 * const editor = testPanel(panel).as({ roles: ['editor'] })
 * ;(await editor.delete(path)).is('refused').error.code // 'forbidden'
 * ;(await editor.html.get(path)).is('shown')
 * ```
 */
export function testPanel(panel: Panel, { factories = [] }: TestOptions = {}): TestPanel {
  const usual = new Map(factories.map((one) => [one.table, one]))
  // Each is in the map by its own table.
  const factoryOf = <T extends Table>(table: T) => (usual.get(table) as unknown as Factory<T> | undefined) ?? factory(table)
  return client(panel, { roles: ['admin'] }, 'application/json', factoryOf)
}

function client(panel: Panel, user: TestUser | null, accept: string, factoryOf: FactoryOf): TestPanel {
  const { realm, url } = (panel as unknown as { readonly [inside]: Inside })[inside]
  const identity = user && identityOf(user)
  const origin = url === null ? 'http://127.0.0.1' : new URL(url).origin
  const ask =
    (method: string) =>
    async (path: string, body?: TestBody, { headers = {} }: TestInit = {}): Promise<TestAnswer> => {
      const sent = body === undefined ? {} : isWhole(body) ? { body } : { body: JSON.stringify(body) }
      const all = new Headers({ accept, ...(body !== undefined && !isWhole(body) && { 'content-type': 'application/json' }) })
      for (const [name, value] of Object.entries(headers)) all.set(name, value)
      const request = new Request(new URL(path, origin), { method, headers: all, ...sent })
      let outcome: Outcome | null = null
      const given: Probe = {
        identity,
        saw(one) {
          outcome = one
        },
      }
      const fetch = panel.fetch as (request: Request, given: unknown) => Promise<Response>
      const answer = await answerOf(await fetch(request, { [probe]: given }), () => outcome)
      // A test that asks for a job until it has ended would let nothing of it run: a synchronous database never yields to the event loop.
      await setImmediate()
      return answer
    }
  const get = ask('GET')
  return {
    as: (other) => client(panel, other, accept, factoryOf),
    get html() {
      return client(panel, user, 'text/html', factoryOf)
    },
    get: (path, init) => get(path, undefined, init),
    post: ask('POST'),
    put: ask('PUT'),
    patch: ask('PATCH'),
    delete: ask('DELETE'),
    create: (of, given = {}) => createRow(realm, factoryOf, is(of, Table) ? factoryOf(of) : of, given),
  }
}

const identityOf = (user: TestUser): Identity => ({ id: 'test', username: 'test@example.com', name: 'Test', ...user })

function isWhole(body: TestBody): body is URLSearchParams | FormData | Blob {
  return body instanceof URLSearchParams || body instanceof FormData || body instanceof Blob
}

async function answerOf(response: Response, outcomeOf: () => Outcome | null): Promise<TestAnswer> {
  const { status, headers } = response
  const text = await response.text()
  return {
    status,
    headers,
    text,
    json: () => JSON.parse(text),
    is(kind) {
      const outcome = outcomeOf()
      if (outcome?.is === kind) return outcome as never
      throw new Error(`Expected ${kind}, but it was ${outcome === null ? `an answer of ${status}` : said(outcome)}`)
    },
  }
}

function said(outcome: Outcome): string {
  if (!('error' in outcome) || outcome.error === null) return outcome.is
  const { code, message, errors = [] } = outcome.error
  const fields = [...errors].map(([field, texts]) => `${field}: ${texts.join(' ')}`)
  return `${outcome.is} (${[`${code}: ${message}`, ...fields].join('; ')})`
}
