import { DaymarkError } from '../base/errors.js'
import { numberText } from '../base/number.js'
import type { KeyValue } from '../field/key.js'
import { both, type Condition } from '../resource/condition.js'
import type { Column } from '../resource/model.js'
import { scopeOf } from './allow.js'
import type { Call, Realm } from './call.js'
import { leadingHere } from './leading-here.js'
import type { Lens } from './lens.js'

/** What a store refused, in words for the caller: columns become fields, and one that the caller may not read is not named. */
export function conflictOf(thrown: unknown, { readable, resource }: Lens, { t, locale }: Realm): unknown {
  if (!(thrown instanceof DaymarkError) || (thrown.code !== 'conflict' && thrown.code !== 'invalid') || thrown.errors.size === 0)
    return thrown
  const errors = new Map<string, readonly string[]>()
  const labels = [...thrown.errors.keys()].flatMap((name) => readable.get(name)?.label ?? [])
  const all = new Intl.ListFormat(locale).format(labels)
  const taken = labels.length > 1 ? t('field.takenTogether', { labels: all }) : t('field.taken', { label: all })
  for (const [name, texts] of thrown.errors) {
    if (readable.has(name)) errors.set(name, thrown.code === 'conflict' ? [taken] : texts)
    else if (!resource.model.columns.has(name)) errors.set(name, texts)
  }
  const message = [...errors.values()][0]?.[0] ?? t(thrown.code === 'conflict' ? 'record.conflict' : 'record.refused')
  return new DaymarkError(thrown.code, message, { errors, headers: thrown.headers, cause: thrown })
}

/** Which records were to be deleted where a store refused, and for whom. */
interface Deleting extends Pick<Call, 'identity' | 'resource'> {
  readonly keys: readonly KeyValue[]
}

const deletes = new WeakMap<object, Deleting>()

/** Notes of a refusal which delete it was of, unless that is known: it may come of another one that went on inside. */
export function refusedDelete(thrown: unknown, { identity, resource }: Call, keys: readonly KeyValue[]): void {
  if (thrown instanceof DaymarkError && !deletes.has(thrown)) deletes.set(thrown, { identity, resource, keys })
}

/** A delete that a foreign key refused names who still refers, as far as the caller may see them. Asked behind the transaction: nothing answers in one that has failed. */
export async function stillUsed(thrown: unknown, realm: Realm): Promise<unknown> {
  if (!(thrown instanceof DaymarkError) || thrown.code !== 'conflict' || thrown.errors.size > 0) return thrown
  const refused = deletes.get(thrown)
  if (!refused) return thrown
  const { identity, resource, keys } = refused
  const texts: string[] = []
  const holding = [...leadingHere(realm, identity, resource)].filter(({ other, field }) => holds(other.model.columns.get(field.key)))
  for (const { other, field } of holding) {
    const referring: Condition = { op: 'in', column: field.key, values: keys }
    // What is deleted itself holds nobody back.
    const itself: Condition = { op: 'in', column: resource.model.key.key, values: keys }
    const others = other.model.table === resource.model.table ? both(referring, { op: 'not', of: itself }) : referring
    const count = await realm.storeOf(other).count(other.model, both(scopeOf(identity, other), others))
    if (count === 0) continue
    // Where its title alone doesn't say what leads here.
    const isPlain = holding.filter((one) => one.other === other).length === 1
    texts.push(
      realm.t('field.stillUsed', {
        count: numberText(realm.locale, count),
        title: isPlain ? other.title : `${other.title} (${field.label})`,
      }),
    )
  }
  const message = texts[0] ?? realm.t('record.conflict')
  return new DaymarkError('conflict', message, { errors: texts.length > 0 ? [[resource.model.key.key, texts]] : [], cause: thrown })
}

/** Whether a column keeps what it refers to from being deleted, as far as the schema says: `cascade` and `set null` give way. */
function holds(column: Column | undefined): boolean {
  const action = column?.references?.onDelete
  return action === undefined || action === 'no action' || action === 'restrict'
}
