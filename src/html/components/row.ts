import { type Attributes, attributes, block, type Html, html, laidOver, raw } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { type MenuItem, menu } from './menu.js'
import type { Column } from './table.js'

export interface RowView {
  /** Unique on the page; a prefix for ids. */
  readonly id: string
  readonly key: string
  readonly label: string
  readonly cells: readonly Html[]
  /** The id of the explanation how rows are moved; '': this one is not; null if no row of the table is. */
  readonly grip: string | null
  /** The id of the form that the selection belongs to; null if rows cannot be selected. */
  readonly picks: string | null
  /** The menu's items, or the URL to find them at; null if no row of the table has a menu. */
  readonly menu: readonly MenuItem[] | string | null
  /** Where a click on the row leads; null: nowhere. */
  readonly href: string | null
  readonly attributes: ChangeAttributes | null
}

/** Returns an element's attributes, given those it would have. */
export type ChangeAttributes = (own: Attributes) => Attributes

export function row({ id, key, label, cells, grip, picks, menu: found, href, attributes: change }: RowView, t: Translate): Html {
  const own = change
    ? changed({ 'data-key': key, ...(href !== null && { 'data-href': href }) }, change)
    : html` data-key="${key}"${href !== null && html` data-href="${href}"`}`
  return block`
    <tr${own}>
      ${grip !== null && html`<td class="move">${grip !== '' && handle(grip, t('move.handle', { label }))}</td>`}
      ${
        picks !== null &&
        block`
          <td class="pick">
            <label><input type="checkbox" name="ids[]" value="${key}" form="${picks}" aria-label="${t('list.select', { label })}"></label>
          </td>
        `
      }
      ${cells}
      ${found !== null && html`<td class="act">${found.length > 0 && dots(id, found, t('list.actions', { label }))}</td>`}
    </tr>
  `
}

function handle(how: string, label: string): Html {
  return html`<button type="button" class="grip" aria-label="${label}" title="${label}" aria-describedby="${how}"></button>`
}

function dots(id: string, found: readonly MenuItem[] | string, label: string): Html {
  if (typeof found === 'string') return html`<a class="dots" href="${found}" aria-label="${label}"></a>`
  return html`<button type="button" class="dots" popovertarget="${id}" aria-label="${label}"></button>${menu(id, found)}`
}

// Attributes that scripts or accessibility depend on: they cannot be changed.
const needed = ['data-key', 'data-href', 'scope', 'data-label', 'data-copy']

function changed(own: Attributes, change: ChangeAttributes): Html {
  return attributes(laidOver(own, change(own), needed))
}

/** Makes the cells of a column. What they share is computed once for all rows. */
export function cellOf({
  label,
  align,
  first,
  meta,
  named,
  copy,
}: Column): (content: Html, title: string | null, change?: ChangeAttributes) => Html {
  const tag = first ? 'th' : 'td'
  const classes = [align !== 'start' && align, first && 'first label', meta && 'meta'].filter(Boolean).join(' ')
  const fixed: Attributes = {
    ...(first && { scope: 'row' }),
    ...(classes && { class: classes }),
    ...(named && { 'data-label': label }),
    ...(copy && { 'data-copy': true }),
  }
  const plain = `<${tag}${attributes(fixed)}>`
  const titled = plain.slice(0, -1)
  const close = raw(`</${tag}>`)
  const open = raw(plain)
  const openTitled = raw(titled)
  return (content, title, change) => {
    if (change) return html`${raw(`<${tag}${changed({ ...fixed, ...(title !== null && { title }) }, change)}>`)}${content}${close}`
    return title === null ? html`${open}${content}${close}` : html`${openTitled} title="${title}">${content}${close}`
  }
}
