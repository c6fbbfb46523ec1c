import { block, type Html, html } from '../../base/html.js'
import type { IconName } from '../../base/icon-paths.js'
import type { Translate } from '../../base/messages.js'
import { icon, logoOf } from './icon.js'

/** A link in the menu. */
export interface MenuEntry {
  readonly label: string
  readonly href: string
  /** `page` for the current page itself, `true` if that is below the link. */
  readonly current: 'page' | 'true' | null
  /** Null: the first letters of the label. */
  readonly icon?: IconName | null
  readonly badge?: string | null
}

export interface MenuGroup {
  /** Null: no heading. */
  readonly label: string | null
  /** Whether a line separates it from the group above. */
  readonly divided?: boolean
  readonly entries: readonly MenuEntry[]
}

export interface SidebarView {
  readonly brand: { readonly name: string; readonly logo: string | null; readonly href: string }
  readonly groups: readonly MenuGroup[]
  /** The content below the menu. */
  readonly foot: Html | null
  /** Whether the menu is collapsed, and the name and path of the cookie that remembers it. Null without cookies. */
  readonly rail: { readonly on: boolean; readonly cookie: string; readonly path: string } | null
  /** The URL of the command palette's search. */
  readonly palette: string
}

/** The menu: on a desktop always there, and collapsible to a rail; on smaller screens a drawer that `.burger` opens. */
export function sidebar({ brand, groups, foot, rail, palette }: SidebarView, t: Translate): Html {
  return block`
    <nav class="sidebar" id="_menu" popover aria-label="${t('frame.menu')}">
      <div class="brand">
        <a href="${brand.href}">${logoOf(brand)}<span class="name">${brand.name}</span></a>
        <label class="rail-switch" title="${t('frame.collapse')}">
          <input
            type="checkbox"
            aria-label="${t('frame.collapse')}"
            ${rail && html` data-cookie="${rail.cookie}" data-with="; path=${rail.path}; max-age=31536000; samesite=lax"`}
            ${rail?.on && html` checked`}
            autocomplete="off"
          >
          ${icon('collapse')}
        </label>
      </div>
      <button type="button" class="palette-open scripted" data-palette="${palette}" aria-keyshortcuts="Control+K Meta+K">
        ${icon('search')}<span class="text">${t('palette.open')}</span>
        <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      <div class="menu-groups">${groups.map(group)}</div>
      ${foot}
    </nav>
  `
}

function group({ label, divided, entries }: MenuGroup): Html {
  return html`${divided && html`<hr>`}${label !== null && html`<h2>${label}</h2>`}<ul>${entries.map(entry)}</ul>`
}

function entry({ label, href, current, icon: name, badge }: MenuEntry): Html {
  return block`
    <li>
      <a href="${href}"${current && html` aria-current="${current}"`}>
        <span class="glyph" aria-hidden="true">${name ? icon(name) : [...label].slice(0, 2).join('')}</span>
        <span class="text">${label}</span>${badge && html`<span class="count">${badge}</span>`}
      </a>
    </li>
  `
}
