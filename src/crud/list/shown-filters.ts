import { always } from '../../resource/condition/condition.js'
import type { PageCall } from '../call/call.js'
import type { FilterRelations, ShownFilter } from '../outcomes/lists.js'
import type { ChosenFilter } from '../query/chosen-filters.js'
import { noFilterRelations, readFilterRelations } from './filter-relations.js'

/** Reads the related records that the controls of a page's filters show. */
export function shownFilters(call: PageCall, filters: readonly ChosenFilter[]): Promise<readonly ShownFilter[]> {
  return Promise.all(filters.map(async (one) => ({ ...one, asked: await relationsOf(call, one) })))
}

/** As the filters of a list would have them, by the name of the field; on a page, they have names of its own. */
async function relationsOf(call: PageCall, one: ChosenFilter): Promise<FilterRelations> {
  if (!('field' in one) || !call.wants.labels) return noFilterRelations
  const { field, name, text } = one
  const query = new Map(
    ['_find', '_asked'].flatMap((by) => {
      const texts = call.input.query.get(`${by}[${name}]`)
      return texts ? [[`${by}[${field.key}]`, texts] as const] : []
    }),
  )
  const filters = one.value === null ? [] : [{ field, operator: 'eq', texts: [text], condition: always } as const]
  return readFilterRelations({ ...call, input: { ...call.input, query } }, { filterable: new Map([[field.key, field]]), filters })
}
