import { DaymarkError } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import { shown } from '../base/shown.js'
import type { Body } from '../crud/call/input.js'
import { faultText, scanJson } from '../field/json-scan.js'
import type { Limits } from './limits.js'

/**
 * Reads a JSON body, which must be an object. Its names become a Map, since `__proto__` is a name like any other.
 *
 * @throws DaymarkError `malformed` if it is not JSON, `invalid` for JSON that would not be read exactly as written
 */
export function readJsonBody(text: string, limits: Limits, t: Translate): Body {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (thrown) {
    throw new DaymarkError('malformed', t('body.notJson'), { cause: thrown })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new DaymarkError('invalid', t('body.notObject'))
  scanJson(text, limits.depth, (at) => {
    const [field, said] = [shown(at.name), faultText(at, limits.depth, t)]
    throw new DaymarkError('invalid', said, { errors: field === '' && at.fault === 'deep' ? [] : [[field, [said]]] })
  })
  const fields = new Map(Object.entries(value))
  if (fields.size > limits.fields) throw new DaymarkError('invalid', t('body.tooManyNames', { max: limits.fields }))
  return { from: 'json', fields }
}
