const formats = new Map<string, Intl.NumberFormat>()

/** From here on, JavaScript too writes doubles with an exponent: most of their digits are none of the number's. */
export const isVast = (value: number): boolean => Math.abs(value) >= 1e21

const vast = new Map<string, Intl.NumberFormat>()

/** A vast number in the number format of the locale: `1.7E308`. */
export function vastText(locale: string, value: number): string {
  let format = vast.get(locale)
  if (!format) {
    format = new Intl.NumberFormat(locale, { notation: 'scientific', maximumFractionDigits: 15 })
    vast.set(locale, format)
  }
  return format.format(value)
}

/** A number in the number format of the locale. */
export function numberText(locale: string, count: number): string {
  if (isVast(count)) return vastText(locale, count)
  let format = formats.get(locale)
  if (!format) {
    format = new Intl.NumberFormat(locale)
    formats.set(locale, format)
  }
  return format.format(count)
}

/** A limit in bytes, in the unit that shows it shortest: `10 MB`. It is rounded down, so that what is larger than the limit is larger than that. */
export function bytesText(locale: string, bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const i = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  const unitDisplay = i === 0 ? 'long' : 'short'
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[i] as string,
    unitDisplay,
    maximumFractionDigits: 1,
    roundingMode: 'floor',
  })
  return format.format(bytes / 1000 ** i)
}

/** A length in minutes, in words: `1 minute`, `15 minutes`. */
export function minutesText(locale: string, minutes: number): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute', unitDisplay: 'long' }).format(minutes)
}

/** A part of a whole as a signed percentage: `+12%`. Small ones have a digit after the point. */
export function percentText(locale: string, part: number): string {
  const digits = Math.abs(part) < 0.1 ? 1 : 0
  const format = new Intl.NumberFormat(locale, { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: digits })
  return format.format(part)
}
