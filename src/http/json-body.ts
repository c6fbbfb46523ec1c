import { DaymarkError, invalid } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import type { Body } from '../crud/call.js'
import { scanJson } from './json-scan.js'
import type { Limits } from './limits.js'
import { shown } from './text.js'

/**
 * Reads a JSON body: an object, whose names become a Map, since `__proto__` is a name like any other.
 *
 * @throws DaymarkError `malformed` for what is no JSON, `invalid` for JSON that cannot be taken exactly as it was meant
 */
export function readJsonBody(text: string, limits: Limits, t: Translate): Body {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (thrown) {
    throw new DaymarkError('malformed', t('body.notJson'), { cause: thrown })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new DaymarkError('invalid', t('body.notObject'))
  scanJson(text, limits.depth, (kind, { name, text: found }) => {
    const field = shown(name)
    if (kind === 'deep')
      throw new DaymarkError('invalid', t('body.tooDeep', { max: limits.depth }), {
        errors: field === '' ? [] : [[field, [t('body.tooDeep', { max: limits.depth })]]],
      })
    if (kind === 'twice') throw invalid(field, t('body.twice', { name: shown(found) }))
    if (kind === 'notExact') throw invalid(field, t('body.notExact', { number: shown(found) }))
    if (kind === 'notFinite') throw invalid(field, t('body.notFinite', { number: shown(found) }))
    throw invalid(field, kind === 'nul' ? t('text.nul') : t('text.surrogate'))
  })
  const fields = new Map(Object.entries(value))
  if (fields.size > limits.fields) throw new DaymarkError('invalid', t('body.tooManyNames', { max: limits.fields }))
  return { from: 'json', fields }
}
