import type { Reads, Store, Writes } from '../store/store.js'
import type { Call, Realm } from './call.js'

/** The call with every write and read of its database in one transaction. */
export function joined<C extends Pick<Call, 'realm' | 'store'>>(call: C, tx: Reads & Writes): C {
  const store: Store = {
    list: (...asked) => tx.list(...asked),
    count: (...asked) => tx.count(...asked),
    sum: (...asked) => tx.sum(...asked),
    find: (...asked) => tx.find(...asked),
    findMany: (...asked) => tx.findMany(...asked),
    transaction: (work) => work(tx),
    // It is closed by whoever opened it.
    close: async () => {},
  }
  const realm: Realm = {
    ...call.realm,
    storeOf: (resource) => {
      const own = call.realm.storeOf(resource)
      // A store of one's own that several tables share is spread over them.
      return own === call.store || own.transaction === call.store.transaction ? store : own
    },
  }
  return { ...call, realm, store, inside: true }
}
