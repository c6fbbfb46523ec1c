import type { Model } from '../../resource/model/model.js'
import { storeTexts } from '../../resource/model/store-texts.js'
import { identity } from './compare.js'
import type { Stored } from './records.js'
import type { Tables } from './tables.js'

/** Refuses a record that lacks a required value or repeats a unique one. `self`: the record that it replaces. */
export function checkRecord(tables: Tables, model: Model, record: Stored, self: Stored | null): void {
  for (const { key, notNull, primary } of model.columns.values()) {
    if ((notNull || primary) && record.get(key) === null) tables.refuse('invalid', storeTexts.required, [key])
  }
  const taken = tables.of(model).taken(record, self)
  if (taken) tables.refuse('conflict', taken.length > 1 ? 'This combination is already taken' : 'Already taken', taken)
}

/** Refuses a record with a broken reference. */
export function checkReferences(tables: Tables, model: Model, record: Stored): void {
  const known = tables.models()
  for (const { key, references } of model.columns.values()) {
    const target = references && known.find((one) => one.table === references.table)
    if (target && record.get(key) !== null && !tables.of(target).has(references.key, record.get(key)))
      tables.refuse('conflict', storeTexts.referring, [key])
  }
}

/** Refuses to delete records, or to change their referenced values, while others still refer to them. */
export function checkGone(tables: Tables, model: Model, gone: readonly Stored[]): void {
  for (const other of tables.models()) {
    for (const column of other.columns.values()) {
      const { references } = column
      if (references?.table !== model.table) continue
      const values = gone
        .map((record) => record.get(references.key))
        .filter((value) => value !== null && !tables.of(model).has(references.key, value))
      const lost = new Set(values.map((value) => identity(column, value)))
      const stillRefers = (value: unknown) => value !== null && lost.has(identity(column, value))
      if (
        lost.size > 0 &&
        tables
          .of(other)
          .all()
          .some((record) => stillRefers(record.get(column.key)))
      )
        tables.refuse('conflict', storeTexts.referring)
    }
  }
}
