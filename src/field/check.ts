import type * as z from 'zod'
import { isLater } from '../base/later.js'
import type { MessageKey, Translate } from '../base/messages.js'
import { type Bound, type ColumnType, type Json, Unreadable, type Zone } from './field.js'
import { isBeyond } from './key.js'
import { wireType } from './minor.js'
import { besideSteps } from './steps.js'

const schemas = new WeakMap<Bound, z.ZodType>()

/** The cached schema of a field's value in JSON. It does not include null: `field.nullable` decides about that. */
function schemaOf(field: Bound): z.ZodType {
  let schema = schemas.get(field)
  if (!schema) {
    schema = field.kind.schema(field)
    schemas.set(field, schema)
  }
  return schema
}

/** Leaves the message of an issue empty, unless the schema states one. */
const unsaid = { error: () => '' }

/** Whether a field's kind accepts a value from JSON. */
export const takes = (field: Bound, wire: unknown): boolean => schemaOf(field).safeParse(wire).success

const takesNone = (field: Bound) => field.kind.many(field) && takes(field, [])

export type Checked = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly texts: readonly string[] }

/** Checks a value from JSON against the field's kind, facts and rules. It returns a promise only if a rule or the kind is asynchronous. */
export function check(field: Bound, wire: unknown, t: Translate): Checked | Promise<Checked> {
  if (wire instanceof Unreadable) return { ok: false, texts: [wire.say(t, field.label)] }
  if (wire === null) {
    // Null is not a list, which alone can be empty.
    if (!field.nullable) return { ok: false, texts: [t(takesNone(field) ? 'field.listForNone' : 'field.required', { label: field.label })] }
  } else {
    const parsed = schemaOf(field).safeParse(wire, unsaid)
    if (!parsed.success) return { ok: false, texts: [...new Set(issuesOf(parsed.error).map((issue) => issueIn(issue, field, wire, t)))] }
  }
  // Rules don't run for null: `nullable` has decided about it.
  return field.rules.length === 0 || wire === null ? stored(field, wire) : byRules(field, wire)
}

/** What is of another type breaks no other rule: a text that is no list is none that is too long. */
function issuesOf({ issues }: z.ZodError): readonly z.core.$ZodIssue[] {
  const ofType = issues.find(({ code, path }) => code === 'invalid_type' && path.length === 0)
  return ofType ? [ofType] : issues
}

async function byRules(field: Bound, wire: unknown): Promise<Checked> {
  const texts: string[] = []
  for (const rule of field.rules) {
    const result = await rule['~standard'].validate(wire)
    for (const issue of result.issues ?? []) texts.push(issue.message)
  }
  return texts.length > 0 ? { ok: false, texts } : stored(field, wire)
}

function stored(field: Bound, wire: unknown): Checked | Promise<Checked> {
  const value = wire === null ? null : field.kind.value(wire as Json, field)
  return isLater(value) ? Promise.resolve(value).then((value) => ({ ok: true, value })) : { ok: true, value }
}

/**
 * Converts a query parameter to a stored value, for cursors and for the values that a form starts with. The text must have the kind's
 * format; the declared bounds don't apply.
 */
export function parseValue(field: Bound, wire: unknown): { readonly value: unknown } | null {
  return parseBut(bounds, field, wire)
}

/** The same for filters, where the declared options don't apply either: a stored value may be older than they are. */
export function parseAsked(field: Bound, wire: unknown): { readonly value: unknown } | null {
  return parseBut(boundsAndOptions, field, wire)
}

/** The same for the end of a range, which may lie between two values that the column stores. */
export function parseEnd(field: Bound, wire: unknown): { readonly value: unknown } | null {
  return parseBut(boundsAndOptions, field, wire, isBetween)
}

function parseBut(
  passed: ReadonlySet<string | undefined>,
  field: Bound,
  wire: unknown,
  alsoPassed: (issue: z.core.$ZodIssue) => boolean = () => false,
): { readonly value: unknown } | null {
  if (wire instanceof Unreadable) return null
  const parsed = schemaOf(field).safeParse(wire)
  if (!parsed.success && parsed.error.issues.some((issue) => !passed.has(issue.code) && !alsoPassed(issue))) return null
  const value: unknown = field.kind.value(wire as Json, field)
  // `JSON.parse` has rounded such a number: it is no longer the one that was sent.
  return field.column.type === 'integer' && typeof value === 'number' && !Number.isSafeInteger(value) ? null : { value }
}

const isBetween = (issue: z.core.$ZodIssue) => issue.code === 'custom' && issue.params?.isBetween === true

/** Why `parseAsked` or `parseEnd` returned null: the format that the kind expects. */
export function askedFault(field: Bound, wire: unknown, t: Translate): string {
  const { label } = field
  if (wire instanceof Unreadable) return wire.say(t, label)
  const issues = schemaOf(field).safeParse(wire, unsaid).error?.issues ?? []
  const issue = issues.find(({ code }) => !boundsAndOptions.has(code)) ?? issues.find(({ code }) => code === 'invalid_value')
  if (issue) return issueText(issue, field, wire, t)
  if (typeof wire !== 'number') return t('field.notFormat', { label })
  const inJson = (stored: number) => field.kind.over?.(stored, field) ?? stored
  return wire < 0
    ? t('field.tooSmall', { label, min: inJson(Number.MIN_SAFE_INTEGER) })
    : t('field.tooBig', { label, max: inJson(Number.MAX_SAFE_INTEGER) })
}

/** Converts the text of a filter to one value of a field that holds several, as `parseAsked` does; null if it is not exactly one. */
export function parseOne(field: Bound, text: string, zone: Zone): { readonly value: unknown } | null {
  const list = parseAsked(field, field.kind.read(JSON.stringify([text]), field, zone))?.value
  return Array.isArray(list) && list.length === 1 ? { value: list[0] } : null
}

/** Converts the text of a filter in force to the value that it asks for; for one of several values, to the list that holds it alone. */
export function parseText(field: Bound, text: string, zone: Zone): { readonly value: unknown } | null {
  if (!field.kind.many(field)) return parseEnd(field, field.kind.read(text, field, zone))
  const one = parseOne(field, text, zone)
  return one && { value: [one.value] }
}

const bounds: ReadonlySet<string | undefined> = new Set(['too_small', 'too_big', 'not_multiple_of'])
const boundsAndOptions: ReadonlySet<string | undefined> = new Set([...bounds, 'invalid_value'])

const typeTexts: { readonly [T in ColumnType]?: MessageKey } = {
  integer: 'field.notInteger',
  bigint: 'field.notDecimal',
  numeric: 'field.notDecimal',
  real: 'field.notNumber',
  boolean: 'field.notBoolean',
  date: 'field.notDate',
  dateTime: 'field.notDateTime',
  time: 'field.notTime',
  text: 'field.notText',
}

const formatTexts: { readonly [format: string]: MessageKey | undefined } = {
  date: 'field.notDate',
  datetime: 'field.notDateTime',
  daytime: 'field.notTime',
  email: 'field.notEmail',
  url: 'field.notUrl',
}

// What has the form of a day or a time, and is none.
const written: { readonly [format: string]: RegExp | undefined } = { date: /^\d{4}-\d\d-\d\d$/, daytime: /^\d\d:\d\d(?::\d\d)?$/ }
const thereIsNo: { readonly [format: string]: MessageKey | undefined } = { date: 'field.noSuchDay', daytime: 'field.noTimeOfDay' }

const tooSmallTexts: { readonly [origin: string]: 'field.tooShort' | 'field.tooFew' | 'field.tooEarly' | undefined } = {
  array: 'field.tooFew',
  string: 'field.tooShort',
  date: 'field.tooEarly',
}
const tooBigTexts: { readonly [origin: string]: 'field.tooLong' | 'field.tooMany' | 'field.tooLate' | undefined } = {
  array: 'field.tooMany',
  string: 'field.tooLong',
  date: 'field.tooLate',
}

/** What an issue says. One inside a row says which row and which part, one of a text among others which text. */
function issueIn(issue: z.core.$ZodIssue, field: Bound, wire: unknown, t: Translate): string {
  const [row, name] = issue.path
  const parts = field.kind.rows?.parts(field)
  if (field.kind.lines && typeof row === 'number') {
    const item = (wire as readonly unknown[])[row]
    const label = t('field.item', { label: field.label, item: shortened(item) })
    return issue.code === 'invalid_type' ? t('field.notText', { label }) : issueText(issue, { ...field, label }, item, t)
  }
  if (!parts || typeof row !== 'number') return issueText(issue, field, wire, t)
  const given = (wire as readonly unknown[])[row] as Readonly<Record<string, unknown>> | null
  const part = typeof name === 'string' ? parts.get(name) : undefined
  const says = () => {
    if (issue.code === 'unrecognized_keys') return t('field.noPart', { names: issue.keys.join(', '), parts: [...parts.keys()].join(', ') })
    if (!part) return t('field.noRow', { parts: [...parts.keys()].join(', ') })
    const value = given?.[part.key]
    if (value instanceof Unreadable) return value.say(t, part.label)
    return value === undefined || value === null ? t('field.required', { label: part.label }) : issueText(issue, part, value, t)
  }
  return t('field.inRow', { label: field.label, row: row + 1, text: says() })
}

/** A text as far as a message has room for it. */
function shortened(item: unknown): string {
  const text = typeof item === 'string' ? item : JSON.stringify(item)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function issueText(issue: z.core.$ZodIssue, field: Bound, wire: unknown, t: Translate): string {
  const { label } = field
  if (wire === '' && !field.nullable) return t('field.required', { label })
  // As those of rules, the messages of a kind's own schema are shown as they are.
  if (issue.message !== '') return issue.message
  switch (issue.code) {
    case 'too_small':
      if (Array.isArray(wire) && wire.length === 0) return t('field.required', { label })
      return t(tooSmallTexts[issue.origin] ?? 'field.tooSmall', { label, min: String(issue.minimum) })
    case 'too_big':
      return t(tooBigTexts[issue.origin] ?? 'field.tooBig', { label, max: String(issue.maximum) })
    case 'not_multiple_of': {
      const beside = besideSteps(wire as number | string, field.own)
      return t('field.notStep', { label, step: String(issue.divisor), beside: beside?.join(', ') || '–' })
    }
    case 'invalid_value':
      return t('field.notOption', { label, options: issue.values.map(String).join(', ') })
    case 'custom': {
      const says = issue.params?.says as MessageKey | undefined
      return says === undefined ? typeText(field, wire, t) : t(says as 'field.notText', { label, ...issue.params?.fill })
    }
    case 'invalid_format': {
      const key = typeof wire === 'string' && written[issue.format]?.test(wire) ? thereIsNo[issue.format] : formatTexts[issue.format]
      if (key !== undefined) return t(key as 'field.notText', { label })
      // A pattern on a text column is the kind's own. On any other column it only describes the column's type.
      return field.column.type === 'text' ? t('field.notFormat', { label }) : typeText(field, wire, t)
    }
    default:
      return typeText(field, wire, t)
  }
}

/** Names the type that the field expects, for the error text. */
function typeText(field: Bound, wire: unknown, t: Translate): string {
  const { label, kind } = field
  const type = wireType(field)
  if (kind.many(field) && !Array.isArray(wire)) return t('field.notList', { label })
  if (kind.relation || type === 'uuid') return t('field.notKey', { label })
  if (type === 'integer' && typeof wire === 'string' && isBeyond(wire)) {
    const issue = schemaOf(field).safeParse(Number(wire), unsaid).error?.issues[0]
    if (issue) return issueText(issue, field, Number(wire), t)
  }
  const key = typeTexts[type]
  if (key === undefined) return t('field.notFormat', { label })
  // The JSON value has to be text, but a caller who sent text doesn't need to be told.
  if (key === 'field.notDecimal' && typeof wire === 'string')
    return t(type === 'bigint' ? 'field.notInteger' : 'field.notNumber', { label })
  return t(key as 'field.notText', { label })
}
