import { withFormulas } from '../../base/formula.js'
import type { Translate } from '../../base/messages.js'
import { takes } from '../../field/check.js'
import { type Bound, Unreadable, type Zone } from '../../field/field.js'
import { isBeyond } from '../../field/key.js'
import { lineFeeds } from '../../field/line-feeds.js'
import { wireScale } from '../../field/minor.js'
import { decimalText } from '../../field/steps.js'
import { isTexts } from '../../field/texts.js'
import { inputSchema, type Schema } from '../../field/wire-schema.js'
import { coerceTexts } from '../input/coerce-texts.js'
import type { CellMark } from '../realm/import-table.js'

/**
 * Returns what turns a text of a CSV file into the value of a field on the wire. A text is what an export writes for it, or else what a user
 * would type into a form. What is neither stays as it is, for the field to refuse.
 */
export function cellReader(field: Bound, zone: Zone, t: Translate): (text: string, mark?: CellMark) => unknown {
  const schema = inputSchema(field)
  const words = new Map([
    [t('value.yes').toLowerCase(), 'true'],
    [t('value.no').toLowerCase(), 'false'],
    [t('import.true'), 'true'],
    [t('import.false'), 'false'],
  ])
  const options = optionsIn(field.kind.many(field) ? ((schema.items ?? {}) as Schema) : schema)
  const labelled = valuesByLabel(field, options, zone)
  const byLabel = (one: string) => labelled.get(one.trim().toLowerCase())
  // In the words that people read, which are taken, too, unless several values have the same.
  const known = (value: unknown) => {
    if (field.kind.options(field) === null || options.length === 0 || takes(field, value)) return value
    const words = options.map((one) => (byLabel(field.kind.words(one, field, zone)) === one ? field.kind.words(one, field, zone) : one))
    return new Unreadable((t, label) => t('field.notOption', { label, options: words.join(', ') }))
  }
  return (given, mark) => {
    const text = lineFeeds(withFormulas(given))
    if (mark === 'error') return new Unreadable((t, label) => t('import.cellError', { label, error: text }))
    if (mark === 'cut') return new Unreadable((t, label) => t('import.cellCut', { label, count: text.length }))
    if (mark === 'number') {
      const number = numberIn(Number(text), field)
      if (number instanceof Unreadable || takes(field, number)) return number
    }
    if (text === '') return field.nullable ? null : field.kind.read('', field, zone)
    // A record may have it already; read as a number, it would be another one.
    if (field.column.type === 'integer' && isBeyond(text)) return text
    const typed = field.column.type === 'boolean' ? truth(text, words) : text
    const read = () => field.kind.read(typed, field, zone)
    if (field.column.type !== 'json') {
      const exported = coerceTexts([typed], schema)
      if (isWritten(typed, exported, field) && takes(field, exported)) return exported
      return known(byLabel(text) ?? read())
    }
    const asTyped = read()
    if (takes(field, asTyped) || !field.kind.many(field) || field.kind.lines) return asTyped
    const list = listIn(text)
    if (list === null) return new Unreadable((t, label) => t('import.notList', { label, example: exampleOf(schema) }))
    if (takes(field, list)) return list
    // Any other JSON has been read.
    const named = Array.isArray(list) ? list.map((one) => (typeof one === 'string' ? (byLabel(one) ?? one) : one)) : list
    return takes(field, named) || isTexts(named) ? known(named) : asTyped
  }
}

/** A number of a spreadsheet as a value of the field. Such a number has fifteen digits, so more of them are not what was typed. */
function numberIn(number: number, field: Bound): unknown {
  const { type } = field.column
  const scale = wireScale(field)
  // A sum that a spreadsheet computed has digits beyond those.
  if (type === 'integer' && scale !== null) return Number(number.toPrecision(15))
  if (type === 'integer' || type === 'real') return number
  if (type !== 'bigint' && type !== 'numeric') return undefined
  if (Math.abs(number) >= 1e15) return new Unreadable((t, label) => t('import.imprecise', { label }))
  const shown = decimalText(Number(number.toPrecision(15)))
  const [whole = '', digits = ''] = shown.split('.')
  return scale === null || digits.length > scale ? shown : scale === 0 ? whole : `${whole}.${digits.padEnd(scale, '0')}`
}

/** Whether an export has a value as this text, which is no other number in the language of the panel: `1.000` is a thousand in German. */
function isWritten(text: string, value: unknown, { column: { type, scale } }: Bound): boolean {
  if (type === 'numeric' && scale !== null) return (/\.(\d+)$/.exec(text)?.[1] ?? '').length === scale
  return typeof value !== 'number' || String(value) === text
}

/** The values of a field that has only a few, by what users read for them. A label that several have names none. */
function valuesByLabel(field: Bound, options: readonly string[], zone: Zone): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const twice = new Set<string>()
  for (const value of options) {
    const label = field.kind.words(value, field, zone).toLowerCase()
    if (found.has(label)) twice.add(label)
    found.set(label, value)
  }
  for (const label of twice) found.delete(label)
  return found
}

function optionsIn({ enum: all, anyOf }: Schema): readonly string[] {
  if (Array.isArray(anyOf)) return (anyOf as Schema[]).flatMap(optionsIn)
  return Array.isArray(all) ? all.filter((one): one is string => typeof one === 'string') : []
}

/** A list is exported as JSON, and typed as texts. */
function listIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

function exampleOf({ items }: Schema): string {
  const { type } = (items ?? {}) as Schema
  const [one, other] = optionsIn((items ?? {}) as Schema)
  return JSON.stringify(one !== undefined ? [one, other ?? []].flat() : type === 'integer' ? [1, 2] : ['a', 'b'])
}

/** Spreadsheets write TRUE, in the language of their user, and people yes. */
function truth(text: string, words: ReadonlyMap<string, string>): string {
  const word = text.trim().toLowerCase()
  return words.get(word) ?? word
}
