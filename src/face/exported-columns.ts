import { entrySubject } from '../crud/history/entry-subject.js'
import type { Exported } from '../crud/outcomes/lists.js'
import { isHistoryList } from '../crud/relation/history-subjects.js'
import type { Related } from '../crud/relation/related.js'
import { relatedWords } from '../crud/relation/related-label.js'
import { exportedValue } from '../field/exported.js'
import type { Bound, Json } from '../field/field.js'
import type { Row } from '../store/store.js'

/** A column of a file that a list is exported to. */
export interface ExportedColumn {
  readonly label: string
  /** The field whose values it holds; null: it holds labels of related records, or what was computed. */
  readonly field: Bound | null
  /** What a row has in it, as in JSON. */
  value(row: Row, related: Related): Json
}

/**
 * The columns of a file, whatever its format. As an import reads them: one that shares its label with another is called by its name.
 *
 * @param keyLabel returns what the column of a relation's keys is called, beside that of its labels
 */
export function exportedColumns(
  { lens, key, relations }: Exported,
  keyLabel: (label: string) => string,
  locale: string,
): readonly ExportedColumn[] {
  const named = key === null ? [] : [{ key: key.key, field: key, at: lens.at.get(key.key) as number }]
  const all = [...named, ...lens.shown]
  const labels = all.map((one) => ('field' in one ? one.field : one.computed).label.toLowerCase())
  const nameOf = (label: string, name: string) => (labels.filter((one) => one === label.toLowerCase()).length > 1 ? name : label)
  return all.flatMap((one): ExportedColumn[] => {
    if (!('field' in one)) return [{ label: nameOf(one.computed.label, one.key), field: null, value: (row) => one.value(row) }]
    const { field, at } = one
    const isNone = (row: Row) => row[at] === null || row[at] === undefined
    const own = (label: string): ExportedColumn => ({
      label,
      field,
      value: (row) => exportedValue(field, row[at]),
    })
    const name = nameOf(field.label, field.key)
    // A shared label could be taken for that of the other field.
    if (name !== field.label || !relations.some((relation) => relation.field === field)) return [own(name)]
    const label = (row: Row, related: Related) => {
      if (isHistoryList(lens.resource)) return entrySubject(lens, row, related).label
      const other = related.get(field.key)
      return other && !isNone(row) ? relatedWords(other, field, row[at], locale) : null
    }
    return [own(keyLabel(field.label)), { label: field.label, field: null, value: label }]
  })
}
