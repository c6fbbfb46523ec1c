import type { Identity } from '../../auth/identity.js'
import { legible } from '../../field/illegible.js'
import { inAddress } from '../../field/zone.js'
import { always, type Condition } from '../../resource/condition/condition.js'
import { labelColumns } from '../../resource/label.js'
import type { Resource } from '../../resource/resource.js'
import { fold } from '../../store/fold.js'
import type { Row } from '../../store/store.js'
import type { Realm } from '../call/call.js'
import { type Lens, lensOf } from '../call/lens.js'
import { valueWords } from '../call/value-words.js'
import { labelOf } from '../relation/label.js'
import { readRelated } from '../relation/related.js'
import { type Choice, relatedWords } from '../relation/related-label.js'
import { relationsOf } from '../relation/relation.js'
import { searchColumns } from './query-names.js'
import { searchRecords } from './search-records.js'

// More results than this nobody reads before typing another letter.
const mostChoices = 20

/**
 * The first records of a resource that match, in the order of `searchRecords`, and what is said beside their labels.
 *
 * @param narrowed which of them can be chosen
 */
export async function searchChoices(
  realm: Realm,
  identity: Identity,
  resource: Resource,
  query: string,
  narrowed: Condition = always,
  limit = mostChoices,
): Promise<readonly Choice[]> {
  const view = { name: 'index', whole: false } as const
  const searched = searchColumns(lensOf(identity, resource, view))
  const lens = lensOf(identity, resource, { ...view, also: [...labelColumns(resource), ...searched] })
  const rows = await searchRecords(realm, identity, lens, query, limit, narrowed)
  const labels = rows.map((row) => labelOf(lens, row))
  const same = rows.filter((_, i) => labels.some((label, other) => other !== i && label === labels[i]))
  const secondOf = same.length > 0 ? await secondLabels(realm, identity, lens, same) : null
  const seconded = new Map(same.map((row) => [row, secondOf?.(row) ?? '']))
  return rows.map((row, i) => {
    const [key, label] = [lens.key(row), labels[i] as string]
    if (!seconded.has(row)) {
      const hint = key === query ? null : matchHint(realm, lens, searched, row, label, query)
      return { key, label, ...(hint !== null && { hint }) }
    }
    const second = seconded.get(row) as string
    const isShared = same.some((one) => one !== row && labelOf(lens, one) === label && seconded.get(one) === second)
    return { key, label, hint: [second, ...(second === '' || isShared ? [key] : [])].filter(Boolean).join(', ') }
  })
}

/** How near a label is to a query: 0 it is the same, 1 it begins so, 2 it has all words of it, 3 it has not. */
export function matchRank(label: string, query: string): number {
  const [text, wanted] = [fold(label), fold(query)]
  if (text === wanted) return 0
  if (text.startsWith(wanted)) return 1
  return wordsIn(query).every((word) => text.includes(word)) ? 2 : 3
}

const wordsIn = (query: string) => fold(query).split(/\s+/u)

/** What a record has in the first other text or relation of its list. Related records are read only here, for those of the same label. */
async function secondLabels(realm: Realm, identity: Identity, lens: Lens, rows: readonly Row[]): Promise<((row: Row) => string) | null> {
  const { model } = lens.resource
  const named = labelColumns(lens.resource)
  const relations = relationsOf(realm, identity, lens)
  for (const one of lens.shown) {
    if (!('field' in one) || named.includes(one.key) || one.key === model.key.key) continue
    const { field, at } = one
    const relation = relations.find((other) => other.field === field)
    if (!relation && (field.column.type !== 'text' || field.kind.long || field.kind.file || field.kind.relation)) continue
    const related = relation ? (await readRelated(realm, identity, lens, rows, [relation])).get(field.key) : null
    return (row) => {
      const value = legible(row[at])
      if (value === null || value === undefined) return ''
      return (related ? relatedWords(related, field, value, realm.locale) : valueWords(field, value, realm)) ?? ''
    }
  }
  return null
}

/** The field in which a record has what its label has not. */
function matchHint(realm: Realm, lens: Lens, searched: readonly string[], row: Row, label: string, query: string): string | null {
  if (matchRank(label, query) < 3) return null
  const missing = wordsIn(query).filter((word) => !fold(label).includes(word))
  for (const key of searched) {
    const field = lens.readable.get(key)
    const value = legible(row[lens.at.get(key) as number])
    if (!field || value === null || value === undefined) continue
    const words = valueWords(field, value, realm)
    const said = field.kind.exact ? `${words} ${field.kind.text(value, field, inAddress(realm))}` : words
    if (missing.some((word) => fold(said).includes(word))) return realm.t('filter.is', { label: field.label, value: shortened(words) })
  }
  return null
}

const most = 60

const shortened = (words: string) => (words.length > most ? `${words.slice(0, most)}…` : words)
