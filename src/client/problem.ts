import type { ErrorCode } from '../base/errors.js'

/** A refusal, or another answer that is no success. `Name` are the names that `errors` may hold. */
export class Problem<Name extends string = string> extends Error {
  override readonly name = 'Problem'
  readonly status: number
  /** `urn:daymark:error:…`; `about:blank` where it was not the panel that answered. */
  readonly type: `urn:daymark:error:${ErrorCode}` | 'about:blank'
  readonly title: string
  readonly detail: string
  /** What is wrong with fields or parameters, by their names. */
  readonly errors: { readonly [K in Name]?: readonly string[] }
  readonly requestId: string | null
  /** With a 412: the record as it is now, and its version. */
  readonly data: unknown
  readonly etag: string | null
  /** With a 405: the methods that there are. */
  readonly allow: string | null

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
    this.etag = response.headers.get('etag')
    this.allow = response.headers.get('allow')
  }
}
