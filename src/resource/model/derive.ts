import type { Field } from '../../field/field.js'
import { belongsTo } from '../../field/kinds/belongs-to.js'
import { date } from '../../field/kinds/date.js'
import { dateTime } from '../../field/kinds/date-time.js'
import { id } from '../../field/kinds/id.js'
import { json } from '../../field/kinds/json.js'
import { number } from '../../field/kinds/number.js'
import { select } from '../../field/kinds/select.js'
import { switcher } from '../../field/kinds/switcher.js'
import { tags } from '../../field/kinds/tags.js'
import { text } from '../../field/kinds/text.js'
import { time } from '../../field/kinds/time.js'
import type { Column, Model } from './model.js'
import { hasTextForm } from './text-form.js'
import { storedByDefault } from './times.js'

/** Columns with such names are never derived, only declared explicitly. */
const secretName = /pass(word)?|secret|token|hash|salt|otp/i

/** The fields that were derived from the columns of a table. */
export interface Derived {
  /** The fields by column. */
  readonly fields: ReadonlyMap<string, Field>
  /** The columns that were left out: their names look like secrets, or no kind can hold them. */
  readonly leftOut: readonly { readonly column: string; readonly why: 'secret' | 'kind' }[]
}

/** The fields of a resource that declares none: one for each column that a kind can hold, sortable, texts searchable. */
export function deriveFields(model: Model): Derived {
  const fields = new Map<string, Field>()
  const leftOut: { column: string; why: 'secret' | 'kind' }[] = []
  for (const column of model.columns.values()) {
    if (secretName.test(column.key) || secretName.test(column.name)) leftOut.push({ column: column.key, why: 'secret' })
    else {
      const field = deriveField(column, model)
      if (field) fields.set(column.key, field)
      else leftOut.push({ column: column.key, why: 'kind' })
    }
  }
  return { fields, leftOut }
}

function deriveField(column: Column, { key, dialect }: Model): Field | null {
  if (column === key || column.primary) return id().sortable()
  if (column.references) return belongsTo().sortable()
  if (column.options) return column.element ? select().multiple() : select().sortable()
  if (column.element?.type === 'text') return tags()
  if (dialect === 'sqlite' && storedByDefault(column)) return dateTime().sortable()
  // Of what they mean, nobody searches for parts.
  if (hasTextForm(column)) return text().sortable()
  return byType[column.type]?.() ?? null
}

const byType: { readonly [type: string]: (() => Field) | undefined } = {
  integer: () => number().sortable(),
  bigint: () => number().sortable(),
  real: () => number().sortable(),
  numeric: () => number().sortable(),
  text: () => text().sortable().searchable(),
  uuid: () => text().sortable(),
  boolean: () => switcher().sortable(),
  date: () => date().sortable(),
  dateTime: () => dateTime().sortable(),
  time: () => time().sortable(),
  json: () => json(),
}
