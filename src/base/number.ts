const formats = new Map<string, Intl.NumberFormat>()

/** A count as people of this locale write it. */
export function numberText(locale: string, count: number): string {
  let format = formats.get(locale)
  if (!format) {
    format = new Intl.NumberFormat(locale)
    formats.set(locale, format)
  }
  return format.format(count)
}
