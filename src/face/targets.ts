import type { Palette } from '../crud/outcome.js'
import { url } from '../route/url.js'
import type { Around } from './face.js'
import { pagePath } from './page-path.js'

/** Where one may go. */
export interface Target {
  readonly kind: 'list' | 'page' | 'record'
  readonly group: string
  readonly label: string
  readonly url: string
  /** What tells a record from another one that is called the same: its key. */
  readonly hint?: string
}

/** What the palette offers, in its order: what is of one resource stands together, and last of it the way to all that its list finds. */
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
