import type { Identity } from '../../auth/identity.js'
import type { Bound, Json, RoleRule } from '../../field/field.js'
import { legible } from '../../field/illegible.js'
import { keyText } from '../../field/key.js'
import { asStored } from '../../field/kind.js'
import { majorNumber, minorDigits } from '../../field/minor.js'
import type { PageType } from '../../resource/page.js'
import type { Through } from '../../resource/relation/through.js'
import type { BoundComputed, Resource } from '../../resource/resource.js'
import { isTold } from '../../resource/tally.js'
import type { Row } from '../../store/store.js'
import type { WrittenField } from '../../store/written.js'
import { asJson } from './as-json.js'
import { editableWhenColumns } from './editable-when.js'

/**
 * What a user sees of a resource: which fields, from which columns, and how a row becomes a record. Frozen; there is one for each set of
 * rights.
 */
export interface Lens {
  /** The resource. */
  readonly resource: Resource
  /** What is shown, in order. */
  readonly shown: readonly Shown[]
  /** The columns of a row, in order. */
  readonly columns: readonly string[]
  /** The position of each column in a row. */
  readonly at: ReadonlyMap<string, number>
  /** Every field that the user may read, on any page. */
  readonly readable: ReadonlyMap<string, Bound>
  /** Every computed value that the user may read. */
  readonly computed: ReadonlyMap<string, BoundComputed>
  /** What its lists show of records that relations lead to: rows have it behind their columns, once it is read. */
  readonly throughs: ReadonlyMap<string, Through>
  /** Whether rows hold every column of the model. */
  readonly whole: boolean
  /** Whether it only shows some fields, to a user who may not view the record: then the record has no label, either. */
  readonly narrow: boolean
  /** A row as in JSON: the fields shown, and always the key. */
  record(row: Row): Record<string, Json>
  /** The same as text. */
  text(row: Row): string
  /** Every readable field of a whole row as text but what tells of other records, whatever is shown; `text` itself if that is the same. */
  wholeText(row: Row): string
  /** The fields of `record`, if each has its stored value, so that a database may write it; null: one has not. */
  readonly written: readonly WrittenField[] | null
  /** The text of a row's key. */
  key(row: Row): string
  /** The computed value that labels a record; null: a column does, or the user may not read it, or the rows lack what it needs. */
  readonly label: ((row: Row) => Json) | null
}

/** A field or computed value that is shown. */
export type Shown =
  | { readonly key: string; readonly field: Bound; readonly at: number }
  | { readonly key: string; readonly computed: BoundComputed; value(row: Row): Json }

export interface LensView {
  readonly name: PageType | 'record'
  readonly whole: boolean
  /** Only these readable fields (`fields=a,b`), instead of the page's. */
  readonly only?: readonly string[]
  /** Further columns to read, shown or not: those of the order and of relations. */
  readonly also?: readonly string[]
  /** Only these fields are readable, and no computed value is. */
  readonly within?: readonly string[]
  /** What can be shown of records that relations lead to, in lists. Default: nothing. */
  readonly throughs?: readonly Through[]
}

const lenses = new WeakMap<Resource, Map<string, Lens>>()
// `fields=` comes from outside: beyond this many, lenses are not cached.
const kept = 256

/** The caller's lens. `record` has every readable field and computed value, whatever the pages show. */
export function lensOf(identity: Identity, resource: Resource, view: LensView): Lens {
  let known = lenses.get(resource)
  if (!known) {
    known = new Map()
    lenses.set(resource, known)
  }
  const bits = rights(identity, resource)
  const shape = bits === '' ? shapeOf(view) : `${shapeOf(view)} ${bits}`
  let lens = known.get(shape)
  if (!lens) {
    lens = makeLens(identity, resource, view)
    if (known.size < kept) known.set(shape, lens)
    // A statement that writes it would be made for this request alone.
    else lens = Object.freeze({ ...lens, written: null })
  }
  return lens
}

const wholeShapes = { index: 'index whole', detail: 'detail whole', form: 'form whole', record: 'record whole' } as const

/** The cache key of a view. Most are constants, since those hash faster than concatenated strings. */
function shapeOf({ throughs = [], ...view }: LensView): string {
  const shape = ownShapeOf(view)
  return throughs.length === 0 ? shape : `${shape} follows ${throughs.map(numberOf).join(',')}`
}

const numbers = new WeakMap<Through, number>()
let lastNumber = 0

/** Panels may share a resource, and yet lead elsewhere by the same name, or call it otherwise. */
function numberOf(one: Through): number {
  const number = numbers.get(one) ?? ++lastNumber
  numbers.set(one, number)
  return number
}

function ownShapeOf({ name, whole, only, also = [], within }: LensView): string {
  if (within) return `${name} ${whole} within ${within.join(',')}`
  if (only || also.length > 0) return `${name} ${whole} ${only?.join(',') ?? '*'} ${also.join(',')}`
  return whole ? wholeShapes[name] : name
}

/** Whether a user meets a rule. */
export function meets(rule: RoleRule, { roles }: Identity): boolean {
  return typeof rule === 'boolean' ? rule : rule.some((role) => roles.includes(role))
}

const ruled = new WeakMap<Resource, readonly RoleRule[]>()

/** The cache key of a user's rights: the answer to each rule that is not simply `true`. */
function rights(identity: Identity, resource: Resource): string {
  let rules = ruled.get(resource)
  if (!rules) {
    rules = [...resource.fields.values()].map((field) => field.visible).filter((rule) => rule !== true)
    ruled.set(resource, rules)
  }
  let bits = ''
  for (const rule of rules) bits += meets(rule, identity) ? '1' : '0'
  return bits
}

function makeLens(identity: Identity, resource: Resource, { name, whole, only, also = [], within, throughs: ways = [] }: LensView): Lens {
  const { model, label } = resource
  const readable = new Map(
    [...resource.fields].filter(([key, field]) => meets(field.visible, identity) && (!within || within.includes(key))),
  )
  // A computed value is hidden if any field that it needs is.
  const computed = new Map(
    [...resource.computed].filter(([, one]) => !within && one.needs.every((need) => !resource.fields.has(need) || readable.has(need))),
  )
  const all = only ?? (name === 'record' ? [...resource.fields.keys(), ...resource.computed.keys()] : resource.pages[name])
  const throughs = new Map(ways.map((one) => [one.shown.key, one]))
  const names = all.filter((key) => readable.has(key) || computed.has(key) || throughs.has(key))
  const wanted = new Set([model.key.key])
  for (const key of names)
    for (const column of computed.get(key)?.needs ?? [throughs.get(key)?.steps[0]?.relation.key ?? key]) wanted.add(column)
  for (const column of also) wanted.add(column)
  // Whether a list lets users change what it shows.
  for (const key of [...wanted]) for (const column of editableWhenColumns(resource, readable.get(key))) wanted.add(column)
  const columns = whole ? [...model.columns.keys()] : [...wanted]
  const at = new Map(columns.map((column, i) => [column, i]))
  // The place behind the columns is that of a label, where one was read in addition.
  for (const key of throughs.keys()) at.set(key, at.size + 1)
  const shown = names.map((key): Shown => {
    const field = readable.get(key) ?? throughs.get(key)?.shown
    if (field) return Object.freeze({ key, field, at: at.get(key) as number })
    const one = computed.get(key) as BoundComputed
    return Object.freeze({ key, computed: one, value: computedValue(one, resource, at) })
  })
  const keyAt = at.get(model.key.key) as number
  const record = recordOf(partsOf(resource, shown, keyAt))
  const text = textOf(record)
  const own = [...readable].filter(([key]) => !isTold(model, key))
  const isAll = shown.length === own.length && own.every(([key], i) => shown[i]?.key === key)
  const fields = own.map(([key, field]): Shown => ({ key, field, at: at.get(key) as number }))
  return Object.freeze({
    resource,
    shown,
    columns,
    at,
    readable,
    computed,
    throughs,
    whole,
    narrow: within !== undefined,
    record,
    text,
    wholeText: isAll ? text : textOf(recordOf(partsOf(resource, fields, keyAt))),
    written: throughs.size > 0 ? null : writtenOf(resource, shown, keyAt),
    key: (row: Row) => keyText(row[keyAt] as never),
    label: label && computed.has(label.key) && label.needs.every((need) => at.has(need)) ? computedValue(label, resource, at) : null,
  })
}

/** One entry of a record, and its value on the wire. */
interface Part {
  readonly name: string
  value(row: Row): Json
}

function partOf(one: Shown): Part {
  const { key } = one
  if ('computed' in one) return { name: key, value: one.value }
  const { at, field } = one
  const { wire } = field.kind
  // Fast path: the stored value is sent as it is.
  if (wire === asStored) return { name: key, value: (row) => asStored(row[at] ?? null) }
  const value = (row: Row) => {
    const value = row[at]
    return value === null || value === undefined ? null : wire(value, field)
  }
  return { name: key, value }
}

function partsOf({ model, fields }: Resource, shown: readonly Shown[], keyAt: number): readonly Part[] {
  const key = model.key.key
  const parts = shown.map(partOf)
  if (parts.some(({ name }) => name === key)) return parts
  const field = fields.get(key)
  return [{ name: key, value: (row) => (field ? field.kind.wire(row[keyAt], field) : wireKey(row[keyAt])) }, ...parts]
}

/** Whether an object has a name as it is, behind those before it: whole numbers come first, and JSON escapes half of a surrogate pair. */
const isPlainName = (name: string) => !/^(?:\d+|__proto__)$/.test(name) && name === name.toWellFormed()

/** The same parts, if a database may write them. */
function writtenOf({ model, fields }: Resource, shown: readonly Shown[], keyAt: number): readonly WrittenField[] | null {
  const key = model.key.key
  const keyField = fields.get(key)
  const parts = shown.map((one) => ('field' in one && one.field.kind.plain(one.field) ? { name: one.key, at: one.at } : null))
  const isThere = parts.some((part) => part?.name === key)
  const all = isThere ? parts : [!keyField || keyField.kind.plain(keyField) ? { name: key, at: keyAt } : null, ...parts]
  return all.every((part) => part !== null && isPlainName(part.name)) ? Object.freeze(all as WrittenField[]) : null
}

function recordOf(parts: readonly Part[]): Lens['record'] {
  const blank = blankOf(parts)
  return (row) => {
    const out = { ...blank }
    // A custom kind may return undefined, which JSON would omit: null instead.
    for (const { name, value } of parts) out[name] = value(row) ?? null
    return out
  }
}

const textOf =
  (record: Lens['record']): Lens['text'] =>
  (row) =>
    JSON.stringify(record(row))

/**
 * Copying an object from `JSON.parse` reserves room for all its properties. Adding them one by one makes a wide record nearly twice as slow
 * to create and to serialize.
 */
function blankOf(parts: readonly Part[]): Record<string, Json> {
  return JSON.parse(`{${parts.map(({ name }) => `${JSON.stringify(name)}:null`).join()}}`)
}

// A resource need not declare its key as a field, but records always have it.
const wireKey = (key: unknown): Json => (typeof key === 'bigint' ? String(key) : (key as Json))

/** A computed value gets only the columns that it declares. Reading another one throws, so that the mistake is noticed. */
function computedValue(one: BoundComputed, { model }: Resource, at: ReadonlyMap<string, number>): (row: Row) => Json {
  const reader: object = Object.create(null)
  for (const column of model.columns.keys()) {
    Object.defineProperty(reader, column, {
      get() {
        throw new TypeError(`computed.${one.key} reads "${column}": name it in needs`)
      },
    })
  }
  const needs = one.needs.map((need) => [need, at.get(need) as number] as const)
  const digits = minorDigits(one)
  return (row) => {
    const given: Record<string, unknown> = Object.create(reader)
    for (const [need, i] of needs) Object.defineProperty(given, need, { value: legible(row[i]), enumerable: true })
    const value = asJson(one.value(given), `computed.${one.key}`)
    return digits !== null && typeof value === 'number' ? majorNumber(value, digits) : value
  }
}

/** The handlers and methods of a resource. */
export const actionsOf = ({ handlers, methods }: Pick<Resource, 'handlers' | 'methods'>) => [...handlers.values(), ...methods.values()]

/** Whether a list passes whole records to user code. */
export function callbacksGetRecords({ table, display, canRecord, indexButtons, handlers, methods }: Resource): boolean {
  const callbacks = [...Object.values(table), ...indexButtons.map((one) => one.visible)].some((one) => typeof one === 'function')
  const policies = actionsOf({ handlers, methods }).some((action) => action.canRecord !== null)
  return callbacks || policies || display.size > 0 || Object.keys(canRecord).length > 0
}

/** A whole row as an object for callbacks: every column, whatever the caller may see. Unreadable values are null. */
export function rowObject(columns: readonly string[], row: Row): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (let i = 0; i < columns.length; i++) out[columns[i] as string] = legible(row[i])
  return out
}
