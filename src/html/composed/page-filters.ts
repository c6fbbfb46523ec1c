import { type Html, html } from '../../base/html.js'
import type { ShownFilter } from '../../crud/outcomes/lists.js'
import { pageFilterParameters } from '../../crud/pages/page-choices.js'
import type { ChosenFilter, ChosenPeriodFilter, ChosenValueFilter } from '../../crud/query/chosen-filters.js'
import { urlToTyped } from '../../crud/query/normalize-filters.js'
import type { PresenterContext } from '../../face/face.js'
import { daysWords, dayText, lastDay } from '../../field/span.js'
import { notice } from '../components/notice.js'
import { type PageFilterView, pageFilterBar } from '../components/page-filters.js'
import { controlContext } from '../frame/view-context.js'
import { filterField, relationControl, valueText } from '../list/filters.js'
import { listUrl, listUrlWithout, pairs } from '../list/list-url.js'

/** The controls by which users choose what a page shows. */
export function pageFilters(all: readonly ShownFilter[], at: PresenterContext): Html {
  const named = all.flatMap(parametersIn)
  const days = all.map((one) => ('span' in one && one.span?.name ? one.span : null)).find((span) => span !== null)
  const bar = pageFilterBar(
    {
      action: at.path,
      filters: all.map((one) => ('span' in one ? periodView(one, at) : valueView(one, at))),
      days: days ? daysWords(days, at.realm.locale) : null,
      reset: all.some(isChosen) ? listUrlWithout(at, (name) => named.includes(name) || isTurned(name)) : null,
    },
    at.realm.t,
  )
  const wrong = all.filter(({ problems }) => problems.size > 0)
  // One of them is open, and says it; no more than one can be.
  if (wrong.length < 2) return bar
  const lines = wrong.flatMap(({ problems }) =>
    [...problems].flatMap(([name, texts]) => texts.map((text) => ({ text, href: listUrlWithout(at, (one) => one === name) }))),
  )
  return html`${bar}${notice('warn', at.realm.t('list.notFiltered'), lines)}`
}

/** Whether something else is chosen than the page begins with. */
function isChosen(one: ChosenFilter): boolean {
  return 'span' in one
    ? (one.span?.name ?? null) !== one.filter.initial || (one.span !== null && one.span.name === null)
    : one.value !== null
}

const parametersIn = ({ name, filter }: ChosenFilter) => pageFilterParameters(name, filter)

/** Other records have other pages. */
const isTurned = (name: string) => /\[(?:page|cursor)\]$/.test(name)

/** The parameters that the form of a filter keeps. */
function keptBy(one: ChosenFilter, at: PresenterContext) {
  const own = parametersIn(one)
  return pairs(at.query).filter(([name]) => !own.includes(name) && !isTurned(name))
}

function periodView(one: ChosenPeriodFilter, at: PresenterContext): PageFilterView {
  const { name, label, filter, span, problems } = one
  const { t } = at.realm
  const [, from, to] = pageFilterParameters(name, filter) as [string, string, string]
  const away = { [name]: null, [from]: null, [to]: null }
  const without = { ...at, query: new Map([...at.query].filter(([parameter]) => !isTurned(parameter))) }
  const ready = (value: string | null, text: string, current: boolean) => ({
    label: text,
    href: listUrl(without, { ...away, [name]: value === filter.initial ? null : value }),
    current,
  })
  // What was typed stays, to be corrected.
  const isWrong = problems.has(from) || problems.has(to)
  const end = (parameter: string, day: number | null, text: string) => ({
    id: `filter-${parameter}`,
    name: parameter,
    label: text,
    value: isWrong ? (at.query.get(parameter)?.at(-1) ?? '') : day === null ? '' : dayText(day),
    errors: problems.get(parameter) ?? [],
  })
  const own = span?.name === null ? span : null
  return {
    id: name,
    label,
    now: span === null ? null : span.name === null ? daysWords(span, at.realm.locale) : t(`within.${span.name}`),
    on: isChosen(one),
    open: problems.size > 0,
    keep: keptBy(one, at),
    errors: problems.get(name) ?? [],
    ready: [
      ...(filter.initial === null ? [ready(null, t('filter.anyTime'), span === null)] : []),
      ...filter.options.map((option) => ready(option, t(`within.${option}`), span?.name === option)),
    ],
    ends: [end(from, own?.from ?? null, t('list.from')), end(to, own && lastDay(own), t('list.to'))],
  }
}

function valueView(one: ChosenValueFilter & ShownFilter, at: PresenterContext): PageFilterView {
  const { name, label, field, resource, value, text, asked, problems } = one
  const { realm } = at
  const errors = problems.get(name) ?? []
  const control = { id: `filter-${name}`, name }
  return {
    id: name,
    label,
    now: value === null ? null : valueText(field, text, asked.named, realm),
    on: value !== null,
    open: errors.length > 0 || asked.found.size > 0,
    keep: keptBy(one, at),
    errors,
    control: realm.links.has(field)
      ? relationControl({ ...control, text: value === null ? '' : text }, field, asked, resource, at, name)
      : field.kind.filter(urlToTyped(field, text, realm), filterField(field), controlContext(realm, { ...control, error: errors })),
    controlId: control.id,
  }
}
