import { type DaymarkError, errors } from '../base/errors.js'
import type { PresenterContext } from '../face/face.js'

/** A problem as in RFC 9457, with the request id and the errors by field. */
export interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  /** The same as `detail`, under the name that clients commonly look for. */
  readonly message: string
  readonly requestId: string
  readonly errors?: Readonly<Record<string, readonly string[]>>
}

export function problemBody(
  { code, message, errors: fields }: DaymarkError,
  { requestId }: Pick<PresenterContext, 'requestId'>,
): ProblemBody {
  const { status, title } = errors[code]
  return {
    type: `urn:daymark:error:${code}`,
    title,
    status,
    detail: message,
    message,
    requestId,
    ...(fields.size > 0 && { errors: byField(fields) }),
  }
}

/** Field names come from outside. Only an object without a prototype can hold all of them, such as `__proto__`. */
function byField(fields: ReadonlyMap<string, readonly string[]>): Record<string, readonly string[]> {
  const out: Record<string, readonly string[]> = Object.create(null)
  for (const [name, texts] of fields) out[name] = texts
  return out
}
