/** The query of a list, untyped. */
export interface AnyQuery {
  readonly filter?: object
  readonly match?: 'all' | 'any'
  readonly sort?: string | readonly string[]
  readonly tag?: string
  readonly search?: string
  readonly page?: number
  readonly perPage?: number
  readonly cursor?: string
  readonly total?: 'exact'
  readonly summary?: boolean
  readonly format?: string
  readonly fields?: readonly string[]
  readonly include?: readonly string[]
}

/**
 * `{ filter: { population: { gte: 5 } } }` → `filter[population][gte]=5`.
 *
 * @throws TypeError for a filter without meaning: without it, the list would hold every record
 */
export function queryText({ filter = {}, tag, ...rest }: AnyQuery): string {
  const out = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...rest, 'query-tag': tag })) if (value !== undefined) out.set(name, String(value))
  for (const [field, asked] of Object.entries(filter)) put(out, `filter[${field}]`, asked)
  const text = out.toString()
  return text && `?${text}`
}

function put(out: URLSearchParams, name: string, asked: unknown): void {
  const operators = isPlain(asked) ? Object.entries(asked) : [['eq', asked] as const]
  if (operators.length === 0) throw new TypeError(`${name} has no operator`)
  for (const [operator, value] of operators) {
    if (value === undefined) continue
    if (operator === 'eq') putEqual(out, name, value)
    else if (operator === 'null') out.append(`${name}[null]`, emptiness(name, value))
    else if (operator === 'ne' && value === null) out.append(`${name}[null]`, '0')
    // Every text contains and starts with an empty one.
    else if (operator === 'contains' || operator === 'startsWith') out.append(`${name}[${operator}]`, textOf(name, value))
    else out.append(`${name}[${operator}]`, compared(name, value))
  }
}

function emptiness(name: string, value: unknown): string {
  if (typeof value !== 'boolean') throw new TypeError(`${name}[null] takes true or false`)
  return String(Number(value))
}

function putEqual(out: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined) return
  if (value === null) out.append(`${name}[null]`, '1')
  else if (!Array.isArray(value)) out.append(name, compared(name, value))
  else if (value.length === 0) throw new TypeError(`${name} is an empty list: it means one of its values, and there is none`)
  else for (const one of value) out.append(`${name}[]`, compared(name, one))
}

/** To the panel, an empty value means that there is no filter. */
function compared(name: string, value: unknown): string {
  const text = textOf(name, value)
  if (text === '') throw new TypeError(`${name} is an empty text: the panel would take it as no filter`)
  return text
}

/**
 * A value as text for a URL.
 *
 * @throws TypeError for anything else than text, numbers, booleans and times
 */
export function textOf(name: string, value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (value == null || typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError(`${name} takes text, numbers, booleans and times, not ${Object.prototype.toString.call(value)}`)
  return String(value)
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
