import { DaymarkError } from '../../base/errors.js'
import { bytesText } from '../../base/number.js'
import type { Download } from '../../resource/action/action.js'
import type { Realm } from '../call/call.js'

/** A job's file, as it is stored with the job. */
export type JobFile = { readonly name: string; readonly type: string; readonly base64: string }

// It is stored in a row of the panel's table, and sent in each answer that shows the finished job.
const most = 1_048_576

/** @throws DaymarkError `tooLarge` above 1 MiB */
export async function jobFile({ name, type, body }: Download, { t, locale }: Pick<Realm, 't' | 'locale'>): Promise<JobFile> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of typeof body === 'string' || body instanceof Uint8Array ? [body] : body) {
    const bytes = Buffer.from(part)
    size += bytes.length
    if (size > most) throw new DaymarkError('tooLarge', t('job.fileTooLarge', { name, max: bytesText(locale, most) }))
    parts.push(bytes)
  }
  return { name, type, base64: Buffer.concat(parts).toString('base64') }
}
