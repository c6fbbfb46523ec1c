import type { Palette } from '../crud/outcomes/found.js'
import { matchRank } from '../crud/query/search-choices.js'
import { asWhole } from '../resource/pages/view.js'
import { newTitle } from '../resource/singular.js'
import { url } from '../route/url.js'
import type { PresenterContext } from './face.js'
import { pagePath } from './page-path.js'

/** A place in the panel to go to. */
export interface Target {
  readonly kind: 'list' | 'page' | 'record'
  readonly group: string
  readonly label: string
  readonly url: string
  /** Distinguishes records with the same label, or says why a record was found. */
  readonly hint?: string
}

/**
 * The palette's entries: what is called as the query first, then what begins so, then what has it in its label, then the others. What is
 * equally near is in the order of lists, pages and records. The last record of a resource is followed by the way to all of its matches.
 */
export function targetsOf(
  { query, lists, pages, creates, profile, within }: Palette,
  { place, realm: { t } }: PresenterContext,
): readonly Target[] {
  const near = (one: Target) => ({ one, away: matchRank(one.label, query) })
  const inPages = (label: string, href: string) => near(target('page', t('palette.pages'), label, href))
  const list = (resourceUri: string, query = {}) => url(place, 'crud.index', { resourceUri, query })
  return [
    ...lists.map(({ title, uriKey }) => near(target('list', t('palette.lists'), title, list(uriKey)))),
    ...pages.map(({ at, title }) => inPages(title, pagePath(place, at))),
    ...creates.map((resource) =>
      inPages(newTitle(resource, t), url(place, 'resource.page', { resourceUri: resource.uriKey, pageUri: 'form-page' })),
    ),
    ...(profile ? [inPages(t('profile.title'), url(place, 'profile'))] : []),
    ...within.flatMap(({ resource, pages, choices, more }) => {
      const { title, uriKey } = resource
      const records = choices.map(({ key, label, hint }) => {
        const href = url(place, 'crud.show', { resourceUri: uriKey, resourceItem: key })
        const one: Target = { ...target('record', title, label, href), ...(hint !== undefined && { hint }) }
        return { one, away: key === query ? 0 : matchRank(label, query) }
      })
      const last = Math.max(...records.map(({ away }) => away))
      return [
        ...pages.map((page) => near(target('page', title, page.title, pagePath(place, page.at)))),
        ...records,
        ...(more
          ? [{ one: target('list', title, t('palette.all', { title }), list(uriKey, { search: query, ...asWhole(resource) })), away: last }]
          : []),
      ]
    }),
  ]
    .sort((a, b) => a.away - b.away)
    .map(({ one }) => one)
}

function target(kind: Target['kind'], group: string, label: string, href: string): Target {
  return { kind, group, label, url: href }
}
