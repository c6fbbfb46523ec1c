import { DaymarkError } from '../../base/errors.js'
import type { Translate } from '../../base/messages.js'

/** A refusal that says which of several records it is about. */
export function ofRecord(thrown: unknown, title: string, t: Translate): unknown {
  // A hook's delete that a foreign key refused is explained later.
  if (!(thrown instanceof DaymarkError) || (thrown.code === 'conflict' && thrown.errors.size === 0)) return thrown
  const { code, headers } = thrown
  const about = (text: string) => t('record.about', { title, text })
  const errors = [...thrown.errors].map(([name, texts]) => [name, texts.map(about)] as const)
  return new DaymarkError(code, about(thrown.message), { errors, headers, cause: thrown })
}
