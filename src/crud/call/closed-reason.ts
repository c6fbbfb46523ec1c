import type { Bound } from '../../field/field.js'
import type { Condition } from '../../resource/condition/condition.js'
import type { Call } from './call.js'
import { editableWhenOf } from './editable-when.js'
import { meets } from './lens.js'
import { valueWords } from './value-words.js'

/** Why a record does not let users change a field, as far as they may know it. */
export function closedReason({ realm, identity, resource }: Pick<Call, 'realm' | 'identity' | 'resource'>, field: Bound): string {
  const { t, locale, timeZone } = realm
  const { label, editableWhen } = field
  if (editableWhen === null || editableWhen.why !== null) return editableWhen?.why ?? ''
  const parts = valuesByColumn(editableWhenOf(resource.model, field, timeZone).met)?.map(({ column, values }) => {
    const other = resource.fields.get(column)
    if (!other || other.kind.relation || other.kind.secret || !meets(other.visible, identity)) return null
    const words = values.map((value) => (value === null ? t('value.empty') : valueWords(other, value, realm)))
    return t('field.is', { label: other.label, values: new Intl.ListFormat(locale, { type: 'disjunction' }).format(words) })
  })
  if (!parts?.every((part) => part !== null)) return t('field.closed', { label })
  return t('field.closedUntil', { label, when: new Intl.ListFormat(locale).format(parts as string[]) })
}

/** The values of which each column has to have one; null: the condition says more than that. */
export function valuesByColumn(met: Condition): readonly { readonly column: string; readonly values: readonly unknown[] }[] | null {
  if (met.op === 'eq') return [{ column: met.column, values: [met.value] }]
  if (met.op === 'in') {
    // Of several values, an empty one is never one that a column has.
    const values = met.values.filter((value) => value !== null)
    return values.length > 0 ? [{ column: met.column, values }] : null
  }
  const all = met.op === 'and' ? met.all.map(valuesByColumn) : []
  return all.length > 0 && all.every((one) => one !== null) ? all.flat() : null
}
