import type { Identity } from '../auth/identity.js'
import { legible } from '../field/illegible.js'
import { keyText } from '../field/key.js'
import type { Through } from '../resource/through.js'
import { isOfType } from '../resource/value.js'
import type { Row } from '../store/store.js'
import { scopeOf } from './allow.js'
import type { Lens } from './lens.js'
import type { ReadsOf } from './related.js'

/** The rows of a list, each with what its lens shows of records that relations lead to: one query for each step, for any number of rows. */
export async function withFollowed(identity: Identity, lens: Lens, rows: readonly Row[], readsOf: ReadsOf): Promise<readonly Row[]> {
  if (lens.followed.size === 0 || rows.length === 0) return rows
  const values = await Promise.all(
    [...lens.followed.values()].map((one) =>
      lens.shown.some(({ key }) => key === one.shown.key) ? valuesAlong(identity, one, lens, rows, readsOf) : [],
    ),
  )
  const none = Array<null>(lens.columns.length + 1).fill(null)
  return rows.map((row, i) => [...row, ...none.slice(row.length), ...values.map((all) => all[i] ?? null)])
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
