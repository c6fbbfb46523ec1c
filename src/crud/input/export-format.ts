import { invalid } from '../../base/errors.js'
import type { Call } from '../call/call.js'
import type { FileFormat } from '../realm/file-format.js'

/**
 * The format that `?format=` asks for; null: CSV.
 *
 * @throws DaymarkError `invalid` for any other, naming those that there are
 */
export function exportFormat({ input: { query }, realm: { formats, t } }: Call): FileFormat | null {
  const [name = '', another] = query.get('format') ?? []
  if (another !== undefined) throw invalid('format', t('query.repeated', { name: 'format' }))
  if (name === '' || name === 'csv') return null
  const format = formats.get(name)
  if (format) return format
  throw invalid('format', t('field.notOption', { label: 'format', options: ['csv', ...formats.keys()].join(', ') }))
}
