import type { Identity } from '../../auth/identity.js'
import { DaymarkError } from '../../base/errors.js'
import { askedFault, parseValue } from '../../field/check.js'
import type { Bound } from '../../field/field.js'
import { dayAt, endsOfSpan, isNever, type Span, spanBefore, spanFrom, spanOf } from '../../field/span.js'
import { isWithin } from '../../field/within.js'
import { inAddress } from '../../field/zone.js'
import { comparedIn } from '../../resource/condition/chosen-where.js'
import {
  asSpan,
  filterOf,
  isChoice,
  isSpan,
  type PageFilter,
  type PeriodBefore,
  type PeriodFilter,
  type ValueFilter,
} from '../../resource/condition/page-choice.js'
import type { Component } from '../../resource/pages/component.js'
import type { ReadingContext } from '../../resource/pages/figure.js'
import type { Page } from '../../resource/pages/own-page.js'
import { shownOf } from '../../resource/pages/sources.js'
import type { Resource } from '../../resource/resource.js'
import { may } from '../call/allow.js'
import type { PageCall } from '../call/call.js'
import { lensOf } from '../call/lens.js'
import { resourceNamed } from '../call/resource-named.js'
import type { ChosenFilter, ChosenPeriodFilter, ChosenValueFilter } from '../query/chosen-filters.js'
import { comparisonFault } from '../query/filter-condition.js'
import { typedToUrl } from '../query/normalize-filters.js'
import { withinNames } from '../query/within-names.js'

/** What a call has chosen on a page. */
export interface Choices {
  /** The filters that the caller may use, in the order of the page. */
  readonly filters: readonly ChosenFilter[]
  /** What was chosen by one; null: nothing. */
  of(choice: PageFilter | PeriodBefore): unknown
}

/**
 * Reads what is chosen on a page from its URL.
 *
 * @throws DaymarkError `invalid` if a program asks for what cannot be chosen
 */
export function readChoices(call: PageCall, page: Page): Choices {
  const filters = [...page.filters].flatMap(([name, filter]): readonly ChosenFilter[] =>
    filter.is === 'period' ? [periodOf(call, name, filter)] : valueChosenBy(call, name, filter),
  )
  const errors = filters.flatMap(({ problems }) => [...problems])
  if (call.wants.strict && errors.length > 0) throw new DaymarkError('invalid', errors[0]?.[1][0] ?? '', { errors })
  return { filters, of: (choice) => chosenBy(filters, page, choice) }
}

/** The parameters that a filter takes. */
export function pageFilterParameters(name: string, filter: PageFilter): readonly string[] {
  return filter.is === 'period' ? [name, ...endsOfName(name)] : [name]
}

const endsOfName = (name: string) => [`${name}[from]`, `${name}[to]`] as const

function chosenBy(filters: readonly ChosenFilter[], page: Page, choice: PageFilter | PeriodBefore): unknown {
  const filter = filterOf(choice, page.filters.values())
  if (!filter) throw new TypeError(`The page "${page.uri}" has no such filter`)
  const found = filters.find((one) => one.filter === filter)
  if (!found) return null
  if (!('span' in found)) return found.value
  if (found.span === null || choice.is !== 'before') return found.span
  const before = spanBefore(found.span)
  return isNever(before) ? null : asSpan(before)
}

function periodOf({ input: { query }, realm: { t, timeZone }, wants }: PageCall, name: string, filter: PeriodFilter): ChosenPeriodFilter {
  const problems = new Map<string, readonly string[]>()
  const label = filter.label ?? t('filter.period')
  const [from, to] = endsOfName(name)
  const one = (parameter: string) => {
    const texts = (query.get(parameter) ?? []).filter((text) => text !== '')
    if (texts.length > 1) problems.set(parameter, [t('query.repeated', { name: parameter })])
    return texts.length === 1 ? (texts[0] as string) : ''
  }
  const [named, first, last] = [one(name), one(from), one(to)]
  const isReady = isWithin(named) && filter.options.includes(named)
  if (named !== '' && !isReady) problems.set(name, [t('field.notOption', { label, options: withinNames(filter.options, wants.strict, t) })])
  const ends = wants.strict ? { name, from, to } : { name: label, from: t('list.from'), to: t('list.to') }
  if (named !== '' && (first !== '' || last !== '')) problems.set(name, [t('pageFilter.both', ends)])
  const days = daysOf()
  const ready = isReady ? named : filter.initial
  return { name, label, problems, filter, span: days ?? (ready === null ? null : asSpan(spanOf(ready, timeZone))) }

  function daysOf(): Span | null {
    if (first === '' && last === '') return null
    const at = (parameter: string, text: string) => {
      const day = dayAt(text)
      if (day === null) problems.set(parameter, [t('field.notDate', { label: t(parameter === from ? 'list.from' : 'list.to') })])
      return day
    }
    if (first === '') problems.set(from, [t('pageFilter.noFrom')])
    const begins = first === '' ? null : at(from, first)
    // What has begun goes on until today.
    const ends = last === '' ? Math.max(begins ?? 0, spanOf('today', timeZone).from) : at(to, last)
    if (begins === null || ends === null) return null
    if (ends < begins) problems.set(to, [t('pageFilter.toBefore')])
    return ends < begins ? null : asSpan(spanFrom(begins, ends))
  }
}

/** The field of a filter. Undefined if the caller may not see it: what it holds could be found out by asking for it. */
function fieldOf({ identity, realm }: PageCall, filter: ValueFilter): Bound | undefined {
  const resource = resourceNamed(realm.resources, filter.resource)
  return may(realm, identity, resource, 'viewAny') ? readableOf(identity, resource).get(filter.field) : undefined
}

const readableOf = (identity: Identity, resource: Resource) => lensOf(identity, resource, { name: 'index', whole: false }).readable

/** Whether the caller may see each field that a component compares with what they choose: they could find out what it holds. */
export function mayCompare(call: PageCall, component: Component): boolean {
  const { identity, realm } = call
  return shownOf(component).every(({ resource: named, where }) =>
    comparedIn(where).every(({ column, table, choice }) => {
      if (choice.is === 'value' && !fieldOf(call, choice)) return true
      const of = table
        ? [...realm.resources.values()].filter(({ model }) => model.table === table)
        : [resourceNamed(realm.resources, named)]
      const having = of.filter(({ fields }) => fields.has(column))
      return having.length === 0 || having.some((one) => readableOf(identity, one).has(column))
    }),
  )
}

function valueChosenBy(call: PageCall, name: string, filter: ValueFilter): readonly ChosenValueFilter[] {
  const { realm, input, wants } = call
  const resource = resourceNamed(realm.resources, filter.resource)
  const field = fieldOf(call, filter)
  if (!field) return []
  const problems = new Map<string, readonly string[]>()
  const texts = (input.query.get(name) ?? []).filter((text) => text !== '')
  if (texts.length > 1) problems.set(name, [realm.t('query.repeated', { name })])
  const asked = texts.length === 1 ? (texts[0] as string) : ''
  // As in lists: people type numbers in their language.
  const text = wants.strict ? asked : typedToUrl(field, asked, realm)
  const wire = text === '' ? null : field.kind.read(text, field, inAddress(realm))
  const read = text === '' ? null : parseValue(field, wire)
  const made = read && ({ op: 'eq', column: field.key, value: read.value } as const)
  const label = filter.label ?? field.label
  const fault = made && comparisonFault(field.key, { ...field, label }, resource.model, made, realm.t)
  if (text !== '' && !read) problems.set(name, [askedFault({ ...field, label }, wire, realm.t)])
  else if (fault !== null) problems.set(name, [fault])
  const isRead = made !== null && fault === null
  return [{ name, label, problems, filter, resource, field, value: isRead ? made.value : null, text }]
}

/** What a page's own functions get. */
export function chosenFunction(choices: Choices, timeZone: string): ReadingContext['chosen'] {
  return <V>(filter: unknown) => {
    if (!isChoice(filter)) throw new TypeError('chosen() takes a filter of the page')
    const found = choices.of(filter)
    if (!isSpan(found)) return found as V | null
    const [from, until] = endsOfSpan(found, 'instant', timeZone)
    return { from: new Date(from), until: new Date(until) } as V
  }
}
