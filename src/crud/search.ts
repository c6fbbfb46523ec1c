import type { Identity } from '../auth/identity.js'
import { DaymarkError, invalid } from '../base/errors.js'
import type { Bound } from '../field/field.js'
import { type KeyValue, parseKey } from '../field/key.js'
import { always, both, type Condition } from '../resource/condition.js'
import type { Model } from '../resource/model.js'
import type { Resource } from '../resource/resource.js'
import { fold } from '../store/fold.js'
import type { Order, Row } from '../store/store.js'
import { allow, may, scopeOf } from './allow.js'
import type { Call, Input, Realm } from './call.js'
import { type Lens, lensOf } from './lens.js'
import { searchColumns } from './list-query.js'
import type { Outcome } from './outcome.js'
import { type Choice, labelOf } from './related.js'
import { scalar } from './scalar.js'
import { searchCondition, searchFault } from './search-text.js'

// More results than this nobody reads before typing another letter.
const most = 20

/**
 * The records that a relation field may refer to, or by the name of the key, those of the resource itself. `?query=` is searched for in
 * their labels.
 */
export async function search(call: Call): Promise<Outcome> {
  const { identity, realm, resource, input } = call
  // The choices are for those who may write or list.
  if (!may(realm, identity, resource, 'create') && !may(realm, identity, resource, 'update')) allow(realm, identity, resource, 'viewAny')
  const { readable } = lensOf(identity, resource, { name: 'record', whole: true })
  const name = input.params?.get('field') ?? ''
  const field = readable.get(name) ?? null
  const target = field ? realm.links.get(field) : undefined
  const { key } = resource.model.key
  if (!target && name !== key) {
    const relations = [...readable.values()].filter((one) => realm.links.has(one)).map((one) => one.key)
    throw new DaymarkError('notFound', realm.t('query.unknownInclude', { name, names: [...new Set([...relations, key])].join(', ') }))
  }
  const query = askedFor(input, realm)
  return { is: 'found', resource, field, query, choices: await choicesOf(realm, identity, target ?? resource, query) }
}

/**
 * The query to search for.
 *
 * @throws DaymarkError `invalid` if it is too long or given several times
 */
export function askedFor({ query }: Input, { t }: Realm): string {
  const text = scalar(query, 'query', t).trim()
  const fault = searchFault(text, t)
  if (fault !== null) throw invalid('query', fault)
  return text
}

/**
 * The first matching records of a resource: first those whose label or key equals the query, then those whose label begins with it, then
 * the others, each sorted by label. Empty if the caller may not list them, or the query is too long.
 */
export async function choicesOf(realm: Realm, identity: Identity, target: Resource, query: string): Promise<readonly Choice[]> {
  const lens = lensOf(identity, target, { name: 'index', whole: false, also: [target.column.key] })
  const found = await foundBy(realm, identity, lens, query, most)
  return found.map((row) => ({ key: lens.key(row), label: labelOf(lens, row) }))
}

/** The rows of these records, through a lens that has at least their labels. */
export async function foundBy(realm: Realm, identity: Identity, lens: Lens, query: string, limit: number): Promise<readonly Row[]> {
  const target = lens.resource
  if (!may(realm, identity, target, 'viewAny') || searchFault(query.trim(), realm.t) !== null) return []
  const { model, column } = target
  const label = lens.readable.has(column.key) ? column.key : model.key.key
  const where = scopeOf(identity, target, matching(target, searchable(lens.readable, label, searchColumns(lens)), query))
  const order = orderBy(label, model.key.key)
  const read = (nearer: Condition) => realm.storeOf(target).list(model, { columns: lens.columns, where: both(where, nearer), order, limit })
  const text = query.trim()
  const first = await read(always)
  const isText = lens.readable.get(label)?.column.type === 'text'
  return first.length < limit || text === '' ? nearestFirst(first) : readNearest()

  /** All matches were read, so they only need sorting. */
  function nearestFirst(rows: readonly Row[]): readonly Row[] {
    const wanted = fold(text)
    const away = (row: Row) => {
      const shown = isText ? fold(String(row[lens.at.get(label) as number] ?? '')) : ''
      if (lens.key(row) === text || shown === wanted) return 0
      return shown.startsWith(wanted) ? 1 : 2
    }
    return text === '' ? rows : rows.toSorted((a, b) => away(a) - away(b))
  }

  /** With too many matches, queries the nearest ones separately, each limited: sorting all matches by nearness would read all of them. */
  async function readNearest(): Promise<readonly Row[]> {
    const same: readonly Condition[] = isText ? [{ op: 'sameText', column: label, text }] : []
    const exact: readonly Condition[] = [...keyIs(model, text), ...same]
    const nearer: readonly Condition[] = [
      ...(exact.length > 0 ? [{ op: 'or', all: exact } as const] : []),
      ...(isText ? [{ op: 'startsWith', column: label, text } as const] : []),
    ]
    const found = new Map<string, Row>()
    const add = (rows: readonly Row[]) => {
      for (const row of rows) if (found.size < limit && !found.has(lens.key(row))) found.set(lens.key(row), row)
    }
    for (const one of nearer) if (found.size < limit) add(await read(one))
    add(first)
    return [...found.values()]
  }
}

function orderBy(label: string, key: string): readonly Order[] {
  const by = (column: string) => ({ column, direction: 'ASC' }) as const
  return label === key ? [by(key)] : [by(label), by(key)]
}

function searchable(readable: ReadonlyMap<string, Bound>, label: string, declared: readonly string[]): readonly string[] {
  if (declared.length > 0) return declared
  return readable.get(label)?.column.type === 'text' ? [label] : []
}

function matching(resource: Resource, columns: readonly string[], query: string): Condition {
  const words = query.trim().split(/\s+/u).filter(Boolean)
  if (words.length === 0) return { op: 'and', all: [] }
  return { op: 'or', all: [...keyIs(resource.model, query.trim()), searchCondition(resource, columns, words)] }
}

/** The condition that the key is what was typed, if that can be a key. */
function keyIs({ key }: Model, text: string): readonly Condition[] {
  const value: KeyValue | undefined = parseKey(text, key)
  return value === undefined ? [] : [{ op: 'eq', column: key.key, value }]
}
