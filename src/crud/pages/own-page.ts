import { DaymarkError } from '../../base/errors.js'
import { permits } from '../../resource/action/policy.js'
import type { Page } from '../../resource/pages/own-page.js'
import { may } from '../call/allow.js'
import type { PageCall, Realm } from '../call/call.js'
import { DeniedError } from '../call/denied.js'
import type { Composed, Home, PageAt, Part } from '../outcomes/pages.js'
import { buttonsFor, compose, composePart, partNames } from './compose.js'
import { home } from './home.js'

/** One of the panel's own pages, or a part of it. */
export async function ownPage(call: PageCall): Promise<Composed | Part | Home> {
  const { realm, pageUri } = call
  if (pageUri === 'home' && !realm.home && !call.part) return home(call)
  return composed(call, panelPage(call), { resource: null, uri: pageUri, key: null })
}

/**
 * The panel's own page with this URI.
 *
 * @throws DaymarkError `notFound`
 */
export function panelPage(call: PageCall): Page {
  const { realm, pageUri } = call
  const page = pageUri === 'home' ? realm.home : realm.pages.get(pageUri)
  if (!page) throw noPage(call)
  return page
}

/** A page made of components, as this caller sees it. */
export async function composed(call: PageCall, page: Page, at: PageAt): Promise<Composed | Part> {
  const { part } = call
  allowPage(call, page, at)
  if (!part) return { is: 'composed', at, page, buttons: buttonsFor(call, page), ...(await compose(call, at, page)) }
  const content = await composePart(call, at, page, part)
  if (!content) throw noPart(call, partNames(call, page))
  return { is: 'part', at, content }
}

/** @throws DaymarkError `forbidden` if the caller may not see the page */
export function allowPage(call: Pick<PageCall, 'realm' | 'identity'>, page: Pick<Page, 'can'>, at: Pick<PageAt, 'resource'>): void {
  if (!mayPage(call, page, at)) throw new DeniedError(call.realm)
}

/** Whether the caller may see a page. Unless declared otherwise, a resource's page is for those who may list the resource. */
export function mayPage(
  call: Pick<PageCall, 'realm' | 'identity'>,
  { can }: Pick<Page, 'can'>,
  { resource }: Pick<PageAt, 'resource'>,
): boolean {
  if (can !== null) return permits(can, call.identity)
  return resource ? may(call.realm, call.identity, resource, 'viewAny') : call.identity.roles.length > 0
}

/** Lists only the names of parts that the caller may see. */
export function noPart({ realm }: Pick<PageCall, 'realm'>, names: readonly string[]): DaymarkError {
  return new DaymarkError('notFound', names.length > 0 ? realm.t('part.unknown', { names: names.join(', ') }) : realm.t('page.none'))
}

function noPage({ realm, identity }: PageCall): DaymarkError {
  const names = pagesFor({ realm, identity }).map(({ uri }) => uri)
  return new DaymarkError('notFound', names.length > 0 ? realm.t('page.unknown', { names: names.join(', ') }) : realm.t('page.none'))
}

/** The panel's own pages that the caller may see. */
export function pagesFor(call: { readonly realm: Realm; readonly identity: PageCall['identity'] }): readonly Page[] {
  return [...call.realm.pages.values()].filter((page) => mayPage(call, page, { resource: null }))
}
