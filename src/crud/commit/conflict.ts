import type { Identity } from '../../auth/identity.js'
import { DaymarkError, type ErrorCode } from '../../base/errors.js'
import type { MessageKey, Translate } from '../../base/messages.js'
import { numberText } from '../../base/number.js'
import type { KeyValue } from '../../field/key.js'
import { tellFault } from '../../resource/action/policy.js'
import type { ConstraintText } from '../../resource/constraints.js'
import { storeTexts } from '../../resource/model/store-texts.js'
import type { Call, Realm } from '../call/call.js'
import type { Lens } from '../call/lens.js'
import { storeMessage } from '../query/store-message.js'
import { type Deleting, usesOf } from '../relation/uses.js'

/** Rewords a store's refusal for the caller: columns become fields, and those that the caller may not read are not named. */
export function conflictOf(thrown: unknown, lens: Lens, { t, locale }: Realm, identity: Identity): unknown {
  if (!(thrown instanceof DaymarkError) || !reworded.has(thrown.code)) return thrown
  const { readable, resource } = lens
  const declared = resource.constraints.get(thrown.constraint ?? '')
  if (declared !== undefined) return inWordsOf(declared, thrown, lens)
  if (thrown.errors.size === 0) return ofRecord(thrown, lens, t, identity)
  const errors = new Map<string, readonly string[]>()
  const labels = [...thrown.errors.keys()].flatMap((name) => readable.get(name)?.label ?? [])
  const said = thrown.code === 'conflict' ? (text: string) => conflicting(text, labels, t, locale) : storeMessage
  for (const [name, texts] of thrown.errors) {
    const label = readable.get(name)?.label
    if (label !== undefined)
      errors.set(
        name,
        texts.map((text) => said(text, label, t) ?? text),
      )
    else if (!resource.model.columns.has(name)) errors.set(name, texts)
  }
  const missing = [...thrown.errors].flatMap(([name, texts]) => (errors.has(name) || texts[0] !== storeTexts.required ? [] : [name]))
  // Whoever isn't shown them can give none.
  if (missing.length > 0) tellFault(identity, new Error(`"${resource.uriKey}" needs what this user may not see: ${missing.join(', ')}`))
  const message = [...errors.values()][0]?.[0] ?? t(thrown.code === 'conflict' ? 'record.conflict' : 'record.refused')
  return new DaymarkError(thrown.code, message, { errors, headers: thrown.headers, cause: thrown })
}

/** What fields conflict with together. */
function conflicting(text: string, labels: readonly string[], t: Translate, locale: string): string {
  if (text === storeTexts.conflicting) return t('record.conflict')
  const all = new Intl.ListFormat(locale).format(labels)
  if (text === storeTexts.referring) return t('field.noRelated', { label: all })
  return labels.length > 1 ? t('field.takenTogether', { labels: all }) : t('field.taken', { label: all })
}

const reworded: ReadonlySet<ErrorCode> = new Set(['conflict', 'invalid', 'forbidden'])

/** Refusals in the words of the resource, which nothing else can say better. */
const final = new WeakSet<object>()

/** What the resource says of a constraint, at the fields that the caller may read. */
function inWordsOf(declared: ConstraintText, thrown: DaymarkError, { readable }: Lens): DaymarkError {
  const texts = typeof declared === 'string' ? [] : Object.entries(declared).flatMap(([name, text]) => (text ? [{ name, text }] : []))
  const errors = texts.filter(({ name }) => readable.has(name)).map(({ name, text }) => [name, [text]] as const)
  const message = typeof declared === 'string' ? declared : (texts[0]?.text ?? thrown.message)
  const said = new DaymarkError(thrown.code, message, { errors, headers: thrown.headers, cause: thrown })
  final.add(said)
  return said
}

const ofRecords: Readonly<Record<string, MessageKey>> = {
  [storeTexts.refused]: 'record.refused',
  [storeTexts.tooMuch]: 'record.refused',
  [storeTexts.conflicting]: 'record.conflict',
  [storeTexts.referring]: 'record.referring',
  [storeTexts.denied]: 'record.denied',
  [storeTexts.unwritable]: 'record.unwritable',
}

/** What a store says of a record as a whole, in the caller's language. Which constraint it was tells nobody but the log. */
function ofRecord(thrown: DaymarkError, { resource }: Lens, t: Translate, identity: Identity): DaymarkError {
  const { code, message, constraint, headers } = thrown
  const key = ofRecords[message]
  if (key === undefined) return thrown
  // What a trigger raises may be any text, with values in it.
  if (/^[\p{L}_][\p{L}\p{N}_$]*$/u.test(constraint ?? '') && message !== storeTexts.referring)
    tellFault(
      identity,
      new Error(`"${resource.uriKey}" has no words for what the database refuses: "${constraint}". Give it some in \`constraints\``),
    )
  return new DaymarkError(code, t(key), { headers, cause: thrown })
}

const deletes = new WeakMap<object, Deleting>()

/** Remembers the delete that a refusal belongs to, unless it has one already: a nested delete. */
export function rememberDelete(thrown: unknown, { identity, resource }: Call, keys: readonly KeyValue[]): void {
  if (thrown instanceof DaymarkError && !deletes.has(thrown)) deletes.set(thrown, { identity, resource, keys })
}

/**
 * Names the resources whose records still refer to those that a foreign key kept from being deleted, as far as the caller may see them.
 * Call it after the transaction: a failed one answers no query.
 */
export async function explainUses(thrown: unknown, realm: Realm): Promise<unknown> {
  if (!(thrown instanceof DaymarkError) || thrown.code !== 'conflict' || thrown.errors.size > 0 || final.has(thrown)) return thrown
  const refused = deletes.get(thrown)
  if (!refused) return thrown
  const uses = await usesOf(refused, realm)
  const texts = uses.map(({ count, title }) => realm.t('field.stillUsed', { count: numberText(realm.locale, count), title }))
  const message = texts[0] ?? realm.t('record.used')
  return new DaymarkError('conflict', message, { errors: texts.length > 0 ? [[refused.resource.model.key.key, texts]] : [], cause: thrown })
}
