import type { Html } from '../../base/html.js'
import { labelOf } from '../../crud/relation/label.js'
import type { PresenterContext } from '../../face/face.js'
import { labelName } from '../../resource/label.js'
import type { Row } from '../../store/store.js'
import type { MenuItem } from '../components/menu.js'
import { noValue } from '../frame/cell-content.js'
import { relatedUrls } from '../frame/record-urls.js'
import type { AnyList } from './any-list.js'
import { asksRecords, rowMenu } from './row-menu.js'
import { rowForms } from './row-writer.js'
import { recordOf, rowMaker } from './rows.js'

/** A record in a view: what every view knows of it. */
export interface ViewRecord {
  readonly key: string
  readonly label: string
  /** The URL of its page, else of its form; null: the caller may open neither. */
  readonly href: string | null
  /** Whether the caller may change it. */
  readonly changes: boolean
  /** What its menu offers, as in a table. */
  readonly items: readonly MenuItem[]
  /** What it shows besides its label, without what it has not. */
  readonly facts: readonly { readonly label: string; readonly value: Html; readonly title: string | null }[]
}

/** Makes what views show of rows. */
export function viewRecords(list: AnyList, card: readonly string[], at: PresenterContext): (row: Row) => ViewRecord {
  const { resource, lens, related } = list
  const asks = asksRecords(resource, at)
  const maker = rowMaker(at.realm, lens)
  const relatedUrl = relatedUrls(at, lens)
  const menuOf = rowMenu(list, at, rowForms(list, at).menus ?? '')
  return (row) => {
    const key = lens.key(row)
    const record = asks ? recordOf(lens, row) : {}
    const menu = menuOf(key, record)
    const href = menu.href ?? menu.edit
    const values = maker.contents(row, {
      related,
      relatedUrl,
      href,
      files: menu.href,
      rowNumber: 0,
      record,
      inWords: false,
      save: null,
      roles: [],
    })
    const facts = lens.shown.flatMap((one, i) => {
      const content = values[i]
      // The label is there already, and what places the record shows by its place.
      if (!content || content.value === noValue || !card.includes(one.key) || one.key === labelName(resource)) return []
      return [{ label: 'field' in one ? one.field.label : one.computed.label, ...content }]
    })
    return { key, label: labelOf(lens, row), href, changes: menu.edit !== null, items: menu.items, facts }
  }
}
