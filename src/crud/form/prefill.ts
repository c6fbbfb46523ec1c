import { DaymarkError } from '../../base/errors.js'
import { isLater } from '../../base/later.js'
import { askedFault, parseValue } from '../../field/check.js'
import type { Bound } from '../../field/field.js'
import { nextFault } from '../../field/next-values.js'
import { inAddress } from '../../field/zone.js'
import type { Call } from '../call/call.js'
import type { Input } from '../call/input.js'
import { checkParameters } from '../input/check-parameters.js'
import { formText } from '../input/form-text.js'
import { panelText } from '../input/panel-text.js'
import type { Prefill } from '../outcomes/forms.js'

/** The query parameter that prefills a field of a new record. */
export const prefillParameter = (key: string): string => `value[${key}]`

// It becomes part of the next form's URL.
const longest = 4000

/** What a form was prefilled with: from its URL, or from what the previous form passed on. */
export function prefillOf({ query, body }: Pick<Input, 'query' | 'body'>): Prefill {
  if (body.from === 'form') {
    const carried = panelText({ body }, '_begun')
    return carried.length > longest ? [] : [...new URLSearchParams(carried)]
  }
  return [...query].flatMap(([name, texts]) => {
    const [, key] = /^value\[(.+)\]$/.exec(name) ?? []
    return key === undefined ? [] : texts.filter((text) => text !== '').map((text) => [key, text] as const)
  })
}

/** The query that prefills a form with this. */
export function prefillQuery(begun: Prefill): Readonly<Record<string, readonly string[]>> {
  const query: Record<string, string[]> = {}
  for (const [key, text] of begun) query[prefillParameter(key)] = [...(query[prefillParameter(key)] ?? []), text]
  return query
}

/** Whether a URL can prefill a field: its kind can be filtered by a value, whether or not the resource has such a filter. */
export const isPrefillable = (field: Bound) =>
  !field.readOnly && !field.kind.secret && (field.kind.many(field) || field.kind.operators.includes('eq'))

/**
 * What the URL prefills a new record with, as the texts of its controls. On a page, an unreadable value is shown for correction, as if it
 * had been typed; one that a new record may not begin with is left out.
 *
 * @throws DaymarkError `invalid` for an unknown name or an invalid value, if the caller is a program
 */
export function prefillTexts({ realm, identity, input, wants }: Call, shown: readonly Bound[]): ReadonlyMap<string, string> {
  const { t } = realm
  const fields = shown.filter(isPrefillable)
  if (wants.strict) checkParameters(input.query, ['duplicate', ...fields.map(({ key }) => prefillParameter(key))], t)
  const texts = new Map<string, string>()
  for (const field of fields) {
    const name = prefillParameter(field.key)
    const given = input.query.get(name)
    if (!given) continue
    if (wants.strict && given.length > 1 && !field.kind.many(field)) throw wrong(name, t('query.repeated', { name }))
    const text = formText(field, given)
    if (text === '') continue
    const wire = field.kind.read(text, field, inAddress(realm))
    const value = parseValue(field, wire)?.value
    if (wants.strict && value === undefined) throw wrong(name, askedFault(field, wire, t))
    const fault = value === undefined || isLater(value) ? null : nextFault(field, null, value, identity.roles, realm)
    if (fault !== null && wants.strict) throw wrong(name, fault)
    if (fault !== null) continue
    // If the kind reads asynchronously, keep the text as it is: the form reads it when it is sent.
    texts.set(field.key, value === undefined || value === null || isLater(value) ? text : field.kind.text(value, field, realm))
  }
  return texts
}

function wrong(name: string, fault: string): DaymarkError {
  return new DaymarkError('invalid', fault, { errors: [[name, [fault]]] })
}
