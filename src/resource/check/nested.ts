import type { Bound } from '../../field/field.js'
import type { HasMany } from '../components/has-many.js'
import { fillsIn } from '../relation/filling.js'
import { nestedFields } from '../relation/nested.js'
import type { Resource } from '../resource.js'

/**
 * What is wrong with related records that are edited in the form of the record.
 *
 * @param by the relation that links them
 */
export function* nestedFaults(resource: Resource, { table, inForm }: HasMany, other: Resource, by: Bound): Generator<string> {
  if (inForm === null) return
  if (by.kind.many(by)) yield `${other.uriKey}.${by.key} is a list of records: what is edited here has to belong to one record alone`
  if (resource.fields.has(table.name) || resource.computed.has(table.name))
    yield `"${table.name}" is a field, too, and both would be sent by that name: give the list another one, \`name: …\``
  if (!(['create', 'update', 'delete'] as const).some((one) => other.activeActions.has(one)))
    yield `${other.uriKey} has no \`activeActions\` by which anything could be edited`
  const isEdited = (field: Bound) => field.key !== by.key && isAsked(field, other) && unfit(field) === null
  const isShown = (field: Bound) => field.readOnly && field.key !== by.key && unfit(field) === null
  const editable = [...other.fields.values()].filter(isEdited)
  const valid = [...editable, ...[...other.fields.values()].filter(isShown), ...other.computed.values()].map(({ key }) => key)
  const say = (name: string, text: string) => `inForm: "${name}" ${text}. Valid: ${valid.join(', ') || 'none'}`
  for (const name of inForm === true ? [] : inForm) {
    const field = other.fields.get(name)
    if (other.computed.has(name)) continue
    if (!field) yield say(name, `is not a field of ${other.uriKey}`)
    else if (name === by.key) yield say(name, 'is the relation itself, which the form sets')
    else if (!field.readOnly && !other.pages.form.includes(name)) yield say(name, `is not on the form of ${other.uriKey}`)
  }
  const fields = nestedFields(other, by.key, inForm)
  if (!fields.some((field) => isAsked(field, other)))
    yield `inForm: there is nothing to edit. Valid: ${editable.map(({ key }) => key).join(', ') || 'none'}`
  for (const field of fields) {
    const text = unfit(field)
    if (text !== null) yield say(field.key, text)
  }
  if (!other.activeActions.has('create')) return
  const named = new Set(fields.map((field) => field.key))
  for (const { by, ours } of fillsIn(other.fields)) if (named.has(by.key)) named.add(ours.key)
  for (const field of other.fields.values())
    if (
      field.required &&
      !field.hasDefault &&
      field.key !== by.key &&
      !named.has(field.key) &&
      field.visible !== false &&
      isAsked(field, other)
    )
      yield `inForm: "${field.key}" is required, so nothing could be created without it`
}

const isAsked = (field: Bound, { pages }: Resource) => !field.readOnly && pages.form.includes(field.key)

/** Why a field cannot be in a row; null: it can. */
function unfit(field: Bound): string | null {
  const { kind } = field
  if (kind.file) return 'takes files, which only the form of that record can send'
  if (kind.rows) return 'is made of rows itself'
  if (kind.preview) return 'needs the form of that record, where it is shown as it will look'
  if (field.showWhen) return 'depends on another field (`showWhen`), which rows do not follow'
  if (kind.relation && kind.many(field)) return 'is a list of records, which needs more room'
  return null
}
