import { DaymarkError } from '../../base/errors.js'
import { both } from '../../resource/condition/condition.js'
import { trashIn } from '../../resource/trash-resource.js'
import { may, scopeOf } from '../call/allow.js'
import type { Call, Realm } from '../call/call.js'

/** A write that a store refused: of which values, and for whom. */
interface Writing extends Pick<Call, 'identity' | 'resource'> {
  readonly values: Readonly<Record<string, unknown>>
}

const writes = new WeakMap<object, Writing>()

/** Remembers the write that a refusal belongs to, if its records may be in a trash. */
export function rememberWrite(thrown: unknown, { identity, resource }: Call, values: Writing['values']): void {
  if (resource.softDelete && thrown instanceof DaymarkError && thrown.code === 'conflict' && !writes.has(thrown))
    writes.set(thrown, { identity, resource, values })
}

/**
 * Says that a value is taken by a deleted record, which nobody would look for, to those who may see it in the trash. What a trigger makes of
 * a value is not known, and an index that ignores case may hold another one: such a refusal stays as it is.
 */
export async function explainTakenInTrash(thrown: unknown, realm: Realm): Promise<unknown> {
  const refused = thrown instanceof DaymarkError ? writes.get(thrown) : undefined
  if (!refused || !(thrown instanceof DaymarkError)) return thrown
  const { identity, resource, values } = refused
  const trash = trashIn(realm.resources, resource)
  const names = [...thrown.errors.keys()]
  const isKnown = names.length > 0 && names.every((name) => resource.model.columns.has(name) && (values[name] ?? null) !== null)
  if (!trash || !isKnown || !may(realm, identity, trash, 'viewAny')) return thrown
  const same = { op: 'and', all: names.map((column) => ({ op: 'eq', column, value: values[column] }) as const) } as const
  const count = await realm.storeOf(trash).count(trash.model, both(scopeOf(identity, trash), same))
  if (count === 0) return thrown
  const labels = names.map((name) => resource.fields.get(name)?.label ?? name)
  const { title } = trash
  const said =
    labels.length > 1
      ? realm.t('field.takenTogetherInTrash', { labels: new Intl.ListFormat(realm.locale).format(labels), title })
      : realm.t('field.takenInTrash', { label: labels[0] ?? '', title })
  return new DaymarkError('conflict', said, {
    errors: names.map((name) => [name, [said]] as const),
    headers: thrown.headers,
    cause: thrown,
  })
}
