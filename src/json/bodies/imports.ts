import * as z from 'zod'
import type { ImportCounts, Importing } from '../../crud/outcomes/imports.js'
import type { PresenterContext } from '../../face/face.js'
import { message } from './values.js'

/** The JSON of imports. */

export const importingSchema = z.strictObject({
  data: z.strictObject({
    modes: z.array(z.enum(['create', 'update', 'both'])).describe('What the caller may do'),
    key: z.string().nullable().describe('The field that names the records to change; null if the caller may change none by it'),
    match: z.array(z.string()).describe('The fields by whose values, together, rows without a key find the record to change'),
    fields: z
      .array(
        z.strictObject({
          name: z.string(),
          label: z.string(),
          required: z.boolean(),
          by: z.array(z.string()).optional().describe('The fields of related records by whose values, together, they may be named, too'),
        }),
      )
      .describe('What rows may hold'),
  }),
})

export function importingBody({ modes, key, match, fields, related }: Importing): z.infer<typeof importingSchema> {
  return {
    data: {
      modes: [...modes],
      key: key?.key ?? null,
      match: match.map(({ key }) => key),
      fields: fields.map((field) => {
        const by = related.get(field)?.map(({ key }) => key) ?? []
        return { name: field.key, label: field.label, required: field.required, ...(by.length > 0 && { by }) }
      }),
    },
  }
}

const count = z.int().min(0)

export const importedSchema = z.strictObject({
  message,
  data: z.strictObject({
    created: count,
    updated: count,
    unchanged: count.describe('Rows that are as their records are'),
    ignored: z.array(z.string()).describe('The columns of the file that are not imported'),
    checked: z.boolean().describe('Whether nothing was written, since it was only to be checked'),
  }),
})

export function importedBody({ created, updated, unchanged, ignored }: ImportCounts, checked: boolean, { realm: { t } }: PresenterContext) {
  const counts = { created, updated, unchanged }
  return { message: t(checked ? 'import.checked' : 'import.done', counts), data: { ...counts, ignored, checked } }
}
