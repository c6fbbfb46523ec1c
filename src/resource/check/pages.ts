import type { Bound } from '../../field/field.js'
import { operatorsOf } from '../../field/kind.js'
import { isWithin, withins } from '../../field/within.js'
import { choicesIn, chosenWhere } from '../condition/chosen-where.js'
import { uriOf } from '../condition/declared.js'
import { asSpan, filterOf, isChoice, type PageFilter, type PeriodBefore } from '../condition/page-choice.js'
import { fieldsIn, pageTypes, reservedPageUris, sectionsOf } from '../page.js'
import { type Component, everyComponent, namedGroups } from '../pages/component.js'
import type { Figure } from '../pages/figure.js'
import type { Groups } from '../pages/groups.js'
import { isComposed, type KindPage, type Page, pageButtons } from '../pages/own-page.js'
import { overFault } from '../pages/summary.js'
import { list, type Say } from '../problem.js'
import { whereOf } from '../relation/reach.js'
import type { Resource } from '../resource.js'
import { unsortedText } from '../unsorted.js'
import { checkAction, checkButton } from './action.js'
import { checkChart } from './chart.js'
import { nestedFaults } from './nested.js'
import { uriFault } from './uri-form.js'
import { checkPolicy } from './written.js'

/** What users choose on a page. */
type Filters = Page['filters']

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

const parameterForm = /^[a-z][a-zA-Z0-9-]*$/
// They are of a list, and lead to another page of it.
const reservedParameters = ['page', 'cursor']

/** What is wrong with what users choose on a page. */
function checkFilters({ filters, components }: Page, page: string, resources: ReadonlyMap<string, Resource>, say: Say): void {
  const taken = new Set([...everyComponent(components)].flatMap((one) => ('name' in one ? [one.name] : [])))
  for (const [name, filter] of filters) {
    const at = `${page}.filters.${name}`
    const fault = (text: string) => say('page-filter', at, text)
    if (!parameterForm.test(name)) fault(`"${name}" must be letters, digits and hyphens, beginning with a lower-case letter`)
    if (reservedParameters.includes(name)) fault(`"${name}" is a parameter of lists; choose another name`)
    if (taken.has(name)) fault(`a component of the page is named "${name}", too`)
    if (!isChoice(filter)) fault('it is made by neither pageFilter.period() nor pageFilter.of()')
    else if (filter.is === 'period') {
      if (filter.options.length === 0) fault('it has no periods to choose from')
      for (const option of [...filter.options, ...(filter.initial === null ? [] : [filter.initial])])
        if (!isWithin(option)) fault(`"${option}" is no ready period. There are: ${list(Object.keys(withins))}`)
      if (filter.initial !== null && !filter.options.includes(filter.initial))
        fault(`"${filter.initial}" is not among its options: ${list(filter.options)}`)
    } else {
      const resource = named(filter.resource, at, resources, say)
      const field = resource?.fields.get(filter.field)
      if (resource && !field) fault(`"${filter.field}" is not a field of ${resource.uriKey}. Valid: ${list(resource.fields.keys())}`)
      if (field && (field.kind.many(field) || !operatorsOf(field).includes('eq'))) fault(`"${filter.field}" has no single value to choose`)
    }
  }
}

function checkComponents(
  components: readonly Component[],
  page: string,
  resources: ReadonlyMap<string, Resource>,
  say: Say,
  filters: Filters = new Map(),
): void {
  const names = new Set<string>()
  for (const component of everyComponent(components)) {
    const name = 'name' in component ? component.name : null
    const at = `${page}.${name ?? component.is}`
    checkPolicy(`${at}.can`, component.can, say)
    if (name !== null) {
      const fault = uriFault(name)
      if (fault !== null) say('component-name', at, fault)
      if (names.has(name)) say('component-name', at, `another component of the page is named "${name}"`)
      names.add(name)
    }
    if (component.is === 'tabs') {
      const uris = component.tabs.map(({ uri }) => uri)
      if (uris.length === 0 || new Set(uris).size < uris.length)
        say('component-name', at, 'tabs need a URI each, and there must be one at least')
    }
    for (const figure of figuresOf(component)) checkFigure(figure, at, resources, say, filters)
    // Whatever is computed of groups is a number that is drawn.
    for (const one of groupsOf(component)) {
      checkFigure({ ...one, of: 'sum' }, at, resources, say, filters)
      if (isChoice(one.within)) checkChosen([one.within], at, filters, say)
    }
    if (component.is === 'chart') checkChart(component, at, resources, say)
    if (component.is === 'table' || component.is === 'form') {
      const resource = named(component.resource, at, resources, say)
      if (!resource) continue
      const valid = component.is === 'form' ? resource.pages.form : [...resource.fields.keys(), ...resource.computed.keys()]
      for (const field of (component.is === 'form' ? component.fields : component.columns) ?? [])
        if (!valid.includes(field)) say('component-field', at, `"${field}" is not on the page of ${resource.uriKey}. Valid: ${list(valid)}`)
      if (component.is === 'table') checkTable(component, resource, at, say, filters)
    }
    if (component.is === 'metric' && component.link !== null && typeof component.link !== 'string')
      named(component.link, at, resources, say)
  }
}

function checkTable(table: Extract<Component, { is: 'table' }>, resource: Resource, at: string, say: Say, filters: Filters): void {
  for (const step of table.sort ?? []) {
    const column = step.replace(/^-/, '')
    const unsorted = unsortedText(resource, column)
    if (unsorted !== null) say('sort-column', at, unsorted)
  }
  for (const [name, value] of Object.entries({ limit: table.limit, perPage: table.perPage })) {
    if (value !== null && (!Number.isSafeInteger(value) || value < 1 || value > resource.maxItemsPerPage))
      say('setting-number', at, `${name} must be a whole number from 1 to ${resource.maxItemsPerPage}, not ${value}`)
  }
  checkWhere(table.where, resource, at, say, filters)
}

function checkFigure(
  { resource: name, column, where, of }: Pick<Figure, 'resource' | 'column' | 'where' | 'of'>,
  at: string,
  resources: ReadonlyMap<string, Resource>,
  say: Say,
  filters: Filters,
): void {
  const resource = named(name, at, resources, say)
  if (!resource) return
  const field = column === null ? undefined : resource.fields.get(column)
  if (column !== null && !field)
    say('component-field', at, `"${column}" is not a field of ${resource.uriKey}. Valid: ${list(resource.fields.keys())}`)
  const type = column === null ? undefined : resource.model.columns.get(column)?.type
  if (type !== undefined && (of === 'sum' || of === 'average')) {
    const isNumber = ['integer', 'bigint', 'real', 'numeric'].includes(type)
    const fault = !isNumber ? 'holds no numbers' : field ? overFault(field.kind) : null
    if (fault !== null) say('component-field', at, `"${column}" ${fault}`)
  }
  checkWhere(where, resource, at, say, filters)
}

function checkWhere(where: unknown, resource: Resource, at: string, say: Say, filters: Filters = new Map()): void {
  if (where === null || where === undefined) return
  try {
    const written = where as Record<string, never>
    checkChosen(choicesIn(written), at, filters, say)
    // As if a period were chosen, since that says whether the column is one of times.
    const chosen = chosenWhere(written, (choice) => (choice.is === 'value' ? null : anyDay))
    if (chosen) whereOf(resource, chosen, 'UTC')
  } catch (thrown) {
    say('component-where', at, (thrown as Error).message)
  }
}

const anyDay = asSpan({ from: 0, until: 0, name: null })

/** Whether the page of a component has the filters that it names. */
function checkChosen(choices: readonly (PageFilter | PeriodBefore)[], at: string, filters: Filters, say: Say): void {
  if (choices.some((choice) => !filterOf(choice, filters.values())))
    say('page-filter', at, `it names a filter that its page does not have. Its \`filters\`: ${list(filters.keys())}`)
}

function named(
  name: { readonly uriKey: string } | string,
  at: string,
  resources: ReadonlyMap<string, Resource>,
  say: Say,
): Resource | null {
  const uri = uriOf(name)
  const found = resources.get(uri) ?? null
  if (!found) say('component-resource', at, `the panel has no resource "${uri}". Valid: ${list(resources.keys())}`)
  return found
}

/** The records that numbers of a component are made of. */
export interface Source {
  /** The resource, or its URI. */
  readonly resource: Figure['resource']
  /** The columns that the numbers tell of. */
  readonly columns: readonly string[]
}

/** What the numbers of a component are made of. */
export function sourcesOf(component: Component): readonly Source[] {
  const named = (columns: readonly (string | null)[]) => columns.filter((column) => column !== null)
  return [
    ...figuresOf(component).map(({ resource, column }) => ({ resource, columns: named([column]) })),
    ...groupsOf(component).map(({ resource, column, by, split }) => ({ resource, columns: named([column, by, split]) })),
  ]
}

/** What a component shows of a resource, and on what condition. */
export function shownOf(component: Component): readonly Pick<Figure, 'resource' | 'where'>[] {
  return component.is === 'table' ? [component] : [...figuresOf(component), ...groupsOf(component)]
}

/** The groups of records that a component shows. */
function groupsOf(component: Component): readonly Groups[] {
  if (component.is !== 'chart' || typeof component.data === 'function') return []
  return namedGroups(component.label, component.data).map(({ data }) => data)
}

/** The figures that a component shows. */
function figuresOf(component: Component): readonly Figure[] {
  const readings =
    'value' in component
      ? [
          component.value,
          ...('max' in component ? [component.max] : []),
          ...(component.is === 'metric' && component.before ? [component.before.value] : []),
        ]
      : []
  return readings.filter((one): one is Figure => typeof one === 'object' && one !== null)
}

/** The pages of components of the panel and its resources, each with its place in the declarations. */
export function allPages(resources: readonly Resource[], pages: readonly Page[]): readonly (readonly [where: string, page: Page])[] {
  const own = resources.flatMap(({ uriKey, morePages }) =>
    [...morePages.values()].filter(isComposed).map((page) => [`${uriKey}.pages.more.${page.uri}`, page] as const),
  )
  return [...pages.map((page) => [`pages.${page.uri}`, page] as const), ...own]
}
