import type { Identity } from '../../auth/identity.js'
import type { Bound } from '../../field/field.js'
import type { Resource } from '../../resource/resource.js'
import { history } from '../../store/panel/tables.js'
import { may } from '../call/allow.js'
import type { Realm } from '../call/call.js'
import type { Lens } from '../call/lens.js'

/** Whether a resource lists the changes of all resources: its records tell of others, which they name by table and key. */
export const isHistoryList = ({ model }: Pick<Resource, 'model'>): boolean => model.table === history

/** The resource that the records of a table are called after; null: the panel has none, any more. */
export function resourceOf({ resources }: Realm, table: unknown): Resource | null {
  return resourcesWithHistory(resources).find(({ model }) => model.fullName === table) ?? null
}

/** Those with a history, but for their trashes. */
export const resourcesWithHistory = (resources: Realm['resources']) =>
  [...resources.values()].filter(({ history, trashOf }) => history !== false && !trashOf)

/** What leads from the list of all changes to the records of a table. */
interface Subject {
  readonly field: Bound
  readonly target: Resource
  readonly table: string
}

/** The relations of the list of all changes to the records that the caller may view, one for each table; of another resource, none. */
export function subjectRelations(realm: Realm, identity: Identity, { resource, readable }: Lens): readonly Subject[] {
  const field = isHistoryList(resource) ? readable.get('record') : undefined
  if (!field) return []
  const seen = resourcesWithHistory(realm.resources).filter(
    (one) => may(realm, identity, one, 'viewAny') && may(realm, identity, one, 'view'),
  )
  return firstOfEach(seen).map((target) => ({ field, target, table: target.model.fullName }))
}

/** The tables that the list of all changes can be filtered by, with the titles of their resources; null: the field is not the one for it. */
export function tablesToChoose({ resources }: Realm, field: Bound): ReadonlyMap<string, string> | null {
  if (![...resources.values()].some((one) => isHistoryList(one) && one.fields.get('of') === field)) return null
  return new Map(firstOfEach(resourcesWithHistory(resources)).map(({ model, title }) => [model.fullName, title]))
}

/** The first resource of each table. */
export function firstOfEach(resources: readonly Resource[]): readonly Resource[] {
  const tables = resources.map(({ model }) => model.fullName)
  return resources.filter((_, i) => tables.indexOf(tables[i] as string) === i)
}
