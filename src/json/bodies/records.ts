import * as z from 'zod'
import type { StaleError } from '../../crud/outcomes/outcome.js'
import type { Confirm, Deleted, History, Saved, Shown } from '../../crud/outcomes/records.js'
import { labelOf } from '../../crud/relation/label.js'
import type { PresenterContext } from '../../face/face.js'
import { problemBody } from '../problem.js'
import { recordTexts } from './lists.js'
import { message, time } from './values.js'

/** The JSON of single records, their history and their end. */

/** The body of a single record, as text. */
export function shownText({ lens, row, text, include, related }: Shown): string {
  return `{"data":${text ?? recordTexts(lens, include, { rows: [row], related }).join()}}`
}

export function savedText({ created, lens, row, text }: Saved, { realm: { t } }: PresenterContext): string {
  const message = created ? t('record.created', { title: labelOf(lens, row) }) : t('record.saved')
  return `{"data":${text ?? lens.text(row)},"message":${JSON.stringify(message)}}`
}

// What a field held then need not be what its kind takes today.
const then = z.unknown().describe('The value, as in JSON; null for a secret')

export const historySchema = z.strictObject({
  data: z.array(
    z.strictObject({
      id: z.int(),
      at: time,
      action: z.enum(['create', 'update', 'delete', 'restore']),
      user: z.strictObject({ id: z.string(), name: z.string() }).describe('With the name that the user had then'),
      changes: z.record(z.string(), z.strictObject({ before: then, after: then })).describe('By field'),
    }),
  ),
  meta: z.strictObject({ perPage: z.int(), nextCursor: z.string().nullable() }),
})

/** The history of a record, the newest first. */
export function historyBody({ entries, perPage, nextCursor }: History) {
  const data = entries.map(({ id, at, action, userId, userName, changes }) => ({
    id,
    at: at.toISOString(),
    action,
    user: { id: userId, name: userName },
    changes: Object.fromEntries(changes.map(({ field, before, after }) => [field.key, { before, after }])),
  }))
  return { data, meta: { perPage, nextCursor } }
}

export const deletedSchema = z.strictObject({ message, deleted: z.int().min(0) })

export function deletedBody({ count }: Deleted, { realm: { t } }: PresenterContext): z.infer<typeof deletedSchema> {
  return { message: count === 1 ? t('record.deleted') : t('record.deletedMany', { count }), deleted: count }
}

/** The error together with the current record, if the caller may view it. */
export function staleBody(error: StaleError, at: PresenterContext) {
  const { current } = error
  return { ...problemBody(error, at), ...(current && { data: current.lens.record(current.row) }) }
}

/** Only for a form that spells DELETE and has not been confirmed yet; a real DELETE acts at once. */
export const confirmSchema = z.strictObject({
  data: z.strictObject({ count: z.int(), labels: z.array(z.string()), ids: z.array(z.string()).nullable() }),
})

export function confirmBody({ count, labels, ids }: Confirm): z.infer<typeof confirmSchema> {
  return { data: { count, labels: [...labels], ids: ids && [...ids] } }
}
