import { createHash } from 'node:crypto'
import { DaymarkError, invalid } from '../../base/errors.js'
import { withFormulas } from '../../base/formula.js'
import type { Translate } from '../../base/messages.js'
import { shown } from '../../base/shown.js'
import type { Bound } from '../../field/field.js'
import type { Call } from '../call/call.js'
import { isWritable } from '../call/field-access.js'
import type { Lens } from '../call/lens.js'
import type { ImportMode } from '../outcomes/imports.js'
import { throughFields } from '../query/filter-fields.js'
import type { Table } from '../realm/import-table.js'
import { relationsOf } from '../relation/relation.js'
import { matchFields, matchText, relatedMatch } from './match.js'

/** A column of a file that is imported. */
export interface ImportColumn {
  /** Its place in the rows. */
  readonly at: number
  /** The field that its texts are for. */
  readonly field: Bound
  /** What they name related records by. */
  readonly by: NamedBy
  /** The columns that name them in rows whose own text is blank, the first goes first; empty: there are no such rows. */
  readonly beside: readonly Omit<ImportColumn, 'beside'>[]
}

/** What names a related record: its key, what imports of its resource find it by, or its label. Also the key for what is no relation. */
export type NamedBy = (typeof namedBy)[number]

// Those that go first: an export has both keys and labels.
const namedBy = ['key', 'match', 'label'] as const

/** What is done with the columns of a file. */
export interface ImportColumns {
  /** Those that are imported. */
  readonly columns: readonly ImportColumn[]
  /** The place of the records' key in the rows; null: they are not named. */
  readonly key: number | null
  /** The columns by whose values records are found, besides the key; empty: by the key alone. */
  readonly match: readonly ImportColumn[]
  /** The names of those that are not: they show what nobody, or not this caller, writes. */
  readonly ignored: readonly string[]
}

// More names of one file nobody reads.
const mostTold = 20

/** What a column may be called, and what it then holds; null: nothing that can be written. */
export type ColumnMeaning = Pick<ImportColumn, 'field' | 'by'> | null

/**
 * Finds the fields that the columns of a file are for, by name or label in any case, as an export names them.
 *
 * @throws DaymarkError `invalid` for a column that is for no field, naming those that are; and if what is needed is missing
 */
export function columnsFor(call: Call, lens: Lens, mode: ImportMode, table: Table): ImportColumns {
  const found = columnsIn(call, lens, mode, table)
  checkComplete(call, lens, mode, found)
  return found
}

function columnsIn(call: Call, lens: Lens, mode: ImportMode, { head, rows }: Table): ImportColumns {
  const { realm, resource } = call
  const { t } = realm
  const meanings = columnMeanings(call, lens)
  const asked = assignedNames(call, head)
  const by = mode === 'create' ? [] : matchFields(call)
  const matched = new Map<Bound, ImportColumn>()
  const texts = head.map((written, at) => {
    const name = withFormulas(written)
    // One that is left out is as one that nobody writes.
    return { name, at, meant: asked.get(at) === '' ? null : meanings.get(foldName(asked.get(at) ?? name)) }
  })
  const columns: ImportColumn[] = []
  const ignored: string[] = []
  const errors: string[] = []
  let key: number | null = null
  for (const { name, at, meant } of texts) {
    if (meant === undefined) {
      if (name === '' && rows.some(({ cells }) => (cells[at] ?? '') !== '')) errors.push(t('import.unnamed', { number: at + 1 }))
      continue
    }
    const isKey = meant !== null && meant.by === 'key' && meant.field.key === resource.model.key.key
    if (isKey && key !== null) errors.push(t('import.twice', { label: meant.field.label }))
    if (isKey) key ??= at
    const [first] = meant ? columnsOf(meant.field) : []
    const said = meant !== null && first?.by !== meant.by
    if (said && first && besideOf(first).some((one) => one.at === at)) continue
    const isMatch = meant !== null && !said && by.includes(meant.field)
    if (isMatch && !matched.has(meant.field)) matched.set(meant.field, columnOf(at, meant))
    if (meant === null || said || !isImported(call, meant.field, mode)) {
      if ((!isKey || mode === 'create') && !isMatch && name !== '') ignored.push(shown(name))
    } else if (columns.some(({ field }) => field === meant.field)) {
      if (!isKey) errors.push(t('import.twice', { label: meant.field.label }))
    } else columns.push(columnOf(at, meant))
  }
  const unknown = texts
    .filter(({ name, meant }) => name !== '' && meant === undefined)
    .map(({ name }) => t('list.quoted', { text: shown(name) }))
  if (unknown.length > 0) {
    const names = importable(call, lens, mode).map(({ label }) => label)
    errors.unshift(t('import.unknown', { names: unknown.slice(0, mostTold).join(', '), valid: names.join(', ') }))
  }
  if (errors.length > 0) throw new DaymarkError('invalid', errors[0] as string, { errors: [['file', errors]] })
  const match = by.flatMap((field) => matched.get(field) ?? [])
  return { columns, key, match: match.length === by.length ? match : [], ignored }

  function columnOf(at: number, meant: NonNullable<ColumnMeaning>): ImportColumn {
    const one = { at, ...meant }
    return { ...one, beside: besideOf(one) }
  }

  /** The columns for a field, those that go first before the others. */
  function columnsOf(field: Bound): readonly Omit<ImportColumn, 'beside'>[] {
    const own = texts.flatMap(({ at, meant }) => (meant?.field === field ? [{ at, ...meant }] : []))
    return namedBy.flatMap((by) => own.filter((one) => one.by === by))
  }

  /** Those that say what blank texts of a column do not: somebody has added rows to an export. */
  function besideOf({ at, field, by: named }: Omit<ImportColumn, 'beside'>): ImportColumn['beside'] {
    if (field.kind.many(field) || (!isImported(call, field, mode) && !by.includes(field))) return []
    const others = columnsOf(field).filter((one) => namedBy.indexOf(one.by) > namedBy.indexOf(named))
    return others.filter((one) => rows.some(({ cells }) => isBlank(cells[at]) && !isBlank(cells[one.at])))
  }
}

/** Whether a cell says nothing. */
export const isBlank = (cell: string | undefined): boolean => (cell ?? '').trim() === ''

/**
 * What the sender says that columns are called, whatever the file says, by their places; an empty text leaves one out. In a form,
 * `column[3]` is the third. What was said of a file with other columns says nothing of this one.
 *
 * @throws DaymarkError `invalid` for a column that the file has not
 */
export function assignedNames({ input: { body }, realm: { t } }: Call, head: Table['head']): ReadonlyMap<number, string> {
  const asked = new Map<number, string>()
  if (body.from !== 'form' || (body.panel.get('_columns')?.at(-1) ?? headDigest(head)) !== headDigest(head)) return asked
  for (const [name, given] of body.fields) {
    const [, number] = columnParameter.exec(name) ?? []
    if (number === undefined) continue
    if (Number(number) > head.length) throw invalid('file', t('import.noColumn', { number, count: head.length }))
    asked.set(Number(number) - 1, given.at(-1) ?? '')
  }
  return asked
}

/** The name in a form of what a column is called. */
export const columnParameter = /^column\[([1-9]\d{0,3})\]$/

/** Tells the columns of one file from those of another. */
export const headDigest = (head: Table['head']): string =>
  createHash('sha256').update(JSON.stringify(head)).digest('base64url').slice(0, 22)

/** @throws DaymarkError `invalid` if there is nothing to write, or no column for what each row needs */
function checkComplete(call: Call, lens: Lens, mode: ImportMode, { columns, key, match }: ImportColumns): void {
  const { t } = call.realm
  if (columns.length === 0) throw invalid('file', t('import.nothing'))
  const missing = mode === 'create' ? needed(call, lens).filter((one) => !columns.some(({ field }) => field === one)) : []
  if (missing.length > 0) throw invalid('file', t('import.missing', { names: missing.map(({ label }) => label).join(', ') }))
  if (mode === 'create' || key !== null || match.length > 0) return
  const label = matchText(call, lens.readable.get(call.resource.model.key.key) ?? null, matchFields(call))
  throw invalid('file', t('import.noKey', { label }))
}

/** The fields that a file may have columns for. */
export function importable(call: Pick<Call, 'identity' | 'resource'>, lens: Lens, mode: ImportMode): readonly Bound[] {
  return [...lens.readable.values()].filter((field) => isImported(call, field, mode))
}

/** The fields that a file may have columns for, after those that name the records to change: the key, and what else they are found by. */
export function fieldsOfFile(fields: readonly Bound[], key: Bound | null, match: readonly Bound[]): readonly Bound[] {
  const naming = [...(key ? [key] : []), ...match]
  return [...naming.filter((field) => !fields.includes(field)), ...fields]
}

/** The fields that every new record needs. */
const needed = (call: Call, lens: Lens) => importable(call, lens, 'create').filter(({ required, hasDefault }) => required && !hasDefault)

function isImported(call: Pick<Call, 'identity' | 'resource'>, field: Bound, mode: ImportMode): boolean {
  // A path is that of an upload.
  if (field.kind.file) return false
  return (mode !== 'update' && isWritable(call, field, true)) || (mode !== 'create' && isWritable(call, field, false))
}

/** What the columns of files may be called, and mean: by names and labels, as `foldName` writes them. */
export function columnMeanings(call: Call, lens: Lens): ReadonlyMap<string, ColumnMeaning> {
  const { realm, identity, resource } = call
  const names = new Map<string, ColumnMeaning>()
  const add = (name: string, meant: ColumnMeaning) => {
    if (!names.has(foldName(name))) names.set(foldName(name), meant)
  }
  const relations = new Set(relationsOf(realm, identity, lens).map(({ field }) => field))
  for (const field of lens.readable.values()) {
    if (!relations.has(field)) {
      add(field.label, { field, by: 'key' })
      continue
    }
    add(realm.t('export.key', { label: field.label }), { field, by: 'key' })
    // Several labels in one text could be read in several ways.
    add(field.label, field.kind.many(field) ? null : { field, by: 'label' })
  }
  const throughs = throughFields(realm, identity, resource).map(({ shown }) => shown)
  for (const { label } of [...lens.computed.values(), ...throughs]) add(label, null)
  for (const field of throughs) if (field.kind.relation) add(realm.t('export.key', { label: field.label }), null)
  // After the labels, which an export has.
  for (const field of lens.readable.values()) add(field.key, { field, by: 'key' })
  for (const key of [...lens.computed.keys(), ...throughs.map((one) => one.key)]) add(key, null)
  for (const field of lens.readable.values())
    for (const name of Object.values(matchNames(realm.t, field, relatedMatch(call, field)) ?? {})) add(name, { field, by: 'match' })
  return names
}

/**
 * What a column is called whose texts name the related records of a field by what imports of their resource find them by; null: by nothing,
 * or by several columns together, which one text does not say.
 */
export function matchNames(t: Translate, field: Bound, [one, another]: readonly Bound[]): Pick<Bound, 'label' | 'key'> | null {
  return one && !another ? { label: t('import.byMatch', { label: field.label, by: one.label }), key: `${field.key}.${one.key}` } : null
}

/** A name as it is compared. */
export const foldName = (name: string) => name.normalize('NFC').trim().toLowerCase()
