import { ofRecord } from '../../resource/action/of-record.js'
import type { Row } from '../../store/store.js'
import { allowRow, asksRecord, type RecordAction } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { lensOf } from '../call/lens.js'
import { visibleLens } from '../call/visible-lens.js'
import { labelOf } from '../relation/label.js'

/**
 * Like `allowRow` for rows of a selection. If several records are selected, a refusal says which of them it is about.
 *
 * @param rows whole ones, if a policy depends on the record
 * @param count how many are selected
 * @throws DaymarkError `forbidden`
 */
export function allowEach(call: Call, rows: readonly Row[], recordAction: RecordAction, count: number): void {
  const { realm, identity, resource } = call
  if (!asksRecord(resource, recordAction)) return
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  for (const row of rows) {
    try {
      allowRow(realm, identity, resource, recordAction, lens.columns, row)
    } catch (thrown) {
      throw count > 1 ? ofRecord(thrown, labelOf(visibleLens(call, lens, row), row), realm.t) : thrown
    }
  }
}
