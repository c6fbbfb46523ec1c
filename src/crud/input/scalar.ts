import { invalid } from '../../base/errors.js'
import type { Translate } from '../../base/messages.js'
import type { Query } from '../call/input.js'

/**
 * The single text of a query parameter; empty: not given.
 *
 * @throws DaymarkError `invalid` if it is given twice: it is unclear which was meant
 */
export function scalar(query: Query, name: string, t: Translate): string {
  const texts = query.get(name) ?? []
  if (texts.length > 1) throw invalid(name, t('query.repeated', { name }))
  return texts[0] ?? ''
}
