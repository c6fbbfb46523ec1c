import { storePlace } from '../../resource/relation/place.js'
import type { Reads, Store, Writes } from '../../store/store.js'
import type { Call, Realm } from './call.js'

/** Puts every read and write of a call, in the store's database, into one transaction. */
export function inTransaction<C extends Pick<Call, 'realm' | 'store'>>(call: C, tx: Reads & Writes): C {
  const store: Store = {
    list: (...asked) => tx.list(...asked),
    count: (...asked) => tx.count(...asked),
    aggregate: (...asked) => tx.aggregate(...asked),
    find: (...asked) => tx.find(...asked),
    findMany: (...asked) => tx.findMany(...asked),
    transaction: (work) => work(tx),
    // Whoever opened the store closes it.
    close: async () => {},
  }
  const place = storePlace(call.store)
  const { notifications } = call.realm
  const realm: Realm = {
    ...call.realm,
    notifications: notifications && storePlace(notifications.store) === place ? { ...notifications, store } : notifications,
    storeOf: (resource) => {
      const own = call.realm.storeOf(resource)
      return storePlace(own) === place ? store : own
    },
  }
  return { ...call, realm, store, inside: true }
}
