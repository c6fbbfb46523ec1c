import type { Translate } from '../base/messages.js'
import type { Bound, Zone } from './field.js'
import { legible } from './illegible.js'

/**
 * The values that users may change a stored value to, itself first; null: any. With null for the stored one: what it may begin with, in a new
 * record, or where there is none yet.
 *
 * @param roles the roles of the user; null: those that somebody may
 */
export function nextValues(field: Bound, stored: unknown, roles: readonly string[] | null): readonly unknown[] | null {
  const value = legible(stored) ?? null
  const next = value === null ? field.kind.begins?.(field, roles) : field.kind.next?.(value, field, roles)
  return next ? [...new Set([value, ...next])] : null
}

/** The texts of such values, as a control has them. */
export function nextTexts(field: Bound, next: readonly unknown[] | null, zone: Zone): readonly string[] | null {
  return next?.map((value) => (value === null ? '' : field.kind.text(value, field, zone))) ?? null
}

/** Why a user with these roles may not change a stored value to another one, in words; null: they may. */
export function nextFault(
  field: Bound,
  stored: unknown,
  value: unknown,
  roles: readonly string[],
  { t, ...zone }: Zone & { readonly t: Translate },
): string | null {
  const next = nextValues(field, stored, roles)
  if (next === null || next.includes(value ?? null)) return null
  const words = (one: unknown) => (one === null || one === undefined ? t('value.empty') : field.kind.words(one, field, zone))
  const [from, ...others] = next.map(words)
  const said = { label: field.label, from: from as string, to: words(value), next: others.join(', ') }
  const isForOthers = nextValues(field, stored, null)?.includes(value ?? null) !== false
  if (next[0] === null) return t(isForOthers || others.length === 0 ? 'field.notBeginRole' : 'field.notBegin', said)
  if (isForOthers) return t('field.notNextRole', said)
  return t(others.length > 0 ? 'field.notNext' : 'field.final', said)
}
