import type { Identity } from '../auth/identity.js'
import type { Resource } from '../resource/resource.js'
import type { Realm } from './call.js'
import { followedFields } from './filter-fields.js'
import { type Lens, lensOf } from './lens.js'

/** A column that a user may show or hide. */
export interface Choosable {
  readonly key: string
  readonly label: string
}

const choosable = new WeakMap<Lens, readonly Choosable[]>()

/**
 * The columns that a user may choose: those of the index page, then those of the detail page, if they are readable and their field allows
 * it.
 */
export function choosableColumns(realm: Realm, identity: Identity, resource: Resource): readonly Choosable[] {
  if (!resource.columnSelection) return []
  const lens = lensOf(identity, resource, { name: 'index', whole: false, followed: followedFields(realm, identity, resource) })
  let known = choosable.get(lens)
  if (!known) {
    const { readable, computed, followed } = lens
    known = [...new Set([...resource.pages.index, ...resource.pages.detail])].flatMap((key) => {
      const field = readable.get(key) ?? followed.get(key)?.shown
      if (field) return field.columnSelection ? [{ key, label: field.label }] : []
      const one = computed.get(key)
      return one ? [{ key, label: one.label }] : []
    })
    choosable.set(lens, known)
  }
  return known
}

/** The columns that a table shows: the chosen ones in page order, and those that cannot be left out. Null: the default. */
export function shownColumns(
  realm: Realm,
  identity: Identity,
  resource: Resource,
  chosen: readonly string[] | undefined,
): readonly string[] | null {
  if (!chosen || !resource.columnSelection) return null
  const names = choosableColumns(realm, identity, resource).map(({ key }) => key)
  const { index, detail } = resource.pages
  const shown = [...new Set([...index, ...detail])].filter((key) => (names.includes(key) ? chosen.includes(key) : index.includes(key)))
  return shown.length > 0 ? shown : null
}
