import { DaymarkError, invalid } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import { shown } from '../base/shown.js'
import type { Query } from '../crud/call/input.js'
import { checkText } from './text.js'
import { pairs } from './url-encoding.js'

/**
 * Reads a query string.
 *
 * @param most how many names it may have
 * @throws DaymarkError `invalid`, naming the parameter
 */
export function readQuery(text: string, most: number, t: Translate): Query {
  const query = new Map<string, string[]>()
  for (const [name, value] of pairs(text, (name) => {
    throw invalid(shown(name), t('query.badText', { name: shown(name) }))
  })) {
    checkText(name, value, t)
    const values = query.get(name)
    if (values) {
      values.push(value)
      continue
    }
    if (query.size === most) throw new DaymarkError('invalid', t('query.tooManyNames', { max: most }))
    checkText(name, name, t)
    query.set(name, [value])
  }
  return query
}
