import { invalid } from '../../base/errors.js'
import type { Call } from '../call/call.js'
import { scalar } from './scalar.js'

/**
 * The id of the entry before which a page begins, where the newest entries come first; null: it is the first page.
 *
 * @throws DaymarkError `invalid` for a cursor that is none
 */
export function entryCursor({ input: { query }, realm: { t }, wants: { strict } }: Pick<Call, 'input' | 'realm' | 'wants'>): number | null {
  const text = scalar(query, 'cursor', t)
  if (text === '') return null
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  if (strict) throw invalid('cursor', t('query.badCursor'))
  return null
}
