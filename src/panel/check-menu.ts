import { iconFault } from '../base/icon-paths.js'
import { checkPolicy } from '../resource/check/written.js'
import type { MenuLine } from '../resource/pages/menu.js'
import type { Page } from '../resource/pages/own-page.js'
import { list, type Say } from '../resource/problem.js'
import { wrongLine } from './settings.js'
import { type PanelSpec, pagesOf } from './spec.js'

/** What is wrong with the menu, and with the icons of pages. */
export function checkMenu(spec: PanelSpec, say: Say): void {
  const uris = spec.resources.map((resource) => resource.uriKey)
  const checkIcon = (icon: string | null | undefined, where: string) => {
    const fault = icon ? iconFault(icon) : null
    if (fault !== null) say('icon', where, fault)
  }
  const checkResource = (named: { readonly uriKey: string } | string) => {
    const uri = typeof named === 'string' ? named : named.uriKey
    if (!uris.includes(uri)) say('menu-resource', 'menu', `the panel has no resource "${uri}". Valid: ${list(uris)}`)
  }
  const pages = pagesOf(spec)
  const checkPage = (page: Page) => {
    if (!pages.includes(page)) say('menu-page', 'menu', `"${page.uri}" is not among the panel's pages; add it to \`pages\``)
  }
  const check = (line: MenuLine): void => {
    const wrong = wrongLine(line)
    for (const text of wrong) say('setting-value', 'menu', text)
    if (wrong.length > 0 || line === 'divider') return
    if (!('components' in line) && !('uriKey' in line)) checkPolicy('menu.can', line.can, say)
    if ('group' in line) {
      for (const one of line.items) check(one)
      return
    }
    if ('components' in line) checkPage(line)
    else if ('uriKey' in line) checkResource(line)
    else {
      checkIcon(line.icon, 'menu')
      if (typeof line.badge === 'object') checkResource(line.badge.resource)
      if ('page' in line) checkPage(line.page)
      else if ('resource' in line) checkResource(line.resource)
    }
  }
  for (const page of pages) checkIcon(page.icon, `pages.${page.uri}.icon`)
  for (const line of [...(spec.menu ?? []), ...(spec.plugins ?? []).flatMap((plugin) => plugin.menu ?? [])]) check(line)
}
