import { DaymarkError } from '../../base/errors.js'
import { isLater } from '../../base/later.js'
import { actual } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { currentPage } from '../input/current-page.js'
import { redactErrors } from './redact-errors.js'

type Values = Readonly<Record<string, unknown>>

/**
 * Runs the resource's `validate`, the rules over several fields.
 *
 * @throws DaymarkError `invalid` with what it reports
 * @throws TypeError if it returns a promise, which would let everything pass, or names what is not a field, which no form could show
 */
export function checkRules(call: Call, before: Values | null, values: Values): void {
  const { resource, identity } = call
  const said: unknown = resource.validate?.({ ...currentPage(call), user: actual(identity), before, values: { ...before, ...values } })
  if (said === undefined || said === null) return
  const at = `\`validate\` of "${resource.uriKey}"`
  if (isLater(said)) throw new TypeError(`${at} answers at once: what takes its time is asked by a \`rule\` or by \`beforeSave\``)
  if (typeof said !== 'object' || Array.isArray(said)) throw new TypeError(`${at} gives texts by field, such as { name: 'Is taken' }`)
  const errors = Object.entries(said).flatMap(([name, given]) => {
    const texts: unknown[] = isNothing(given) ? [] : [given].flat()
    if (texts.length > 0 && !resource.fields.has(name) && !resource.model.columns.has(name))
      throw new TypeError(`${at} says something of "${name}", which is not a field. Valid: ${[...resource.fields.keys()].join(', ')}`)
    if (!texts.every((text) => typeof text === 'string')) throw new TypeError(`${at} says of "${name}" what is not text`)
    return texts.length === 0 ? [] : [[name, texts as string[]] as const]
  })
  if (errors.length > 0) throw redactErrors(new DaymarkError('invalid', errors[0]?.[1][0] as string, { errors }), call)
}

/** What `wrong && 'Is taken'` yields if nothing is wrong. */
const isNothing = (given: unknown) => given === undefined || given === null || given === false || given === ''
