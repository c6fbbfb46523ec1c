import type { Palette } from '../crud/outcome.js'
import { url } from '../route/url.js'
import type { Around } from './face.js'
import { pagePath } from './page-path.js'

/** A place in the panel to go to. */
export interface Target {
  readonly kind: 'list' | 'page' | 'record'
  readonly group: string
  readonly label: string
  readonly url: string
  /** Distinguishes records with the same label: the key. */
  readonly hint?: string
}

/** The palette's entries, in order. Those of a resource are grouped; the last of them leads to all results in its list. */
export function targetsOf({ query, lists, pages, creates, profile, within }: Palette, { place, realm: { t } }: Around): readonly Target[] {
  const inPages = (label: string, href: string) => target('page', t('palette.pages'), label, href)
  const list = (resourceUri: string, search?: string) => url(place, 'crud.index', { resourceUri, query: { search } })
  return [
    ...lists.map(({ title, uriKey }) => target('list', t('palette.lists'), title, list(uriKey))),
    ...pages.map(({ at, title }) => inPages(title, pagePath(place, at))),
    ...creates.map((resource) =>
      inPages(t('list.createOne', resource), url(place, 'resource.page', { resourceUri: resource.uriKey, pageUri: 'form-page' })),
    ),
    ...(profile ? [inPages(t('profile.title'), url(place, 'profile'))] : []),
    ...within.flatMap(({ resource: { title, uriKey }, pages, choices, more }) => [
      ...pages.map((page) => target('page', title, page.title, pagePath(place, page.at))),
      ...choices.map(({ key, label }) => ({
        ...target('record', title, label, url(place, 'crud.show', { resourceUri: uriKey, resourceItem: key })),
        ...(choices.filter((one) => one.label === label).length > 1 && { hint: key }),
      })),
      ...(more ? [target('list', title, t('palette.all', { title }), list(uriKey, query))] : []),
    ]),
  ]
}

function target(kind: Target['kind'], group: string, label: string, href: string): Target {
  return { kind, group, label, url: href }
}
