import type { Bound } from '../../field/field.js'
import { type KeyValue, keyToWire } from '../../field/key.js'
import { both, type Condition } from '../../resource/condition/condition.js'
import type { Column } from '../../resource/model/model.js'
import type { Resource } from '../../resource/resource.js'
import { scopeOf } from '../call/allow.js'
import type { Call, Realm } from '../call/call.js'
import { incomingRelations } from './incoming-relations.js'

/** Records to delete, and for whom. */
export interface Deleting extends Pick<Call, 'identity' | 'resource'> {
  readonly keys: readonly KeyValue[]
}

/** Records of a resource that refer to others by a field. */
export interface Use {
  readonly other: Resource
  readonly field: Bound
  /** The title of the resource; of one that refers here by several fields, with the field. */
  readonly title: string
  /** How many. If it is the cap, there may be more. */
  readonly count: number
}

/**
 * What refers to records by foreign keys that prevent a delete, as far as the caller may see it. A column may have such a key that the schema
 * does not name.
 *
 * @param holds whether a column's foreign key prevents a delete
 * @param cap counting stops there. Default: it goes to the end
 */
export async function usesOf(
  { identity, resource, keys }: Deleting,
  realm: Realm,
  holds: (column: Column | undefined) => boolean = mayHold,
  cap?: number,
): Promise<readonly Use[]> {
  const uses: Use[] = []
  const holding = [...incomingRelations(realm, identity, resource)].filter(({ other, field }) => holds(other.model.columns.get(field.key)))
  for (const { other, field } of holding) {
    const values = field.kind.many(field) ? keys.map(keyToWire) : keys
    const referring: Condition = { op: 'in', column: field.key, values }
    // References among the records to delete are no obstacle.
    const itself: Condition = { op: 'in', column: resource.model.key.key, values: keys }
    const others = other.model.table === resource.model.table ? both(referring, { op: 'not', of: itself }) : referring
    const count = await realm.storeOf(other).count(other.model, both(scopeOf(identity, other), others), cap)
    if (count === 0) continue
    const isPlain = holding.filter((one) => one.other === other).length === 1
    uses.push({ other, field, title: isPlain ? other.title : `${other.title} (${field.label})`, count })
  }
  return uses
}

// Enough to see whether a few are to be changed first, or many.
export const mostUses = 100

/**
 * What will keep a store from deleting records, before it is asked. Nothing is said where that cannot be known: a hook may deal with what
 * refers to them, and so may a database whose foreign key the schema does not declare.
 */
export async function usesAhead(deleting: Deleting, realm: Realm): Promise<readonly Use[]> {
  const { softDelete, hooks } = deleting.resource
  // What no foreign key is declared for is not even asked: it may be in a database that is down.
  return softDelete || hooks.beforeDelete ? [] : usesOf(deleting, realm, isHeld, mostUses)
}

/** Whether a column's foreign key prevents a delete, as far as the schema tells: not with `cascade` or `set null`. */
function isHeld(column: Column | undefined): boolean {
  const action = referencesOf(column)?.onDelete
  return action === 'no action' || action === 'restrict'
}

const mayHold = (column: Column | undefined) => !referencesOf(column) || isHeld(column)

const referencesOf = (column: Column | undefined) => (column?.link?.target ?? column)?.references
