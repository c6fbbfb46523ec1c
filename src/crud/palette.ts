import { fold } from '../store/fold.js'
import { may } from './allow.js'
import type { PanelCall } from './call.js'
import { lensOf } from './lens.js'
import { searchColumns } from './list-query.js'
import type { Outcome } from './outcome.js'
import { askedFor, choicesOf } from './search.js'

// As many of one resource as leave room for those of others.
const most = 4

/** Where the caller may go, by what it is called: lists, pages, and records of what can be searched. */
export async function palette({ identity, realm, input }: PanelCall): Promise<Outcome> {
  const query = askedFor(input, realm)
  const words = fold(query).split(/\s+/u)
  const matches = (label: string) => words.every((word) => fold(label).includes(word))
  const all = [...realm.resources.values()]
  const lists = all.filter((resource) => may(realm, identity, resource, 'viewAny'))
  const searched = query === '' ? [] : lists.filter((resource) => may(realm, identity, resource, 'view') && isSearchable(resource))
  return {
    is: 'palette',
    lists: lists.filter(({ title }) => matches(title)),
    creates: all.filter((resource) => may(realm, identity, resource, 'create') && matches(realm.t('list.createOne', resource))),
    profile: realm.auth.signsIn !== null && matches(realm.t('profile.title')),
    records: await Promise.all(
      searched.map(async (resource) => ({ resource, choices: await choicesOf(realm, identity, resource, query, most) })),
    ),
  }

  function isSearchable(resource: (typeof all)[number]): boolean {
    return searchColumns(lensOf(identity, resource, { name: 'index', whole: false })).length > 0
  }
}
