import { setTimeout as sleep } from 'node:timers/promises'
import { makeDetached } from '../../base/detached.js'
import { both, type Condition } from '../../resource/condition/condition.js'
import type { Model } from '../../resource/model/model.js'
import type { FileStorage, StoredFile } from '../files/storage.js'
import type { Reads, Store, Writes } from '../store.js'
import { opening } from './opening.js'
import { eq, panelTable } from './table.js'
import { files } from './tables.js'

/** Who keeps a file, and what for. */
export interface FileFor {
  readonly path: string
  readonly userId: string
  /** The model, and the field whose value the path will be. */
  readonly of: Model
  readonly field: string
}

/**
 * The files of fields. The table holds those that no record holds: a file enters it before it is stored, leaves it in the transaction in
 * which a record takes it, and comes back in the one in which the record gives it up. So a file is removed once nothing holds it, and not
 * before, wherever a process ends.
 */
export interface Files {
  /** Creates or migrates the panel's own tables. Call it before a transaction; null: that has been done. */
  open(): Promise<void> | null
  /** Stores a file for a record to take within a day. */
  keep(file: FileFor, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Reads a file; null: it is not there. */
  read(path: string): Promise<StoredFile | null>
  /** Lets a record take a file; false: it was not kept for that, or another record has taken it. */
  take(tx: Reads & Writes, file: FileFor): Promise<boolean>
  /** Lets a record hold a file whoever kept it, and what for, or gave it up: nothing removes it then. */
  hold(tx: Reads & Writes, path: string): Promise<void>
  /** Gives up a file that a record held. It is removed after the transaction. */
  release(tx: Writes, file: FileFor): Promise<void>
  /** Removes what is due, soon, once for all who ask. */
  removeSoon(): void
  /** Removes what is due. */
  removeDue(): Promise<void>
  /** Begins no removal any more, and waits a second for the one that has begun: the next process does what is left. */
  close(): Promise<void>
}

const table = panelTable(files)
const day = 86_400_000
const hour = 3_600_000
// A record may be taking a file just as it becomes due.
const late = 60_000
// By then, the transaction of the write that asks has ended.
const soon = 1000
const most = 100

/** @param failed receives what went wrong in a removal, which is tried again later */
export function filesOf(ready: () => Promise<Store>, storage: FileStorage, failed: (thrown: unknown) => void): Files {
  const detached = makeDetached()
  let timer: NodeJS.Timeout | null = null
  let closed = false
  let removing: Promise<void> = Promise.resolve()

  async function removeAll(): Promise<void> {
    const store = await ready()
    const due: Condition = { op: 'lte', column: 'dueAt', value: new Date(Date.now() - late) }
    for (;;) {
      const some = await table.first(store, most, due, { column: 'dueAt', direction: 'ASC' })
      for (const one of some) {
        if (closed) return
        await remove(store, one)
      }
      if (some.length < most) return
    }
  }

  async function remove(store: Store, { id, path }: { readonly id: number; readonly path: string }): Promise<void> {
    try {
      await storage.remove(path)
      await store.transaction((tx) => table.delete(tx, [id]))
    } catch (thrown) {
      failed(thrown)
      // Nobody may take it any more, since some of it may be gone; and others are not to wait behind it.
      await table.updateAlone(store, id, { userId: '', dueAt: new Date(Date.now() + hour) })
    }
  }

  const files: Files = {
    open: opening(ready),
    async keep({ path, userId, of, field }, content) {
      const store = await ready()
      await table.createAlone(store, { path, userId, of: of.fullName, field, dueAt: new Date(Date.now() + day) })
      try {
        await storage.put(path, content)
      } catch (thrown) {
        await store.transaction((tx) => table.deleteAll(tx, eq('path', path)))
        throw thrown
      }
      files.removeSoon()
    },
    read: (path) => storage.get(path),
    async take(tx, { path, userId, of, field }) {
      const mine = both(both(eq('path', path), eq('userId', userId)), both(eq('of', of.fullName), eq('field', field)))
      const [found] = await table.first(tx, 1, both(mine, { op: 'gt', column: 'dueAt', value: new Date() }))
      // Of two that found it, one deletes it.
      return found !== undefined && (await table.delete(tx, [found.id])) === 1
    },
    async hold(tx, path) {
      await table.deleteAll(tx, eq('path', path))
    },
    async release(tx, { path, of, field }) {
      // Nobody may take it, so nothing is to be waited for.
      await table.create(tx, { path, userId: '', of: of.fullName, field, dueAt: new Date(Date.now() - late) })
    },
    removeSoon() {
      if (closed) return
      // Whoever asks may be in a transaction still, in which nothing else can be written.
      timer ??= detached(() =>
        setTimeout(() => {
          timer = null
          void files.removeDue()
        }, soon).unref(),
      )
    },
    removeDue() {
      removing = removing.then(removeAll).catch(failed)
      return removing
    },
    async close() {
      closed = true
      if (timer) clearTimeout(timer)
      timer = null
      await Promise.race([removing, sleep(soon, undefined, { ref: false })])
    },
  }
  return files
}
