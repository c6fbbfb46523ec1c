import { DaymarkError, invalid } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import { type KeyValue, keyText, parseKey } from '../field/key.js'
import { both, type Condition } from '../resource/condition.js'
import type { Ability } from '../resource/policy.js'
import type { Reads, Row } from '../store/store.js'
import { allow, allowRow, scopeOf } from './allow.js'
import type { Call, Input, Query } from './call.js'
import { type Lens, lensOf } from './lens.js'
import { listQuery } from './list-query.js'
import { panelParameter, panelText } from './panel-text.js'

/** Which records something is done with: those that were named, or all that a list of such filters shows. */
export type Selection =
  | { readonly is: 'ids'; readonly keys: readonly KeyValue[] }
  | { readonly is: 'all'; readonly where: Condition; readonly total: number }

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
 * @throws DaymarkError `invalid` where there are none, too many, or one that is no key; or where query and body differ
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

/**
 * What a handler is to work on: `ids` as of a mass delete, or `_all=1&_total=N` with the filters of a list. Nothing named is no record.
 *
 * @param taken names in the body that are the handler's own, whatever a list has of that name
 * @throws DaymarkError `invalid` as for `idsOf`, for filters that are wrong, and for records named beside `_all`; `conflict` where the list has another number of records by now
 */
export async function selectionOf(call: Call, reads: Reads = call.store, taken: Taken = none): Promise<Selection> {
  const { input, realm, identity, resource } = call
  if (!meansAll(input)) return { is: 'ids', keys: namedKeys(call) }
  if (namesBoth(input)) throw invalid('ids', realm.t('ids.andAll'))
  const total = panelParameter(input, '_total')
  if (!/^(?:0|[1-9]\d{0,14})$/.test(total)) throw invalid('_total', realm.t('query.notWhole', { name: '_total', min: 0 }))
  const lens = lensOf(identity, resource, { name: 'index', whole: false })
  const { where } = listQuery(realm, identity, lens, listOf(input, realm.t, taken), true)
  const count = await reads.count(resource.model, where)
  if (count !== Number(total)) throw new DaymarkError('conflict', realm.t('ids.changed', { count, total }))
  return { is: 'all', where, total: count }
}

// The most rows that are held at once.
const size = 500

/**
 * The selected records as whole rows, in chunks, each found in the caller's scope and allowed.
 *
 * @throws DaymarkError `notFound` naming those that are not there, `forbidden`
 */
export async function* selected(call: Call, reads: Reads, selection: Selection, ability: Ability): AsyncGenerator<readonly Row[]> {
  const { identity, realm, resource } = call
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  allow(realm, identity, resource, ability)
  for await (const rows of selection.is === 'ids'
    ? byKeys(call, lens, reads, selection.keys)
    : matching(call, lens, reads, selection.where)) {
    for (const row of rows) allowRow(realm, identity, resource, ability, lens.columns, row)
    yield rows
  }
}

async function* byKeys(call: Call, lens: Lens, reads: Reads, keys: readonly KeyValue[]): AsyncGenerator<readonly Row[]> {
  const { identity, resource } = call
  for (let from = 0; from < keys.length; from += size) {
    const some = keys.slice(from, from + size)
    const rows = await reads.findMany(resource.model, some, lens.columns, scopeOf(identity, resource))
    const there = new Map(rows.map((row) => [lens.key(row), row]))
    checkThere(
      call,
      some.map(keyText).filter((key) => !there.has(key)),
    )
    yield some.map((key) => there.get(keyText(key)) as Row)
  }
}

async function* matching({ resource }: Call, lens: Lens, reads: Reads, where: Condition): AsyncGenerator<readonly Row[]> {
  let after: unknown = null
  for (;;) {
    const rows = await rowsAfter(lens, reads, where, after, size)
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    after = rows.at(-1)?.[lens.at.get(resource.model.key.key) as number]
  }
}

/** The next rows under a condition, in the order of their keys: whatever becomes of the rows before, none comes twice. */
export function rowsAfter(
  { resource, columns }: Lens,
  reads: Reads,
  where: Condition,
  after: unknown,
  limit: number,
): Promise<readonly Row[]> {
  const column = resource.model.key.key
  return reads.list(resource.model, {
    columns,
    where: after === null ? where : both(where, { op: 'gt', column, value: after }),
    order: [{ column, direction: 'ASC' }],
    limit,
  })
}

/** @throws DaymarkError `notFound`, naming them */
export function checkThere({ realm }: Pick<Call, 'realm'>, missing: readonly string[]): void {
  if (missing.length === 0) return
  const text = realm.t('record.noneOf', { keys: missing.join(', ') })
  throw new DaymarkError('notFound', text, { errors: [['ids', [text]]] })
}

type Taken = Pick<ReadonlySet<string>, 'has'>

const none: Taken = new Set<string>()

/**
 * The filters of a list, in the query or in the body: what of it says where one is in the list does not matter.
 *
 * @throws DaymarkError `invalid` for one that is no text, or is another one in the query than in the body
 */
export function listOf({ query, body }: Input, t: Translate, taken: Taken = none): Query {
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
function namesBoth(input: Input): boolean {
  const { query, body } = input
  const inBody = body.from !== 'none' && !isPageForm(input) && [...body.fields.keys()].some(isIdsName)
  return inBody || [...query.keys()].some(isIdsName)
}

/** Whether a form was sent as those of a page are: a browser has POST alone for them, and `_method` says what is meant. */
function isPageForm({ body, method }: Input): boolean {
  return body.from === 'form' && (method === 'POST' || body.panel.has('_method'))
}

function namedKeys({ input, resource, realm }: Call): readonly KeyValue[] {
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
      // An empty id is no key of anything: it is malformed, not left out, for whoever sent it meant a record.
      found = [...(found ?? []), ...given.map(String)]
    }
    return found
  }
}

function same(a: readonly string[], b: readonly string[]): boolean {
  const [one, other] = [new Set(a), new Set(b)]
  return one.size === other.size && [...one].every((id) => other.has(id))
}
