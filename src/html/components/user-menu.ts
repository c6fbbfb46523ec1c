import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import type { Theme } from '../../crud/call/theme.js'
import { avatar } from './avatar.js'
import { icon } from './icon.js'
import { type LanguageView, languageButtons } from './language-links.js'

export interface UserView {
  readonly name: string
  readonly theme: Theme
  /** Empty if there is one. */
  readonly languages: readonly LanguageView[]
  /** The URL that preferences are sent to. */
  readonly preferences: string
  /** The CSRF token of the forms. */
  readonly token: Html
  /** Null if there are no profiles. */
  readonly profile: string | null
  readonly signOut: string | null
  /** Null: the panel notifies nobody. */
  readonly bell: BellView | null
}

/** The link to the notifications. */
export interface BellView {
  readonly href: string
  /** The URL of the script that shows how many are unread, and the last ones in place. */
  readonly script: string
  readonly current: boolean
}

const themes = ['system', 'light', 'dark'] as const

/** The user's own menu: theme, language, profile, sign-out. */
export function userMenu({ name, theme, languages, preferences, token, profile, signOut, bell }: UserView, t: Translate): Html {
  const own = block`
    ${profile !== null && html`<a href="${profile}">${t('profile.title')}</a>`}
    ${signOut !== null && html`<form method="post" action="${signOut}">${token}<button>${t('profile.end')}</button></form>`}
  `
  const hidden = html`<input type="hidden" name="_method" value="PATCH">${token}`
  return block`
    <div class="user">
      <button popovertarget="_user-menu" title="${t('frame.user', { name })}">
        ${avatar(name)}<span class="text">${name}</span>${icon('chevron-up-down')}
      </button>
      <div class="menu" popover id="_user-menu">
        <form method="post" action="${preferences}">
          ${hidden}
          <div class="title" id="_theme-title">${t('theme.title')}</div>
          <div class="segments" role="group" aria-labelledby="_theme-title">
            ${themes.map(
              (one) =>
                html`<button name="theme" value="${one}" aria-pressed="${one === theme ? 'true' : 'false'}">${t(`theme.${one}`)}</button>`,
            )}
          </div>
        </form>
        ${
          languages.length > 0 &&
          block`
            <form method="post" action="${preferences}">
              ${hidden}
              <div class="title" id="_language-title">${t('language.title')}</div>
              <div role="group" aria-labelledby="_language-title">${languageButtons(languages, icon('check'))}</div>
            </form>
          `
        }
        ${(profile !== null || signOut !== null) && html`<hr>${own}`}
      </div>
      ${bell && bellLink(bell, t)}
    </div>
  `
}

function bellLink({ href, script, current }: BellView, t: Translate): Html {
  const title = t('notification.title')
  return block`
    <a
      class="bell"
      href="${href}"
      title="${title}"
      aria-label="${title}"
      ${current && html` aria-current="page"`}
      data-script="${script}"
      data-unread="${t('notification.count', { count: '{count}' })}"
      data-all="${t('notification.all')}"
    >
      ${icon('bell')}<span class="count" hidden></span>
    </a>
  `
}
