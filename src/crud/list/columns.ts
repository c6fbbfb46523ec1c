import type { Identity } from '../../auth/identity.js'
import { labelName } from '../../resource/label.js'
import type { Resource } from '../../resource/resource.js'
import type { Realm } from '../call/call.js'
import { type Lens, lensOf } from '../call/lens.js'
import type { ColumnPreference } from '../call/preferences.js'
import { throughFields } from '../query/filter-fields.js'

/** A column that a user may show or hide. */
export interface Choosable {
  readonly key: string
  readonly label: string
  /** Whether they may move it. What labels the records keeps its place. */
  readonly moves: boolean
}

const choosable = new WeakMap<Lens, readonly Choosable[]>()

/**
 * The columns that a user may choose: those of the index page, then those of the detail page, if they are readable and their field allows
 * it.
 */
export function choosableColumns(realm: Realm, identity: Identity, resource: Resource): readonly Choosable[] {
  if (!resource.columnSelection) return []
  const lens = lensOf(identity, resource, { name: 'index', whole: false, throughs: throughFields(realm, identity, resource) })
  let known = choosable.get(lens)
  if (!known) {
    const { readable, computed, throughs } = lens
    const moves = (key: string) => key !== labelName(resource)
    known = [...new Set([...resource.pages.index, ...resource.pages.detail])].flatMap((key) => {
      const field = readable.get(key) ?? throughs.get(key)?.shown
      if (field) return field.columnSelection ? [{ key, label: field.label, moves: moves(key) }] : []
      const one = computed.get(key)
      return one ? [{ key, label: one.label, moves: moves(key) }] : []
    })
    choosable.set(lens, known)
  }
  return known
}

/** The same, as a menu lists them: those that are shown as they are shown, the others at their declared places. */
export function arrangedColumns(realm: Realm, identity: Identity, resource: Resource, shown: readonly string[]): readonly Choosable[] {
  const all = new Map(choosableColumns(realm, identity, resource).map((one) => [one.key, one]))
  const order = shown.filter((key) => all.has(key))
  return completed(order, [...all.keys()]).map((key) => all.get(key) as Choosable)
}

/**
 * The columns that a table shows: the chosen ones in the order of the user, those that have been declared since, and those that cannot be left
 * out. What cannot be moved keeps its declared place among them. Null: the default.
 */
export function shownColumns(
  realm: Realm,
  identity: Identity,
  resource: Resource,
  chosen: ColumnPreference | undefined,
): readonly string[] | null {
  if (!chosen || !resource.columnSelection) return null
  const all = new Map(choosableColumns(realm, identity, resource).map((one) => [one.key, one]))
  const { index, detail } = resource.pages
  const isNew = (key: string) => index.includes(key) && chosen.hidden?.includes(key) === false
  const isShown = (key: string) => (all.has(key) ? chosen.shown.includes(key) || isNew(key) : index.includes(key))
  const shown = [...new Set([...index, ...detail])].filter(isShown)
  const moved = shown.filter((key) => all.get(key)?.moves)
  const order = completed(
    chosen.shown.filter((key) => moved.includes(key)),
    moved,
  ).values()
  const arranged = shown.map((key) => (moved.includes(key) ? (order.next().value as string) : key))
  return arranged.length > 0 ? arranged : null
}

/** An order of some keys with the others of all, each behind the one that it is declared behind. */
function completed(order: readonly string[], all: readonly string[]): readonly string[] {
  const keys = [...order]
  for (const [i, key] of all.entries()) if (!keys.includes(key)) keys.splice(keys.indexOf(all[i - 1] as string) + 1, 0, key)
  return keys
}
