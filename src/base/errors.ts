/** THE table of what can go wrong: code → status and title. Codes are never reused; `docs/errors.md` is held in step by a test. */
export const errors = {
  malformed: { status: 400, title: 'Malformed request' },
  unauthenticated: { status: 401, title: 'Not signed in' },
  forbidden: { status: 403, title: 'Not allowed' },
  notFound: { status: 404, title: 'Not found' },
  methodNotAllowed: { status: 405, title: 'Method not allowed' },
  notAcceptable: { status: 406, title: 'Not acceptable' },
  conflict: { status: 409, title: 'Conflict' },
  stale: { status: 412, title: 'Changed in the meantime' },
  tooLarge: { status: 413, title: 'Too large' },
  unsupportedType: { status: 415, title: 'Unsupported content type' },
  misdirected: { status: 421, title: 'Misdirected request' },
  invalid: { status: 422, title: 'Invalid input' },
  preconditionRequired: { status: 428, title: 'Precondition required' },
  throttled: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Something went wrong' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const satisfies Record<string, { status: number; title: string }>

/** A code of the table of errors, such as `notFound` or `invalid`. */
export type ErrorCode = keyof typeof errors

/** Field name → what is wrong with it. A Map, because names come from outside: `errors['__proto__'] = …` would vanish. */
export type FieldErrors = ReadonlyMap<string, readonly string[]>

export interface ErrorOptions {
  readonly errors?: FieldErrors | Iterable<readonly [string, readonly string[]]>
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/**
 * The one error of the house: thrown anywhere below the door, turned into an Outcome in one place.
 * `message` is written for the caller: it never holds SQL, a path or a stack. What is away says when to try again.
 */
export class DaymarkError extends Error {
  override readonly name = 'DaymarkError'
  readonly code: ErrorCode
  readonly errors: FieldErrors
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, message: string, { errors: fields, headers = {}, cause }: ErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.errors = new Map(fields ?? [])
    const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
    this.headers = { ...(code === 'unavailable' && { 'retry-after': '5' }), ...Object.fromEntries(named) }
  }

  get status(): number {
    return errors[this.code].status
  }
}

/** A 422 that names one field. */
export function invalid(field: string, text: string, message = text): DaymarkError {
  return new DaymarkError('invalid', message, { errors: [[field, [text]]] })
}

/**
 * Refuses a write from inside a hook or a handler: nothing is written, the answer is a 422 that names the field.
 *
 * @example
 * ```ts
 * import { refuse } from 'daymark'
 *
 * export const hooks = { beforeSave: ({ values }: { values: { name?: string } }) => { if (values.name === 'Atlantis') refuse('name', 'This city is a legend') } }
 * ```
 */
export function refuse(field: string, text: string): never {
  throw invalid(field, text)
}
