import { DaymarkError, invalid } from '../../base/errors.js'
import { type KeyValue, keyText } from '../../field/key.js'
import { always, both, type Condition } from '../../resource/condition/condition.js'
import type { Column, Link, Model } from '../../resource/model/model.js'
import { isOfType } from '../../resource/model/value.js'
import type { Values } from '../store.js'
import { planCreate } from './create.js'
import { planDelete } from './delete.js'
import type { Linked } from './dialect.js'
import { planFind, withKeys } from './find.js'
import type { Planner } from './plan.js'
import type { Runs } from './reads.js'
import type { Executes } from './sql-store.js'

/** The values of columns: those that are no lists of linked records. */
export function columnsIn({ links }: Model, values: Values): Values {
  if (links.length === 0) return values
  return Object.fromEntries(Object.entries(values).filter(([name]) => !links.some(({ key }) => key === name)))
}

/** What the writes of a record do to its link tables. */
export interface LinkWrites {
  /**
   * Makes the links of a record those that the values name. Links that stay are not written.
   *
   * @throws DaymarkError `invalid` or `conflict`, naming the list
   */
  put(model: Model, key: unknown, values: Values): Promise<void>
  /** Deletes the records with these keys that also meet the condition, with their links, and returns how many that were. */
  delete(model: Model, keys: readonly unknown[], where: Condition | undefined): Promise<number>
}

export function linkWrites(planner: Planner, runs: Runs, execute: Executes['execute']): LinkWrites {
  return {
    async put(model, key, values) {
      const table = planner.table(model)
      for (const { key: name } of model.links) {
        if (Object.hasOwn(values, name)) await putOne(table.column(name).linked as Linked, name, key, values[name])
      }
    },
    delete: deleteAll,
  }

  async function putOne({ link, stored }: Linked, name: string, key: unknown, list: unknown): Promise<void> {
    if (!Array.isArray(list)) throw invalid(name, 'Must be a list of keys')
    const { model, source, target } = link
    const ofRecord: Condition = { op: 'eq', column: source.key, value: key }
    const wanted = new Map(list.map((one) => [keyText(one), stored(one)] as const))
    const found = await runs.rows(planFind(planner, model, [target.key], ofRecord), false)
    // A row whose value is no key is in no list, so no list says that it is gone.
    const linked = new Map(found.flatMap(([one]) => (isOfType(target, one) ? [[keyText(one as KeyValue), one] as const] : [])))
    const gone = [...linked].flatMap(([text, one]) => (wanted.has(text) ? [] : [one]))
    const added = [...wanted].flatMap(([text, one]) => (linked.has(text) ? [] : [one]))
    try {
      if (gone.length > 0) await runs.run(planDelete(planner, model, both(ofRecord, { op: 'in', column: target.key, values: gone })))
      await Promise.all(added.map((one) => runs.row(planCreate(planner, model, { [source.key]: key, [target.key]: one }))))
    } catch (thrown) {
      throw named(thrown, name, link)
    }
  }

  async function deleteAll(model: Model, keys: readonly unknown[], where: Condition | undefined): Promise<number> {
    const deleting = () => runs.run(planDelete(planner, model, withKeys(model, keys, where)))
    const lists = model.links.filter(({ link }) => (link as Link).unlinks)
    if (lists.length === 0) return deleting()
    const linked = await existing(model, keys, both(where ?? always, hasAny(lists)))
    if (linked.length === 0) return deleting()
    await execute(`savepoint ${savepoint}`)
    for (const { link } of lists)
      await runs.run(planDelete(planner, (link as Link).model, withKeys((link as Link).model, linked, undefined)))
    const count = await deleting()
    const isKept = (await existing(model, linked, always)).length > 0
    if (isKept) await execute(`rollback to savepoint ${savepoint}`)
    await execute(`release savepoint ${savepoint}`)
    if (!isKept) return count
    // A trigger kept or only hid a record, which then keeps its links: each is tried by itself.
    if (keys.length === 1) return deleting()
    let all = 0
    for (const key of new Set(keys)) all += await deleteAll(model, [key], where)
    return all
  }

  /** Which of these keys are those of records that meet a condition. */
  async function existing(model: Model, keys: readonly unknown[], where: Condition): Promise<readonly unknown[]> {
    const rows = await runs.rows(planFind(planner, model, [model.key.key], withKeys(model, keys, where)), false)
    return rows.map(([key]) => key)
  }
}

const savepoint = 'daymark_unlinked'

/** The condition that a record may have rows in the link tables of these lists. A row that leads nowhere is in no list, but refers to it. */
const hasAny = (lists: readonly Column[]): Condition =>
  lists.every(({ link }) => link?.target.notNull)
    ? { op: 'or', all: lists.map(({ key }) => ({ op: 'ne', column: key, value: null })) }
    : always

/** A refusal that names columns of the link table names the list instead. */
function named(thrown: unknown, name: string, { source, target }: Link): unknown {
  if (!(thrown instanceof DaymarkError) || ![...thrown.errors.keys()].some((key) => key === source.key || key === target.key)) return thrown
  const texts = [...thrown.errors.values()].flat()
  return new DaymarkError(thrown.code, texts[0] ?? thrown.message, { errors: [[name, texts]], headers: thrown.headers, cause: thrown })
}
