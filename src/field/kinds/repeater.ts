import * as z from 'zod'
import { block, type Html, html } from '../../base/html.js'
import { isLater } from '../../base/later.js'
import { a } from '../../base/setting.js'
import { check, parseAsked } from '../check.js'
import type { Bound, Json, ViewContext, Zone } from '../field.js'
import { defineKind } from '../kind.js'
import { boundParts, type Parts, partsFault } from '../parts.js'
import { aField, taking } from '../taking.js'
import { isTexts, listIn } from '../texts.js'

interface Own {
  of?: Parts
  minRows?: number
  maxRows?: number
}

/** A row as JSON has it: the values of its parts by name. */
type Row = Readonly<Record<string, Json>>

// Rows that are there to be filled in where no script can add one.
const blankRows = 2
// Unless it is said, or a row has many parts.
const usualRows = 100
// In all rows together: what a form may send, with some for its other fields.
const mostValues = 1000

/** The most rows that a form can send: one value for each part, and two for a switch. */
function mostRows(field: Bound<Own>): number {
  const values = [...partsOf(field).values()].reduce((sum, { column }) => sum + (column.type === 'boolean' ? 2 : 1), 0)
  return Math.floor(mostValues / Math.max(1, values))
}

const maxRowsOf = (field: Bound<Own>): number => field.own.maxRows ?? Math.min(usualRows, mostRows(field))

/**
 * A list of rows, each made of the same parts, over json columns: the lines of an order, opening hours, links. In JSON a list of objects.
 * It cannot be sorted, filters only ask for null, and index pages leave it out unless they name it.
 *
 * @example
 * ```ts
 * import { number, repeater, text } from 'daymark'
 *
 * export const links = repeater('Links').of({ title: text('Title').required(), pages: number('Pages').min(1) }).maxRows(10)
 * ```
 */
export const repeater = defineKind<
  unknown,
  {
    /**
     * The parts of a row by name: fields of kinds that are texts, numbers, days, times, choices or yes and no in JSON. `required()`,
     * `default()`, `hint()`, `placeholder()` and the methods of their kinds apply.
     */
    of(parts: Parts): { of: Parts }
    /** The fewest rows. Default: none are needed. */
    minRows(least: number): { minRows: number }
    /** The most rows, as far as a form can send them: 1000 values in all. Default: 100, or fewer of many parts. */
    maxRows(most: number): { maxRows: number }
  },
  'null'
>({
  name: 'repeater',
  columns: ['json'],
  operators: ['null'],
  long: true,
  own: {
    of: taking((parts) => ({ of: Object.freeze({ ...parts }) }), a.byName(aField)),
    minRows: (minRows) => ({ minRows }),
    maxRows: (maxRows) => ({ maxRows }),
  },
  rows: { parts: partsOf, text: typedRows },
  fault: (field) => {
    if (field.column.element) return 'the column is a list of single values: it needs a json column'
    const fault = partsFault(field.own.of ?? {})
    if (fault !== null) return fault
    const [least, most] = [field.own.minRows ?? 0, maxRowsOf(field)]
    if (![least, most].every((one) => Number.isSafeInteger(one) && one >= 0) || least > most || most > mostRows(field) || most === 0)
      return `minRows and maxRows must be whole numbers up to ${mostRows(field)}, as many as a form can send, the first no larger than the second`
    return null
  },
  schema: (field) => {
    const parts = [...partsOf(field)].map(([key, part]) => [key, schemaOf(part)] as const)
    return z
      .array(z.strictObject(Object.fromEntries(parts)))
      .min(field.own.minRows ?? 0)
      .max(maxRowsOf(field))
  },
  // An import has the list as JSON has it.
  read: (typed, field, zone) => textsIn(typed, field)?.map((row) => readRow(row, field, zone)) ?? listIn(typed),
  // Only declared parts are shown. A json column may hold anything: what is no list of rows is shown as null, and so is what a part cannot be.
  wire: (value, field) => (isRows(value) ? value.map((row) => wireOf(row, field)) : null),
  text: (value, field, zone) =>
    isRows(value) && value.length > 0
      ? typedRows(
          value.map((row) => textsOf(row, field, zone)),
          field,
        )
      : '',
  words: (value, field, zone) =>
    rowsIn(value)
      .map((row) => wordsOf(row, field, zone))
      .join('; '),
  cell: (value, field, ctx) => {
    const rows = rowsIn(value)
    if (!ctx.inWords || rows.length === 0) return html`<span class="muted">${ctx.t('repeater.rows', { count: rows.length })}</span>`
    return table(rows, field, ctx)
  },
  input: (typed, field, ctx) => control(typed, field, ctx),
})

function partsOf({ own }: Bound<Own>): ReadonlyMap<string, Bound> {
  return boundParts(own.of ?? {})
}

function schemaOf(part: Bound): z.ZodType {
  const schema = part.kind.schema(part)
  // What need not be given, and a switch, which is then off.
  return part.nullable || part.column.type === 'boolean' ? schema.nullable().optional() : schema
}

/** The texts of the controls of a row, in the order of its parts. */
type Texts = readonly string[]

/** Rows as one text, which `read` takes back. A list alone would be rows as JSON has them. Rows that nobody has filled in are none. */
function typedRows(rows: readonly Texts[], field: Bound<Own>): string {
  const parts = [...partsOf(field).values()]
  const isFilled = (row: Texts) => row.some((text, i) => text !== '' && !(text === '0' && parts[i]?.column.type === 'boolean'))
  const filled = rows.filter(isFilled)
  return filled.length === 0 ? '' : JSON.stringify({ rows: filled })
}

/** The rows in such a text, and no more than one too many; null: it is none. */
function textsIn(typed: string, field: Bound<Own>): readonly Texts[] | null {
  const { rows } = Object(listIn(typed)) as { readonly rows?: unknown }
  return Array.isArray(rows) && rows.every(isTexts) ? rows.slice(0, mostRows(field) + 1) : null
}

function wireOf(row: Readonly<Record<string, unknown>>, field: Bound<Own>): Row {
  const parts = [...partsOf(field)].filter(([name]) => row[name] !== undefined)
  return Object.fromEntries(parts.map(([name, part]) => [name, parseAsked(part, row[name]) ? (row[name] as Json) : null]))
}

function readRow(texts: Texts, field: Bound<Own>, zone: Zone): Row {
  const read = [...partsOf(field)].map(([name, part], i) => {
    const text = texts[i] ?? ''
    if (text === '' && part.column.type === 'boolean') return [name, false] as const
    return [name, text === '' && part.nullable ? null : part.kind.read(text, part, zone)] as const
  })
  return Object.fromEntries(read) as Row
}

/** The texts of the controls of a stored row. */
function textsOf(row: Readonly<Record<string, unknown>>, field: Bound<Own>, zone: Zone): Texts {
  return [...partsOf(field)].map(([name, part]) => textOf(row[name], part, zone))
}

function textOf(value: unknown, part: Bound, zone: Zone): string {
  const isSwitch = part.column.type === 'boolean'
  if (value === undefined || value === null) return isSwitch ? '0' : ''
  const read = parseAsked(part, value)
  if (read) return part.kind.text(read.value, part, zone)
  // What the part cannot be stays as it is, to be corrected. A switch can only be on or off.
  const text = plainly(value)
  return isSwitch && text !== '1' ? '0' : text
}

const plainly = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const isRows = (value: unknown): value is readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) && value.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row))

const rowsIn = (value: unknown) => (isRows(value) ? value : [])

function wordsOf(row: Readonly<Record<string, unknown>>, field: Bound<Own>, zone: Zone): string {
  const words = [...partsOf(field)].flatMap(([name, part]) => {
    const value = row[name]
    if (value === undefined || value === null) return []
    const read = parseAsked(part, value)
    return read ? part.kind.words(read.value, part, zone) : plainly(value)
  })
  return words.join(', ')
}

function table(rows: readonly Readonly<Record<string, unknown>>[], field: Bound<Own>, ctx: ViewContext): Html {
  const parts = [...partsOf(field).values()]
  const head = parts.map(({ label, kind }) => html`<th scope="col" class="${kind.align}">${label}</th>`)
  const cell = (part: Bound, value: unknown) => {
    if (value === undefined || value === null) return html`<span class="none">&mdash;</span>`
    const read = parseAsked(part, value)
    return read ? part.kind.cell(read.value, part, ctx) : html`${plainly(value)}`
  }
  const body = rows.map(
    (row) => html`<tr>${parts.map((part) => html`<td class="${part.kind.align}">${cell(part, row[part.key])}</td>`)}</tr>`,
  )
  return block`
    <div class="repeated" role="region" aria-label="${field.label}" tabindex="0">
      <table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>
    </div>
  `
}

/** The rows, with the means to add, move and remove them. Without script there are a few blank ones, and who clears a row removes it. */
function control(typed: string, field: Bound<Own>, ctx: ViewContext): Html {
  const rows = textsIn(typed, field) ?? []
  const most = maxRowsOf(field)
  const blank = field.readOnly ? 0 : Math.min(blankRows, Math.max(0, most - rows.length))
  const begun = [...partsOf(field).values()].map((part) => (part.default == null ? '' : part.kind.text(part.default, part, ctx)))
  const all = [
    ...rows.map((row, i) => rowOf(field, ctx, i, row, 'row')),
    ...Array.from({ length: blank }, (_, i) => rowOf(field, ctx, rows.length + i, [], 'blank')),
  ]
  const add = html`<button type="button" class="button scripted" data-adds>${ctx.t('repeater.add')}</button>`
  return block`
    <input type="hidden" name="${ctx.name}" value="">
    <div class="repeater" id="${ctx.id}" tabindex="-1" data-most="${most}">
      <div class="repeater-rows">${all}</div>
      ${!field.readOnly && html`<template>${rowOf(field, ctx, '{row}', begun, 'row')}</template>${add}`}
    </div>
  `
}

/** @param index its number from 0; `{row}`: it is the one that a script copies */
function rowOf(field: Bound<Own>, ctx: ViewContext, index: number | '{row}', texts: Texts, is: 'row' | 'blank'): Html {
  const controls = [...partsOf(field)].map(([name, part], i) => {
    const id = `${ctx.id}-${index}-${name}`
    const text = texts[i] ?? ''
    const error = ctx.error.length > 0 && is === 'row' && index !== '{row}' ? faultsOf(text, part, ctx) : []
    // A blank row may stay one.
    const own = { ...part, required: part.required && is === 'row', readOnly: field.readOnly }
    const inside = part.kind.input(text, own, { ...ctx, id, name: `${ctx.name}.${index}.${name}`, error, save: null })
    const mark = part.required && html` <span class="required" aria-hidden="true">*</span>`
    return block`
      <div class="part ${part.kind.align}">
        <label for="${id}">${part.label}${mark}</label>${inside}
        ${error.length > 0 && html`<span class="error" id="${id}-error">${error.join(' ')}</span>`}
        ${part.hint !== null && html`<span class="hint" id="${id}-hint">${part.hint}</span>`}
      </div>
    `
  })
  const number = index === '{row}' ? index : index + 1
  const button = (does: string, label: string, sign: string) =>
    html`<button type="button" data-does="${does}" aria-label="${label}" title="${label}">${sign}</button>`
  const tools = block`
    <div class="tools scripted">
      ${button('up', ctx.t('move.up'), '↑')}${button('down', ctx.t('move.down'), '↓')}
      ${button('remove', ctx.t('repeater.remove'), '×')}
    </div>
  `
  return block`
    <div class="repeater-row${is === 'blank' && html` unscripted`}" role="group" aria-label="${ctx.t('repeater.row', { row: number })}">
      ${controls}${!field.readOnly && tools}
    </div>
  `
}

/** What is wrong with a part of a refused row. */
function faultsOf(text: string, part: Bound, ctx: ViewContext): readonly string[] {
  const checked = check(part, text === '' && part.nullable ? null : part.kind.read(text, part, ctx), ctx.t)
  // A kind whose values take their time has nothing to say of this one.
  return isLater(checked) || checked.ok ? [] : checked.texts
}
