import { trashIn } from '../../resource/trash-resource.js'
import type { Changes } from '../../store/panel/history.js'
import type { Row } from '../../store/store.js'
import { asksRecord, may, seesAll } from '../call/allow.js'
import type { Call } from '../call/call.js'
import type { Lens } from '../call/lens.js'
import type { RelatedRows } from './related.js'
import { keysOf, type Relation } from './relation.js'

/**
 * What records that are gone were called, as the entries that tell of them say themselves. Only for callers who would see any record there
 * is: nobody knows what a scope or a policy would have said of these.
 */
export function lastLabels(
  { realm, identity }: Pick<Call, 'realm' | 'identity'>,
  relation: Relation,
  { lens: { readable }, byKey, trashed }: RelatedRows,
  lens: Lens,
  rows: readonly Row[],
): ReadonlyMap<string, string> {
  const { target } = relation
  const called = new Map<string, string>()
  const [changes, action] = [lens.at.get('changes'), lens.at.get('action')]
  const trash = trashIn(realm.resources, target)
  const seesGone =
    seesAll(identity, target) && !asksRecord(target, 'view') && (!target.softDelete || (trash && may(realm, identity, trash, 'viewAny')))
  const { key } = target.column
  if (!seesGone || target.label || !readable.has(key) || changes === undefined || action === undefined) return called
  for (const row of rows) {
    const [record] = keysOf(relation, lens, row)
    if (record === undefined || byKey.has(String(record)) || trashed?.byKey.has(String(record))) continue
    const [before, after] = (JSON.parse(row[changes] as string) as Changes)[key] ?? []
    const name = row[action] === 'delete' ? before : after
    if ((typeof name === 'string' && name.trim() !== '') || typeof name === 'number') called.set(lens.key(row), String(name))
  }
  return called
}
