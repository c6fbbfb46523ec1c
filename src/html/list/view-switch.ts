import type { Html } from '../../base/html.js'
import type { BoardColumn } from '../../crud/outcomes/lists.js'
import { viewsFor } from '../../crud/query/views.js'
import type { PresenterContext } from '../../face/face.js'
import { type ListView, tableView } from '../../resource/pages/view.js'
import { todayId } from '../components/calendar.js'
import { viewSwitch } from '../components/view-switch.js'
import type { AnyList } from './any-list.js'
import { listUrl } from './list-url.js'

/** Links to the views of a list that this caller has; none: it is a table alone. */
export function switchOf(list: AnyList, at: PresenterContext): readonly Html[] {
  const views = list.preset === null ? viewsFor(list.lens) : []
  if (views.length === 0) return []
  const { t } = at.realm
  const now = list.drawn?.view ?? null
  const place = (view: ListView | null) => (view?.is === 'calendar' ? `#${todayId}` : '')
  const tab = (view: ListView | null) => ({ label: labelOf(view, at), href: viewUrl(list, view, at) + place(view), current: now === view })
  return [viewSwitch([null, ...views].map(tab), t('view.as'))]
}

/** The URL of the same list as another view; null: as a table. */
function viewUrl(list: AnyList, view: ListView | null, at: PresenterContext, query: Readonly<Record<string, string | null>> = {}): string {
  const isFirst = view ? view.initial : !viewsFor(list.lens).some(({ initial }) => initial)
  return listUrl(at, { ...query, view: isFirst ? null : (view?.uri ?? tableView), month: null, week: null })
}

/** The URL of the same list as a table, with further filters; null: no URL asks for that, as where its own filters are alternatives. */
export function narrowedUrl(list: AnyList, query: BoardColumn['query'], at: PresenterContext): string | null {
  return query === null || list.listing.matchesAny ? null : viewUrl(list, null, at, { ...Object.fromEntries(query), match: null })
}

/** What users call a view. */
export function labelOf(view: ListView | null, { realm: { t } }: PresenterContext): string {
  return view ? (view.label ?? t(`view.${view.is}`)) : t('view.table')
}
