import { iconFault } from '../../base/icon-paths.js'
import type { Say } from '../problem.js'
import type { Resource } from '../resource.js'

const switches = ['stickyTable', 'simplePaginate', 'requireIfMatch', 'usePagination', 'isAsync', 'columnSelection', 'comments']

/** What is wrong with the values of settings: numbers, and those that are one of a few. */
export function checkSettings(resource: Resource, say: Say): void {
  const { itemsPerPage, maxItemsPerPage, maxMassDelete, sortDirection, clickAction, count, icon, written } = resource
  const fault = icon === null ? null : iconFault(icon)
  if (fault !== null) say('icon', 'icon', fault)
  for (const [name, value] of Object.entries({ itemsPerPage, maxItemsPerPage, maxMassDelete })) {
    if (!Number.isSafeInteger(value) || value < 1) say('setting-number', name, `must be a whole number of at least 1, not ${value}`)
  }
  if (itemsPerPage > maxItemsPerPage)
    say('items-per-page', 'itemsPerPage', `${itemsPerPage} is more than maxItemsPerPage (${maxItemsPerPage}); raise that too`)
  if (!['ASC', 'DESC'].includes(sortDirection)) say('setting-value', 'sortDirection', `"${sortDirection}" is neither ASC nor DESC`)
  if (clickAction !== null && !['SELECT', 'DETAIL', 'EDIT'].includes(clickAction)) {
    say('setting-value', 'clickAction', `"${clickAction}" is none of SELECT, DETAIL, EDIT and null`)
  }
  if (!['exact', 'capped'].includes(count)) say('setting-value', 'count', `"${count}" is neither exact nor capped`)
  for (const name of switches) {
    const value = written[name]
    if (value !== undefined && typeof value !== 'boolean') say('setting-value', name, `${JSON.stringify(value)} is neither true nor false`)
  }
  if (resource.comments === true && !resource.activeActions.has('view'))
    say('comments', 'comments', '`activeActions` has no `view`, so nobody could read them; add it, or remove `comments`')
}
