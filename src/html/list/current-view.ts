import type { Html } from '../../base/html.js'
import type { Listed } from '../../crud/outcomes/lists.js'
import type { PresenterContext } from '../../face/face.js'
import type { AnyList } from './any-list.js'
import { boardOf } from './board.js'
import { calendarOf } from './calendar.js'
import { viewRecords } from './view-record.js'

/** A list as the view that was asked for. */
export function currentView(list: AnyList & { readonly drawn: NonNullable<Listed['drawn']> }, at: PresenterContext): Html {
  const { drawn } = list
  const records = viewRecords(list, drawn.view.card, at)
  return drawn.is === 'board' ? boardOf(list, drawn, records, at) : calendarOf(list, drawn, records, at)
}
