import { oddCharacters } from './username.js'

/**
 * Why a sign-in with a provider has failed: it said no (`refused`), cannot be reached (`away`), its answer is not to be trusted (`broken`),
 * or it does not say that the user has just signed in there (`notAnew`).
 */
export type OpenIdFailure = 'refused' | 'away' | 'broken' | 'notAnew'

/** A sign-in with a provider has failed. Its message is for the log. */
export class OpenIdError extends Error {
  override readonly name = 'OpenIdError'
  readonly why: OpenIdFailure
  /** Names what is logged once a minute, and nothing that a browser can bring: it could bring another one each time. */
  readonly code: string
  constructor(why: OpenIdFailure, message: string, code: string = why) {
    super(message)
    this.why = why
    this.code = code
  }
}

/** Does what may fail at a provider. */
export async function guarded<T>(id: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof OpenIdError) throw thrown
    const why = failureOf(thrown)
    throw new OpenIdError(
      why,
      `The sign-in with the provider "${id}" failed: ${reasonOf(thrown)}`,
      `${id} ${forLog(partsOf(thrown).code ?? why)}`,
    )
  }
}

/** What the library throws has some of these. */
interface Thrown {
  readonly name?: unknown
  readonly message?: unknown
  readonly code?: unknown
  readonly status?: unknown
  /** What the provider says (RFC 6749 §4.1.2.1, §5.2). */
  readonly error?: unknown
  readonly error_description?: unknown
  readonly cause?: unknown
}

const partsOf = (thrown: unknown): Thrown => (typeof thrown === 'object' && thrown !== null ? thrown : {})

const away = new Set<unknown>(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'temporarily_unavailable', 'server_error'])

function failureOf(thrown: unknown): OpenIdFailure {
  const { message, code, status, error, cause } = partsOf(thrown)
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' && error === 'access_denied') return 'refused'
  if (away.has(code) || away.has(error)) return 'away'
  // Node's fetch says no more than that it has failed, and why in the cause.
  if (thrown instanceof TypeError && (message === 'fetch failed' || message === 'terminated')) return 'away'
  const answered = cause instanceof Response ? cause.status : status
  return typeof answered === 'number' && (answered >= 500 || answered === 429) ? 'away' : 'broken'
}

/** Why, in a few words of the library's and the provider's: never a body, and never a token. */
function reasonOf(thrown: unknown): string {
  const { message, code, error, error_description: description, cause } = partsOf(thrown)
  // A parser quotes what it has read.
  const under = cause instanceof Error && !(cause instanceof SyntaxError) ? cause.message : undefined
  return [message ?? thrown, under, code, error, description].flatMap((one) => (one === undefined ? [] : forLog(one))).join('; ')
}

// Those who log in may choose what a provider says.
const longest = 200

/** What somebody else says, as a log takes it: on one line, and not too much of it. */
export function forLog(text: unknown): string {
  const plain = typeof text === 'string' ? text : typeof text
  return plain.slice(0, longest).replace(oddCharacters, ' ').toWellFormed()
}
