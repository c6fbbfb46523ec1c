import { type DaymarkError, errors } from '../base/errors.js'
import type { Around } from '../face/face.js'

/** RFC 9457, with the request id and what is wrong with each field. */
export interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  /** What clients commonly look for; the same as `detail`. */
  readonly message: string
  readonly requestId: string
  readonly errors?: Readonly<Record<string, readonly string[]>>
}

export function problemBody({ code, message, errors: fields }: DaymarkError, { requestId }: Around): ProblemBody {
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

/** Names come from outside: only an object without a prototype holds every one of them. */
function byField(fields: ReadonlyMap<string, readonly string[]>): Record<string, readonly string[]> {
  const out: Record<string, readonly string[]> = Object.create(null)
  for (const [name, texts] of fields) out[name] = texts
  return out
}
