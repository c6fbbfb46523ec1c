import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import type { Density } from '../../crud/call/preferences.js'
import type { Theme } from '../../crud/call/theme.js'
import { icon, iconSymbols } from './icon.js'
import { type LanguageView, languageLinks } from './language-links.js'
import { scriptTemplates } from './script-templates.js'
import { type SidebarView, sidebar } from './sidebar.js'
import { type ToastView, toasts } from './toast.js'
import { type ViewAsBarView, viewAsBar } from './view-as-bar.js'

/** What every page needs. */
export interface PageView {
  readonly t: Translate
  readonly locale: string
  readonly theme: Theme
  readonly density: Density
  /** The title, as in the browser's tab. */
  readonly title: string
  readonly styles: readonly string[]
  readonly scripts: readonly string[]
  readonly icon: string
  /** The CSRF token, for scripts. */
  readonly csrf: string | null
  /** The sign-in URL, for scripts; null if there are no sessions that could end. */
  readonly login: string | null
  /** Seconds after which a browser without script reloads the page; null: never. */
  readonly refresh: number | null
  /** Empty if there is one. */
  readonly languages: readonly LanguageView[]
}

export interface FrameView extends PageView {
  readonly sidebar: SidebarView
  /** The message about what was just done. */
  readonly flash: ToastView | null
  /** Null: the caller is themselves. */
  readonly viewing: ViewAsBarView | null
}

/** A page with the menu. */
export function frame({ sidebar: side, flash, viewing, ...view }: FrameView, content: Html): Html {
  const { t } = view
  return document(
    view,
    'framed',
    block`
      <a class="skip" href="#_main">${t('frame.skip')}</a>${iconSymbols}${sidebar(side, t)}
      <div class="page">
        ${viewing && viewAsBar(viewing, t)}
        <header class="top"><button class="burger" popovertarget="_menu" aria-label="${t('frame.menu')}">${icon('menu')}</button></header>
        <main id="_main" tabindex="-1">${content}</main>
      </div>
      ${toasts(flash, t)}
    `,
  )
}

/** A page without the menu. */
export function barePage(view: PageView, content: Html): Html {
  return document(
    view,
    'plain',
    block`
      <main id="_main">${content}</main>
      ${
        view.languages.length > 0 &&
        html`<nav class="languages" aria-label="${view.t('language.title')}">${languageLinks(view.languages)}</nav>`
      }
    `,
  )
}

function document(
  { t, locale, theme, density, title, styles, scripts, icon, csrf, login, refresh }: PageView,
  kind: string,
  body: Html,
): Html {
  return block`
    <!doctype html>
    <html
      lang="${locale}"
      dir="${directionOf(locale)}"
      ${theme !== 'system' && html` data-theme="${theme}"`}
      ${density !== 'normal' && html` data-density="${density}"`}
    >
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        ${csrf !== null && html`<meta name="csrf-token" content="${csrf}">`}
        ${refresh !== null && html`<noscript><meta http-equiv="refresh" content="${refresh}"></noscript>`}
        <title>${title}</title>
        ${styles.map((href) => html`<link rel="stylesheet" href="${href}">`)}
        ${scripts.map((src) => html`<script type="module" src="${src}"></script>`)}
        <link rel="icon" href="${icon}" type="image/svg+xml">
      </head>
      <body class="${kind}"${login !== null && html` data-login="${login}"`}>
        ${body}
        ${scriptTemplates(t)}
      </body>
    </html>
  `
}

const rightToLeft = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi'])

function directionOf(locale: string): 'ltr' | 'rtl' {
  return rightToLeft.has(locale.split('-')[0] as string) ? 'rtl' : 'ltr'
}
