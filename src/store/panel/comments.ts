import type { Identity } from '../../auth/identity.js'
import { always, both, type Condition } from '../../resource/condition/condition.js'
import { type Model, modelOf } from '../../resource/model/model.js'
import type { Resource } from '../../resource/resource.js'
import type { Reads, Writes } from '../store.js'
import { opening } from './opening.js'
import { eq, panelTable } from './table.js'
import { comments } from './tables.js'
import type { UserIds } from './user-ids.js'

/** What a user has written on a record. */
export interface Comment {
  readonly id: number
  readonly text: string
  readonly at: Date
  /** Null: it is as it was written. */
  readonly editedAt: Date | null
  /** Null: the author is no user of this panel, but of another one over the same table. */
  readonly userId: string | null
  /** The name that the author had then. */
  readonly userName: string
  /** Whether the reader has written it. */
  readonly isOwn: boolean
}

/** A record, by its table and the text of its key. */
export interface Subject {
  readonly of: Model
  readonly key: string
}

type User = Pick<Identity, 'id' | 'username' | 'name'>

/** The comments on records. Panels over the same table share those of its records. */
export interface CommentStore {
  /** Creates or migrates the panel's own tables. Call it before reading; null: that has been done. */
  open(): Promise<void> | null
  /** Whether the records of a resource may have comments, that resource's own or those of another one over its table. */
  keeps(resource: Resource): boolean
  /** Those on a record as a user reads them, the newest first: those before `before`, or all. */
  of(reads: Reads, on: Subject, reader: User, limit: number, before: number | null): Promise<readonly Comment[]>
  count(reads: Reads, on: Subject): Promise<number>
  find(reads: Reads, on: Subject, reader: User, id: number): Promise<Comment | null>
  /** Who has written on a record lately, the last first, at most so many. */
  writers(reads: Reads, on: Subject, most: number): Promise<readonly Pick<Identity, 'id' | 'username'>[]>
  /** Adds one, and returns its id. */
  add(tx: Writes, on: Subject, author: User, text: string): Promise<number>
  edit(tx: Writes, id: number, text: string): Promise<void>
  remove(tx: Writes, id: number): Promise<void>
  /** Deletes those on records that are deleted, in that transaction. */
  removeOf(tx: Reads & Writes, of: Model, keys: readonly string[]): Promise<void>
}

// So far back in a record's comments their writers are looked for.
const lately = 200
const table = panelTable(comments)
const model = modelOf(comments)

/** @param own whether the users are the panel's own: an id is never given again there */
export function commentStore(ready: () => Promise<unknown>, ids: UserIds, own: boolean, keeps: CommentStore['keeps']): CommentStore {
  const asRead =
    (reader: User) =>
    ({ id, text, at, editedAt, userId, username, userName }: typeof comments.$inferSelect): Comment => ({
      id,
      text,
      at,
      editedAt,
      userId: ids.ours({ userId })?.userId ?? null,
      userName,
      isOwn: userId === ids.stored(reader.id) && (own || username === reader.username),
    })
  return {
    open: opening(ready),
    keeps,
    async of(reads, on, reader, limit, before) {
      const older: Condition = before === null ? always : { op: 'lt', column: 'id', value: before }
      return (await table.first(reads, limit, both(ofRecord(on), older), { column: 'id', direction: 'DESC' })).map(asRead(reader))
    },
    count: (reads, on) => reads.count(model, ofRecord(on)),
    async find(reads, on, reader, id) {
      const [found] = await table.first(reads, 1, both(ofRecord(on), eq('id', id)))
      return found ? asRead(reader)(found) : null
    },
    async writers(reads, on, most) {
      const order = [{ column: 'id', direction: 'DESC' }] as const
      const rows = await reads.list(model, { columns: ['userId', 'username'], where: ofRecord(on), order, limit: lately })
      const found = new Map<string, Pick<Identity, 'id' | 'username'>>()
      for (const [userId, username] of rows as [string, string][]) {
        const id = ids.ours({ userId })?.userId
        if (id !== undefined && found.size < most) found.set(JSON.stringify([id, username]), { id, username })
      }
      return [...found.values()]
    },
    async add(tx, { of, key }, { id, username, name }, text) {
      const author = { userId: ids.stored(id), username, userName: name }
      return Number(await table.create(tx, { of: of.fullName, record: key, ...author, text, at: new Date() }))
    },
    async edit(tx, id, text) {
      await table.update(tx, id, { text, editedAt: new Date() })
    },
    async remove(tx, id) {
      await table.delete(tx, [id])
    },
    async removeOf(tx, of, keys) {
      await table.deleteAll(tx, both(eq('of', of.fullName), { op: 'in', column: 'record', values: keys }))
    },
  }
}

const ofRecord = ({ of, key }: Subject) => both(eq('of', of.fullName), eq('record', key))
