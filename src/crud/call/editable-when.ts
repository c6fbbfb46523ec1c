import type { Bound } from '../../field/field.js'
import { legible } from '../../field/illegible.js'
import { type Condition, columnsIn, condition, isToldFromNow, type Where } from '../../resource/condition/condition.js'
import type { Resource } from '../../resource/resource.js'
import { matcher } from '../../store/memory/match.js'
import type { Row } from '../../store/store.js'

type Owner = Pick<Resource, 'model'>
type Values = Pick<ReadonlyMap<string, unknown>, 'get'>

interface EditableWhen {
  readonly met: Condition
  readonly opens: (values: Values) => boolean
}

const rules = new WeakMap<Bound, EditableWhen>()

/**
 * Whether a stored record lets users change a field, as its `editableWhen` says. What cannot be compared, since its column cannot hold it,
 * closes the field.
 *
 * @param at the positions of columns in the row; one that is missing closes the field, too
 */
export function meetsEditableWhen({ model }: Owner, field: Bound, timeZone: string, at: ReadonlyMap<string, number>, row: Row): boolean {
  if (field.editableWhen === null) return true
  const { met, opens } = editableWhenOf(model, field, timeZone)
  if (!columnsIn(met).every((column) => at.has(column))) return false
  try {
    return opens({ get: (column) => legible(row[at.get(column) as number]) ?? null })
  } catch {
    return false
  }
}

/** The columns that say whether a field can be changed. */
export function editableWhenColumns({ model }: Owner, field: Bound | undefined): readonly string[] {
  return !field?.editableWhen ? [] : columnsIn(editableWhenOf(model, field, 'UTC').met)
}

/** What lets users change a field. It must have an `editableWhen`. */
export function editableWhenOf(model: Owner['model'], field: Bound, timeZone: string): EditableWhen {
  const known = rules.get(field)
  if (known) return known
  const where = field.editableWhen?.where as Where<Record<string, unknown>>
  const met = condition(where, model.columns, timeZone)
  const gate = { met, opens: matcher(model, met) }
  // Tomorrow, it has other days.
  if (!isToldFromNow(where)) rules.set(field, gate)
  return gate
}
