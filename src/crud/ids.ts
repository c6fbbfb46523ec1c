import { DaymarkError, invalid } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import { type KeyValue, parseKey } from '../field/key.js'
import type { Call, Input, Query } from './call.js'
import { panelParameter, panelText } from './panel-text.js'

const idsName = /^ids(?:\[\d*\])?$/

/** Whether a name of a query or a body is that of the selected records. */
export function isIdsName(name: string): boolean {
  return idsName.test(name)
}

/** Whether a name of a query says which list `_all` means, or which address a list has. */
export function isListName(name: string): boolean {
  return name.startsWith('filter[') || listNames.has(name)
}

const listNames = new Set(['search', 'query-tag', 'page', 'perPage', 'cursor', 'sort', 'fields', 'include', 'total'])

/** Whether all that a list shows is meant, in place of records that are named. */
export function meansAll(input: Pick<Input, 'query' | 'body'>): boolean {
  return panelParameter(input, '_all') === '1'
}

/**
 * The keys of a mass delete: `ids[]=`, `ids[0]=` or `ids=` in the query or in a form, `ids` or `ids[]` in JSON. Duplicates count once.
 *
 * @throws DaymarkError `invalid` where there are none, too many, or one that is not a key; or where query and body differ
 */
export function idsOf(call: Call): readonly KeyValue[] {
  // The form over a list sends its filters along: it may mean all of it.
  const listed = isPageForm(call.input) && panelText(call.input, '_total') !== ''
  checkNamed(call, (name) => isIdsName(name) || (listed && isListName(name)), 'ids[]')
  const keys = namedKeys(call)
  if (keys.length === 0) throw invalid('ids', call.realm.t('ids.none'))
  return keys
}

/**
 * What says which list a mass delete means. A filter that was meant and is not read would delete more than was meant.
 *
 * @throws DaymarkError `invalid` for any other name
 */
export function checkAllNamed(call: Call): void {
  checkNamed(
    call,
    (name) => name === '_all' || name === '_total' || isIdsName(name) || isListName(name),
    '_all, _total, filter[…], search, query-tag',
  )
}

function checkNamed({ input: { query, body }, realm: { t } }: Call, isKnown: (name: string) => boolean, names: string): void {
  const sent = [...query.keys(), ...(body.from === 'none' ? [] : body.fields.keys())]
  const errors = sent.filter((name) => !isKnown(name)).map((name) => [name, [t('query.unknown', { name, names })]] as const)
  if (errors.length > 0) throw new DaymarkError('invalid', errors[0]?.[1][0] as string, { errors })
}

/** Names in a body that are an action's own, whatever a list has of that name. */
export type Taken = Pick<ReadonlySet<string>, 'has'>

export const noneTaken: Taken = new Set<string>()

/**
 * The filters of a list, in the query or in the body: what of it says where one is in the list does not matter.
 *
 * @throws DaymarkError `invalid` for one that is no text, or is another one in the query than in the body
 */
export function listOf({ query, body }: Input, t: Translate, taken: Taken = noneTaken): Query {
  const said = (name: string) => name.startsWith('filter[') || name === 'search' || name === 'query-tag'
  const list = new Map<string, readonly string[]>()
  const sent: ReadonlyMap<string, unknown> = body.from === 'none' ? new Map() : body.fields
  for (const [name, given] of sent) if (said(name) && !taken.has(name)) list.set(name, filterTexts(name, given, t))
  for (const [name, texts] of query) {
    if (!said(name)) continue
    const other = list.get(name)
    if (other && !same(texts, other)) throw invalid(name, t('query.repeated', { name }))
    list.set(name, texts)
  }
  return list
}

/** A filter as the texts that it would be in an address. */
function filterTexts(name: string, given: unknown, t: Translate): readonly string[] {
  const all: readonly unknown[] = Array.isArray(given) ? given : [given]
  if (!all.every((one) => ['string', 'number', 'boolean'].includes(typeof one))) throw invalid(name, t('field.notText', { label: name }))
  return all.map(String)
}

/** Whether records are named beside `_all`: nobody knows which was meant. The form over a list sends the boxes of its page along. */
export function namesBoth(input: Input): boolean {
  const { query, body } = input
  const inBody = body.from !== 'none' && !isPageForm(input) && [...body.fields.keys()].some(isIdsName)
  return inBody || [...query.keys()].some(isIdsName)
}

/** Whether a form was sent as those of a page are: a browser has POST alone for them, and `_method` says what is meant. */
function isPageForm({ body, method }: Input): boolean {
  return body.from === 'form' && (method === 'POST' || body.panel.has('_method'))
}

/** The keys that were named, each once; none where nothing was named. */
export function namedKeys({ input, resource, realm }: Call): readonly KeyValue[] {
  const { t } = realm
  const fromQuery = texts(input.query, 'query')
  const fromBody = input.body.from === 'none' ? null : texts(input.body.fields, input.body.from)
  if (fromQuery && fromBody && !same(fromQuery, fromBody)) throw invalid('ids', t('ids.twice'))
  const ids = new Set(fromQuery ?? fromBody ?? [])
  if (ids.size > resource.maxMassDelete) throw invalid('ids', t('ids.tooMany', { max: resource.maxMassDelete }))
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
      // An empty id is not a key of anything: it is malformed, not left out, for whoever sent it meant a record.
      found = [...(found ?? []), ...given.map(String)]
    }
    return found
  }
}

function same(a: readonly string[], b: readonly string[]): boolean {
  const [one, other] = [new Set(a), new Set(b)]
  return one.size === other.size && [...one].every((id) => other.has(id))
}
