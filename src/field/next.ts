import type { Translate } from '../base/messages.js'
import type { Bound, Zone } from './field.js'
import { legible } from './illegible.js'

/** The values that users may change a stored value to, itself first; null: any. */
export function nextOf(field: Bound, stored: unknown): readonly unknown[] | null {
  const value = legible(stored)
  const next = value === null || value === undefined ? null : (field.kind.next?.(value, field) ?? null)
  return next && [...new Set([value, ...next])]
}

/** The texts of such values, as a control has them. */
export function nextTexts(field: Bound, next: readonly unknown[] | null, zone: Zone): readonly string[] | null {
  return next?.map((value) => (value === null ? '' : field.kind.text(value, field, zone))) ?? null
}

/** Why users may not change a stored value to another one, in words; null: they may. */
export function nextFault(field: Bound, stored: unknown, value: unknown, { t, ...zone }: Zone & { readonly t: Translate }): string | null {
  const next = nextOf(field, stored)
  if (next === null || next.includes(value ?? null)) return null
  const words = (one: unknown) => (one === null || one === undefined ? t('value.empty') : field.kind.words(one, field, zone))
  const [from, ...others] = next.map(words)
  const said = { label: field.label, from: from as string, to: words(value), next: others.join(', ') }
  return t(others.length > 0 ? 'field.notNext' : 'field.final', said)
}
