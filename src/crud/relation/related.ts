import type { Identity } from '../../auth/identity.js'
import type { Json } from '../../field/field.js'
import { keyText } from '../../field/key.js'
import { isOfType } from '../../resource/model/value.js'
import type { Resource } from '../../resource/resource.js'
import type { Reads, Row } from '../../store/store.js'
import { asksRecord, mayRow, scopeOf } from '../call/allow.js'
import type { Realm } from '../call/call.js'
import { type Lens, lensOf } from '../call/lens.js'
import { labelOf } from './label.js'
import { columnsOfRelation, keysOf, type NamedRelation, type Relation, relatedName } from './relation.js'

/** The related records of one relation. */
export interface RelatedRows {
  /** Turns rows into records: the fields that the user may see. */
  readonly lens: Lens
  /** The rows, by the text of their key. */
  readonly byKey: ReadonlyMap<string, Row>
  /** Those that lie in the trash, if people are to read their labels. In JSON they are not there. */
  readonly trashed?: RelatedRows
  /** What records that are gone were called last, by the key of the row that tells of them, if people are to read it. */
  readonly called?: ReadonlyMap<string, string>
}

/** The related records of some rows, by `relatedName`: the key of the relation's field. */
export type Related = ReadonlyMap<string, RelatedRows>

/** Returns where to read a resource's records: its store, or the transaction that is open on it. */
export type ReadsOf = (resource: Resource) => Reads

const none: Related = new Map()

/** Reads the related records of a page: one query per relation, for any number of rows. Without relations it returns synchronously. */
export function readRelated(
  realm: Realm,
  identity: Identity,
  lens: Lens,
  rows: readonly Row[],
  relations: readonly Relation[],
  readsOf: ReadsOf = realm.storeOf,
): Related | Promise<Related> {
  return relations.length === 0 ? none : readAll(identity, lens, rows, relations, readsOf)
}

async function readAll(
  identity: Identity,
  lens: Lens,
  rows: readonly Row[],
  relations: readonly Relation[],
  readsOf: ReadsOf,
): Promise<Related> {
  const related = new Map<string, RelatedRows>()
  for (const one of relations) {
    const whole = 'name' in one
    for (const relation of (one as NamedRelation).among ?? [one]) {
      if (!columnsOfRelation(relation).every((column) => lens.at.has(column))) continue
      const keys = new Set<unknown>()
      for (const row of rows) for (const key of keysOf(relation, lens, row)) keys.add(key)
      related.set(relatedName(relation), await readRelation(identity, relation, [...keys], readsOf, whole))
    }
  }
  return related
}

/** The records of a relation. Where nothing but a table's name leads to them, by all that the policies of the record say. */
export async function readRelation(
  identity: Identity,
  { target, table }: Pick<Relation, 'target' | 'table'>,
  keys: readonly unknown[],
  readsOf: ReadsOf,
  whole = false,
): Promise<RelatedRows> {
  if (table === undefined || !asksRecord(target, 'view')) return readTarget(identity, target, keys, readsOf, whole)
  const { lens, byKey } = await readTarget(identity, target, keys, readsOf, whole, [...target.model.columns.keys()])
  return { lens, byKey: new Map([...byKey].filter(([, row]) => mayRow(identity, target, 'view', lens.columns, row))) }
}

/**
 * Reads the records of a related resource with these keys, as far as the caller may see them. Values that cannot be keys are skipped.
 *
 * @param whole whether they are shown themselves. Else only their labels are: a list of theirs may be as long as the list that leads here.
 * @param more further columns to read
 */
export async function readTarget(
  identity: Identity,
  target: Resource,
  values: readonly unknown[],
  readsOf: ReadsOf,
  whole = false,
  more: readonly string[] = [],
): Promise<RelatedRows> {
  const keys = values.filter((value) => isOfType(target.model.key, value))
  const also = [...(target.label?.needs ?? []), ...more]
  const lens = lensOf(identity, target, { name: 'index', whole: false, ...(!whole && { only: [] }), also })
  const columns = lens.columns.includes(target.column.key) ? lens.columns : [...lens.columns, target.column.key]
  const found = keys.length === 0 ? [] : await readsOf(target).findMany(target.model, keys, columns, scopeOf(identity, target))
  return { lens, byKey: new Map(found.map((row) => [lens.key(row), row])) }
}

/**
 * What a relation leads to in JSON: a record, or null if there is none that the caller may see; for a list of records, those of them that
 * they may see.
 */
export function relatedRecords(related: Related, relation: NamedRelation, lens: Lens, row: Row): Json {
  const { field, among = [relation] } = relation
  const records = among.flatMap((one) => {
    const found = related.get(relatedName(one))
    return found ? keysOf(one, lens, row).flatMap((key) => relatedRecord(found, key) ?? []) : []
  })
  return field.kind.many(field) ? records : (records[0] ?? null)
}

/** A related record in JSON: `{id, label, …}` with the readable fields of its index page; null: there is none that the caller may see. */
function relatedRecord(one: RelatedRows, key: unknown): Json {
  const row = relatedRow(one, key)
  if (!row) return null
  const id = one.lens.resource.model.key.key
  const record = one.lens.record(row)
  // The label last: a field may be called so, too.
  return { [id]: record[id] as Json, ...record, label: labelOf(one.lens, row) }
}

/** The related record of a key, as far as the caller may see it. Checks the type first: bytes also have a key text, but are not a key. */
export function relatedRow({ lens, byKey }: RelatedRows, key: unknown): Row | undefined {
  return isOfType(lens.resource.model.key, key) ? byKey.get(keyText(key as never)) : undefined
}
