import { type KeyValue, keyText } from '../../field/key.js'
import { always } from '../../resource/condition/condition.js'
import { isFindable } from '../../resource/model/import-settings.js'
import type { Column } from '../../resource/model/model.js'
import { trashIn } from '../../resource/trash-resource.js'
import { may, scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import type { Lens } from '../call/lens.js'
import type { RowFault } from './error.js'
import { recordsByValues, textOf, type Values } from './find-by-values.js'
import type { Plan } from './row.js'

/**
 * The rows whose values other records or earlier rows have, where only one may have them: else the database would name one of them at a
 * time. What a hook makes of a value is not known before, so then it is left to the database.
 */
export async function uniqueFaults(call: Call, lens: Lens, plans: readonly Plan[]): Promise<readonly RowFault[]> {
  const { model, hooks } = call.resource
  if (hooks.beforeSave) return []
  const faults: RowFault[] = []
  const sets = new Map(model.uniques.map((keys) => [keys.join(' '), keys]))
  for (const keys of sets.values()) {
    const by = keys.map((key) => model.columns.get(key) as Column)
    if (by.every((column) => isFindable(column) && lens.readable.has(column.key))) faults.push(...(await takenOf(call, lens, by, plans)))
  }
  return faults
}

async function takenOf(call: Call, lens: Lens, by: readonly Column[], plans: readonly Plan[]): Promise<readonly RowFault[]> {
  const { t, locale } = call.realm
  const own = plans.flatMap((plan) => {
    const values = written(plan, lens, by)
    return values === null ? [] : [{ plan, values, text: textOf(values, by) }]
  })
  const holders = await holdersOf(
    call,
    by,
    own.map(({ values }) => values),
  )
  const becomes = new Map(own.flatMap(({ plan: { key }, text }) => (key === undefined ? [] : [[keyText(key), text] as const])))
  const first = new Map<string, string>()
  const done = new Set<string>()
  const found = own.flatMap(({ plan: { row, key }, text }) => {
    const mine = key === undefined ? null : keyText(key)
    const by = holders.get(text)
    const holder = by === undefined ? undefined : keyText(by)
    // What a record had is free once an earlier row has changed it.
    const isFreed = holder !== undefined && done.has(holder) && becomes.get(holder) !== text
    const isTaken = holder !== undefined && holder !== mine && !isFreed
    const earlier = first.get(text)
    if (mine !== null) done.add(mine)
    if (earlier === undefined) first.set(text, row.label)
    return isTaken || earlier !== undefined ? [{ row, by: isTaken ? by : undefined, earlier }] : []
  })
  const deleted = await deletedOf(
    call,
    found.flatMap(({ by }) => by ?? []),
  )
  const labels = by.map(({ key }) => lens.readable.get(key)?.label ?? key)
  const [label, isOne] = [new Intl.ListFormat(locale).format(labels), labels.length === 1]
  return found.map(({ row, by: taken, earlier }) => {
    const inTrash = taken !== undefined && deleted?.keys.has(keyText(taken)) ? deleted.title : null
    const said =
      taken === undefined
        ? t('import.valueTwice', { label, row: earlier as string })
        : inTrash !== null
          ? isOne
            ? t('field.takenInTrash', { label, title: inTrash })
            : t('field.takenTogetherInTrash', { labels: label, title: inTrash })
          : isOne
            ? t('field.taken', { label })
            : t('field.takenTogether', { labels: label })
    return { name: row.name, line: row.line, errors: new Map(by.map(({ key }) => [key, [said]])) }
  })
}

/** The values that a record has once a row is written, if the row writes one of them and all are known. */
function written({ values, before }: Plan, { at }: Lens, by: readonly Column[]): Values | null {
  if (!by.some(({ key }) => Object.hasOwn(values, key))) return null
  const all = by.map(({ key }) => (Object.hasOwn(values, key) ? values[key] : before?.[at.get(key) as number]) ?? null)
  return all.includes(null) ? null : all
}

/** The keys of the records that have these values, by the texts of the values. */
async function holdersOf(
  { resource, store }: Call,
  by: readonly Column[],
  wanted: readonly Values[],
): Promise<ReadonlyMap<string, KeyValue>> {
  const columns = [...new Set([resource.model.key.key, ...by.map(({ key }) => key)])]
  const found = await recordsByValues({ reads: store, resource, by, columns, where: always }, wanted)
  return new Map([...found].flatMap(([text, row]) => (row ? [[text, row[0] as KeyValue] as const] : [])))
}

/** Those of these records that have been deleted, as far as the caller may see them in the trash; null: there is none for them. */
async function deletedOf(
  { resource, realm, identity }: Call,
  holders: readonly KeyValue[],
): Promise<{ readonly title: string; readonly keys: ReadonlySet<string> } | null> {
  const trash = trashIn(realm.resources, resource)
  if (!trash || holders.length === 0 || !may(realm, identity, trash, 'viewAny')) return null
  const { model, title } = trash
  const rows = await realm.storeOf(trash).findMany(model, holders, [model.key.key], scopeOf(identity, trash))
  return { title, keys: new Set(rows.map(([key]) => keyText(key as KeyValue))) }
}
