import { DaymarkError } from '../../base/errors.js'
import { always } from '../../resource/condition/condition.js'
import { modelOf } from '../../resource/model/model.js'
import type { SqlStore } from '../sql/sql-store.js'
import { journalFor, stepsFor } from './migrations.js'
import { migrations } from './tables.js'

/**
 * Migrates the panel's own tables. Each step is a transaction that first inserts its row into the journal: of two processes that start
 * together, the second waits there and finds the step done. This needs nothing but a unique key.
 */
export async function migrate(store: SqlStore): Promise<void> {
  const model = modelOf(migrations)
  const steps = stepsFor(store.dialect)
  for (let last = -1; ; ) {
    const done = await stepsDone(store)
    if (done === last) throw new Error("The journal of the panel's own tables has gaps: restore the database from a backup")
    last = done
    if (done > steps.length)
      throw new Error(
        `This database was used by a newer version: it is at step ${done} of the panel's own tables, and this one knows ${steps.length}`,
      )
    const step = steps[done]
    if (!step) return
    await unlessOutrun(store, async (tx) => {
      await tx.create(model, { id: done + 1, at: new Date() })
      for (const statement of step) await tx.execute(statement)
    })
  }
}

async function stepsDone(store: SqlStore): Promise<number> {
  const count = () => store.count(modelOf(migrations), always)
  try {
    return await count()
  } catch (thrown) {
    if (isAway(thrown)) throw thrown
    // Probably there is no journal yet. If there was another reason, creating it fails for the same.
    const made = makeJournal(store, journalFor(store.dialect))
    return made.then(count, (error) =>
      // Another process may have created it at the same moment.
      count().catch(() => {
        throw error
      }),
    )
  }
}

async function makeJournal(store: SqlStore, [way = [], ...others]: readonly (readonly string[])[]): Promise<void> {
  try {
    await unlessOutrun(store, async (tx) => {
      for (const statement of way) await tx.execute(statement)
    })
  } catch (error) {
    if (others.length === 0 || isAway(error)) throw error
    await makeJournal(store, others)
  }
}

/** Whether the database cannot be reached: asking it again would only wait again. */
const isAway = (thrown: unknown) => thrown instanceof DaymarkError && thrown.code === 'unavailable'

async function unlessOutrun(store: SqlStore, work: Parameters<typeof store.transaction<void>>[0]): Promise<void> {
  try {
    await store.transaction(work)
  } catch (error) {
    if (!(error instanceof DaymarkError && error.code === 'conflict')) throw error
  }
}
