import { DaymarkError } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import type { Reply } from '../face/face.js'
import { noneMatches } from './if-match.js'
import type { IncomingRequest } from './incoming.js'

/**
 * Sends the bytes that `Range` asks for, where the reply can (RFC 9110 §14). Several ranges at once, other units, and a range of another
 * version (`If-Range`) get the whole.
 *
 * @throws DaymarkError `outOfRange` where there is nothing of it
 */
export function ranged(
  reply: Reply,
  { size, of }: NonNullable<Reply['parts']>,
  { method, headers }: Pick<IncomingRequest, 'method' | 'headers'>,
  t: Translate,
): Reply {
  const span = method === 'GET' ? spanOf(headers.get('range') ?? '', size) : null
  if (!span) return reply
  const { etag } = reply.headers
  // Only an ETag that is still current, never a date: the reply has none.
  const version = headers.get('if-range')
  if ((version !== null && version !== etag) || noneMatches(headers.get('if-none-match'), etag)) return reply
  const { first, last } = span
  if (first > last)
    throw new DaymarkError('outOfRange', t('file.outOfRange', { size }), { headers: { 'content-range': `bytes */${size}` } })
  return {
    ...reply,
    status: 206,
    headers: { ...reply.headers, 'content-length': String(last - first + 1), 'content-range': `bytes ${first}-${last}/${size}` },
    body: of(first, last),
  }
}

/** The bytes that a `Range` names, of so many: none of them if it ends before it begins. Null: it is not a range. */
function spanOf(range: string, size: number): { readonly first: number; readonly last: number } | null {
  const [, from, to = '', many] = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i.exec(range) ?? []
  if (many !== undefined) return { first: Math.max(0, size - Number(many)), last: size - 1 }
  if (from === undefined || (to !== '' && Number(to) < Number(from))) return null
  return { first: Number(from), last: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}
