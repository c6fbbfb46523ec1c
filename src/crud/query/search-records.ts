import type { Identity } from '../../auth/identity.js'
import type { Bound } from '../../field/field.js'
import { type KeyValue, parseKey } from '../../field/key.js'
import { always, both, type Condition } from '../../resource/condition/condition.js'
import { labelColumns } from '../../resource/label.js'
import type { Model } from '../../resource/model/model.js'
import type { Resource } from '../../resource/resource.js'
import { fold } from '../../store/fold.js'
import type { Order, Row } from '../../store/store.js'
import { may, scopeOf } from '../call/allow.js'
import type { Realm } from '../call/call.js'
import type { Lens } from '../call/lens.js'
import { labelOf } from '../relation/label.js'
import { exactMatches } from './exact-match.js'
import { searchColumns } from './query-names.js'
import { searchCondition, searchFault } from './search-text.js'
import { mostSortSteps } from './sort-order.js'

/**
 * The first matching rows of a resource, through a lens that has at least their labels: first those whose label or key equals the query, then
 * those whose label begins with it, then the others, each sorted by label. Empty if the caller may not list them, or the query is too long.
 *
 * @param narrowed which of them can be chosen
 */
export async function searchRecords(
  realm: Realm,
  identity: Identity,
  lens: Lens,
  query: string,
  limit: number,
  narrowed: Condition = always,
): Promise<readonly Row[]> {
  const target = lens.resource
  if (!may(realm, identity, target, 'viewAny') || searchFault(query.trim(), realm.t) !== null) return []
  const { model } = target
  const labels = labelFields(lens)
  const texts = labels.filter(({ column }) => column.type === 'text').map(({ key }) => key)
  const text = query.trim()
  const declared = searchColumns(lens)
  const exact: readonly Condition[] = [...keyIs(model, text), ...exactMatches(realm, target, wholeFields(lens, labels, declared), text)]
  const where = scopeOf(identity, target, both(narrowed, matching(realm, target, searchable(lens.readable, texts, declared), text, exact)))
  const order = orderBy(labels, model.key.key)
  const read = (nearer: Condition) => realm.storeOf(target).list(model, { columns: lens.columns, where: both(where, nearer), order, limit })
  const first = await read(always)
  return first.length < limit || text === '' ? nearestFirst(first) : readNearest()

  /** All matches were read, so they only need sorting. */
  function nearestFirst(rows: readonly Row[]): readonly Row[] {
    const wanted = fold(text)
    const away = (row: Row) => {
      const [label] = texts
      const stored = label === undefined || target.label ? labelOf(lens, row) : String(row[lens.at.get(label) as number] ?? '')
      const shown = label === undefined ? stored : fold(stored)
      if (lens.key(row) === text || shown === wanted) return 0
      return label !== undefined && shown.startsWith(wanted) ? 1 : 2
    }
    return text === '' ? rows : rows.toSorted((a, b) => away(a) - away(b))
  }

  /** With too many matches, queries the nearest ones separately, each limited: sorting all matches by nearness would read all of them. */
  async function readNearest(): Promise<readonly Row[]> {
    const ofTexts = (op: 'sameText' | 'startsWith') => texts.map((column): Condition => ({ op, column, text }))
    const nearer = [[...exact, ...ofTexts('sameText')], ofTexts('startsWith')].filter((all) => all.length > 0)
    const found = new Map<string, Row>()
    const add = (rows: readonly Row[]) => {
      for (const row of rows) if (found.size < limit && !found.has(lens.key(row))) found.set(lens.key(row), row)
    }
    for (const all of nearer) if (found.size < limit) add(await read(all.length === 1 ? (all[0] as Condition) : { op: 'or', all }))
    add(first)
    return [...found.values()]
  }
}

/** The fields of the label that the user may read, as far as their columns can be sorted by: of a computed label, those that it needs. */
function labelFields({ readable, resource, label }: Lens): readonly Bound[] {
  if (resource.label && !label) return []
  return labelColumns(resource).flatMap((key) => {
    const field = readable.get(key)
    return field && !field.kind.many(field) && field.column.type !== 'json' ? [field] : []
  })
}

function orderBy(labels: readonly Bound[], key: string): readonly Order[] {
  const names = labels.slice(0, mostSortSteps - 1).map((field) => field.key)
  return (names.includes(key) ? names.slice(0, names.indexOf(key) + 1) : [...names, key]).map((column) => ({ column, direction: 'ASC' }))
}

/** The searched fields, and the texts of the label if no other text is searched. */
function searchable(readable: ReadonlyMap<string, Bound>, texts: readonly string[], declared: readonly string[]): readonly string[] {
  return declared.some((key) => readable.get(key)?.kind.exact === false) ? declared : [...declared, ...texts]
}

/** The fields that what was typed may be the whole value of: those that are searched so, and labels that are no text, as an order’s number. */
function wholeFields({ readable }: Lens, labels: readonly Bound[], declared: readonly string[]): readonly Bound[] {
  const whole = declared.flatMap((key) => readable.get(key) ?? []).filter(({ kind }) => kind.exact)
  return [...new Set([...whole, ...labels.filter(({ column }) => column.type !== 'text')])]
}

function matching(realm: Realm, resource: Resource, columns: readonly string[], query: string, exact: readonly Condition[]): Condition {
  const words = query.split(/\s+/u).filter(Boolean)
  if (words.length === 0) return { op: 'and', all: [] }
  return { op: 'or', all: [...exact, searchCondition(realm, resource, columns, words)] }
}

/** The condition that the key is what was typed, if that can be a key. */
function keyIs({ key }: Model, text: string): readonly Condition[] {
  const value: KeyValue | undefined = parseKey(text, key)
  return value === undefined ? [] : [{ op: 'eq', column: key.key, value }]
}
