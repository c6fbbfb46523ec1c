import { DaymarkError } from '../../base/errors.js'
import { Illegible } from '../../field/illegible.js'
import type { Row } from '../store.js'
import type { Plan, Planned } from './plan.js'

/** The values of a statement, in the order of its parameters. */
export function boundValues({ plan: { marks }, values }: Planned): readonly unknown[] {
  return marks === null ? values : marks.map((mark) => ('index' in mark ? values[mark.index] : mark.constant))
}

/**
 * Decodes a driver's row in place. A value that cannot be decoded becomes `Illegible` and affects no other.
 *
 * @throws DaymarkError `internal` if it is the key: nothing could be done with such a record
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
