import type { Identity } from '../auth/identity.js'
import { DaymarkError } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import { numberText } from '../base/number.js'
import { type KeyValue, keyToWire } from '../field/key.js'
import { both, type Condition } from '../resource/condition.js'
import type { Column } from '../resource/model.js'
import { tellFault } from '../resource/policy.js'
import { storeTexts } from '../resource/store-texts.js'
import { scopeOf } from './allow.js'
import type { Call, Realm } from './call.js'
import { leadingHere } from './leading-here.js'
import type { Lens } from './lens.js'

/** Rewords a store's refusal for the caller: columns become fields, and those that the caller may not read are not named. */
export function conflictOf(thrown: unknown, { readable, resource }: Lens, { t, locale }: Realm, identity: Identity): unknown {
  if (!(thrown instanceof DaymarkError) || (thrown.code !== 'conflict' && thrown.code !== 'invalid') || thrown.errors.size === 0)
    return thrown
  const errors = new Map<string, readonly string[]>()
  const labels = [...thrown.errors.keys()].flatMap((name) => readable.get(name)?.label ?? [])
  const all = new Intl.ListFormat(locale).format(labels)
  const taken = labels.length > 1 ? t('field.takenTogether', { labels: all }) : t('field.taken', { label: all })
  for (const [name, texts] of thrown.errors) {
    const label = readable.get(name)?.label
    if (label !== undefined) errors.set(name, thrown.code === 'conflict' ? [taken] : texts.map((text) => labelled(text, label, t)))
    else if (!resource.model.columns.has(name)) errors.set(name, texts)
  }
  const missing = [...thrown.errors].flatMap(([name, texts]) => (errors.has(name) || texts[0] !== storeTexts.required ? [] : [name]))
  // Whoever isn't shown them can give none.
  if (missing.length > 0) tellFault(identity, new Error(`"${resource.uriKey}" needs what this user may not see: ${missing.join(', ')}`))
  const message = [...errors.values()][0]?.[0] ?? t(thrown.code === 'conflict' ? 'record.conflict' : 'record.refused')
  return new DaymarkError(thrown.code, message, { errors, headers: thrown.headers, cause: thrown })
}

/** What a store says of a field, with its label and in the caller's language. */
function labelled(text: string, label: string, t: Translate): string {
  if (text === storeTexts.required) return t('field.required', { label })
  return text === storeTexts.tooFine ? t('field.tooFine', { label }) : text
}

/** A delete that a store refused: of which records, and for whom. */
interface Deleting extends Pick<Call, 'identity' | 'resource'> {
  readonly keys: readonly KeyValue[]
}

const deletes = new WeakMap<object, Deleting>()

/** Remembers the delete that a refusal belongs to, unless it has one already: a nested delete. */
export function refusedDelete(thrown: unknown, { identity, resource }: Call, keys: readonly KeyValue[]): void {
  if (thrown instanceof DaymarkError && !deletes.has(thrown)) deletes.set(thrown, { identity, resource, keys })
}

/**
 * Names the resources whose records still refer to those that a foreign key kept from being deleted, as far as the caller may see them.
 * Call it after the transaction: a failed one answers no query.
 */
export async function stillUsed(thrown: unknown, realm: Realm): Promise<unknown> {
  if (!(thrown instanceof DaymarkError) || thrown.code !== 'conflict' || thrown.errors.size > 0) return thrown
  const refused = deletes.get(thrown)
  if (!refused) return thrown
  const { identity, resource, keys } = refused
  const texts: string[] = []
  const holding = [...leadingHere(realm, identity, resource)].filter(({ other, field }) => holds(other.model.columns.get(field.key)))
  for (const { other, field } of holding) {
    const values = field.kind.many(field) ? keys.map(keyToWire) : keys
    const referring: Condition = { op: 'in', column: field.key, values }
    // References among the records to delete are no obstacle.
    const itself: Condition = { op: 'in', column: resource.model.key.key, values: keys }
    const others = other.model.table === resource.model.table ? both(referring, { op: 'not', of: itself }) : referring
    const count = await realm.storeOf(other).count(other.model, both(scopeOf(identity, other), others))
    if (count === 0) continue
    // If several fields of that resource refer here, add the field's label.
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

/** Whether a column's foreign key prevents a delete, as far as the schema tells: not with `cascade` or `set null`. */
function holds(column: Column | undefined): boolean {
  const action = (column?.link?.target ?? column)?.references?.onDelete
  return action === undefined || action === 'no action' || action === 'restrict'
}
