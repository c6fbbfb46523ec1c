import { DaymarkError, invalid } from '../../base/errors.js'
import type { Translate } from '../../base/messages.js'
import { type KeyValue, parseKey } from '../../field/key.js'
import type { Call } from '../call/call.js'
import type { Input, Query } from '../call/input.js'
import { filterParameterNames, isFilterParameter } from './filter-parameters.js'
import { panelParameter, panelText } from './panel-text.js'

const idsName = /^ids(?:\[\d*\])?$/

/** Whether a parameter names the selected records. */
export function isIdsName(name: string): boolean {
  return idsName.test(name)
}

/** Whether a parameter belongs to a list, and so says which list `_all` means. */
export function isListName(name: string): boolean {
  return isFilterParameter(name) || listNames.has(name)
}

const listNames = new Set(['page', 'perPage', 'cursor', 'sort', 'fields', 'include', 'total'])

/** Whether all records of a list are meant, instead of named ones. */
export function selectsAll(input: Pick<Input, 'query' | 'body'>): boolean {
  return meaningAll.has(panelParameter(input, '_all'))
}

const meaningAll = new Set(['1', 'true'])

/**
 * @throws DaymarkError `invalid` if it is unclear whether all are meant: none would be acted on, and nobody would know; or if their number is
 * none
 */
export function checkAll({ input, realm: { t } }: Pick<Call, 'input' | 'realm'>): void {
  const { body } = input
  const json = body.from === 'json' ? body.fields : new Map<string, unknown>()
  const isNot = panelParameter(input, '_all') === '' || json.get('_all') === false
  if (!isNot && !selectsAll(input)) throw invalid('_all', t('ids.all'))
  const total = panelParameter(input, '_total')
  if ((total !== '' && !isCount(total)) || json.get('_total') === true) throw invalid('_total', totalText(t))
}

const isCount = (text: string) => /^(?:0|[1-9]\d{0,14})$/.test(text)

export const totalText = (t: Translate) => t('query.notWhole', { name: '_total', min: 0 })

/** The refusal of a request that selects no records, in the words of people or of programs. */
export function noneSelectedError({ realm, wants }: Pick<Call, 'realm' | 'wants'>): DaymarkError {
  return invalid('ids', realm.t(wants.strict ? 'ids.none' : 'ids.select'))
}

/**
 * The keys of a mass delete: `ids[]=`, `ids[0]=` or `ids=` in the query or in a form, `ids` or `ids[]` in JSON. Duplicates count once.
 *
 * @throws DaymarkError `invalid` if there are none, too many, or a malformed one; or if query and body differ
 */
export function idsOf(call: Call): readonly KeyValue[] {
  // The form around a list also sends the list's filters, since it may mean all records.
  const listed = isPageForm(call.input) && panelText(call.input, '_total') !== ''
  checkNamed(call, (name) => isIdsName(name) || (listed && isListName(name)), 'ids[]')
  const keys = namedKeys(call)
  if (keys.length === 0) throw noneSelectedError(call)
  return keys
}

/**
 * Checks the parameters of a mass delete of a whole list. An ignored filter would delete more than was meant.
 *
 * @throws DaymarkError `invalid` for any other parameter
 */
export function checkAllNamed(call: Call): void {
  checkNamed(
    call,
    (name) => name === '_all' || name === '_total' || name === '_list' || isIdsName(name) || isListName(name),
    `_all, _total, _list, ${filterParameterNames}`,
  )
}

/**
 * Checks that a body does nothing but select records of a list. Returns whether it is that of a form of a page.
 *
 * @throws DaymarkError `invalid` for any other name
 */
export function checkOnlySelection({ input, realm: { t } }: Call): boolean {
  const { body } = input
  const isKnown = (name: string) => isIdsName(name) || ofAll.has(name) || isFilterParameter(name)
  const sent = body.from === 'none' ? [] : [...body.fields.keys()]
  const errors = sent.filter((name) => !isKnown(name)).map((name) => [name, [t('query.unknown', { name, names: selectingNames })]] as const)
  if (errors.length > 0) throw new DaymarkError('invalid', errors[0]?.[1][0] as string, { errors })
  return isPageForm(input)
}

const ofAll = new Set(['_all', '_total', '_list'])
const selectingNames = `ids, _all, _total, _list, ${filterParameterNames}`

function checkNamed({ input: { query, body }, realm: { t } }: Call, isKnown: (name: string) => boolean, names: string): void {
  const sent = [...query.keys(), ...(body.from === 'none' ? [] : body.fields.keys())]
  const errors = sent.filter((name) => !isKnown(name)).map((name) => [name, [t('query.unknown', { name, names })]] as const)
  if (errors.length > 0) throw new DaymarkError('invalid', errors[0]?.[1][0] as string, { errors })
}

/** Names that belong to the action, even if a list has a parameter of that name: in its body, or in the query of a GET. */
export type ReservedNames = Pick<ReadonlySet<string>, 'has'>

export const noReservedNames: ReservedNames = new Set<string>()

/**
 * The filters of a list, from the query or the body, without its page and sort.
 *
 * @throws DaymarkError `invalid` for a filter that is not text, or differs between query and body
 */
export function listFilters({ query, body, method }: Input, t: Translate, taken: ReservedNames = noReservedNames): Query {
  const list = new Map<string, readonly string[]>()
  const sent: ReadonlyMap<string, unknown> = body.from === 'none' ? new Map() : body.fields
  for (const [name, given] of sent) if (isFilterParameter(name) && !taken.has(name)) list.set(name, filterTexts(name, given, t))
  for (const [name, texts] of query) {
    if (!isFilterParameter(name) || (method === 'GET' && taken.has(name))) continue
    const other = list.get(name)
    if (other && !same(texts, other)) throw invalid(name, t('query.repeated', { name }))
    list.set(name, texts)
  }
  return list
}

/** A filter as the texts that it would have in a URL. */
function filterTexts(name: string, given: unknown, t: Translate): readonly string[] {
  const all: readonly unknown[] = Array.isArray(given) ? given : [given]
  if (!all.every((one) => ['string', 'number', 'boolean'].includes(typeof one))) throw invalid(name, t('field.notText', { label: name }))
  return all.map(String)
}

/**
 * Whether records are named as well as `_all`, so that it is unclear which was meant. The form around a list is exempt: it always sends its
 * page's checkboxes.
 */
export function selectsBoth(input: Input): boolean {
  const { query, body } = input
  const inBody = body.from !== 'none' && !isPageForm(input) && [...body.fields.keys()].some(isIdsName)
  return inBody || [...query.keys()].some(isIdsName)
}

/** Whether this is a form of a page: browsers send forms as POST only, with the real method in `_method`. */
function isPageForm({ body, method }: Input): boolean {
  return body.from === 'form' && (method === 'POST' || body.panel.has('_method'))
}

/**
 * The named keys without duplicates; empty: none was named.
 *
 * @param most how many there may be
 */
export function namedKeys({ input, resource, realm }: Call, most: number = resource.maxMassDelete): readonly KeyValue[] {
  const { t } = realm
  const fromQuery = texts(input.query, 'query')
  const fromBody = input.body.from === 'none' ? null : texts(input.body.fields, input.body.from)
  if (fromQuery && fromBody && !same(fromQuery, fromBody)) throw invalid('ids', t('ids.twice'))
  const ids = new Set(fromQuery ?? fromBody ?? [])
  if (ids.size > most) throw invalid('ids', t('ids.tooMany', { max: most }))
  return [...ids].map((text) => {
    const key = parseKey(text, resource.model.key)
    if (key === undefined) throw invalid('ids', t('ids.malformed'))
    return key
  })

  function texts(named: ReadonlyMap<string, unknown>, from: 'query' | 'json' | 'form'): readonly string[] | null {
    let found: string[] | null = null
    for (const [name, given] of named) {
      if (!idsName.test(name)) continue
      if (!Array.isArray(given) || !given.every((id) => typeof id === 'string' || (from === 'json' && Number.isSafeInteger(id))))
        throw invalid('ids', t('ids.malformed'))
      // An empty id is refused, not skipped: whoever sent it meant a record.
      found = [...(found ?? []), ...given.map(String)]
    }
    return found
  }
}

function same(a: readonly string[], b: readonly string[]): boolean {
  const [one, other] = [new Set(a), new Set(b)]
  return one.size === other.size && [...one].every((id) => other.has(id))
}
