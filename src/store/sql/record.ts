import { DaymarkError } from '../../base/errors.js'
import type { Row } from '../store.js'
import type { Plan, Planned } from './plan.js'

/** The values of a statement in the order of its marks. */
export function boundValues({ plan: { marks }, values }: Planned): readonly unknown[] {
  return marks === null ? values : marks.map((mark) => ('index' in mark ? values[mark.index] : mark.constant))
}

/** What a driver gave for a row → stored values, in place. */
export function decode({ decoders }: Plan, row: unknown[]): Row {
  for (const [index, codec] of decoders) {
    const value = row[index]
    if (value === null) continue
    try {
      row[index] = (codec.decode as (value: unknown) => unknown)(value)
    } catch (cause) {
      throw new DaymarkError('internal', `A stored value of "${codec.column.key}" cannot be read`, { cause })
    }
  }
  return row
}
