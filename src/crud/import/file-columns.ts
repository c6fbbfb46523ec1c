import { withFormulas } from '../../base/formula.js'
import { shown } from '../../base/shown.js'
import type { Bound } from '../../field/field.js'
import type { Call } from '../call/call.js'
import type { Lens } from '../call/lens.js'
import type { FileColumn, FileColumns, ImportMode } from '../outcomes/imports.js'
import type { Table } from '../realm/import-table.js'
import { relationsOf } from '../relation/relation.js'
import {
  assignedNames,
  type ColumnMeaning,
  columnMeanings,
  fieldsOfFile,
  foldName,
  headDigest,
  importable,
  matchNames,
  type NamedBy,
} from './columns.js'
import { matchFields, relatedMatch } from './match.js'

/** @param modes what the caller may do by an import */
export function fileColumns(call: Call, lens: Lens, modes: readonly ImportMode[], { head, rows }: Table): FileColumns {
  const meanings = columnMeanings(call, lens)
  const names = columnNames(call, lens, modes, meanings)
  const asked = assignedNames(call, head)
  const columns = head.map((written, at): FileColumn => {
    const name = withFormulas(written)
    const said = asked.get(at)
    const meant = said === '' ? null : meanings.get(foldName(said ?? name))
    const called = meant === undefined ? null : (names.find((one) => isSame(one.meant, meant))?.name ?? '')
    // A file without line breaks has one name, as long as the file.
    const told = shown(name)
    const alike = called === null ? loosely(told) : ''
    const guess = alike === '' ? null : (names.find((one) => loosely(one.name) === alike)?.name ?? null)
    const sample = rows.find(({ cells }) => (cells[at] ?? '') !== '')?.cells[at] ?? ''
    return { number: at + 1, name: told, sample: withFormulas(sample), called, guess }
  })
  return { mark: headDigest(head), columns, names: names.map(({ name, label }) => ({ name, label })) }
}

/** What columns may be called for each field that is imported, and for those that name records. */
function columnNames(call: Call, lens: Lens, modes: readonly ImportMode[], meanings: ReadonlyMap<string, ColumnMeaning>) {
  const { realm, identity, resource } = call
  const changes = modes.includes('update')
  const key = (changes && lens.readable.get(resource.model.key.key)) || null
  const relations = new Set(relationsOf(realm, identity, lens).map(({ field }) => field))
  return fieldsOfFile(importable(call, lens, 'both'), key, changes ? matchFields(call) : []).flatMap((field) => {
    if (!relations.has(field)) return nameOf(field, field, 'key')
    const byMatch = matchNames(realm.t, field, relatedMatch(call, field))
    return [
      ...nameOf(field, field, 'label'),
      ...(byMatch ? nameOf(field, byMatch, 'match') : []),
      ...nameOf(field, { label: realm.t('export.key', { label: field.label }), key: field.key }, 'key'),
    ]
  })

  /** A label that several fields have names the first of them; the others are named by their keys. */
  function nameOf(field: Bound, { label, key }: Pick<Bound, 'label' | 'key'>, by: NamedBy) {
    const meant = { field, by }
    const name = [label, key].find((one) => isSame(meanings.get(foldName(one)), meant))
    return name === undefined ? [] : [{ name, label: name === label ? label : `${label} (${name})`, meant }]
  }
}

const isSame = (one: ColumnMeaning | undefined, other: ColumnMeaning) => one?.field === other?.field && one?.by === other?.by

/** Letters and digits alone: `E-mail`, `e_mail` and `Email` are alike. */
const loosely = (name: string) => foldName(name).replace(/[^\p{L}\p{N}]/gu, '')
