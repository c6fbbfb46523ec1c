import { keyText } from '../field/key.js'
import type { Resource } from '../resource/resource.js'
import { trashIn } from '../resource/trash-resource.js'
import { isOfType } from '../resource/value.js'
import type { Row } from '../store/store.js'
import { may } from './allow.js'
import type { Call } from './call.js'
import type { Lens } from './lens.js'
import { keysIn, type Related, type RelatedRows, readTarget, relationsOf } from './related.js'

type Caller = Pick<Call, 'realm' | 'identity'>

/**
 * Adds those of the related records that lie in the trash, so that people read their labels. Only for callers who may see that trash, and
 * within its scope: to others, what was deleted is not there. Reads nothing if all were found.
 */
export async function withTrashed(
  { realm, identity }: Caller,
  target: Resource,
  related: RelatedRows,
  keys: readonly unknown[],
): Promise<RelatedRows> {
  const trash = trashIn(realm.resources, target)
  if (!trash || !may(realm, identity, trash, 'viewAny')) return related
  const missing = keys.filter((key) => isOfType(target.model.key, key) && !related.byKey.has(keyText(key as never)))
  if (missing.length === 0) return related
  const trashed = await readTarget(identity, trash, missing, realm.storeOf)
  return trashed.byKey.size > 0 ? { ...related, trashed } : related
}

/** The same for all relations of some rows. */
export async function withAllTrashed(caller: Caller, lens: Lens, rows: readonly Row[], related: Related): Promise<Related> {
  const soft = relationsOf(caller.realm, caller.identity, lens).filter(({ field, target }) => target.softDelete && related.has(field.key))
  if (soft.length === 0) return related
  const all = new Map(related)
  for (const { field, target } of soft) {
    const at = lens.at.get(field.key) as number
    const keys = new Set(rows.flatMap((row) => keysIn(field, row[at])))
    all.set(field.key, await withTrashed(caller, target, related.get(field.key) as RelatedRows, [...keys]))
  }
  return all
}
