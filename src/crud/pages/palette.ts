import { tellFault } from '../../resource/action/policy.js'
import { always } from '../../resource/condition/condition.js'
import { isComposed } from '../../resource/pages/own-page.js'
import type { Resource } from '../../resource/resource.js'
import { newTitle } from '../../resource/singular.js'
import { fold } from '../../store/fold.js'
import { may } from '../call/allow.js'
import type { PanelCall } from '../call/call.js'
import { lensOf } from '../call/lens.js'
import { searchQuery } from '../form/search.js'
import type { FoundWithin, PageFound } from '../outcomes/found.js'
import type { Outcome } from '../outcomes/outcome.js'
import { searchColumns } from '../query/query-names.js'
import { searchChoices } from '../query/search-choices.js'
import { mayPage, pagesFor } from './own-page.js'
import { morePagesFor } from './page.js'

// Few records per resource, so that those of others have room, too.
const most = 4

/** Searches where the caller may go: lists, pages, and records of searchable resources. */
export async function palette({ identity, realm, input }: PanelCall): Promise<Outcome> {
  const query = searchQuery(input, realm)
  const words = fold(query).split(/\s+/u)
  const matches = (label: string) => words.every((word) => fold(label).includes(word))
  const all = [...realm.resources.values()]
  const lists = all.filter((resource) => may(realm, identity, resource, 'viewAny'))
  const within = await Promise.all(all.map(foundWithin))
  return {
    is: 'palette',
    query,
    lists: lists.filter(({ title }) => matches(title)),
    pages: [...firstPage(), ...ownPages()].filter(({ title }) => matches(title)),
    creates: all.filter(
      (resource) => may(realm, identity, resource, 'create') && matches(`${newTitle(resource, realm.t)} ${resource.title}`),
    ),
    profile: realm.auth.hasSignIn && matches(realm.t('profile.title')),
    within: within.filter(({ pages, choices }) => pages.length + choices.length > 0),
  }

  function firstPage(): readonly PageFound[] {
    const { home, t } = realm
    if (home && !mayPage({ realm, identity }, home, { resource: null })) return []
    return [{ at: { resource: null, uri: 'home', key: null }, title: home?.title ?? t('home.title') }]
  }

  function ownPages(): readonly PageFound[] {
    return pagesFor({ realm, identity })
      .filter((page) => page.menu && page !== realm.home)
      .map(({ uri, title }) => ({ at: { resource: null, uri, key: null }, title }))
  }

  async function foundWithin(resource: Resource): Promise<FoundWithin> {
    // One more tells whether there are more.
    const choices = isSearched(resource) ? await found(resource, most + 1) : []
    return {
      resource,
      pages: pagesOf(resource).filter(({ title }) => matches(title)),
      choices: choices.slice(0, most),
      more: choices.length > most,
    }
  }

  /** If the search of one resource fails, the others are still shown. */
  async function found(resource: Resource, limit: number) {
    try {
      return await searchChoices(realm, identity, resource, query, always, limit)
    } catch (thrown) {
      tellFault(identity, thrown)
      return []
    }
  }

  /** The pages of a resource that do not belong to a record. */
  function pagesOf(resource: Resource): readonly PageFound[] {
    const abilities = { index: 'viewAny', form: 'create', detail: null } as const
    return morePagesFor({ realm, identity, resource })
      .filter((page) => {
        if (isComposed(page)) return page.menu
        const ability = abilities[page.type]
        return ability !== null && may(realm, identity, resource, ability)
      })
      .map(({ uri, title }) => ({ at: { resource, uri, key: null }, title }))
  }

  function isSearched(resource: Resource): boolean {
    if (query === '' || resource.trashOf || !may(realm, identity, resource, 'viewAny') || !may(realm, identity, resource, 'view'))
      return false
    return searchColumns(lensOf(identity, resource, { name: 'index', whole: false })).length > 0
  }
}
