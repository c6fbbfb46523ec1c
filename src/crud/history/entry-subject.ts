import type { Bound } from '../../field/field.js'
import { type KeyValue, parseKey } from '../../field/key.js'
import type { Row } from '../../store/store.js'
import type { Lens } from '../call/lens.js'
import type { Related } from '../relation/related.js'
import { relatedLabel } from '../relation/related-label.js'
import { relatedName } from '../relation/relation.js'

/** The record that an entry of the list of all changes tells of, as far as the caller may see it. */
export interface EntrySubject {
  readonly key: string
  /** By its label, or by what it was called last; else by its key. */
  readonly label: string
  /** Whether it lies in the trash. */
  readonly trashed: boolean
  /** What its records are known by among related ones; null: there is none that the caller may see. */
  readonly name: string | null
}

/** Needs the columns `of` and `record` of the lens. */
export function entrySubject(lens: Lens, row: Row, related: Related): EntrySubject {
  const text = (column: string) => String(row[lens.at.get(column) as number])
  const key = text('record')
  const name = relatedName({ field: lens.readable.get('record') as Bound, table: text('of') })
  const found = related.get(name)
  const value: KeyValue | undefined = found && parseKey(key, found.lens.resource.model.key)
  const label = found && value !== undefined ? relatedLabel(found, value) : null
  const trashed = found?.trashed && value !== undefined ? relatedLabel(found.trashed, value) : null
  if (label === null && trashed === null) return { key, label: found?.called?.get(lens.key(row)) ?? key, trashed: false, name: null }
  return { key, label: label ?? trashed ?? key, trashed: label === null, name }
}
