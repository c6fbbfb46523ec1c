import { type Html, html } from '../../base/html.js'
import type { Related, RelatedRows } from '../../crud/relation/related.js'
import { relatedChoices, relatedLabel } from '../../crud/relation/related-label.js'
import { keysIn } from '../../crud/relation/relation.js'
import type { Bound, InPlace, ViewContext } from '../../field/field.js'
import { keyText } from '../../field/key.js'

/** The context of a row's values. */
export interface RowContext {
  readonly related: Related
  /** The URL of a related record; null if the caller may not see it. */
  relatedUrl(field: string, key: string, trashed: boolean): string | null
  /** The record's own URL; null if the caller may not see it. */
  readonly href: string | null
  /** The URL below which the record's files are; null if the caller may not see them. */
  readonly files: string | null
  readonly rowNumber: number
  /** All columns, if a callback needs them; otherwise empty. */
  readonly record: Record<string, unknown>
  /** Whether the record is shown alone, with room for words. */
  readonly inWords: boolean
  /** How a field is edited in place; null if it is not. */
  readonly save: ((field: Bound) => InPlace | null) | null
  /** The roles of the caller, who may change a value only to some. */
  readonly roles: readonly string[]
}

/** The content of a cell. */
export interface CellContent {
  readonly value: Html
  /** The full text, if a cell may truncate it. */
  readonly title: string | null
}

/** What stands for no value. */
export const noValue = html`<span class="none">&mdash;</span>`

/** The context of a relation's cell: with the labels and URLs of what it leads to, as far as the caller may see that. */
export function relatedContext(
  ctx: ViewContext,
  field: Bound,
  related: Related,
  value: unknown,
  href: (key: string, trashed: boolean) => string | null,
): ViewContext {
  const other = related.get(field.key)
  if (!other) return ctx
  const { trashed } = other
  if (field.kind.many(field)) {
    const keys = keysIn(field, value)
    const linked = (from: RelatedRows, isTrashed: boolean) =>
      relatedChoices(from, keys, ctx.locale).map((one) => ({ ...one, href: href(one.key, isTrashed), trashed: isTrashed }))
    return { ...ctx, chosen: [...linked(other, false), ...(trashed ? linked(trashed, true) : [])] }
  }
  const [label, gone] = [relatedLabel(other, value), trashed ? relatedLabel(trashed, value) : null]
  const found = label ?? gone
  return found ? { ...ctx, related: { label: found, href: href(keyText(value as never), label === null), trashed: label === null } } : ctx
}
