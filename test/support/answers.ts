import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { keepsCookies } from '../../src/http/network.js'
import type { AppOptions } from '../../src/http/request-context.js'
import { confirmation } from '../../src/json/wires.js'
import { documentOf, type OpenApi } from '../../src/openapi/document.js'
import { operationsOf } from '../../src/openapi/operations.js'
import type { House } from '../../src/plugin/plugin.js'

/** An answer as it left the door. */
export interface Sent {
  readonly method: string
  readonly url: string
  /** Whether a form was sent, which may spell another method. */
  readonly form: boolean
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** What a test run has seen: of the documents that count the answers that they declare and those that came and were valid, and how many were valid of any panel. */
export interface Seen {
  readonly declared: Set<string>
  readonly answered: Set<string>
  valid: number
}

export const seen: Seen = { declared: new Set(), answered: new Set(), valid: 0 }

// Those of the demo, and that of the panel that has something of everything; the answers of any other are held against its own document, and not counted.
const counted = new Set(['World Atlas', 'Sweep'])

/** How an answer of an operation is counted; null: not at all. */
export function nameOf({ title, realm: { auth } }: House, id: string, status: number | string): string | null {
  return counted.has(title) && auth.services.panel !== 'open' ? `${title} by ${auth.challenge}: ${id} ${status}` : null
}

/** Holds answers against the document of the panel that gave them. It says what is wrong; null: nothing. */
export type Checker = (sent: Sent) => string | null

const known = new Map<string, Checker>()

/** The checker of a panel, made once for panels that are declared alike. */
export function checkerOf(options: AppOptions): Checker {
  const { id, brand, realm, place, routes, verbs, hosts, network } = options
  const shape = shapeOf(options)
  const checker = known.get(shape)
  if (checker) return checker
  const reached = { hosts, keepsCookies: keepsCookies(network, hosts) }
  const house: House = { id, title: brand.name, realm, place, ...reached, routes: () => routes, verbs: () => verbs }
  const made = makeChecker(documentOf(house, { title: brand.name }), house)
  known.set(shape, made)
  return made
}

/** All that a document depends on. A scenario opens a panel of its own, and making the document takes longer than asking it. */
function shapeOf({ id, realm, place, routes, hosts, network }: AppOptions): string {
  const { auth, can, resources, pages, home, shareViews, formats } = realm
  const about = [...resources.values()].map(({ written, model }) => [
    Object.entries(written).filter(([name]) => name !== 'model'),
    [...model.columns.values()].map(({ key, type, notNull, hasDefault, primary }) => [key, type, notNull, hasDefault, primary]),
  ])
  const steps = auth.services.twoFactor?.required
  const ways = [auth.challenge, auth.signsIn?.name, auth.refreshes?.name, steps, ...auth.authenticators.map((one) => one.name)]
  const own = [...pages.values(), home].map((page) => [page?.uri, page?.can, page?.filters, page?.components])
  const has = [realm.notifications !== null, realm.mails !== null, realm.files !== null, shareViews, [...formats.keys()]]
  const all = [id, place, hosts, network, can, ways, own, has, routes.map((one) => [one.name, one.path, one.ability]), about]
  return JSON.stringify(all, (name, value) => {
    if (name === 'table' && typeof value === 'object') return null
    // Components name resources, which stand among the others.
    if ((name === 'resource' || name === 'link') && typeof value === 'object') return (value as { uriKey?: string } | null)?.uriKey
    if (name === 'kind') return (value as { name: string }).name
    if (name === 'rules') return (value as unknown[]).length
    if (value instanceof Map) return [...value]
    return typeof value === 'function' ? String(value) : value
  })
}

function makeChecker(document: OpenApi, house: House): Checker {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true })
  formats.default(ajv)
  ajv.addSchema(document, 'document')
  const compiled = new Map<string, ValidateFunction>()
  const validate = (pointer: string, value: unknown): string | null => {
    const valid = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` })
    compiled.set(pointer, valid)
    if (valid(value)) return null
    return ajv.errorsText(valid.errors, { dataVar: 'body' })
  }
  const confirms = ajv.compile(confirmation)
  const operations = operationsOf(house).map((one) => ({
    ...one,
    pattern: new RegExp(`^${one.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  const count = (into: Set<string>, id: string, status: number | string) => {
    const name = nameOf(house, id, status)
    if (name !== null) into.add(name)
  }
  for (const { path, method, id } of operations)
    for (const status of Object.keys(responsesOf(document, path, method))) count(seen.declared, id, status)

  return ({ method, url, form, status, headers, text }) => {
    const isFile = headers['content-disposition'] !== undefined && (status === 200 || status === 206)
    if (method === 'OPTIONS' || (status >= 300 && status < 304) || (!isJson(headers, status) && !isFile)) return null
    const paths = pathsOf(url, house)
    const asked = method === 'HEAD' ? 'GET' : method
    const here = operations
      .filter((one) => paths.some((path) => one.pattern.test(path)))
      .sort((a, b) => (a.path.match(/\{/g)?.length ?? 0) - (b.path.match(/\{/g)?.length ?? 0))
    const own = here.filter((one) => one.method === asked)
    const meant = [
      ...own.slice(0, 1),
      ...(form && asked === 'POST' ? here.filter((one) => one.method !== 'GET' && one.method !== 'POST') : []),
    ]
    // A handler may give any file; that of a list is described.
    if (isFile && !meant.some(({ route }) => route.download)) return null
    const body = text === '' ? undefined : isFile ? text : JSON.parse(text)
    const where = `${method} ${url} → ${status}`
    if (meant.length === 0)
      return status >= 400 && status < 500 ? problem(body, method, validate, where) : `${where}: no operation of the document`
    if (form && status === 200 && confirms(body)) return null
    const wrong: string[] = []
    for (const { path, method: of, id } of meant) {
      const response = responsesOf(document, path, of)[status]
      if (!response) {
        if (status === 405 && form) return problem(body, method, validate, where)
        wrong.push(`${id} declares no ${status}`)
        continue
      }
      const pointer = `/paths/${escaped(path)}/${of.toLowerCase()}/responses/${status}`
      const found =
        headersFault(document, response, headers, ajv) ??
        (body === undefined ? null : bodyFault(pointer, response, headers, body, validate))
      if (found === null) {
        count(seen.answered, id, status)
        seen.valid++
        return null
      }
      wrong.push(`${id}: ${found}`)
    }
    return `${where}: ${wrong.join('; ')}\n${text.slice(0, 600)}`
  }
}

interface ResponseObject {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>
  readonly content?: Readonly<Record<string, unknown>>
}

function responsesOf(document: OpenApi, path: string, method: string): Readonly<Record<string, ResponseObject>> {
  return (document.paths[path]?.[method.toLowerCase()]?.responses ?? {}) as Record<string, ResponseObject>
}

function resolved<T extends object>(document: OpenApi, one: T & { readonly $ref?: string }): T {
  if (!one.$ref) return one
  return one.$ref
    .slice(2)
    .split('/')
    .reduce((at: unknown, name) => (at as Record<string, unknown>)[name], document) as T
}

function headersFault(document: OpenApi, response: ResponseObject, headers: Sent['headers'], ajv: Ajv2020): string | null {
  for (const [name, ref] of Object.entries(resolved(document, response).headers ?? {})) {
    const { required, schema } = resolved(document, ref) as unknown as { required: boolean; schema: object }
    const value = headers[name.toLowerCase()]
    if (value === undefined) {
      if (required) return `the header ${name} is not there`
    } else if (!ajv.validate(schema, value)) return `the header ${name} is ${value}`
  }
  return null
}

function bodyFault(
  pointer: string,
  response: ResponseObject,
  headers: Sent['headers'],
  body: unknown,
  validate: (pointer: string, value: unknown) => string | null,
): string | null {
  const given = typeOf(headers)
  const at = response.$ref ? response.$ref.slice(1) : pointer
  const types = response.$ref ? ['application/problem+json'] : Object.keys(response.content ?? {})
  const declared = types.find((one) => one === given) ?? types[0]
  if (given !== declared && declared !== '*/*') return `the type is ${given}, not ${declared}`
  return validate(`${at}/content/${escaped(declared)}/schema`, body)
}

function problem(
  body: { type?: string } | undefined,
  method: string,
  validate: (pointer: string, value: unknown) => string | null,
  where: string,
): string | null {
  if (body === undefined) return method === 'HEAD' ? null : `${where}: no problem is said`
  const code = body.type?.replace('urn:daymark:error:', '') ?? ''
  if (!/^\w+$/.test(code)) return `${where}: no problem of ours`
  try {
    const fault = validate(`/components/schemas/Problem.${code}`, body)
    return fault && `${where}: ${fault}`
  } catch {
    // A document without this problem: what it is like is known from others.
    return null
  }
}

const typeOf = (headers: Sent['headers']) => (headers['content-type'] ?? '').split(';')[0] as string
const isJson = (headers: Sent['headers'], status: number) => /json/.test(typeOf(headers)) || status === 304
const escaped = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))

/** What mounts a panel below a path may have taken it off, or not. */
function pathsOf(url: string, { place: { mount } }: House): readonly string[] {
  const whole = url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*$/s, '')
  const all = mount !== '' && whole.startsWith(`${mount}/`) ? [whole.slice(mount.length), whole] : [whole]
  return all.map((path) => path.replace(/(?<=.)\/$/, ''))
}
