import type { Identity } from '../../auth/identity.js'
import type { Translate } from '../../base/messages.js'
import type { Bound, Json } from '../../field/field.js'
import { legible } from '../../field/illegible.js'
import { keyFromWire, keyText, parseKey } from '../../field/key.js'
import { remembered } from '../../field/remembered.js'
import { relationName } from '../../resource/model/bind.js'
import { isOfType } from '../../resource/model/value.js'
import type { Resource } from '../../resource/resource.js'
import type { Reads, Row } from '../../store/store.js'
import { asksRecord, may, mayRow, scopeOf } from '../call/allow.js'
import type { Realm } from '../call/call.js'
import { type Lens, lensOf } from '../call/lens.js'
import { subjectRelations } from './history-subjects.js'

/** A relation that the user may follow. */
export interface Relation {
  /** Its field. */
  readonly field: Bound
  /** The resource that it leads to. */
  readonly target: Resource
  /** The table that rows must name to lead there by it: their key alone says nothing. Absent: all do. */
  readonly table?: string
}

/** A relation with a name in `include` and in records. */
export interface NamedRelation extends Relation {
  /** The name. */
  readonly name: string
  /** The relations of which each row has one. Absent: it is the only one. */
  readonly among?: readonly Relation[]
}

/** A related record to choose. */
export interface Choice {
  /** Its key, as text. */
  readonly key: string
  /** Its label. */
  readonly label: string
  /** What tells it from others of the same label, or why it was found although its label does not say so; absent: there is no need to. */
  readonly hint?: string
}

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

/** The relations that the caller may follow: the field is readable and the related resource may be listed. */
export function relationsOf(realm: Realm, identity: Identity, lens: Lens): readonly Relation[] {
  const relations: Relation[] = []
  const add = (field: Bound) => {
    const target = realm.links.get(field)
    if (target && may(realm, identity, target, 'viewAny')) relations.push({ field, target })
  }
  for (const field of lens.readable.values()) add(field)
  for (const { shown } of lens.throughs.values()) add(shown)
  return relations
}

/** Those of them that have a name: no field and no computed value of the record is called so. */
export function namedRelations(realm: Realm, identity: Identity, lens: Lens): ReadonlyMap<string, NamedRelation> {
  const { fields, computed } = lens.resource
  const named = new Map<string, NamedRelation>()
  for (const relation of relationsOf(realm, identity, lens)) {
    const name = relationName(relation.field)
    if (name !== null && !lens.throughs.has(relation.field.key) && !fields.has(name) && !computed.has(name))
      named.set(name, { ...relation, name })
  }
  const among = subjectRelations(realm, identity, lens)
  if (among[0]) named.set(subjectName, { ...among[0], name: subjectName, among })
  return named
}

/** What the list of all changes calls the records that its entries tell of, in `include`. */
export const subjectName = 'subject'

/** What the related records of a relation are known by. */
export const relatedName = ({ field, table }: Pick<Relation, 'field' | 'table'>): string =>
  table === undefined ? field.key : `${field.key} ${table}`

/** The columns that say where a row leads. */
export const columnsOfRelation = ({ field, table }: Relation): readonly string[] => (table === undefined ? [field.key] : [field.key, 'of'])

/** The keys of the records that a row leads to. */
export function keysOf({ field, target, table }: Relation, lens: Lens, row: Row): readonly unknown[] {
  const value = row[lens.at.get(field.key) as number]
  if (table === undefined) return keysIn(field, value)
  const key = row[lens.at.get('of') as number] === table ? parseKey(String(value), target.model.key) : undefined
  return key === undefined ? [] : [key]
}

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

/** The keys of related records that a relation's value holds: one, none, or those of a list. */
export function keysIn({ column }: Bound, value: unknown): readonly unknown[] {
  const held = legible(value)
  if (held === null || held === undefined) return []
  const { element } = column
  return element && Array.isArray(held) ? held.map((key: Json) => keyFromWire(key, element.type)) : [held]
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
 * The labels of related records by their keys, in their order, as far as the caller may see them.
 *
 * @param t says of those in the trash that they are there; without it, they are left out
 */
export function relatedChoices(related: RelatedRows, keys: readonly unknown[], locale: string, t?: Translate): readonly Choice[] {
  const choices = keys.flatMap((key) => {
    const label = relatedLabel(related, key) ?? (t ? trashedLabel(related, key, t) : null)
    return label === null ? [] : [{ key: keyText(key as never), label }]
  })
  return choices.length < 2 ? choices : choices.sort((a, b) => collatorOf(locale).compare(a.label, b.label))
}

const collatorOf = remembered((locale: string) => new Intl.Collator(locale, { numeric: true }))

/** The labels of the related records that a value leads to, as one text; null: there is none that the caller may see. */
export function relatedWords(related: RelatedRows, field: Bound, value: unknown, locale: string, t?: Translate): string | null {
  const choices = relatedChoices(related, keysIn(field, value), locale, t)
  return choices.length === 0 ? null : choices.map(({ label }) => label).join(', ')
}

/** The label of a related record, or its key if the caller may not read the label; null: there is none that they may see. */
export function relatedLabel({ lens, byKey }: RelatedRows, key: unknown): string | null {
  const row = rowOf({ lens, byKey }, key)
  return row ? labelOf(lens, row) : null
}

/** The label of a related record that lies in the trash, with words that say so; null: there is none that the caller may see. */
export function trashedLabel({ trashed }: RelatedRows, key: unknown, t: Translate): string | null {
  const label = trashed ? relatedLabel(trashed, key) : null
  return label === null ? null : t('trash.marked', { label })
}

/** Checks the type first: bytes also have a key text, but are not a key. */
function rowOf({ lens, byKey }: RelatedRows, key: unknown): Row | undefined {
  return isOfType(lens.resource.model.key, key) ? byKey.get(keyText(key as never)) : undefined
}

/**
 * The label of a record: the resource's `column` if the caller may read it, else the key. If the lens lacks that column, `row` ends with
 * it; it has all columns that a computed label needs.
 */
export function labelOf(lens: Lens, row: Row): string {
  const { column, label } = lens.resource
  if (label) return computedLabel(lens, row) ?? lens.key(row)
  const field = lens.resource.fields.get(column.key)
  if ((field || lens.narrow) && !lens.readable.has(column.key)) return lens.key(row)
  const value = legible(row[lens.at.get(column.key) ?? lens.columns.length])
  // Nobody sees one of spaces.
  if (value === null || value === undefined || (typeof value === 'string' && value.trim() === '')) return lens.key(row)
  return field ? String(field.kind.wire(value, field)) : String(value)
}

function computedLabel({ label }: Lens, row: Row): string | null {
  const value = label?.(row) ?? null
  const text = value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.trim() === '' ? null : text
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
  const row = rowOf(one, key)
  if (!row) return null
  const id = one.lens.resource.model.key.key
  const record = one.lens.record(row)
  // The label last: a field may be called so, too.
  return { [id]: record[id] as Json, ...record, label: labelOf(one.lens, row) }
}
