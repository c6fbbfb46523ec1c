import { type Html, html } from '../../base/html.js'
import { numberText } from '../../base/number.js'
import type { SummaryNumber } from '../../crud/outcomes/lists.js'
import type { PresenterContext } from '../../face/face.js'
import { overValues } from '../../field/over-values.js'
import { summaries } from '../../resource/pages/summary.js'
import { type SummaryCell, summaryRow } from '../components/summary.js'
import type { Column } from '../components/table.js'
import type { AnyList } from './any-list.js'
import { rowForms } from './row-writer.js'

/** The rows below a list with numbers over all of its records: one for the sums, one for the averages and so on; null if there are none. */
export function summaryRows(list: AnyList, at: PresenterContext, columns: readonly Column[], shown: number): Html | null {
  const { summary, total, preset } = list
  if (!summary || summary.length === 0 || total?.count === 0) return null
  // Below each of a record's lists, what is over one record would only say that again.
  if (preset?.of && total?.exact && total.count === 1) return null
  const { picks, menus } = rowForms(list, at)
  const { t, locale } = at.realm
  const around = { moves: list.moves !== null, picks: picks !== null, menus: menus !== null }
  const rows = summaries.flatMap((of) => {
    const found = summary.filter((one) => one.of === of && columns.some(({ key }) => key === one.field.key))
    if (found.length === 0) return []
    const what = t(`summary.${of}`)
    const isPart = total === null ? list.resource.usePagination : !total.exact || total.count > shown
    const label = !isPart
      ? what
      : total?.exact
        ? t('summary.of', { what, count: numberText(locale, total.count) })
        : t('summary.ofAll', { what })
    const cells = columns.map(({ key, label, first }): SummaryCell => {
      const one = found.find(({ field }) => field.key === key)
      return { label, first, value: one ? numberWords(one, at) : null }
    })
    return [summaryRow(label, cells, around)]
  })
  return html`${rows}`
}

/** With as many decimals as the single values, if their field states them. The smallest is one of them, and so is the largest. */
function numberWords({ field, of, value, stored }: SummaryNumber, { realm }: PresenterContext): string {
  if (value === null) return realm.t('value.empty')
  if (of === 'smallest' || of === 'largest') return field.kind.words(stored, field, realm)
  const shownAs = overValues(field)
  return shownAs ? shownAs.kind.words(value, shownAs, realm) : numberText(realm.locale, value)
}
