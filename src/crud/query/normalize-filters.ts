import { parseEnd } from '../../field/check.js'
import { type Bound, type ColumnType, Unreadable } from '../../field/field.js'
import { inAddress, offsetText } from '../../field/zone.js'
import type { Resource } from '../../resource/resource.js'
import type { Realm } from '../call/call.js'
import type { Query } from '../call/input.js'

/**
 * Rewrites what a user typed into a filter to the form of programs, also in the links of the page: a number in their language (`1.234,5`
 * becomes `1234.5`), and a time in their zone, which gets its offset. An ambiguous text keeps the meaning that it has in a URL: `1.234` stays
 * a fraction.
 */
export function normalizeFilters(resource: Resource, query: Query, realm: Realm): Query {
  const { fields, filters } = resource
  let typed: Map<string, readonly string[]> | null = null
  for (const [name, texts] of query) {
    const [, key = ''] = /^filter\[([^\]]*)\]/.exec(name) ?? []
    const field = realm.throughs.get(resource)?.get(key)?.field ?? fields.get(key)
    if (!field || !filters.includes(key)) continue
    const read = texts.map((text) => typedToUrl(field, text, realm))
    if (read.every((text, i) => text === texts[i])) continue
    typed ??= new Map(query)
    typed.set(name, read)
  }
  return typed ?? query
}

/** What a user typed, in the form of programs. */
export function typedToUrl(field: Bound, text: string, realm: Realm): string {
  if (field.kind.time === 'instant') {
    const value = text === '' || hasOffset.test(text.trim()) ? null : valueIn(field, field.kind.read(text, field, realm))
    return value ? valueToUrl(field, value.value, realm) : text
  }
  if (text === '' || !numbers.has(field.column.type)) return text
  const address = inAddress(realm)
  const meant = valueIn(field, field.kind.read(text, field, address))
  // Already as programs write it. `10.000` is not, so it may be ten thousand.
  if (meant !== null && field.kind.text(meant.value, field, address) === text) return text
  const read = field.kind.read(text, field, realm)
  // With trailing zeros, it may be grouped digits: no program would write the fraction like that, but a person may.
  const typed = valueIn(
    field,
    meant !== null && read instanceof Unreadable ? field.kind.read(text.replaceAll('.', ''), field, realm) : read,
  )
  return typed === null || typed.value === meant?.value ? text : field.kind.text(typed.value, field, address)
}

/** The text of a value in a URL. A time has its offset, so that it is the same whoever's time zone the URL is read in. */
export function valueToUrl(field: Bound, value: unknown, realm: Realm): string {
  const address = inAddress(realm)
  const text = field.kind.text(value, field, address)
  const wire = field.kind.time === 'instant' ? field.kind.wire(value, field) : null
  if (typeof wire !== 'string') return text
  const zoned = offsetText(Date.parse(wire), realm.timeZone)
  // A kind of somebody's own may read no offset.
  return valueIn(field, field.kind.read(zoned, field, address)) ? zoned : text
}

const hasOffset = /(?:z|[+-]\d\d:\d\d)$/i

const numbers: ReadonlySet<ColumnType> = new Set(['integer', 'bigint', 'real', 'numeric'])

/** The text of a filter as a user would type it. */
export function urlToTyped(field: Bound, text: string, realm: Realm): string {
  const value = text === '' ? null : valueIn(field, field.kind.read(text, field, inAddress(realm)))
  return value === null ? text : field.kind.text(value.value, field, realm)
}

// Not for relations: their keys are taken literally.
function valueIn(field: Bound, wire: unknown): { readonly value: unknown } | null {
  return field.kind.relation ? null : parseEnd(field, wire)
}
