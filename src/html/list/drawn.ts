import type { Html } from '../../base/html.js'
import type { Listed } from '../../crud/outcomes/lists.js'
import type { Around } from '../../face/face.js'
import type { AnyList } from './any-list.js'
import { boardOf } from './board.js'
import { calendarOf } from './calendar.js'
import { recordsOf } from './drawn-record.js'

/** A list as the view that was asked for. */
export function drawnOf(list: AnyList & { readonly drawn: NonNullable<Listed['drawn']> }, at: Around): Html {
  const { drawn } = list
  const records = recordsOf(list, drawn.view.card, at)
  return drawn.is === 'board' ? boardOf(list, drawn, records, at) : calendarOf(list, drawn, records, at)
}
