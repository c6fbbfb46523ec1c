import type { SheetColumn } from '../crud/realm/file-format.js'
import type { Json } from '../field/field.js'
import { isoText } from '../field/instant.js'
import { wireScale } from '../field/minor.js'
import { instantsOf, offsetAt } from '../field/zone.js'

/** A value in a sheet, kept as what it is. */
export type Cell = string | number | boolean | null | { readonly serial: number }

const day = 86_400_000
// Days are counted from here. Before March 1900, Excel counts one that there never was.
const start = Date.UTC(1899, 11, 30)
const [first, last] = [Date.UTC(1900, 2, 1), Date.UTC(9999, 11, 31, 23, 59, 59, 999)]

/** What Excel keeps of a number: more digits would be others in the sheet. */
const mostDigits = 15

/**
 * The cell of a value in JSON. What a cell of its kind could not keep is a text: a number of more than fifteen digits, a time that the clocks
 * of the zone show twice, a day before March 1900.
 */
export function cellOf(value: Json, { field }: SheetColumn, timeZone: string): Cell {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) >= 10 ** mostDigits ? String(value) : value
  if (typeof value === 'object') return JSON.stringify(value)
  if (!field) return value
  const { time } = field.kind
  if (time === 'day') return serialOf(/^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN) ?? value
  if (time === 'instant') return localTime(value, timeZone) ?? value
  const { type } = field.column
  return type === 'bigint' || type === 'numeric' ? numberIn(value, wireScale(field)) : value
}

/** A decimal as a number, if that is all of it. */
function numberIn(text: string, scale: number | null): string | number {
  const number = Number(text)
  const digits = text.replace(/^-?0*\.?0*|\./g, '').length
  if (!/^-?\d+(?:\.\d+)?$/.test(text) || digits > mostDigits) return text
  // Zeros at the end are what a column without a scale has, too.
  return (scale === null ? String(number) : number.toFixed(scale)) === text ? number : text
}

/** @param text an instant in RFC 3339; null: its local time says less than it */
function localTime(text: string, timeZone: string): Cell {
  const instant = new Date(text)
  const time = instant.getTime()
  if (Number.isNaN(time) || isoText(instant) !== text) return null
  const local = time + offsetAt(time, timeZone)
  return instantsOf(local, timeZone).length === 1 ? serialOf(local) : null
}

function serialOf(local: number): { readonly serial: number } | null {
  return local >= first && local <= last ? { serial: (local - start) / day } : null
}

/**
 * The local time of a serial number, in milliseconds as if it were UTC; null: it is none.
 *
 * @param from1904 whether the workbook counts its days from 1904, as old ones of a Macintosh
 */
export function timeOf(serial: number, from1904: boolean): number | null {
  const days = from1904 ? serial + 1462 : serial
  if (!(days >= 0) || days >= (last + 1 - start) / day) return null
  // Of the days before March 1900 the first is 1, and the last, the 60th, never was.
  if (days >= 60 && days < 61) return null
  return start + Math.round((days < 60 ? days + 1 : days) * day)
}
