import { DaymarkError, invalid } from '../base/errors.js'
import { allow, may } from './allow.js'
import type { Call } from './call.js'
import { lensOf } from './lens.js'
import type { Previewed } from './outcome.js'
import { panelFields } from './panel-fields.js'
import { isWritable } from './sent.js'

/** How what is typed into a field will look. Nothing is stored. */
export async function preview(call: Call): Promise<Previewed> {
  const { realm, identity, resource, input } = call
  const creating = may(realm, identity, resource, 'create')
  if (!creating) allow(realm, identity, resource, 'update')
  const { t } = realm
  const field = lensOf(identity, resource, { name: 'record', whole: true }).readable.get(input.params?.get('field') ?? '')
  if (!field?.kind.preview) throw new DaymarkError('notFound', t('page.none'))
  if (!isWritable(call, field, creating)) throw new DaymarkError('forbidden', t('field.readOnly', { label: field.label }))
  const text = panelFields(input, ['text'], realm).get('text') ?? ''
  const read = field.kind.read(text, field, realm)
  if (typeof read !== 'string') throw invalid('text', t('field.notText', { label: field.label }))
  return { is: 'previewed', field, value: text === '' ? null : await field.kind.value(read, field) }
}
