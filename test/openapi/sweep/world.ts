import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Panel } from 'daymark'
import { hashPassword } from '../../../src/auth/password.js'
import { makeReset } from '../../../src/crud/account/reset-password.js'
import { documentOf, type OpenApi } from '../../../src/openapi/document.js'
import { type Operation, operationsOf } from '../../../src/openapi/operations.js'
import { type Inside, inside } from '../../../src/panel.js'
import type { House } from '../../../src/plugin/plugin.js'
import { Sqlite } from '../../support/sqlite.js'
import type { Swept } from './panels.js'

/** What is asked of a panel. Its path stands below the mount. */
export interface Ask {
  readonly method: string
  readonly path: string
  readonly origin?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: whatever shape an operation answers
  readonly json: any
}

/** A body as the document describes it. */
export interface Described {
  /** The names of its own, without those that are patterns. */
  readonly names: readonly string[]
  allows(body: unknown): boolean
}

/** A swept panel that runs, with users and the means to get at its database behind its back. */
export interface World extends Pick<Swept, 'samples' | 'inputs'> {
  readonly house: House
  readonly operations: readonly Operation[]
  statusesOf(operation: Operation): readonly number[]
  /** What the document says of its body in JSON; null: it reads none. */
  bodyOf(operation: Operation): Described | null
  ask(what: Ask): Promise<Answer>
  /** Signs in anew and gives the headers that say so; `tokens` where there are some. */
  signIn(who: string): Promise<{ readonly headers: Readonly<Record<string, string>>; readonly tokens: Answer['json'] }>
  readonly admin: Readonly<Record<string, string>>
  /** Makes a user, and returns the name. */
  newUser(): Promise<string>
  /** Somebody without a role. */
  readonly nobody: Readonly<Record<string, string>>
  resetToken(): Promise<string>
  sql(statement: string): void
  /** Another number each time. */
  next(): number
  readonly panel: Panel
  close(): Promise<void>
}

export const password = 'correct horse battery'
const hash = hashPassword(password)
const users: Readonly<Record<string, readonly string[]>> = {
  admin: ['admin'],
  nobody: [],
  leaver: ['admin'],
  changer: ['admin'],
  forgetful: ['admin'],
}
let count = 0

type Parts = Readonly<Record<string, unknown>>
interface Objects {
  readonly properties?: Parts
  readonly anyOf?: readonly Objects[]
}

function bodiesIn(document: OpenApi): World['bodyOf'] {
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  ajv.addSchema(document, 'document')
  const at = (pointer: readonly string[]) => pointer.reduce<unknown>((part, name) => (part as Parts | undefined)?.[name], document)
  return ({ path, method }) => {
    const own = ['paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema']
    const { $ref } = (at(own) ?? {}) as { readonly $ref?: string }
    const pointer = $ref?.slice(2).split('/') ?? own
    const schema = at(pointer) as Objects | undefined
    if (!schema) return null
    const written = pointer.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
    const validate = ajv.compile({ $ref: `document#/${written}` })
    const names = [schema, ...(schema.anyOf ?? [])].flatMap(({ properties = {} }) => Object.keys(properties))
    return { names: [...new Set(names)], allows: (body) => validate(body) }
  }
}

export async function openWorld({ open, samples, inputs }: Swept): Promise<World> {
  const { panel, path, remove } = await open()
  const { house, store, realm } = (panel as unknown as Record<symbol, Inside>)[inside] as Inside
  for (const [username, roles] of Object.entries(users))
    await store?.admin?.create({ username, name: username, roles: [...roles], passwordHash: await hash })
  const document = documentOf(house, { title: house.title })
  const mount = house.place.mount
  const ask = async ({ method, path, origin = 'http://127.0.0.1:3000', headers = {}, json, body }: Ask): Promise<Answer> => {
    const sent: Record<string, string> = { accept: 'application/json', 'sec-fetch-site': 'same-origin', ...headers }
    if (json !== undefined) sent['content-type'] ??= 'application/json'
    const given = body ?? (json === undefined ? undefined : JSON.stringify(json))
    const request = new Request(`${origin}${mount}${path}`, { method, headers: sent, ...(given !== undefined && { body: given }) })
    const fetch = panel.fetch as (request: Request, given: unknown) => Promise<Response>
    const response = await fetch(request, { incoming: { socket: { remoteAddress: '192.0.2.1' } } })
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== ''
    return { status: response.status, headers: response.headers, json: isJson ? JSON.parse(text) : null }
  }
  const signIn: World['signIn'] = async (username) => {
    const { json, headers } = await ask({ method: 'POST', path: '/admin/authenticate', json: { username, password } })
    if (json.token) return { headers: { authorization: `Bearer ${json.token}` }, tokens: json }
    return {
      headers: {
        cookie: headers
          .getSetCookie()
          .map((one) => one.split(';')[0])
          .join('; '),
      },
      tokens: null,
    }
  }
  return {
    samples,
    inputs,
    house,
    operations: operationsOf(house),
    bodyOf: bodiesIn(document),
    statusesOf: ({ path, method }) => Object.keys(document.paths[path]?.[method.toLowerCase()]?.responses ?? {}).map(Number),
    ask,
    signIn,
    admin: (await signIn('admin')).headers,
    async newUser() {
      const username = `user ${++count}`
      await store?.admin?.create({ username, name: username, roles: ['admin'], passwordHash: await hash })
      return username
    },
    nobody: (await signIn('nobody')).headers,
    async resetToken() {
      const account = await realm.auth.services.users.byUsername('forgetful')
      if (!account) throw new Error('There is no such user')
      return makeReset(realm.auth.services, account)
    },
    sql(statement) {
      const client = new Sqlite(path)
      try {
        client.exec(`pragma busy_timeout = 5000; ${statement}`)
      } finally {
        client.close()
      }
    },
    next: () => ++count,
    panel,
    async close() {
      await panel.close()
      remove()
    },
  }
}
