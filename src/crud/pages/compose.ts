import { DaymarkError } from '../../base/errors.js'
import type { PageButton } from '../../resource/action/action.js'
import { permits } from '../../resource/action/policy.js'
import { always } from '../../resource/condition/condition.js'
import { uriOf } from '../../resource/condition/declared.js'
import { pageContext } from '../../resource/page.js'
import {
  type Component,
  everyComponent,
  type FormBuilder,
  insideOf,
  type Metric,
  type TableBuilder,
  type Tabs,
} from '../../resource/pages/component.js'
import type { Reading, ReadingContext } from '../../resource/pages/figure.js'
import { type Page, pageButtons } from '../../resource/pages/own-page.js'
import { sourcesOf } from '../../resource/pages/sources.js'
import { may, mayRun } from '../call/allow.js'
import type { Call, PageCall, PartAsked } from '../call/call.js'
import { lensOf } from '../call/lens.js'
import { resourceNamed } from '../call/resource-named.js'
import { form, formAgain } from '../form/form.js'
import { componentParameter } from '../input/component-query.js'
import { list, listRow } from '../list/list.js'
import { shownFilters } from '../list/shown-filters.js'
import type { Listed, ListedRow } from '../outcomes/lists.js'
import type { Outcome } from '../outcomes/outcome.js'
import type { Composed, Filled, FilledButton, FilledTab, PageAt } from '../outcomes/pages.js'
import type { ChosenFilter } from '../query/chosen-filters.js'
import { whereToQuery } from '../query/where-query.js'
import { applyChoices, choiceLabels } from './apply-choices.js'
import { componentCall, tableCall } from './component-call.js'
import { type Choices, chosenFunction, mayCompare, pageFilterParameters, readChoices } from './page-choices.js'
import { readChart } from './read-chart.js'
import { mayReadColumns, readReading } from './read-figure.js'

/** A page while it is composed. */
interface Composing {
  readonly call: PageCall
  readonly at: PageAt
  readonly page: Page
  readonly ctx: ReadingContext
  readonly choices: Choices
}

/** Reads the data of a page's components. Each has its own policy; those that the caller may not see are left out. */
export async function compose(call: PageCall, at: PageAt, page: Page): Promise<Pick<Composed, 'inside' | 'filters'>> {
  const all = composing(call, at, page)
  const { filters } = all.choices
  if (call.wants.strict) checkQuery(call, page.components, filters)
  const [inside, shown] = await Promise.all([fillAll(all, page.components), shownFilters(call, filters)])
  return { inside, filters: shown }
}

/** One named component of a page, or one of its rows; null: the caller may see none of that name. */
export async function composePart(call: PageCall, at: PageAt, page: Page, asked: PartAsked): Promise<Filled | ListedRow | null> {
  const found = findNamed(call, page, page.components, asked.name)
  if (!found) return null
  const all = composing(call, at, page)
  if (asked.key === null) return fill(all, found.is === 'fragment' ? { ...found, deferred: false } : found)
  const table = applyChoices(found, all.choices, call.realm.locale)
  return table.is === 'table' ? listRow(tableCall(call, table, asked.key), asked.rowNumber) : null
}

/** The names of the components that the caller may request. */
export function partNames(call: PageCall, page: Page, components = page.components): readonly string[] {
  return components
    .filter((one) => isShown(call, page, one))
    .flatMap((one) => [...('name' in one ? [one.name] : []), ...partNames(call, page, insideOf(one))])
}

/** The buttons beside the heading of a page that this caller may use. */
export function buttonsFor(call: PageCall, page: Page): readonly FilledButton[] {
  return page.buttons.filter((one) => mayPress(call, page, one)).map((one) => filledButton(call, page, one))
}

function filledButton({ realm }: PageCall, page: Page, button: PageButton): FilledButton {
  const resource = button.handler === undefined ? null : resourceNamed(realm.resources, button.resource as string)
  const action = resource ? resource.handlers.get(button.handler as string) : page.methods.get(button.method ?? '')
  return { button, number: pageButtons(page).indexOf(button), action: action ?? null, resource }
}

/** Whether a caller may use a button: by its own policy, and by that of what it runs. */
function mayPress(call: PageCall, page: Page, button: PageButton): boolean {
  const { realm, identity } = call
  if (button.can !== undefined && !permits(button.can, identity)) return false
  const { action, resource } = filledButton(call, page, button)
  if (!action) return true
  return resource ? mayRun(realm, identity, resource, action) : action.can === null || permits(action.can, identity)
}

function findNamed(call: PageCall, page: Page, components: readonly Component[], name: string): Component | null {
  for (const one of components) {
    if (!isShown(call, page, one)) continue
    if ('name' in one && one.name === name) return one
    const inside = findNamed(call, page, insideOf(one), name)
    if (inside) return inside
  }
  return null
}

function composing(call: PageCall, at: PageAt, page: Page): Composing {
  const { resource, uri, key } = at
  const on = pageContext({ resourceUri: resource?.uriKey ?? null, pageUri: uri, page: null, resourceItem: key })
  const choices = readChoices(call, page)
  const chosen = chosenFunction(choices, call.realm.timeZone)
  return { call, at, page, choices, ctx: Object.freeze({ ...on, pageUri: uri, user: call.identity, chosen }) }
}

async function fillAll(all: Composing, components: readonly Component[]): Promise<readonly Filled[]> {
  const filled = await Promise.all(components.map((one) => (isShown(all.call, all.page, one) ? fill(all, one) : null)))
  return filled.filter((one) => one !== null)
}

/** Whether the caller may see a component: by its own policy, and by that of the resource that it shows. */
function isShown(call: PageCall, page: Page, component: Component): boolean {
  const { identity, realm } = call
  if (component.can !== undefined && !permits(component.can, identity)) return false
  if (component.is === 'button') return mayPress(call, page, component.button)
  const sources = 'resource' in component ? [] : sourcesOf(component)
  const named = 'resource' in component ? [component.resource] : sources.map((source) => source.resource)
  if (!sources.every((source) => mayReadColumns(call, source)) || !mayCompare(call, component)) return false
  return named.every((one) => {
    const resource = resourceNamed(realm.resources, one)
    if (component.is === 'form') return may(realm, identity, resource, component.item === null ? 'create' : 'update')
    return may(realm, identity, resource, 'viewAny')
  })
}

async function fill(all: Composing, declared: Component): Promise<Filled | null> {
  const { call, ctx } = all
  const component = applyChoices(declared, all.choices, call.realm.locale)
  switch (component.is) {
    case 'heading':
    case 'paragraph':
    case 'alert':
      return { is: 'plain', component }
    case 'button':
      return { is: 'button', button: filledButton(call, all.page, component.button), at: all.at }
    case 'fragment':
      if (component.deferred && call.wants.deferred && !shownNow(call, component.name)) return { is: 'deferred', component }
      return { is: 'group', component, inside: await fillAll(all, component.components) }
    case 'box':
    case 'grid':
    case 'modal':
    case 'off-canvas':
      return { is: 'group', component, inside: await fillAll(all, component.components) }
    case 'tabs':
      return fillTabs(all, component)
    case 'table':
      return { is: 'table', component, list: await listOf(call, component, choiceLabels(declared, all.choices)) }
    case 'form': {
      const formed = await formOf(all, component)
      return formed?.is === 'form' ? { is: 'form', component, form: formed, at: all.at } : null
    }
    case 'metric': {
      const read = (reading: Reading) => readReading(call, reading, ctx)
      const [value, before] = await Promise.all([read(component.value), component.before && read(component.before.value)])
      if (!value || (component.before && !before)) return null
      return { is: 'metric', component, value, before, ...linkOf(call, component) }
    }
    case 'chart': {
      const read = await readChart(call, component, ctx)
      return read && { is: 'chart', component, read }
    }
    case 'badge': {
      const value = await readReading(call, component.value, ctx)
      return value && { is: 'badge', component, value }
    }
    case 'progress': {
      const [value, max] = await Promise.all([readReading(call, component.value, ctx), readReading(call, component.max, ctx)])
      return value && max && { is: 'progress', component, value, max }
    }
  }
}

/** @throws DaymarkError naming the parameters as the page's URL has them */
async function listOf(call: PageCall, component: TableBuilder, chosen: readonly string[]): Promise<Listed> {
  const own = tableCall(call, component, null)
  try {
    return (await list(chosen.length > 0 && own.preset ? { ...own, preset: { ...own.preset, chosen } } : own)) as Listed
  } catch (thrown) {
    if (!(thrown instanceof DaymarkError) || thrown.code !== 'invalid') throw thrown
    const errors = [...thrown.errors].map(([name, texts]) => [componentParameter(component.name, name), texts] as const)
    throw new DaymarkError('invalid', thrown.message, { errors, headers: thrown.headers, cause: thrown })
  }
}

/**
 * A form as the caller may see it; null: its record is not there for them, or they may not change it. A page about that very record says
 * so instead.
 *
 * @throws DaymarkError `notFound` or `forbidden` on such a page
 */
async function formOf({ call, at }: Composing, component: FormBuilder): Promise<Outcome | null> {
  const own = formCall(call, component)
  if (call.again?.name === component.name) return formAgain(own, call.again.error)
  const isAbout = component.item !== null && component.item === at.key && own.resource === at.resource
  try {
    return await form(untyped(own))
  } catch (thrown) {
    const isRefusal = thrown instanceof DaymarkError && (thrown.code === 'notFound' || thrown.code === 'forbidden')
    if (!isRefusal || isAbout) throw thrown
    return null
  }
}

/** Reads only the tab that is shown; in JSON, where none is shown, all of them. */
async function fillTabs(all: Composing, component: Tabs): Promise<Filled> {
  const asked = all.call.input.query.get(component.name)?.at(-1)
  const current = component.tabs.find((tab) => tab.uri === asked)?.uri ?? component.tabs[0]?.uri ?? ''
  const read = async ({ uri, label, components }: Tabs['tabs'][number]): Promise<FilledTab> => ({
    uri,
    label,
    inside: uri === current || !all.call.wants.deferred ? await fillAll(all, components) : null,
  })
  return { is: 'tabs', component, tabs: await Promise.all(component.tabs.map(read)), current }
}

/** Whether the URL asks for a deferred fragment at once, which is how it loads without JavaScript. */
function shownNow({ input }: PageCall, name: string): boolean {
  return input.query.get('_fragment-show')?.includes(name) ?? false
}

/** Where a metric leads: if it counts records of the resource that it leads to, to those, as far as the filters of that can say which. */
function linkOf({ identity, realm }: PageCall, { link, value }: Metric): Pick<Extract<Filled, { is: 'metric' }>, 'link' | 'query'> {
  if (link === null || typeof link === 'string') return { link, query: [] }
  const resource = resourceNamed(realm.resources, link)
  if (!may(realm, identity, resource, 'viewAny')) return { link: null, query: [] }
  const counted = typeof value === 'object' && value !== null && uriOf(value.resource) === uriOf(link) ? value.where : null
  return { link: resource, query: whereToQuery(counted, lensOf(identity, resource, { name: 'index', whole: false }), realm) ?? [] }
}

function formCall(call: PageCall, { name, title, resource, fields, item }: FormBuilder): Call {
  const preset = { name, page: null, title, fields, where: always, sort: null, limit: null, perPage: null, async: false }
  const made = componentCall(call, resource, preset, item)
  return { ...made, input: { ...made.input, query: new Map() }, wants: { ...made.wants, view: 'form' } }
}

/** A body from another form does not belong to this one. */
function untyped(call: Call): Call {
  return { ...call, input: { ...call.input, body: { from: 'none' } } }
}

/** For programs, a parameter that no component takes is an error. */
function checkQuery({ input, realm: { t } }: PageCall, components: readonly Component[], filters: readonly ChosenFilter[]): void {
  const taken = [...everyComponent(components)].flatMap((one) => (one.is === 'table' ? [one.name] : []))
  const own = filters.flatMap(({ name, filter }) => pageFilterParameters(name, filter))
  for (const name of input.query.keys()) {
    if (own.includes(name) || taken.some((one) => name.startsWith(`${one}[`))) continue
    const names = [...own, ...taken.map((one) => `${one}[…]`)].join(', ')
    const text = names === '' ? t('query.takesNone', { name }) : t('query.unknown', { name, names })
    throw new DaymarkError('invalid', text, { errors: [[name, [text]]] })
  }
}
