import type { Realm } from '../../crud/call/call.js'
import { rememberedText } from '../../field/remembered.js'
import { languageUrl } from '../../route/language.js'
import type { LanguageView } from '../components/language-links.js'

/** The languages between which users choose; empty: the panel has one. */
export function languagesOf({ languageChoices, locale: current }: Realm): readonly LanguageView[] {
  return languageChoices.map((locale) => ({ locale, name: nameOf(locale), href: languageUrl(locale), current: locale === current }))
}

/** The name of a language in itself, as it begins a line. */
const nameOf = rememberedText((locale: string): string => {
  const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale
  const [first = ''] = name
  return first.toLocaleUpperCase(locale) + name.slice(first.length)
})
