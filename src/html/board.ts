import type { Identity } from '../auth/identity.js'
import { type Html, html } from '../base/html.js'
import { numberText } from '../base/number.js'
import type { BoardColumn, DrawnBoard } from '../crud/outcome.js'
import { isWritable } from '../crud/sent.js'
import type { Around } from '../face/face.js'
import type { Bound } from '../field/field.js'
import { legible } from '../field/illegible.js'
import { eventsAttribute } from '../field/in-place.js'
import { nextOf } from '../field/next.js'
import { url } from '../route/url.js'
import type { Row } from '../store/store.js'
import type { AnyList } from './any-list.js'
import { assetUrl } from './assets.js'
import { type BoardColumnView, board, type CardView } from './components/board.js'
import type { DrawnRecord } from './drawn-record.js'
import { tokenInput } from './form-token.js'
import { totalText } from './paging.js'
import { cellContext } from './view-context.js'
import { labelOf, viewUrl } from './view-switch.js'

/** A list as a board. Cards are moved by the way in which cells of a table are changed. */
export function boardOf(list: AnyList, { view, field, columns }: DrawnBoard, record: (row: Row) => DrawnRecord, at: Around): Html {
  const { resource, lens } = list
  const { realm } = at
  const { t } = realm
  const identity = at.identity as Identity
  const isMovable = isWritable({ identity, resource }, field, false)
  const hidden = html`<input type="hidden" name="_method" value="PUT">${tokenInput(at)}<input type="hidden" name="field" value="${field.key}">`
  const stored = (row: Row) => legible(row[lens.at.get(field.key) as number])
  const options = field.kind.options(field) ?? []
  const cardOf = (row: Row): CardView => {
    const { key, label, href, changes, facts } = record(row)
    const value = stored(row)
    const to = isMovable && changes ? placesFrom(field, value, options) : []
    const move = to.length > 0 && {
      action: url(at.place, 'update-field', { resourceUri: resource.uriKey, resourceItem: key }),
      hidden: html`${hidden}<input type="hidden" name="was" value="${textOf(field, value, at)}">`,
      events: eventsAttribute(field, key),
      to: to.map((one) => ({ value: textOf(field, one, at), label: headingOf(field, one, at) })),
    }
    return { key, label, href, facts, move: move || null }
  }
  const shown = columns.map((column): BoardColumnView => {
    const { value, count, rows } = column
    return {
      value: isMovable && value !== undefined ? textOf(field, value, at) : null,
      heading: headingOf(field, value, at),
      count: count && totalText(count, at),
      cards: rows.map(cardOf),
      more: moreOf(list, column, at),
    }
  })
  const moves = shown.some(({ cards }) => cards.some(({ move }) => move !== null))
  return board(
    {
      id: `${resource.table.name}-board`,
      label: labelOf(view, at),
      script: moves && resource.isAsync ? assetUrl(at.place, 'board.js') : null,
      columns: shown,
    },
    t,
  )
}

/** Where a user may move a record that has a value: to an option that leads on from it, or to none. */
function placesFrom(field: Bound, value: unknown, options: readonly unknown[]): readonly unknown[] {
  const next = nextOf(field, value)
  const all = field.nullable && !field.required ? [...options, null] : options
  return all.filter((one) => one !== (value ?? null) && (next === null || next.includes(one)))
}

function textOf(field: Bound, value: unknown, at: Around): string {
  return value === null || value === undefined ? '' : field.kind.text(value, field, at.realm)
}

function headingOf(field: Bound, value: unknown, { realm }: Around): Html {
  if (value === undefined) return html`<span class="badge">${realm.t('board.others')}</span>`
  if (value === null) return html`<span class="badge">${realm.t('board.none')}</span>`
  return field.kind.cell(value, field, { ...cellContext(realm, field), inWords: false })
}

/** Where the records are that a column has no room for: in the table, by the filter of the column. */
function moreOf(list: AnyList, { count, goesOn, rows, query }: BoardColumn, at: Around): BoardColumnView['more'] {
  if (!goesOn) return null
  const { t, locale } = at.realm
  const left = count?.exact ? count.count - rows.length : null
  const text = left === null || left < 1 ? t('board.more') : t('board.moreCount', { count: numberText(locale, left) })
  return { text, href: query && viewUrl(list, null, at, Object.fromEntries(query)) }
}
