/** The query parameter by which a page's link chooses another language. */
export const languageParameter = '_language'

/** A link to the page that it stands on, in another language. */
export const languageUrl = (locale: string): string => `?${new URLSearchParams({ [languageParameter]: locale })}`
