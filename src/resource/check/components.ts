import { choicesIn, chosenWhere } from '../condition/chosen-where.js'
import { uriOf } from '../condition/declared.js'
import { asSpan, filterOf, isChoice, type PageFilter, type PeriodBefore } from '../condition/page-choice.js'
import { type Component, everyComponent } from '../pages/component.js'
import type { Figure } from '../pages/figure.js'
import type { Page } from '../pages/own-page.js'
import { figuresOf, groupsOf } from '../pages/sources.js'
import { overFault } from '../pages/summary.js'
import { list, type Say } from '../problem.js'
import { whereOf } from '../relation/reach.js'
import type { Resource } from '../resource.js'
import { unsortedText } from '../unsorted.js'
import { checkChart } from './chart.js'
import { uriFault } from './uri-form.js'
import { checkPolicy } from './written.js'

/** What users choose on a page. */
type Filters = Page['filters']

/** What is wrong with the components of a page. */
export function checkComponents(
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

/** What is wrong with the condition of a component or a page. */
export function checkWhere(where: unknown, resource: Resource, at: string, say: Say, filters: Filters = new Map()): void {
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

/** The resource of this name; null: the panel has none, which is said. */
export function named(
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
