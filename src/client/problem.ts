import type { ErrorCode } from '../base/errors.js'
import type { Json } from '../field/field.js'

/** What a form would show with what it holds. The names are those under which errors are said: `total`, `lines.0.total`. */
export interface Would {
  /** The computed values that the form shows: as in JSON, and as users read them; null: none, or it cannot be told yet. */
  readonly computed: { readonly [name in string]?: WouldBe }
  /** What a write would fill blank fields with, from the records that relations name. */
  readonly filled: { readonly [name in string]?: WouldBe }
}

/** One value of what a form would show. */
export interface WouldBe {
  /** The value, as in JSON. */
  readonly value: Json
  /** The text that stands for it. */
  readonly text: string | null
}

/** An unsuccessful response, as the client throws it (RFC 9457). `Name` are the names that `errors` may hold. */
export class Problem<Name extends string = string> extends Error {
  /** Always `Problem`. */
  override readonly name = 'Problem'
  /** The HTTP status. */
  readonly status: number
  /** The kind of problem, to compare in programs: `urn:daymark:error:` and a code; `about:blank` if the panel did not answer itself. */
  readonly type: `urn:daymark:error:${ErrorCode}` | 'about:blank'
  /** What the kind means. */
  readonly title: string
  /** What is wrong this time, for a person. The same as `message`. */
  readonly detail: string
  /** Messages by field or parameter, if any are at fault. */
  readonly errors: { readonly [K in Name]?: readonly string[] }
  /** The id of the request, also in the panel's log; null if there is none. */
  readonly requestId: string | null
  /** With a 412: the current record, if the user may view it. */
  readonly data: unknown
  /** With a 422 of `validate`: what the form would show nevertheless. Null if it is none. */
  readonly would: Would | null
  /** With a 412: the version of the current record, for `ifMatch`. Null if there is none. */
  readonly etag: string | null
  /** With a 401 of a sign-in whose password was right: `authenticate/code` takes it with the code. Null if there is none. */
  readonly ticket: string | null
  /** With a 405: the methods that the path has. Null if there are none. */
  readonly allow: string | null

  /** Made from a response and its JSON body. */
  constructor(response: Response, body: Record<string, unknown>) {
    const said = (name: string, otherwise: string) => (typeof body[name] === 'string' ? body[name] : otherwise)
    const title = said('title', response.statusText || `HTTP ${response.status}`)
    super(said('detail', title))
    this.status = response.status
    this.type = said('type', 'about:blank') as Problem['type']
    this.title = title
    this.detail = this.message
    this.errors = (body.errors ?? {}) as Problem<Name>['errors']
    this.requestId = response.headers.get('x-request-id')
    this.data = body.data
    this.would =
      body.computed && body.filled ? { computed: body.computed as Would['computed'], filled: body.filled as Would['filled'] } : null
    this.etag = etagOf(response)
    this.ticket = typeof body.ticket === 'string' ? body.ticket : null
    this.allow = response.headers.get('allow')
  }
}

/** The version of a record. A proxy that compresses marks it as weak (`W/`), and a weak one never matches (RFC 9110 §13.1.1). */
export function etagOf({ headers }: Response): string | null {
  return headers.get('etag')?.replace(/^W\//, '') ?? null
}
