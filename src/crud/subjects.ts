import type { Identity } from '../auth/identity.js'
import type { Resource } from '../resource/resource.js'
import { trashIn } from '../resource/trash-resource.js'
import type { Changes } from '../store/panel/history.js'
import { history } from '../store/panel/tables.js'
import type { Row } from '../store/store.js'
import { asksRecord, may, seesAll } from './allow.js'
import type { Call, Realm } from './call.js'
import type { Lens } from './lens.js'
import { keysOf, type RelatedRows, type Relation } from './related.js'

/** Whether a resource lists the changes of all resources: its records tell of others, which they name by table and key. */
export const listsChanges = ({ model }: Pick<Resource, 'model'>): boolean => model.table === history

/** The resource that the records of a table are called after; null: the panel has none, any more. */
export function resourceOf({ resources }: Realm, table: unknown): Resource | null {
  return keepers(resources).find(({ model }) => model.fullName === table) ?? null
}

/** Those with a history, but for their trashes. */
export const keepers = (resources: Realm['resources']) =>
  [...resources.values()].filter(({ history, trashOf }) => history !== false && !trashOf)

/** The relations of the list of all changes to the records that the caller may view, one for each table; of another resource, none. */
export function subjects(realm: Realm, identity: Identity, { resource, readable }: Lens): readonly Relation[] {
  const field = listsChanges(resource) ? readable.get('record') : undefined
  if (!field) return []
  const seen = keepers(realm.resources).filter((one) => may(realm, identity, one, 'viewAny') && may(realm, identity, one, 'view'))
  return firstOfEach(seen).map((target) => ({ field, target, table: target.model.fullName }))
}

/** The first resource of each table. */
export function firstOfEach(resources: readonly Resource[]): readonly Resource[] {
  const tables = resources.map(({ model }) => model.fullName)
  return resources.filter((_, i) => tables.indexOf(tables[i] as string) === i)
}

/**
 * What records that are gone were called, as the entries that tell of them say themselves. Only for callers who would see any record there
 * is: nobody knows what a scope or a policy would have said of these.
 */
export function calledLast(
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
