import { block, type Html, html } from '../../base/html.js'

/** A language of the panel. */
export interface LanguageView {
  readonly locale: string
  /** In that language itself. */
  readonly name: string
  /** The page in it. */
  readonly href: string
  readonly current: boolean
}

/** Links to the page in other languages, each in words that its speakers read. */
export function languageLinks(languages: readonly LanguageView[]): readonly Html[] {
  return languages.map(
    ({ locale, name, href, current }) =>
      html`<a href="${href}" lang="${locale}" hreflang="${locale}"${current && html` aria-current="true"`}>${name}</a>`,
  )
}

/**
 * Buttons of a form by which a user chooses a language, each in words that its speakers read.
 *
 * @param mark what the current one is marked with
 */
export function languageButtons(languages: readonly LanguageView[], mark: Html): readonly Html[] {
  return languages.map(
    ({ locale, name, current }) =>
      block`
        <button name="language" value="${locale}" lang="${locale}" aria-pressed="${current ? 'true' : 'false'}">
          ${name}${current && mark}
        </button>
      `,
  )
}
