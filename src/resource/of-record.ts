import type { Identity } from '../auth/identity.js'
import { DaymarkError } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import type { Bound } from '../field/field.js'
import type { Column, Model } from './model.js'
import { permits } from './policy.js'

/** What the titles of records are made of: a resource has it. */
export interface Titled {
  readonly fields: ReadonlyMap<string, Bound>
  readonly column: Column
  readonly model: Model
}

/**
 * Names a record to a user by what they may see of it: its label, else its key. Code gets every column of a record, and what it says is for
 * the user.
 */
export function titleFor({ fields, column, model }: Titled, user: Identity) {
  const label = fields.get(column.key)
  const named = label && !label.kind.secret && permits(label.visible, user) ? label.key : model.key.key
  return (record: Readonly<Record<string, unknown>>) => String(record[named] ?? record[model.key.key])
}

/** A refusal that says which of several records it is about. */
export function ofRecord(thrown: unknown, title: string, t: Translate): unknown {
  // A hook's delete that a foreign key refused is explained later.
  if (!(thrown instanceof DaymarkError) || (thrown.code === 'conflict' && thrown.errors.size === 0)) return thrown
  const { code, headers } = thrown
  const about = (text: string) => t('record.about', { title, text })
  const errors = [...thrown.errors].map(([name, texts]) => [name, texts.map(about)] as const)
  return new DaymarkError(code, about(thrown.message), { errors, headers, cause: thrown })
}
