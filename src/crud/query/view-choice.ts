import { isMonth, isWeek } from '../../field/days-shown.js'
import { type ListView, tableView } from '../../resource/pages/view.js'
import type { QueryReader } from '../input/query-reader.js'
import { isViewName, viewNamed } from './views.js'

/** How a page draws a list. */
export interface ViewChoice {
  /** The view; null: as a table. */
  readonly view: ListView | null
  /** The month or the week that a calendar shows; null: that of today. */
  readonly days: { readonly by: 'month' | 'week'; readonly text: string } | null
}

/** The parameters that lists with these views take besides. */
export function viewParameters(views: readonly ListView[]): readonly string[] {
  return [...(views.length > 0 ? ['view'] : []), ...(hasDays(views) ? ['month', 'week'] : [])]
}

/** What `view`, `month` and `week` ask for. */
export function readViewChoice(reader: QueryReader, views: readonly ListView[]): ViewChoice {
  const { t } = reader
  const name = views.length > 0 ? reader.text('view') : ''
  const isKnown = isViewName(views, name)
  if (name !== '' && !isKnown)
    reader.report('view', t('query.unknownView', { name, names: [tableView, ...views.map(({ uri }) => uri)].join(', ') }))
  const [month, week] = hasDays(views) ? [reader.text('month'), reader.text('week')] : ['', '']
  if (month !== '' && !isMonth(month)) reader.report('month', t('query.notMonth', { name: month }))
  if (week !== '' && !isWeek(week)) reader.report('week', t('query.notWeek', { name: week }))
  if (month !== '' && week !== '') reader.report('week', t('query.monthAndWeek'))
  return {
    view: viewNamed(views, isKnown ? name : ''),
    days: isMonth(month) ? { by: 'month', text: month } : isWeek(week) ? { by: 'week', text: week } : null,
  }
}

const hasDays = (views: readonly ListView[]) => views.some(({ is }) => is === 'calendar')
