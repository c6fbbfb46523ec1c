import { isDeepStrictEqual } from 'node:util'
import { numberText } from '../../base/number.js'
import type { Bound } from '../../field/field.js'
import type { Model } from '../model/model.js'
import type { HandlerContext } from './action.js'
import type { BoundAction, Words } from './bind-action.js'
import { ofRecord } from './of-record.js'

/** The URI of the handler that `massUpdate` declares. */
export const massUpdateUri = 'massUpdate'

type Record_ = Record<string, unknown>

interface Of {
  readonly fields: ReadonlyMap<string, Bound>
  readonly model: Model
}

/**
 * The handler that changes some fields of all selected records, each by a write like any other: with its rules, hooks, policies and history.
 * What a record has already is not written again.
 *
 * @param names the fields that may be changed
 */
export function massUpdateOf(names: readonly string[], of: Of): BoundAction {
  const { key } = of.model.key
  return Object.freeze({
    uri: massUpdateUri,
    method: 'POST',
    safe: false,
    label: null,
    ability: 'update',
    can: null,
    canRecord: null,
    fields: new Map(names.flatMap((name) => of.fields.get(name) ?? []).map((field) => [field.key, field])),
    input: null,
    confirm: null,
    redirectsTo: Object.freeze([]),
    transaction: true,
    needsSelection: true,
    long: false,
    changes: true,
    async run({ selected, update, input, ids, total }: HandlerContext<Record_, Record_, unknown>, { t, locale, titleOf }: Words) {
      const values = Object.entries(input as Record_)
      let left = ids.length
      for await (const some of selected()) {
        left -= some.length
        for (const record of some) {
          const changes = values.filter(([name, value]) => !isDeepStrictEqual(record[name], value))
          if (changes.length === 0) continue
          try {
            await update(record[key] as string, Object.fromEntries(changes))
          } catch (thrown) {
            throw total > 1 ? ofRecord(thrown, titleOf(record), t) : thrown
          }
        }
      }
      // Without those that are not among the selected ones any more.
      return t('massUpdate.done', { count: numberText(locale, total - left) })
    },
  } satisfies BoundAction)
}
