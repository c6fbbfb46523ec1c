import type { WrittenField } from '../../store/written.js'
import type { Call } from '../call/call.js'
import { callbacksGetRecords, type Lens } from '../call/lens.js'
import type { Listing } from '../query/list-query.js'
import { columnsRead } from '../query/through-values.js'
import type { Relation } from '../relation/relation.js'

/**
 * The fields of a list's records, if the database may write them: nothing needs the rows, neither code of the user's own nor what is told
 * beside them. Null: rows have to be read.
 *
 * @param ends whether positions are made of the first or the last record, which must have the values that the list is sorted by
 */
export function jsonFields(
  { wants, preset, resource }: Call,
  lens: Lens,
  { order }: Listing,
  relations: readonly Relation[],
  ends: boolean,
): readonly WrittenField[] | null {
  const fields = wants.written ? lens.written : null
  if (!fields || preset || relations.length > 0 || resource.reorderable || callbacksGetRecords(resource)) return null
  const columns = columnsRead(lens, order)
  const isThere = (column: string) => fields.some(({ at }) => columns[at] === column)
  return !ends || order.every(({ column, along }) => !along && isThere(column)) ? fields : null
}
