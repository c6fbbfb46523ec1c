import { always, both, type Condition } from '../condition/condition.js'
import type { Model } from '../model/model.js'
import type { Resource } from '../resource.js'
import { isFar } from './reach.js'

/** The resources that manage the records of a table. A trash lists those that are deleted. */
const managersOf = ({ table }: Model, resources: readonly Resource[]): readonly Resource[] =>
  resources.filter(({ model, trashOf }) => model.table === table && trashOf === null)

/** Which records of a table count where others tell of them: those that no resource of the panel has in its trash. */
export const countedIn =
  (resources: readonly Resource[]) =>
  (model: Model): Condition =>
    managersOf(model, resources).reduce((met, { records }) => both(met, records), always)

/** Which of its fields tell of records that are in another database, as the resources that manage these say. */
export function* toldFromElsewhere(resource: Resource, resources: readonly Resource[]): Generator<readonly [field: string, other: string]> {
  for (const { key, tally } of resource.model.tallies) {
    const [other] = tally ? managersOf(tally.model, resources) : []
    if (tally && other && isFar(resource, tally.model.table)) yield [key, other.uriKey]
  }
}
