import type { Json } from '../../field/field.js'
import { numberShown } from '../../field/number-text.js'
import type { BoundComputed } from '../../resource/resource.js'
import type { Realm } from '../call/call.js'

/** Whether a computed value is declared to be a number. */
export const isNumeric = ({ decimals, currency, unit }: BoundComputed): boolean => (decimals ?? currency ?? unit) !== undefined

/** A computed value for people to read; null: there is none. */
export function computedText(value: Json, computed: BoundComputed, { t, locale }: Pick<Realm, 't' | 'locale'>): string | null {
  if (value === null) return null
  if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no')
  if (typeof value === 'number') return numberShown(value, computed, locale)
  return typeof value === 'object' ? JSON.stringify(value) : value
}
