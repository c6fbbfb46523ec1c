import type { Resource } from '../resource.js'

/** Where the records of a resource are. Equal for two resources, if one transaction can write to both. */
export const placeOf = ({ ownStore, database }: Resource, ofPanel: string | object | undefined): unknown =>
  ownStore ? storePlace(ownStore) : (database ?? ofPanel)

/**
 * What tells a store from others. A store that several tables share may be spread into several objects, with the same `transaction`; one
 * that a class gives its methods is itself alone, since stores of the same class share that function.
 */
export const storePlace = (store: { readonly transaction: unknown }): unknown =>
  Object.hasOwn(store, 'transaction') ? store.transaction : store
