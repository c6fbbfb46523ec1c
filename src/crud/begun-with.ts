import { DaymarkError } from '../base/errors.js'
import { isLater } from '../base/later.js'
import { askedFault, parseValue } from '../field/check.js'
import type { Bound } from '../field/field.js'
import { inAddress } from '../field/zone.js'
import type { Call, Input } from './call.js'
import { checkNames } from './check-names.js'
import type { Begun } from './outcome.js'
import { panelText } from './panel-text.js'
import { formText } from './sent.js'

/** The name of the parameter by which an address says what a new record begins with. */
export const beginning = (key: string): string => `value[${key}]`

// It stands in the address of the form that follows.
const longest = 4000

/** What a form began with: what its address says, or what it carries along to the one that follows. */
export function begunOf({ query, body }: Pick<Input, 'query' | 'body'>): Begun {
  if (body.from === 'form') {
    const carried = panelText({ body }, '_begun')
    return carried.length > longest ? [] : [...new URLSearchParams(carried)]
  }
  return [...query].flatMap(([name, texts]) => {
    const [, key] = /^value\[(.+)\]$/.exec(name) ?? []
    return key === undefined ? [] : texts.filter((text) => text !== '').map((text) => [key, text] as const)
  })
}

/** The same as the query of the address of a form. */
export function beginQuery(begun: Begun): Readonly<Record<string, readonly string[]>> {
  const query: Record<string, string[]> = {}
  for (const [key, text] of begun) query[beginning(key)] = [...(query[beginning(key)] ?? []), text]
  return query
}

/** Whether an address can say a field's value: what a list may be filtered by, whether or not it is. */
export const isSayable = (field: Bound) =>
  !field.readOnly && !field.kind.secret && (field.kind.many(field) || field.kind.operators.includes('eq'))

/**
 * What the address says that a new record begins with, as the texts of its controls. On a page, what cannot be read is there to be put right, as if it had been typed.
 *
 * @throws DaymarkError `invalid` for a name or a value that is none, where the caller is a program
 */
export function begunWith({ realm, input, wants }: Call, shown: readonly Bound[]): ReadonlyMap<string, string> {
  const { t } = realm
  const fields = shown.filter(isSayable)
  if (wants.strict) checkNames(input.query, ['duplicate', ...fields.map(({ key }) => beginning(key))], t)
  const texts = new Map<string, string>()
  for (const field of fields) {
    const name = beginning(field.key)
    const given = input.query.get(name)
    if (!given) continue
    if (wants.strict && given.length > 1 && !field.kind.many(field)) throw wrong(name, t('query.repeated', { name }))
    const text = formText(field, given)
    if (text === '') continue
    const wire = field.kind.read(text, field, inAddress(realm))
    const value = parseValue(field, wire)?.value
    if (wants.strict && value === undefined) throw wrong(name, askedFault(field, wire, t))
    // What a kind takes its time for is left to it as it was said.
    texts.set(field.key, value === undefined || value === null || isLater(value) ? text : field.kind.text(value, field, realm))
  }
  return texts
}

function wrong(name: string, fault: string): DaymarkError {
  return new DaymarkError('invalid', fault, { errors: [[name, [fault]]] })
}
