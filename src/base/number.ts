const formats = new Map<string, Intl.NumberFormat>()

/** A count in the number format of the locale. */
export function numberText(locale: string, count: number): string {
  let format = formats.get(locale)
  if (!format) {
    format = new Intl.NumberFormat(locale)
    formats.set(locale, format)
  }
  return format.format(count)
}
