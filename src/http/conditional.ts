import type { RequestHead } from '../auth/pipeline.js'
import type { Reply } from '../face/face.js'
import { noneMatches } from './if-match.js'

const kept = ['x-request-id', 'vary', 'cache-control', 'etag'] as const

/** Trims the reply: 304 if the caller has this version already, no body for HEAD. */
export function conditionalReply(reply: Reply, request: RequestHead): Reply {
  const { method } = request
  if (method !== 'GET' && method !== 'HEAD') return reply
  if (reply.status === 200 && !reply.more && noneMatches(request.headers.get('if-none-match'), reply.headers.etag)) {
    const headers: Record<string, string> = {}
    for (const name of kept) if (reply.headers[name] !== undefined) headers[name] = reply.headers[name]
    return { status: 304, headers, body: null, ...(reply.stays && { stays: true }), ...(reply.cookies && { cookies: reply.cookies }) }
  }
  if (method === 'GET') return reply
  const length = lengthOf(reply)
  return { ...reply, headers: length === null ? reply.headers : { ...reply.headers, 'content-length': String(length) }, body: null }
}

/** The length of a body in bytes; null for a stream, whose length is unknown. */
export function lengthOf({ body }: Pick<Reply, 'body'>): number | null {
  if (body === null) return 0
  if (typeof body === 'string') return Buffer.byteLength(body)
  return body instanceof Uint8Array ? body.byteLength : null
}
