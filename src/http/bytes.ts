import { DaymarkError } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import type { Asked } from './asked.js'

/**
 * The bytes of a body, as far as they may go; null: there is none. What is beyond the limit is not read.
 *
 * @throws DaymarkError `tooLarge`; `malformed` where the sender went away
 */
export async function readBytes(request: Asked, limit: number, t: Translate): Promise<Uint8Array | null> {
  const stated = request.headers.get('content-length')
  if (stated === '0') return null
  const tooLarge = () => new DaymarkError('tooLarge', t('body.tooLarge', { max: limit }))
  if (stated !== null && Number(stated) > limit) throw tooLarge()
  try {
    const bytes = await request.read(limit)
    if (bytes.byteLength > limit) throw tooLarge()
    return bytes.byteLength === 0 ? null : bytes
  } catch (thrown) {
    if (thrown instanceof DaymarkError) throw thrown
    throw new DaymarkError('malformed', t('body.cut'), { cause: thrown })
  }
}
