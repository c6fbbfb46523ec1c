import { expect } from 'vitest'
import { errors } from '../../src/base/errors.js'
import type { TableName } from './tables.js'
import { openWorld, type StoreName, type World } from './world.js'

/** A request, as data. JSON is asked for unless the headers say otherwise; `json`, `form` and `parts` make a body and its type. */
export interface Ask {
  readonly method?: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/admin/resource`, or absolute with a leading `/`. */
  readonly path: string
  /** `null` takes one of the usual headers away. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly json?: unknown
  readonly form?: readonly (readonly [name: string, text: string])[]
  readonly parts?: readonly (readonly [name: string, text: string | Blob])[]
  readonly body?: string | Uint8Array<ArrayBuffer>
}

/** What came back. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever shape a test expects
  readonly json: any
}

/** What is asked, what must come back, what must not appear in it, and how many rows there are afterwards. */
export interface Scenario {
  readonly name: string
  /** Asked first; each must succeed. */
  readonly before?: readonly Ask[]
  readonly request: Ask | ((before: readonly Answer[]) => Ask)
  readonly status: number
  /** A text must be equal, a pattern must match, `null` must be absent. */
  readonly headers?: Readonly<Record<string, string | RegExp | null>>
  /** The JSON body holds at least this. */
  readonly body?: object
  /** The JSON body is this and nothing else. */
  readonly exactly?: object
  /** The error names these fields, and no others. */
  readonly fields?: readonly string[]
  /** The body says this. */
  readonly says?: readonly (string | RegExp)[]
  readonly not?: readonly string[]
  /** How many rows more or fewer there are; a table that is not named has as many as before. */
  readonly rows?: { readonly [T in TableName]?: number }
  /** Asked afterwards, with what it must answer. */
  readonly next?: readonly (Ask & { readonly status?: number; readonly answers?: object })[]
  /** What is wrong with us today, where this scenario is known to fail; it must be taken away with the fault. */
  readonly fault?: string
  /** How often the fault is ours, and logged. */
  readonly logged?: number
}

/** Runs a scenario over a fresh panel on a store. */
export async function play(scenario: Scenario, store: StoreName): Promise<void> {
  const world = await openWorld(store)
  try {
    const before: Answer[] = []
    for (const step of scenario.before ?? []) {
      const answer = await ask(world, step)
      expect(answer.status, answer.text).toBeLessThan(400)
      before.push(answer)
    }
    const counts = await world.counts()
    const request = typeof scenario.request === 'function' ? scenario.request(before) : scenario.request
    const answer = await ask(world, request)
    check(scenario, request, answer)
    const expected = Object.fromEntries(
      Object.entries(counts).map(([table, count]) => [table, count + (scenario.rows?.[table as TableName] ?? 0)]),
    )
    expect(await world.counts(), 'rows afterwards').toEqual(expected)
    for (const { status = 200, answers, ...step } of scenario.next ?? []) {
      const next = await ask(world, step)
      expect(next.status, next.text).toBe(status)
      if (answers) expect(next.json).toMatchObject(answers)
    }
    expect(world.log).toHaveLength(scenario.logged ?? 0)
  } finally {
    await world.close()
  }
}

async function ask({ panel }: World, step: Ask): Promise<Answer> {
  const response = await panel.fetch(requestOf(step))
  const text = await response.text()
  const answer: Answer = {
    status: response.status,
    headers: response.headers,
    text,
    json: /json/.test(response.headers.get('content-type') ?? '') && text !== '' ? JSON.parse(text) : null,
  }
  checkAlways(answer, step.method ?? 'GET')
  return answer
}

/** A request of a scenario. */
export function requestOf({ method = 'GET', path, headers = {}, json, form, parts, body }: Ask): Request {
  const url = `http://127.0.0.1:3000${path.startsWith('/') ? path : `/admin/resource/${path}`}`
  const sent: Record<string, string> = { accept: 'application/json' }
  if (json !== undefined) sent['content-type'] = 'application/json'
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) delete sent[name]
    else sent[name] = value
  }
  const given =
    json !== undefined
      ? JSON.stringify(json)
      : form
        ? new URLSearchParams(form.map(([name, text]): [string, string] => [name, text]))
        : parts
          ? formData(parts)
          : body
  // A text brings a type of its own; a scenario says its type itself.
  const bytes = given !== undefined && { body: typeof given === 'string' ? Buffer.from(given) : given }
  return new Request(url, { method, headers: sent, ...bytes })
}

function formData(parts: Exclude<Ask['parts'], undefined>): FormData {
  const data = new FormData()
  for (const [name, value] of parts) {
    if (typeof value === 'string') data.append(name, value)
    else data.append(name, value, 'file.txt')
  }
  return data
}

const leaks = [
  /\bselect\b[^<]+\bfrom\b/i,
  /\binsert into\b/i,
  /\bdelete from\b/i,
  /sqlite|postgres/i,
  /constraint failed/i,
  /no such (?:table|column)/i,
  /node_modules/,
  /\.[cm]?[jt]s:\d+/,
  /\n\s+at \S/,
  /file:\/\//,
]

/** What holds for every answer whatever. */
function checkAlways({ status, headers, text, json }: Answer, method: string): void {
  for (const leak of leaks) expect(text).not.toMatch(leak)
  expect(text).not.toContain(process.cwd())
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(headers.get('vary')).toMatch(/^Accept\b/)
  if (status === 304) return
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('same-origin')
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  if (status < 400 || method === 'HEAD') return
  expect(headers.get('cache-control')).toBe('no-store')
  if (json === null) return
  const error = Object.entries(errors).find(([code]) => json.type === `urn:daymark:error:${code}`)?.[1]
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(json).toMatchObject({ title: error?.title, status: error?.status, detail: json.message, requestId: headers.get('x-request-id') })
  expect(status).toBe(error?.status)
  expect(json.message).toMatch(/\S/)
}

function check(scenario: Scenario, request: Ask, { status, headers, text, json }: Answer): void {
  expect(status, text).toBe(scenario.status)
  if (!scenario.logged) expect(status).toBeLessThan(500)
  for (const [name, wanted] of Object.entries(scenario.headers ?? {})) {
    if (wanted instanceof RegExp) expect(headers.get(name), name).toMatch(wanted)
    else expect(headers.get(name), name).toBe(wanted)
  }
  if (scenario.body) expect(json).toMatchObject(scenario.body)
  if (scenario.exactly) expect(json).toEqual(scenario.exactly)
  if (scenario.fields) expect(Object.keys(json?.errors ?? {}).sort()).toEqual([...scenario.fields].sort())
  for (const words of scenario.says ?? []) {
    if (words instanceof RegExp) expect(text).toMatch(words)
    else expect(text).toContain(words)
  }
  for (const words of scenario.not ?? []) expect(text).not.toContain(words)
  if (request.method === 'HEAD' || status === 204 || status === 304) expect(text).toBe('')
}
