import { ofRecord } from '../../resource/action/of-record.js'
import type { Row } from '../../store/store.js'
import { allowRow, asksRecord, type Deed } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { lensOf } from '../call/lens.js'
import { seenBy } from '../call/seen.js'
import { labelOf } from '../relation/related.js'

/**
 * Like `allowRow` for rows of a selection. If several records are selected, a refusal says which of them it is about.
 *
 * @param rows whole ones, if a policy depends on the record
 * @param count how many are selected
 * @throws DaymarkError `forbidden`
 */
export function allowEach(call: Call, rows: readonly Row[], deed: Deed, count: number): void {
  const { realm, identity, resource } = call
  if (!asksRecord(resource, deed)) return
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  for (const row of rows) {
    try {
      allowRow(realm, identity, resource, deed, lens.columns, row)
    } catch (thrown) {
      throw count > 1 ? ofRecord(thrown, labelOf(seenBy(call, lens, row), row), realm.t) : thrown
    }
  }
}
