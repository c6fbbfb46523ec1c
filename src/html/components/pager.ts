import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { icon } from './icon.js'
import { menu } from './menu.js'

export interface PagerView {
  readonly id: string
  /** The title of the list, if its page has several. */
  readonly of: string | null
  /** The range shown and the total, in words; null if not counted. */
  readonly range: string | null
  readonly previous: string | null
  readonly next: string | null
  /** Page numbers; null is a gap. Empty if pages have no numbers. */
  readonly pages: readonly (PageLink | null)[]
  readonly sizes: readonly { readonly count: number; readonly href: string; readonly current: boolean }[]
}

export interface PageLink {
  readonly label: string
  readonly href: string
  readonly current: boolean
}

/** The foot of a list: what is shown, links to other pages, and the page size. */
export function pager({ id, of, range, previous, next, pages, sizes }: PagerView, t: Translate): Html {
  const size = sizes.find((one) => one.current)
  return block`
    <nav class="pager" aria-label="${of === null ? t('list.pages') : t('list.pagesOf', { title: of })}">
      <span>${range}</span><span class="spring"></span>
      ${
        sizes.length > 1 &&
        block`
          <div class="size">
            <button class="page-size" popovertarget="${id}-size">
              ${t('list.perPage', { count: size?.count ?? '' })}${icon('chevron-down')}
            </button>
            ${menu(
              `${id}-size`,
              sizes.map(({ count, href, current }) => ({ label: t('list.perPage', { count }), href, current })),
            )}
          </div>
        `
      }
      <ol>
        <li class="near">${step(previous, 'chevron-left', 'prev', t('list.previous'))}</li>
        ${pages.map(
          (page) =>
            block`
              <li${page?.current && html` class="near"`}>
                ${
                  page === null
                    ? html`<span class="gap">&hellip;</span>`
                    : block`
                      <a href="${page.href}"${page.current && html` aria-current="page"`} aria-label="${t('list.page', { page: page.label })}">
                        ${page.label}
                      </a>
                    `
                }
              </li>
            `,
        )}
        <li class="near">${step(next, 'chevron-right', 'next', t('list.next'))}</li>
      </ol>
    </nav>
  `
}

function step(href: string | null, name: 'chevron-left' | 'chevron-right', rel: string, label: string): Html {
  if (href === null) return html`<span aria-disabled="true" aria-label="${label}" role="link">${icon(name)}</span>`
  return html`<a href="${href}" rel="${rel}" aria-label="${label}">${icon(name)}</a>`
}
