/** All error codes, each with its status and title. Codes are never reused. A test compares this table with `docs/errors.md`. */
export const errors = {
  malformed: { status: 400, title: 'Malformed request' },
  unauthenticated: { status: 401, title: 'Not signed in' },
  forbidden: { status: 403, title: 'Not allowed' },
  notFound: { status: 404, title: 'Not found' },
  methodNotAllowed: { status: 405, title: 'Method not allowed' },
  notAcceptable: { status: 406, title: 'Not acceptable' },
  timedOut: { status: 408, title: 'Too slow' },
  conflict: { status: 409, title: 'Conflict' },
  stale: { status: 412, title: 'Changed in the meantime' },
  tooLarge: { status: 413, title: 'Too large' },
  unsupportedType: { status: 415, title: 'Unsupported content type' },
  outOfRange: { status: 416, title: 'Beyond the file' },
  expectationFailed: { status: 417, title: 'Unknown expectation' },
  misdirected: { status: 421, title: 'Misdirected request' },
  invalid: { status: 422, title: 'Invalid input' },
  preconditionRequired: { status: 428, title: 'Precondition required' },
  throttled: { status: 429, title: 'Too many requests' },
  headTooLarge: { status: 431, title: 'Head too large' },
  internal: { status: 500, title: 'Something went wrong' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const satisfies Record<string, { status: number; title: string }>

/** A code of the table of errors, such as `notFound` or `invalid`. */
export type ErrorCode = keyof typeof errors

/** Messages by field. A Map, because names come from outside: `errors['__proto__'] = …` would vanish. */
export type FieldErrors = ReadonlyMap<string, readonly string[]>

/** The optional parts of a `DaymarkError`. */
export interface ErrorOptions {
  /** Messages by field or parameter. Default: none. */
  readonly errors?: FieldErrors | Iterable<readonly [string, readonly string[]]>
  /** Headers of the response. Default: none; for `unavailable`, `Retry-After: 5`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The name of the constraint of the database that refused a write, which a resource may have words for. Default: none. */
  readonly constraint?: string | null
  /** What caused it. The log gets it, the caller never does. */
  readonly cause?: unknown
}

/**
 * An error with a code, a status and a message for the caller: throw it anywhere below a panel, and it becomes the response (RFC 9457 in
 * JSON).
 *
 * `message` is sent to the caller, so never put SQL, a path or a stack trace in it.
 */
export class DaymarkError extends Error {
  /** Always `DaymarkError`. */
  override readonly name = 'DaymarkError'
  /** What went wrong, as a code of the table of errors. */
  readonly code: ErrorCode
  /** Messages by field or parameter; empty if none is at fault. */
  readonly errors: FieldErrors
  /** Headers of the response, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The name of the constraint of the database that refused a write; null: none did, or it has no name. The caller never gets it. */
  readonly constraint: string | null

  /**
   * Makes an error.
   *
   * @param code decides the status
   * @param message is written for the caller, and sent to them
   */
  constructor(code: ErrorCode, message: string, { errors: fields, headers = {}, constraint = null, cause }: ErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.constraint = constraint
    this.errors = new Map(fields ?? [])
    const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
    this.headers = { ...(code === 'unavailable' && { 'retry-after': '5' }), ...Object.fromEntries(named) }
  }

  /** The HTTP status of the code. */
  get status(): number {
    return errors[this.code].status
  }
}

/** A 422 that names one field. */
export function invalid(field: string, text: string, message = text): DaymarkError {
  return new DaymarkError('invalid', message, { errors: [[field, [text]]] })
}

/**
 * Refuses a write from a hook or a handler: nothing is written, and the caller gets a 422 that names the field.
 *
 * @param field the name of the field
 * @param text what is wrong, for the user
 * @throws DaymarkError `invalid`, always
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
