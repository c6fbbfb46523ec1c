import type { Bound } from '../../field/field.js'
import { uriOf } from '../condition/declared.js'
import { fieldsIn, pageTypes, reservedPageUris, sectionsOf } from '../page.js'
import { isComposed, type KindPage, type Page, pageButtons } from '../pages/own-page.js'
import { list, type Say } from '../problem.js'
import type { Resource } from '../resource.js'
import { checkAction, checkButton } from './action.js'
import { checkComponents, checkWhere, named } from './components.js'
import { nestedFaults } from './nested.js'
import { checkFilters } from './page-filters.js'
import { uriFault } from './uri-form.js'
import { checkPolicy } from './written.js'

/** What is wrong with the pages of a panel: their URIs and components. */
export function checkPages(pages: readonly Page[], resources: ReadonlyMap<string, Resource>, say: Say): void {
  const seen = new Set<string>()
  for (const page of pages) {
    const at = `pages.${page.uri}`
    checkUri(page.uri, at, seen, [], say)
    checkOwnPage(page, at, resources, say)
  }
}

/** What is wrong with the further pages of a resource. */
export function checkMorePages(resource: Resource, resources: ReadonlyMap<string, Resource>, say: Say): void {
  const seen = new Set<string>()
  const written = (resource.written.pages as { readonly more?: readonly (Page | KindPage)[] } | undefined)?.more ?? []
  for (const page of written) {
    const at = `pages.more.${page.uri}`
    checkUri(page.uri, at, seen, [...reservedPageUris, ...pageTypes.map((type) => `${type}-page`)], say)
    if (isComposed(page)) checkOwnPage(page, at, resources, say)
    else checkKindPage(resource, page, at, say)
  }
}

/** What is wrong with the related lists of a detail page. */
export function checkRelated(
  resource: Resource,
  resources: ReadonlyMap<string, Resource>,
  links: ReadonlyMap<Bound, Resource>,
  say: Say,
): void {
  const tables = resource.related.map(({ table }) => table)
  checkComponents(tables, 'related', resources, say)
  for (const one of resource.related) {
    const { by, table } = one
    const other = resources.get(uriOf(table.resource))
    if (!other) continue
    const leading = [...other.fields.values()].filter((field) => links.get(field) === resource).map(({ key }) => key)
    const text =
      leading.length === 0
        ? `no relation of ${other.uriKey} leads here: declare it there as belongsTo()`
        : by === null
          ? leading.length > 1 &&
            `several relations of ${other.uriKey} lead here: say which, \`by: '${leading[0]}'\`. Valid: ${list(leading)}`
          : !leading.includes(by) && `"${by}" is not a relation of ${other.uriKey} that leads here. Valid: ${list(leading)}`
    if (text) say('related-by', `related.${table.name}`, text)
    const linking = text === false ? other.fields.get(by ?? leading[0] ?? '') : undefined
    if (linking) for (const fault of nestedFaults(resource, one, other, linking)) say('nested', `related.${table.name}`, fault)
  }
}

function checkUri(uri: string, at: string, seen: Set<string>, reserved: readonly string[], say: Say): void {
  const fault = uriFault(uri)
  if (reserved.includes(uri)) say('page-uri', at, `"${uri}" is a route of the panel; choose another one. Reserved: ${list(reserved)}`)
  else if (fault !== null) say('page-uri', at, fault)
  else if (seen.has(uri)) say('page-uri', at, `another page has the URI "${uri}"`)
  seen.add(uri)
}

function checkKindPage(resource: Resource, { type, fields: names, where, can }: KindPage, at: string, say: Say): void {
  const { pages, fields, computed } = resource
  const valid = type === 'form' ? pages.form : [...fields.keys(), ...computed.keys()]
  checkPolicy(`${at}.can`, can, say)
  if (!Array.isArray(names)) {
    say('page-field', at, `it has no list of \`fields\`. Valid: ${list(valid)}`)
    return
  }
  for (const name of type === 'detail' ? fieldsIn(sectionsOf(names)) : names) {
    if (valid.includes(name)) continue
    if (typeof name !== 'string') {
      say('page-field', at, 'sections are for the fields of detail pages, and of `pages.form`')
      continue
    }
    const what = type === 'form' ? 'is not on `pages.form`, which says what can be written' : 'is not declared'
    say('page-field', at, `"${name}" ${what}. Valid: ${list(valid)}`)
  }
  checkWhere(where, resource, at, say)
}

function checkOwnPage(page: Page, at: string, resources: ReadonlyMap<string, Resource>, say: Say): void {
  const { methods, components } = page
  checkPolicy(`${at}.can`, page.can ?? undefined, say)
  checkFilters(page, at, resources, say)
  checkComponents(components, at, resources, say, page.filters)
  for (const [uri, action] of methods) {
    checkAction(`${at}.methods.${uri}`, action, say)
    checkPolicy(`${at}.methods.${uri}.can`, action.can ?? undefined, say)
  }
  for (const button of pageButtons(page)) {
    checkPolicy(`${at}.buttons`, button.can, say)
    if (button.resource === undefined && button.handler !== undefined)
      say('button-handler', at, `"${button.label}" names the handler "${button.handler}" without its \`resource\``)
    const resource = button.resource === undefined ? null : named(button.resource, at, resources, say)
    if (button.handler === undefined || resource) checkButton(at, button, { handlers: resource?.handlers ?? new Map(), methods }, say)
  }
}

/** The pages of components of the panel and its resources, each with its place in the declarations. */
export function allPages(resources: readonly Resource[], pages: readonly Page[]): readonly (readonly [where: string, page: Page])[] {
  const own = resources.flatMap(({ uriKey, morePages }) =>
    [...morePages.values()].filter(isComposed).map((page) => [`${uriKey}.pages.more.${page.uri}`, page] as const),
  )
  return [...pages.map((page) => [`pages.${page.uri}`, page] as const), ...own]
}
