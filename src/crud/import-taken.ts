import type { Bound } from '../field/field.js'
import { type KeyValue, keyText } from '../field/key.js'
import { trashIn } from '../resource/trash-resource.js'
import { may, scopeOf } from './allow.js'
import type { Call } from './call.js'
import type { RowFault } from './import-error.js'
import type { Plan } from './import-row.js'
import { chunk } from './selection.js'

/**
 * The rows whose values other records or earlier rows have, where only one may have them: else the database would name one of them at a
 * time. What a hook makes of a value is not known before, so then it is left to the database.
 */
export async function takenIn(call: Call, plans: readonly Plan[]): Promise<readonly RowFault[]> {
  const { resource } = call
  if (resource.hooks.beforeSave) return []
  const faults: RowFault[] = []
  for (const field of resource.fields.values()) {
    const column = resource.model.columns.get(field.key)
    if (column?.unique || column?.primary) faults.push(...(await takenOf(call, field, plans)))
  }
  return faults
}

async function takenOf(call: Call, field: Bound, plans: readonly Plan[]): Promise<readonly RowFault[]> {
  const { t } = call.realm
  const own = plans.flatMap((plan) => {
    const value = written(plan, field)
    return value === null ? [] : [{ plan, value, text: keyText(value) }]
  })
  const holders = await holdersOf(call, field, [...new Map(own.map(({ text, value }) => [text, value])).values()])
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
  const { key, label } = field
  return found.map(({ row, by, earlier }) => {
    const said =
      by === undefined
        ? t('import.valueTwice', { label, row: earlier as string })
        : deleted?.keys.has(keyText(by))
          ? t('field.takenInTrash', { label, title: deleted.title })
          : t('field.taken', { label })
    return { name: row.name, line: row.line, errors: new Map([[key, [said]]]) }
  })
}

/** The value that a row writes, if it can be looked up. */
function written({ sent, values }: Plan, field: Bound): KeyValue | null {
  const one = Object.keys(values).length > 0 ? sent.fields.find((one) => one.field === field && one.writable) : undefined
  const value = one?.checked.ok ? one.checked.value : null
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? value : null
}

/** The keys of the records that have these values, by the texts of the values. */
async function holdersOf(
  { resource: { model }, store }: Call,
  field: Bound,
  values: readonly KeyValue[],
): Promise<ReadonlyMap<string, KeyValue>> {
  const holders = new Map<string, KeyValue>()
  const key = model.key.key
  for (let from = 0; from < values.length; from += chunk) {
    const rows = await store.list(model, {
      columns: [key, field.key],
      where: { op: 'in', column: field.key, values: values.slice(from, from + chunk) },
      order: [{ column: key, direction: 'ASC' }],
      limit: chunk,
    })
    for (const [owner, value] of rows) if (value !== null) holders.set(keyText(value as KeyValue), owner as KeyValue)
  }
  return holders
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
