import { DaymarkError } from '../../base/errors.js'
import type { Translate } from '../../base/messages.js'
import { askedFault, parseAsked } from '../../field/check.js'
import type { Bound } from '../../field/field.js'
import type { Column } from '../../resource/model/model.js'
import type { Row } from '../../store/store.js'
import { may, scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { type Lens, meets } from '../call/lens.js'
import { recordsByValues, textOf, type Values } from './find-by-values.js'
import type { ImportRow } from './row.js'

/** The fields by which rows find the records that they change, besides the key; none if the caller may not see each of them. */
export function matchFields({ identity, resource }: Pick<Call, 'identity' | 'resource'>): readonly Bound[] {
  const fields = resource.importMatch.flatMap((name) => resource.fields.get(name) ?? [])
  return fields.every(({ visible }) => meets(visible, identity)) ? fields : []
}

/** The fields by which imports of a related resource find its records; none if the caller may not list them, or not see each of these. */
export function relatedMatch({ realm, identity }: Pick<Call, 'realm' | 'identity'>, field: Bound): readonly Bound[] {
  const target = realm.links.get(field)
  return target && may(realm, identity, target, 'viewAny') ? matchFields({ identity, resource: target }) : []
}

/** The key and the fields for a text: `ID or Company and Number`. */
export function matchText({ realm: { locale } }: Pick<Call, 'realm'>, key: Bound | null, match: readonly Bound[]): string {
  const list = (labels: readonly string[], type: 'conjunction' | 'disjunction') => new Intl.ListFormat(locale, { type }).format(labels)
  const all = list(
    match.map(({ label }) => label),
    'conjunction',
  )
  return list([...(key ? [key.label] : []), ...(all === '' ? [] : [all])], 'disjunction')
}

/**
 * The values of a row by which its record is found; null: one is blank, so that there are none.
 *
 * @param wireOf a value of the row as in JSON
 * @throws DaymarkError `invalid` naming each that cannot be read
 */
export function matchValues(fields: readonly Bound[], wireOf: (field: Bound) => unknown, t: Translate): Values | null {
  const values: unknown[] = []
  const errors = new Map<string, readonly string[]>()
  for (const field of fields) {
    const wire = wireOf(field) ?? null
    if (wire === null || (typeof wire === 'string' && wire.trim() === '')) continue
    const parsed = parseAsked(field, wire)
    if (parsed) values.push(parsed.value)
    else errors.set(field.key, [askedFault(field, wire, t)])
  }
  if (errors.size > 0) throw new DaymarkError('invalid', [...errors.values()][0]?.[0] as string, { errors })
  return values.length === fields.length ? values : null
}

/** What rows find by their values. */
export interface Matches {
  /** The values of a row; null: it names no record so. */
  valuesOf(row: ImportRow): Values | null
  /** The text by which values are told apart. */
  textOf(values: Values): string
  /** The record that has these values, as far as the caller may see it; null: several have, whatever the table says. */
  recordOf(values: Values): Row | null | undefined
}

/** Finds the records of the rows without a key, in a few statements for any number. What cannot be read is told when a row is asked. */
export async function matchesOf(call: Call, lens: Lens, fields: readonly Bound[], rows: readonly ImportRow[]): Promise<Matches> {
  const { resource, identity, store } = call
  const by = fields.map(({ key }) => resource.model.columns.get(key) as Column)
  const known = new Map<ImportRow, Values | DaymarkError | null>()
  for (const row of fields.length > 0 ? rows : []) if (row.key === '') known.set(row, readIn(row))
  const wanted = [...known.values()].filter((one): one is Values => Array.isArray(one))
  const asked = { reads: store, resource, by, columns: lens.columns, where: scopeOf(identity, resource) }
  const found = await recordsByValues(asked, wanted)
  const text = (values: Values) => textOf(values, by)
  return {
    valuesOf(row) {
      const values = known.get(row) ?? null
      if (values instanceof DaymarkError) throw values
      return values
    },
    textOf: text,
    recordOf: (values) => found.get(text(values)),
  }
}

function readIn(row: ImportRow): Values | DaymarkError | null {
  try {
    return row.match()
  } catch (thrown) {
    if (thrown instanceof DaymarkError) return thrown
    throw thrown
  }
}
