import { keyText, parseKey } from '../../field/key.js'
import { isRoles, type Notice, type PlainNotice, plainNotice, type UserId } from '../../resource/action/notice.js'
import { always, both, type Condition } from '../../resource/condition/condition.js'
import { modelOf } from '../../resource/model/model.js'
import type { Each } from '../sql/sql-store.js'
import type { Reads, Store, Writes } from '../store.js'
import { bySql } from './by-sql.js'
import { opening } from './opening.js'
import { eq, panelTable } from './table.js'
import { notifications } from './tables.js'
import type { UserIds } from './user-ids.js'
import type { UserModel } from './users.js'

/** What a user was told. */
export interface Notification extends PlainNotice {
  readonly id: number
  readonly createdAt: Date
  /** Null: not yet. */
  readonly readAt: Date | null
}

/** Whose notifications they are. */
interface Owner {
  readonly id: string
  readonly username: string
}

/** The notifications of one panel's users. */
export interface NotificationStore {
  /** The panel's database. */
  readonly store: Store
  /** Creates or migrates the panel's own tables. Call it before the transaction; null: that has been done. */
  open(): Promise<void> | null
  /**
   * Notifies users by one statement, in a transaction of the panel's database.
   *
   * @throws TypeError for what nobody could be told
   */
  add(tx: Reads & Writes, notice: Notice): Promise<void>
  /** Those of a user, the newest first: those before `before`, or all. */
  of(user: Owner, limit: number, before: number | null): Promise<readonly Notification[]>
  find(user: Owner, id: number): Promise<Notification | null>
  unread(user: Owner): Promise<number>
  /** Marks one as read, or all; or as unread. */
  mark(user: Owner, id: number | null, read: boolean): Promise<void>
  /** Deletes one, or all that were read. */
  remove(user: Owner, id: number | null): Promise<void>
  /** Deletes those of a user who is deleted, in that transaction. */
  removeOf(tx: Reads & Writes, userId: UserId): Promise<void>
  /** Whether a table is that of the users. */
  areUsers(table: unknown): boolean
  /** Deletes from now on what is too old, or too much. */
  start(): void
  close(): Promise<void>
}

/** How long notifications are kept, in days, unless the panel says something else. */
export const usualDays = 90
/** The most that a user keeps, from one look to the next. */
export const mostOfUser = 1000

const day = 86_400_000
const hour = 3_600_000
// How many users with too many are looked up at once.
const several = 500
const table = panelTable(notifications)
const model = modelOf(notifications)

/**
 * @param store where they are; `open` creates its tables
 * @param users the users whom notices name
 * @param own whether those are the panel's own: an id is never given again there
 * @param keep for how many days they are kept
 * @param failed receives why old ones could not be deleted
 */
export function notificationStore(
  { store, open, ids }: { readonly store: Store; readonly open: () => Promise<Store>; readonly ids: UserIds },
  { users, own }: { readonly users: UserModel; readonly own: boolean },
  panel: string,
  keep: number,
  failed: (thrown: unknown) => void,
): NotificationStore {
  const ofPanel = eq('panel', panel)
  const people = modelOf(users.model)
  const { username, roles, active } = users.columns
  const isActive = active === undefined ? always : eq(active, people.columns.get(active)?.type === 'boolean' ? true : 1)
  const after = ids.stored('')
  const texts = { userId: { column: people.key.key, after }, username: { column: username, after: '' } }

  const whom = (to: Notice['to']): Each => {
    if (isRoles(to)) return { of: people, where: isActive, lists: { column: roles, some: [to.role].flat() }, texts }
    const keys = [to].flat().flatMap((id) => parseKey(keyText(id), people.key) ?? [])
    return { of: people, where: both(isActive, { op: 'in', column: people.key.key, values: keys }), texts }
  }
  const ofUser = (user: Owner, id: number | null = null): Condition => {
    const all = both(ofPanel, eq('userId', ids.stored(user.id)))
    const theirs = own ? all : both(all, eq('username', user.username))
    return id === null ? theirs : both(theirs, eq('id', id))
  }

  const tidy = async () => {
    const store = await open()
    await table.deleteInTurn(store, both(ofPanel, { op: 'lt', column: 'createdAt', value: new Date(Date.now() - keep * day) }))
    for (;;) {
      const counted = { of: 'count', column: null, where: ofPanel, by: [{ column: 'userId' }], order: 'value', limit: several } as const
      const over = (await store.aggregate(model, counted)).filter(({ value }) => Number(value) > mostOfUser)
      for (const { by } of over) {
        const where = both(ofPanel, eq('userId', by[0]))
        const order = [{ column: 'id', direction: 'DESC' }] as const
        const [first] = await store.list(model, { columns: ['id'], where, order, limit: 1, offset: mostOfUser })
        if (first) await table.deleteInTurn(store, both(where, { op: 'lte', column: 'id', value: first[0] }))
      }
      if (over.length < several) return
    }
  }
  let hourly: NodeJS.Timeout | undefined
  let tidying = Promise.resolve()
  const tidyNow = () => {
    tidying = tidying.then(tidy).catch(failed)
  }
  return {
    store,
    open: opening(open),
    async add(tx, notice) {
      const values = { panel, ...plainNotice(notice), createdAt: new Date() }
      await bySql(tx).createForEach(model, values, whom(notice.to))
    },
    async of(user, limit, before) {
      const older: Condition = before === null ? always : { op: 'lt', column: 'id', value: before }
      return table.first(await open(), limit, both(ofUser(user), older), { column: 'id', direction: 'DESC' })
    },
    find: async (user, id) => (await table.first(await open(), 1, ofUser(user, id)))[0] ?? null,
    unread: async (user) => (await open()).count(model, both(ofUser(user), eq('readAt', null))),
    async mark(user, id, read) {
      const others: Condition = { op: read ? 'eq' : 'ne', column: 'readAt', value: null }
      const values = { readAt: read ? new Date() : null }
      await (await open()).transaction((tx) => bySql(tx).updateAll(model, values, both(ofUser(user, id), others)))
    },
    async remove(user, id) {
      const which = id === null ? both(ofUser(user), { op: 'ne', column: 'readAt', value: null }) : ofUser(user, id)
      await (await open()).transaction((tx) => table.deleteAll(tx, which))
    },
    async removeOf(tx, userId) {
      await table.deleteAll(tx, both(ofPanel, eq('userId', ids.stored(keyText(userId)))))
    },
    areUsers: (table) => table === users.model,
    start() {
      if (hourly) return
      hourly = setInterval(tidyNow, hour).unref()
      tidyNow()
    },
    close() {
      clearInterval(hourly)
      return tidying
    },
  }
}
