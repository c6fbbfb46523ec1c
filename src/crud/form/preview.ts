import { invalid } from '../../base/errors.js'
import { fieldToWrite } from '../body/field-to-write.js'
import type { Call } from '../call/call.js'
import { panelFields } from '../input/panel-fields.js'
import type { Previewed } from '../outcomes/forms.js'

/** How what is typed into a field will look. Nothing is stored. */
export async function preview(call: Call): Promise<Previewed> {
  const { realm, input } = call
  const field = fieldToWrite(call, (kind) => kind.preview)
  const text = panelFields(input, ['text'], realm).get('text') ?? ''
  const read = field.kind.read(text, field, realm)
  if (typeof read !== 'string') throw invalid('text', realm.t('field.notText', { label: field.label }))
  return { is: 'previewed', field, value: text === '' ? null : await field.kind.value(read, field) }
}
