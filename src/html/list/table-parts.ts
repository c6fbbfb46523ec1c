import type { Identity } from '../../auth/identity.js'
import { type Html, html } from '../../base/html.js'
import type { PresenterContext } from '../../face/face.js'
import type { TablePart } from '../../resource/pages/table.js'
import type { Row } from '../../store/store.js'
import { type Column, headRow, table } from '../components/table.js'
import type { AnyList } from './any-list.js'
import { rowForms } from './row-writer.js'
import { recordOf, rowMaker } from './rows.js'
import { summaryRows } from './summary.js'

/** The table of a list, with the parts that the resource replaces. */
export function tableOf(list: AnyList, at: PresenterContext, columns: readonly Column[], rows: readonly Row[], body: Html): Html {
  const { resource } = list
  const { thead, tfoot } = resource.table
  const { picks, menus } = rowForms(list, at)
  const moves = list.moves !== null
  const summary = summaryRows(list, at, columns, rows.length)
  const own = () => headRow({ columns, moves, picks: picks !== null, menus: menus !== null }, at.realm.t)
  return table({
    label: list.preset?.title ?? resource.title,
    moves,
    picks: picks !== null,
    sticky: resource.stickyTable,
    long: !resource.usePagination,
    head: thead ? drawn(thead, list, at, rows, own) : own(),
    body,
    foot: tfoot ? drawn(tfoot, list, at, rows, () => html`${summary}`) : summary,
  })
}

/**
 * The rows of the body.
 *
 * @param written draws the rows
 * @param first whether they begin with the body's first row
 */
export function bodyOf(list: AnyList, at: PresenterContext, rows: readonly Row[], written: () => readonly Html[], first: boolean): Html {
  const { tbody, tbodyBefore, tbodyAfter } = list.resource.table
  const part = (one: TablePart<Record<string, unknown>> | null) => one && drawn(one, list, at, rows, () => html``)
  const own = () => {
    const all = written()
    if (!first || all.length === 0 || (!tbodyBefore && !tbodyAfter)) return html`${all}`
    return html`${part(tbodyBefore)}${all[0]}${part(tbodyAfter)}${all.slice(1)}`
  }
  return tbody ? drawn(tbody, list, at, rows, own) : own()
}

function drawn(part: TablePart<Record<string, unknown>>, list: AnyList, at: PresenterContext, rows: readonly Row[], own: () => Html): Html {
  if (typeof part !== 'function') return part
  const { lens, total } = list
  const { realm, identity } = at
  const { picks, menus } = rowForms(list, at)
  const columns = rowMaker(realm, lens).columns.map(({ key, label }) => ({ key, label }))
  return part(
    rows.map((row) => recordOf(lens, row)),
    {
      user: identity as Identity,
      locale: realm.locale,
      timeZone: realm.timeZone,
      columns,
      cells: columns.length + [list.moves, picks, menus].filter((one) => one !== null).length,
      total: total?.exact ? total.count : null,
      own,
    },
  )
}
