import { DaymarkError } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import { bytesText } from '../base/number.js'
import type { Realm } from '../crud/call/call.js'
import { BodyTakenError, type IncomingRequest } from './incoming.js'

/** How a refusal is told: the panel's texts and number format. */
export type Language = Pick<Realm, 't' | 'locale'>

/**
 * Reads the bytes of a body; null if there are none. Stops reading at the limit.
 *
 * @throws DaymarkError `tooLarge`; `malformed` if the client disconnects
 */
export async function readBytes(request: IncomingRequest, limit: number, { t, locale }: Language): Promise<Uint8Array | null> {
  const stated = request.headers.get('content-length')
  if (stated === '0') return null
  const tooLarge = () => new DaymarkError('tooLarge', t('body.tooLarge', { max: bytesText(locale, limit) }))
  if (stated !== null && Number(stated) > limit) throw tooLarge()
  try {
    const bytes = await request.read(limit)
    if (bytes.byteLength > limit) throw tooLarge()
    return bytes.byteLength === 0 ? null : bytes
  } catch (thrown) {
    if (thrown instanceof DaymarkError) throw thrown
    throw unread(thrown, t)
  }
}

/**
 * Reads a body piece by piece, as it arrives.
 *
 * @throws DaymarkError `malformed` if the client disconnects
 */
export async function* readStream(request: IncomingRequest, t: Translate): AsyncGenerator<Uint8Array> {
  try {
    yield* request.stream()
  } catch (thrown) {
    throw unread(thrown, t)
  }
}

const unread = (thrown: unknown, t: Translate) =>
  new DaymarkError('malformed', t(thrown instanceof BodyTakenError ? 'body.taken' : 'body.cut'), { cause: thrown })
