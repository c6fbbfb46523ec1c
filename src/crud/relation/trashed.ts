import { keyText } from '../../field/key.js'
import { isOfType } from '../../resource/model/value.js'
import type { Resource } from '../../resource/resource.js'
import { trashIn } from '../../resource/trash-resource.js'
import type { Row } from '../../store/store.js'
import { may } from '../call/allow.js'
import type { Call } from '../call/call.js'
import type { Lens } from '../call/lens.js'
import { subjectRelations } from './history-subjects.js'
import { lastLabels } from './last-labels.js'
import { type Related, type RelatedRows, readRelation } from './related.js'
import { keysOf, type Relation, relatedName, relationsOf } from './relation.js'

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
  table?: Relation['table'],
): Promise<RelatedRows> {
  const trash = trashIn(realm.resources, target)
  if (!trash || !may(realm, identity, trash, 'viewAny')) return related
  const missing = keys.filter((key) => isOfType(target.model.key, key) && !related.byKey.has(keyText(key as never)))
  if (missing.length === 0) return related
  const trashed = await readRelation(identity, { target: trash, ...(table !== undefined && { table }) }, missing, realm.storeOf)
  return trashed.byKey.size > 0 ? { ...related, trashed } : related
}

/** The same for all relations of some rows; and where rows tell of records that are gone, what these were called. */
export async function withAllTrashed(caller: Caller, lens: Lens, rows: readonly Row[], related: Related): Promise<Related> {
  const { realm, identity } = caller
  const own = relationsOf(realm, identity, lens).filter(({ target }) => target.softDelete)
  const relations = [...own, ...subjectRelations(realm, identity, lens)].filter((one) => related.has(relatedName(one)))
  if (relations.length === 0) return related
  const all = new Map(related)
  for (const relation of relations) {
    const keys = new Set(rows.flatMap((row) => keysOf(relation, lens, row)))
    const found = await withTrashed(caller, relation.target, all.get(relatedName(relation)) as RelatedRows, [...keys], relation.table)
    all.set(
      relatedName(relation),
      relation.table === undefined ? found : { ...found, called: lastLabels(caller, relation, found, lens, rows) },
    )
  }
  return all
}
