/** What a list may be asked for, as the wire takes it. */
export interface AnyQuery {
  readonly filter?: object
  readonly sort?: string | readonly string[]
  readonly tag?: string
  readonly search?: string
  readonly page?: number
  readonly perPage?: number
  readonly cursor?: string
  readonly total?: 'exact'
  readonly fields?: readonly string[]
  readonly include?: readonly string[]
}

/** `{ filter: { population: { gte: 5 } } }` → `filter[population][gte]=5`. */
export function queryText({ filter = {}, tag, ...rest }: AnyQuery): string {
  const out = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...rest, 'query-tag': tag })) if (value !== undefined) out.set(name, String(value))
  for (const [field, asked] of Object.entries(filter)) put(out, `filter[${field}]`, asked)
  const text = out.toString()
  return text && `?${text}`
}

function put(out: URLSearchParams, name: string, value: unknown): void {
  if (Array.isArray(value)) for (const one of value) out.append(`${name}[]`, String(one))
  else if (typeof value === 'object' && value !== null)
    for (const [operator, one] of Object.entries(value)) {
      if (operator === 'eq') put(out, name, one)
      else put(out, `${name}[${operator}]`, operator === 'null' ? Number(one) : one)
    }
  else if (value !== undefined) out.append(name, String(value))
}
