import { block, type Html, html } from '../../base/html.js'
import type { Realm } from '../../crud/call/call.js'
import { valueWords } from '../../crud/call/value-words.js'
import { isFilterParameter } from '../../crud/input/filter-parameters.js'
import type { Listed } from '../../crud/outcomes/lists.js'
import type { AppliedFilter } from '../../crud/query/filters.js'
import type { Listing } from '../../crud/query/list-query.js'
import { filterAlternatives } from '../../crud/query/match-any.js'
import { urlToTyped } from '../../crud/query/normalize-filters.js'
import { tablesToChoose } from '../../crud/relation/history-subjects.js'
import { incomingOperator } from '../../crud/relation/incoming-relations.js'
import type { Related } from '../../crud/relation/related.js'
import { relatedWords } from '../../crud/relation/related-label.js'
import type { PresenterContext } from '../../face/face.js'
import { parseText } from '../../field/check.js'
import type { Bound, Operator } from '../../field/field.js'
import { operatorsOf } from '../../field/kind.js'
import { isWithin, type Within, withins } from '../../field/within.js'
import { inAddress } from '../../field/zone.js'
import { isSelective } from '../../resource/relation/narrowing.js'
import type { Resource } from '../../resource/resource.js'
import { url } from '../../route/url.js'
import type { ChipsView } from '../components/chips.js'
import type { FilterView } from '../components/filter.js'
import { relationFilter } from '../components/relation-filter.js'
import { ownSearchUrl } from '../frame/record-urls.js'
import { controlContext } from '../frame/view-context.js'
import { listUrl, listUrlWithout } from './list-url.js'

type Pair = readonly [name: string, value: string]

/** The controls for a list's filters, and hidden inputs for applied filters that no control can show. */
export function filterViews(
  { lens, listing, asked }: Pick<Listed, 'lens' | 'listing' | 'asked'>,
  at: PresenterContext,
): { readonly views: readonly FilterView[]; readonly hidden: readonly Pair[] } {
  const { realm } = at
  const hidden: Pair[] = []
  const views: FilterView[] = []
  for (const [key, field] of listing.filterable) {
    const applied = listing.filters.filter((one) => one.field === field)
    const tables = tablesToChoose(realm, field)
    const shown = tables ? (['eq'] as const) : shownOperators(field)
    const several = field.kind.filterSeveral
    const isShown = ({ operator, texts }: AppliedFilter) => shown.includes(operator) && (texts.length === 1 || several !== null)
    for (const one of applied)
      if (!isShown(one)) for (const text of one.texts) hidden.push([filterName(one.field.key, one.operator, one.texts.length > 1), text])
    views.push({
      key,
      label: field.label,
      applied: applied.length > 0,
      open: asked.found.has(key),
      group: several !== null && shown.includes('eq'),
      controls: shown.map((operator) => {
        const id = `filter-${key}-${operator}`
        const now = applied.find((one) => one.operator === operator && isShown(one))
        const name = filterName(key, operator, false)
        // A rejected value stays in the control, to be corrected.
        const texts = now?.texts ?? at.query.get(name) ?? []
        const [text = ''] = texts
        const errors = listing.problems.get(name) ?? []
        const control = realm.links.has(field)
          ? relationControl({ id, name, text }, field, asked, lens.resource, at)
          : tables
            ? tableChoice({ id, name, text }, tables, realm)
            : operator === 'within'
              ? periodChoice({ id, name, text }, realm)
              : operator === 'null'
                ? emptiness({ id, name, text }, field, realm)
                : several && operator === 'eq'
                  ? several(texts, field, controlContext(realm, { id, name: filterName(key, operator, true) }))
                  : field.kind.filter(
                      isPart(operator) ? text : urlToTyped(field, text, realm),
                      filterField(field),
                      controlContext(realm, { id, name, error: errors }),
                    )
        return { id, control, errors }
      }),
    })
  }
  return { views, hidden }
}

interface Control {
  readonly id: string
  readonly name: string
  readonly text: string
}

/** A filter for empty or not, for fields with no other operator. */
function emptiness({ text, ...control }: Control, { label }: Bound, { t }: Realm): Html {
  const chosen = /^(?:1|true)$/.test(text) ? '1' : text === '' ? '' : '0'
  return oneOf({ ...control, text: chosen }, [
    ['', t('list.any')],
    ['1', t('filter.empty', { label })],
    ['0', t('filter.notEmpty', { label })],
  ])
}

/** A filter by a period that is told from now on. */
function periodChoice(control: Control, { t }: Realm): Html {
  const all = Object.keys(withins) as Within[]
  return oneOf(control, [['', t('filter.anyTime')], ...all.map((one): Pair => [one, t(`within.${one}`)])], t('filter.period'))
}

/** A filter by one of the tables with a history. One that is not among them any more stays chosen. */
function tableChoice(control: Control, tables: ReadonlyMap<string, string>, { t }: Realm): Html {
  const { text } = control
  const gone: readonly Pair[] = text === '' || tables.has(text) ? [] : [[text, text]]
  return oneOf(control, [['', t('list.any')], ...tables, ...gone])
}

function oneOf({ id, name, text }: Control, options: readonly Pair[], label?: string): Html {
  return block`
    <select id="${id}" name="${name}"${label !== undefined && html` aria-label="${label}"`}>
      ${options.map(([value, words]) => html`<option value="${value}"${value === text && html` selected`}>${words}</option>`)}
    </select>
  `
}

/** A relation filter searches, however many records there are. */
export function relationControl(
  { id, name, text }: Control,
  field: Bound,
  { named, found }: Listed['asked'],
  resource: Resource,
  { realm, place }: PresenterContext,
  key = field.key,
): Html {
  const through = realm.throughs.get(resource)?.get(field.key)
  const now = text === '' ? null : { key: text, label: valueText(field, text, named, realm) }
  return relationFilter(
    {
      id,
      name,
      key,
      label: field.label,
      now,
      url: searchUrl(through?.of ?? field, (through?.target ?? resource).uriKey, realm, place),
      found: found.get(field.key) ?? null,
    },
    realm.t,
  )
}

/** Records are filtered by any related one, even if not all can be chosen. */
function searchUrl(field: Bound, resourceUri: string, realm: Realm, place: PresenterContext['place']): string {
  const target = realm.links.get(field)
  const own = target && isSelective(field) ? ownSearchUrl({ realm, place }, target) : null
  return own ?? url(place, 'async-search', { resourceUri, field: field.key })
}

/** The search and the applied filters as chips, these in the toolbar's order whatever the URL's; null: there are none. */
export function chipsOf({ listing, asked, lens }: Pick<Listed, 'lens' | 'listing' | 'asked'>, at: PresenterContext): ChipsView | null {
  const { t } = at.realm
  const { search, filters, matchesAny } = listing
  if (search === '' && filters.length === 0) return null
  const all = filterAlternatives(inOrder(filters, lens.resource))
  const way = (match: 'any' | null, label: string) => ({ label, href: listUrl(at, { match }), current: matchesAny === (match === 'any') })
  const joined = (i: number, j: number) => (!matchesAny || i + j === 0 ? null : t(j === 0 ? 'filter.or' : 'filter.and'))
  return {
    search:
      search === ''
        ? null
        : { text: t('filter.search', { value: apart(search, search) }), remove: listUrlWithout(at, (name) => name === 'search') },
    filters: all.flatMap((together, i) =>
      together.map((filter, j) => ({
        text: filterText(filter, asked.named, at.realm),
        remove: listUrlWithout(at, isParameter(filter)),
        joined: joined(i, j),
      })),
    ),
    matches: all.length < 2 ? [] : [way(null, t('filter.all')), way('any', t('filter.any'))],
    clear: clearUrl(at),
  }
}

function inOrder(all: readonly AppliedFilter[], { filters }: Resource): readonly AppliedFilter[] {
  const place = ({ field }: AppliedFilter) => filters.indexOf(field.key)
  return [...all].sort((a, b) => place(a) - place(b))
}

/** The URL of the list without filters and search. */
export function clearUrl(at: PresenterContext): string {
  return listUrlWithout(at, (name) => isFilterParameter(name) && name !== 'query-tag')
}

/** Whether a filter, a search or a tag narrows the list. */
export function isNarrowed({ filters, search, tag }: Listing): boolean {
  return filters.length > 0 || search !== '' || tag !== null
}

const isPart = (operator: Operator) => operator === 'contains' || operator === 'startsWith'

/** The operators with controls: both ends for ranges, part of a text, equality, or else only whether there is a value. */
function shownOperators(field: Bound): readonly Operator[] {
  const operators = operatorsOf(field)
  const has = (operator: Operator) => operators.includes(operator)
  if (has('from') && has('to')) return has('within') ? ['within', 'from', 'to'] : ['from', 'to']
  return [has('contains') ? 'contains' : has('eq') ? 'eq' : 'null']
}

function filterName(key: string, operator: Operator, several: boolean): string {
  return operator === 'eq' ? `filter[${key}]${several ? '[]' : ''}` : `filter[${key}][${operator}]`
}

/** The name of the filter for the records that a relation leads from to one. */
export const incomingFilter = (field: Bound): string => filterName(field.key, incomingOperator(field), false)

const plain = new WeakMap<Bound, Bound>()

// Filters need neither a required mark nor hints.
export function filterField(field: Bound): Bound {
  const known = plain.get(field) ?? { ...field, required: false, readOnly: false, hint: null, placeholder: null }
  plain.set(field, known)
  return known
}

function isParameter({ field, operator }: AppliedFilter): (name: string) => boolean {
  const exact = `filter[${field.key}]`
  if (operator !== 'eq') return (name) => name === `${exact}[${operator}]`
  return (name) => name === exact || name === `${exact}[eq]` || (name.startsWith(`${exact}[`) && /\[\d*\]$/.test(name))
}

const texts = {
  eq: 'filter.is',
  ne: 'filter.ne',
  gt: 'filter.above',
  gte: 'filter.from',
  from: 'filter.from',
  lt: 'filter.below',
  lte: 'filter.to',
  to: 'filter.to',
  contains: 'filter.contains',
  startsWith: 'filter.startsWith',
  within: 'filter.is',
} as const

function filterText({ field, operator, texts: given }: AppliedFilter, named: Related, realm: Realm): string {
  const { label } = field
  if (operator === 'null')
    return /^(?:1|true)$/.test(given[0] as string) ? realm.t('filter.empty', { label }) : realm.t('filter.notEmpty', { label })
  const said = (text: string) =>
    operator === 'within' && isWithin(text) ? realm.t(`within.${text}`) : valueText(field, text, named, realm)
  const value = given.map(said).join(', ')
  return realm.t(isOne(field, operator) ? 'filter.is' : texts[operator], {
    label: apart(label, label + value),
    value: apart(value, label + value),
  })
}

// Letters of scripts that run so, and the mark that languages of such scripts put into dates.
const isRightToLeft = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc]/

/**
 * A text within another one, whose direction has no effect on that: by the characters that do what `bdi` does, since tooltips have no
 * elements. Only if anything of the `whole` runs from right to left.
 */
function apart(text: string, whole: string): string {
  return isRightToLeft.test(whole) ? `\u2068${text}\u2069` : text
}

export function valueText(field: Bound, text: string, named: Related, realm: Realm): string {
  const title = tablesToChoose(realm, field)?.get(text)
  if (title !== undefined) return title
  const value = parseText(field, text, inAddress(realm))?.value
  const other = named.get(field.key)
  if (other && value !== undefined && value !== null) return relatedWords(other, field, value, realm.locale, realm.t) ?? text
  return value === undefined || value === null || field.kind.relation ? text : valueWords(field, value, realm)
}

/** Whether the filter asks for one of a list's values. */
const isOne = (field: Bound, operator: Operator) => operator === 'contains' && field.kind.many(field)
