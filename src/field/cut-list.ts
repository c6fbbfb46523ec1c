import { type Html, html } from '../base/html.js'
import { numberText } from '../base/number.js'
import type { ViewContext } from './field.js'

/**
 * A list as far as there is room for it: in a column with a sign for how many more there are, else with the others to open.
 *
 * @param draw draws some of it, and the sign behind them, if there is one
 */
export function cutList<T>(
  all: readonly T[],
  { inColumn, inWords }: { readonly inColumn: number; readonly inWords: number },
  ctx: ViewContext,
  draw: (some: readonly T[], sign: Html | null) => Html,
): Html {
  const most = ctx.inWords ? inWords : inColumn
  // A sign that stands for one alone takes as much room as that one.
  if (all.length <= most + 1) return draw(all, null)
  const [some, rest] = [all.slice(0, most), all.slice(most)]
  const count = numberText(ctx.locale, rest.length)
  if (!ctx.inWords) return draw(some, html`<span class="rest">+${count}</span>`)
  return html`${draw(some, null)}<details class="rest"><summary>${ctx.t('field.others', { count })}</summary>${draw(rest, null)}</details>`
}
