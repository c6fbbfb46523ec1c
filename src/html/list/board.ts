import { type Html, html } from '../../base/html.js'
import { numberText } from '../../base/number.js'
import type { BoardColumn, BoardData } from '../../crud/outcomes/lists.js'
import type { PresenterContext } from '../../face/face.js'
import type { Bound } from '../../field/field.js'
import { nextValues } from '../../field/next-values.js'
import type { Row } from '../../store/store.js'
import { type BoardColumnView, board } from '../components/board.js'
import { cellContext } from '../frame/view-context.js'
import type { AnyList } from './any-list.js'
import { createUrls } from './create-from-list.js'
import { draggableBy, dragScripts, hiddenMoveInputs, moveText } from './drag.js'
import { totalText } from './paging.js'
import type { ViewRecord } from './view-record.js'
import { labelOf, narrowedUrl } from './view-switch.js'

/** A list as a board. Cards are moved by the way in which cells of a table are changed. */
export function boardOf(list: AnyList, { view, field, columns }: BoardData, record: (row: Row) => ViewRecord, at: PresenterContext): Html {
  const { resource } = list
  const moveOf = draggableBy(list, field, at)
  const addUrl = createUrls(list, field, at)
  const options = field.kind.options(field) ?? []
  const shown = columns.map((column): BoardColumnView => {
    const { value, count, rows } = column
    const to = moveOf ? placesFrom(field, value, options, at.identity?.roles ?? []) : []
    const name = wordsOf(field, value, at)
    const href = value === undefined ? null : addUrl(value)
    return {
      value: moveOf && value !== undefined ? moveText(field, value, at) : null,
      heading: headingOf(field, value, at),
      count: count && totalText(count, at),
      add: href === null ? null : { href, label: at.realm.t('view.add', { place: name }) },
      leads: to.map((one) => ({ value: moveText(field, one, at), label: headingOf(field, one, at) })),
      cards: rows.map((row) => {
        const { changes, ...card } = record(row)
        return {
          ...card,
          move: changes && to.length > 0 ? (moveOf?.(card.key, row) ?? null) : null,
        }
      }),
      more: moreOf(list, column, at),
    }
  })
  const moves = shown.some(({ cards }) => cards.some(({ move }) => move !== null))
  return board(
    {
      id: `${resource.table.name}-board`,
      label: labelOf(view, at),
      script: moves && resource.isAsync ? dragScripts(at) : null,
      hidden: hiddenMoveInputs(field, at),
      columns: shown,
    },
    at.realm.t,
  )
}

/** Where a user with these roles moves records that have a value: to an option that leads on from it, or to none. */
function placesFrom(field: Bound, value: unknown, options: readonly unknown[], roles: readonly string[]): readonly unknown[] {
  const next = nextValues(field, value, roles)
  const all = field.nullable && !field.required ? [...options, null] : options
  return all.filter((one) => one !== value && (next === null || next.includes(one)))
}

function wordsOf(field: Bound, value: unknown, { realm }: PresenterContext): string {
  return value === null || value === undefined ? realm.t('board.none') : field.kind.words(value, field, realm)
}

function headingOf(field: Bound, value: unknown, { realm }: PresenterContext): Html {
  if (value === undefined) return html`<span class="badge">${realm.t('board.others')}</span>`
  if (value === null) return html`<span class="badge">${realm.t('board.none')}</span>`
  return field.kind.cell(value, field, { ...cellContext(realm, field), inWords: false })
}

/** Where the records are that a column has no room for: in the table, by the filter of the column. */
function moreOf(list: AnyList, { count, goesOn, rows, query }: BoardColumn, at: PresenterContext): BoardColumnView['more'] {
  if (!goesOn) return null
  const { t, locale } = at.realm
  const left = count?.exact ? count.count - rows.length : null
  const text = left === null || left < 1 ? t('board.more') : t('board.moreCount', { count: numberText(locale, left) })
  return { text, href: narrowedUrl(list, query, at) }
}
