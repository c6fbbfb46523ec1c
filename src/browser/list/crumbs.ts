import { shownAddress } from '../page/page-address.js'
import { forgetAll, remembered } from '../page/session.js'
import { whenShown } from '../page/swapped.js'
import { keepQuery, keepRows, trail } from './list-rows.js'

/** Breadcrumbs lead back to a list as it was left in this tab: its filters, order and page. Other links to it keep their own address. */
export function crumbs(): void {
  // Whoever signs in next in this tab may be someone else. Where a session has ended, its user may be back: a draft says whose it is.
  const form = document.querySelector<HTMLFormElement>('form.sign-in')
  if (form) forgetAll('_to' in form ? trail : 'daymark-', form.dataset.panel as string)
  addEventListener('pagehide', () => {
    if (!document.querySelector('.listing')) return
    keepQuery(shownAddress())
    // A record of it leads to the ones around.
    keepRows(document)
  })
  whenShown((root) => {
    for (const link of root.querySelectorAll<HTMLAnchorElement>('.crumbs a')) link.href = asLeft(link.href)
  })
}

/** The address of a page, with the query under which its lists were left. */
export function asLeft(address: string): string {
  const url = new URL(address, location.href)
  url.search ||= remembered(trail + url.pathname) ?? ''
  return url.href
}
