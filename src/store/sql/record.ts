import { DaymarkError } from '../../base/errors.js'
import { Illegible } from '../../field/illegible.js'
import type { Row } from '../store.js'
import type { Plan, Planned } from './plan.js'

/** The values of a statement in the order of its marks. */
export function boundValues({ plan: { marks }, values }: Planned): readonly unknown[] {
  return marks === null ? values : marks.map((mark) => ('index' in mark ? values[mark.index] : mark.constant))
}

/**
 * What a driver gave for a row → stored values, in place. One that cannot be read is marked as such, and takes nothing else with it.
 *
 * @throws DaymarkError `internal` where it is the key: nothing could be said of such a record
 */
export function decode({ decoders, table }: Plan, row: unknown[]): Row {
  for (const [index, codec] of decoders) {
    const value = row[index]
    if (value === null) continue
    try {
      row[index] = (codec.decode as (value: unknown) => unknown)(value)
    } catch (cause) {
      if (cause instanceof DaymarkError) throw cause
      if (codec === table.key) throw new DaymarkError('internal', 'The key of a record cannot be read', { cause })
      row[index] = new Illegible(value)
    }
  }
  return row
}
