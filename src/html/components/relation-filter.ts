import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { button } from './button.js'

interface Choice {
  readonly key: string
  readonly label: string
  readonly hint?: string
}

export interface RelationFilterView {
  readonly id: string
  readonly name: string
  readonly key: string
  readonly label: string
  /** The record filtered by. */
  readonly now: Choice | null
  /** The URL that scripts search at. */
  readonly url: string
  /** A search and its results; null without a search. */
  readonly found: { readonly query: string; readonly choices: readonly Choice[] } | null
}

/** A filter by a related record, found by searching. Without script, the list's own form searches. */
export function relationFilter({ id, name, key, label, now, url, found }: RelationFilterView, t: Translate): Html {
  const words = t('form.findIn', { label })
  // If the search found records, the choice among those replaces the hidden value.
  const off = found !== null && found.choices.length > 0
  return block`
    <div class="relation" data-search="${url}" data-any="${t('list.any')}">
      <div class="now">
        <input type="hidden" name="${name}" value="${now?.key ?? ''}"${off && html` disabled`}>
        ${now && !off && html`<span class="related">${now.label}</span>`}
      </div>
      <div class="ask">
        <input type="hidden" name="_asked[${key}]" value="${found?.query ?? ''}">
        <input type="search" id="${id}" name="_find[${key}]" value="${found?.query ?? ''}" placeholder="${words}">
        ${button({ label: t('list.search') })}
      </div>
      ${found && choices(name, now, found.choices, t)}
    </div>
  `
}

function choices(name: string, now: Choice | null, found: readonly Choice[], t: Translate): Html {
  if (found.length === 0) return html`<p class="muted" role="status">${t('form.foundNone')}</p>`
  const others = found.filter(({ key }) => key !== now?.key)
  const all: readonly Choice[] = [{ key: '', label: t('list.any') }, ...(now ? [now] : []), ...others]
  return block`
    <fieldset class="choices">
      <legend class="unseen">${t('form.found')}</legend>
      ${all.map(
        ({ key, label, hint }) =>
          block`
            <label>
              <input type="radio" name="${name}" value="${key}"${key === (now?.key ?? '') && html` checked`}> <span>${label}</span>
              ${hint !== undefined && html` <span class="muted">${hint}</span>`}
            </label>
          `,
      )}
    </fieldset>
  `
}
