import { type InferInsertModel, type InferSelectModel, is, Table } from 'drizzle-orm'
import type { Identity } from '../auth/identity.js'
import type { Outcome } from '../crud/outcome.js'
import { type Probe, probe } from '../http/probe.js'
import { type Inside, inside, type Panel } from '../panel.js'
import { createRow } from './create.js'
import { type Factory, factory } from './factory.js'

/** Who asks. Only the roles count for most panels. */
export interface TestUser extends Partial<Identity> {
  readonly roles: readonly string[]
}

/** What is sent along with a request. */
export interface TestInit {
  readonly headers?: Readonly<Record<string, string>>
}

/** JSON, or a form as a browser sends it. */
export type TestBody = object | URLSearchParams | FormData

/** What a panel answered. */
export interface TestAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** @throws SyntaxError where the answer is no JSON */
  json(): unknown
  /**
   * What the verb ended in, if it is of this kind: the records themselves, before a face has said them.
   *
   * @throws Error that says what it was instead, and why
   */
  is<K extends Outcome['is']>(kind: K): Extract<Outcome, { readonly is: K }>
}

/** A panel in a test: no server, no sign-in, every rule. */
export interface TestPanel {
  /** The same, asked by somebody; by nobody: `null`. */
  as(user: TestUser | null): TestPanel
  /** The same, asked for pages. */
  readonly html: TestPanel
  /** A path as `panel.route()` gives it. */
  get(path: string, init?: TestInit): Promise<TestAnswer>
  post(path: string, body?: TestBody, init?: TestInit): Promise<TestAnswer>
  put(path: string, body?: TestBody, init?: TestInit): Promise<TestAnswer>
  patch(path: string, body?: TestBody, init?: TestInit): Promise<TestAnswer>
  delete(path: string, body?: TestBody, init?: TestInit): Promise<TestAnswer>
  /** Stores a row of a table, past rules and policies, and the records that it needs; gives it as it is stored. */
  create<T extends Table>(of: T | Factory<T>, given?: Partial<InferInsertModel<T>>): Promise<InferSelectModel<T>>
}

/**
 * Asks a panel as a server would, from inside the process: as whoever the test says, and with what the verb ended in at hand.
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
export function testPanel(panel: Panel): TestPanel {
  return client(panel, { roles: ['admin'] }, 'application/json')
}

function client(panel: Panel, user: TestUser | null, accept: string): TestPanel {
  const { realm, url } = (panel as unknown as { readonly [inside]: Inside })[inside]
  const identity = user && identityOf(user)
  const origin = url === null ? 'http://127.0.0.1' : new URL(url).origin
  const ask =
    (method: string) =>
    async (path: string, body?: TestBody, { headers = {} }: TestInit = {}): Promise<TestAnswer> => {
      const sent = body === undefined ? {} : isForm(body) ? { body } : { body: JSON.stringify(body) }
      const type = body === undefined || isForm(body) ? {} : { 'content-type': 'application/json' }
      const request = new Request(new URL(path, origin), { method, headers: { accept, ...type, ...headers }, ...sent })
      let outcome: Outcome | null = null
      const given: Probe = {
        identity,
        saw(one) {
          outcome = one
        },
      }
      const fetch = panel.fetch as (request: Request, given: unknown) => Promise<Response>
      return answerOf(await fetch(request, { [probe]: given }), () => outcome)
    }
  const get = ask('GET')
  return {
    as: (other) => client(panel, other, accept),
    get html() {
      return client(panel, user, 'text/html')
    },
    get: (path, init) => get(path, undefined, init),
    post: ask('POST'),
    put: ask('PUT'),
    patch: ask('PATCH'),
    delete: ask('DELETE'),
    create: (of, given = {}) => createRow(realm, is(of, Table) ? factory(of) : of, given),
  }
}

function identityOf({ id = 'test', username = 'test@example.com', name = 'Test', roles }: TestUser): Identity {
  return { id, username, name, roles }
}

function isForm(body: TestBody): body is URLSearchParams | FormData {
  return body instanceof URLSearchParams || body instanceof FormData
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
