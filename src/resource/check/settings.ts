import { iconFault } from '../../base/icon-paths.js'
import type { Say } from '../problem.js'
import type { Resource } from '../resource.js'

/** What is wrong with the values of settings, besides their types. */
export function checkSettings(resource: Resource, say: Say): void {
  const { itemsPerPage, maxItemsPerPage, maxMassDelete, icon } = resource
  const fault = icon === null ? null : iconFault(icon)
  if (fault !== null) say('icon', 'icon', fault)
  for (const [name, value] of Object.entries({ itemsPerPage, maxItemsPerPage, maxMassDelete })) {
    if (!Number.isSafeInteger(value) || value < 1) say('setting-number', name, `must be a whole number of at least 1, not ${value}`)
  }
  if (itemsPerPage > maxItemsPerPage)
    say('items-per-page', 'itemsPerPage', `${itemsPerPage} is more than maxItemsPerPage (${maxItemsPerPage}); raise that too`)
  if (resource.comments === true && !resource.activeActions.has('view'))
    say('comments', 'comments', '`activeActions` has no `view`, so nobody could read them; add it, or remove `comments`')
}
