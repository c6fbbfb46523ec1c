import type { Identity } from '../../auth/identity.js'
import { legible } from '../../field/illegible.js'
import { keyText } from '../../field/key.js'
import { isOfType } from '../../resource/model/value.js'
import type { Through } from '../../resource/relation/through.js'
import type { Order, Row } from '../../store/store.js'
import { scopeOf } from '../call/allow.js'
import type { Lens } from '../call/lens.js'
import type { ReadsOf } from '../relation/related.js'

/** What a list reads of its records: the columns of its lens, and behind them what it is sorted by of records that relations lead to. */
export function columnsRead({ columns }: Lens, order: readonly Order[]): readonly string[] {
  const along = namesAlong(order)
  return along.length === 0 ? columns : [...columns, ...along]
}

const namesAlong = (order: readonly Order[]) => order.filter(({ along }) => along).map(({ column }) => column)

/**
 * The rows of a list, each with what its lens shows of records that relations lead to: one query for each step, for any number of rows. What
 * they are sorted by came with them: read again, it might be another value, and a cursor would lead past records.
 */
export async function withThroughValues(
  identity: Identity,
  lens: Lens,
  rows: readonly Row[],
  readsOf: ReadsOf,
  order: readonly Order[] = [],
): Promise<readonly Row[]> {
  if (lens.throughs.size === 0 || rows.length === 0) return rows
  const came = namesAlong(order)
  const values = await Promise.all(
    [...lens.throughs.values()].map((one) => {
      const { key } = one.shown
      const at = came.indexOf(key)
      if (at >= 0) return rows.map((row) => row[lens.columns.length + at])
      return lens.shown.some((shown) => shown.key === key) ? valuesAlong(identity, one, lens, rows, readsOf) : []
    }),
  )
  const none = Array<null>(lens.columns.length + 1).fill(null)
  return rows.map((row, i) => {
    const own = row.slice(0, row.length - came.length)
    return [...own, ...none.slice(own.length), ...values.map((all) => all[i] ?? null)]
  })
}

/** What a way ends with, for each row; null where a step leads to no record that the caller sees. */
async function valuesAlong(identity: Identity, { steps, of }: Through, lens: Lens, rows: readonly Row[], readsOf: ReadsOf) {
  const at = lens.at.get(steps[0]?.relation.key as string) as number
  let values = rows.map((row) => row[at])
  for (const [i, { target }] of steps.entries()) {
    const { model } = target
    const keys = new Map(values.map(legible).flatMap((key) => (isOfType(model.key, key) ? [[keyText(key as never), key] as const] : [])))
    const next = steps[i + 1]?.relation.key ?? of.key
    const found =
      keys.size === 0 ? [] : await readsOf(target).findMany(model, [...keys.values()], [model.key.key, next], scopeOf(identity, target))
    const byKey = new Map(found.map(([key, value]) => [keyText(key as never), value]))
    values = values.map((key) => (isOfType(model.key, legible(key)) ? (byKey.get(keyText(legible(key) as never)) ?? null) : null))
  }
  return values
}
