import * as z from 'zod'
import type { Realm } from '../../crud/call/call.js'
import { isControlled } from '../../crud/form/control.js'
import type { Formed, FormedNested, FormField, Would } from '../../crud/outcomes/forms.js'
import type { PresenterContext } from '../../face/face.js'
import { type Json, Unreadable } from '../../field/field.js'
import { fileName } from '../../field/file-name.js'
import { inputSchema } from '../../field/wire-schema.js'
import { describedChoices } from '../choosable.js'

/** The JSON of forms. */

export const uploadedSchema = z.strictObject({
  data: z.strictObject({
    path: z.string().describe('The value of the field, in a create or an update'),
    name: z.string().describe('The name that the file has now'),
    size: z.int().min(0).describe('In bytes'),
  }),
})

export function uploadedBody(path: string, size: number): z.infer<typeof uploadedSchema> {
  return { data: { path, name: fileName(path), size } }
}

/** What a form would show, by the names of its controls. */
export function wouldBody({ computed, filled }: Would) {
  return { computed: Object.fromEntries(computed), filled: Object.fromEntries(filled) }
}

/** The data of a form page: the values, their schema, and the choices of fields with a search. */
export function formBody({ fields, nested }: Formed, { realm }: PresenterContext) {
  const shown = [
    ...fields.map((one) => [one.field.key, beganWith(one, realm)] as const),
    ...nested.map((list) => [list.name, nestedRows(list, realm)] as const),
  ]
  const schema = schemaOf(fields)
  const options = fields.flatMap(({ field, choices }) => (choices ? [[field.key, choices] as const] : []))
  return {
    data: Object.fromEntries(shown),
    schema: { ...schema, properties: { ...schema.properties, ...nestedSchemas(nested) } },
    options: Object.fromEntries(options),
  }
}

/** Related records as they can be sent back; null: more than a form can hold. */
function nestedRows({ rows, resource, isElsewhere }: FormedNested, realm: Realm): Json {
  if (isElsewhere) return null
  const key = resource.model.key
  return rows.map((row) => ({
    ...(row.key !== null && {
      [key.key]: key.type === 'integer' && Number.isSafeInteger(Number(row.key)) ? Number(row.key) : row.key,
      _version: row.version,
    }),
    ...Object.fromEntries(row.fields.flatMap((one) => (one.writable || row.key !== null ? [[one.field.key, beganWith(one, realm)]] : []))),
  }))
}

/** What a field of a form starts with: as the record itself says it, or else as its text is read. */
function beganWith({ field, begins, text }: FormField, realm: Realm): Json {
  if (field.kind.secret) return null
  // Reading the stored value's text would trim, round or lose what the field's rules would refuse today.
  if (begins !== null) return field.kind.wire(begins, field) ?? null
  const read = text === '' ? null : field.kind.read(text, field, realm)
  return read instanceof Unreadable ? null : (read as Json)
}

function schemaOf(fields: Formed['fields']) {
  const writable = fields.filter((one) => one.writable)
  const shown = fields.filter(isControlled)
  return {
    type: 'object',
    properties: Object.fromEntries(shown.map((one) => [one.field.key, fieldSchema(one, fields)])),
    required: writable.filter(({ field }) => field.required).map(({ field }) => field.key),
  }
}

function nestedSchemas(nested: Formed['nested']) {
  return Object.fromEntries(
    nested.map(({ name, title, fresh, rows, most }) => {
      const controls = (fresh ?? rows[0])?.fields ?? []
      const { properties } = schemaOf(controls)
      return [name, { title, type: 'array', maxItems: most, items: { type: 'object', properties } }]
    }),
  )
}

function fieldSchema({ field, next, closed }: Pick<FormField, 'field' | 'next' | 'closed'>, among: Formed['fields']) {
  const others = among.map((one) => one.field)
  return {
    title: field.label,
    ...inputSchema(field),
    ...describedChoices(field, others),
    ...(closed !== null && { description: closed, readOnly: true }),
    ...(next && {
      enum: next
        .filter((value) => value !== null || field.nullable)
        .map((value) => (value === null ? null : field.kind.wire(value, field))),
    }),
  }
}
