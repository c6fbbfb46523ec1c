import { DaymarkError, invalid } from '../base/errors.js'
import { allow, may } from './allow.js'
import type { Call } from './call.js'
import { keepFile } from './keep-file.js'
import { lensOf } from './lens.js'
import type { Uploaded } from './outcome.js'
import { scalar } from './scalar.js'
import { isWritable } from './sent.js'

/** Keeps a file for a field of a record that will be created or changed: the body is the file, and `name` in the query its name. */
export async function upload(call: Call): Promise<Uploaded> {
  const { realm, identity, resource, input } = call
  const creating = may(realm, identity, resource, 'create')
  if (!creating) allow(realm, identity, resource, 'update')
  const { t } = realm
  const field = lensOf(identity, resource, { name: 'record', whole: true }).readable.get(input.params?.get('field') ?? '')
  if (!field?.kind.file || !input.upload) throw new DaymarkError('notFound', t('page.none'))
  if (!isWritable(call, field, creating)) throw new DaymarkError('forbidden', t('field.readOnly', { label: field.label }))
  const name = scalar(input.query, 'name', t)
  if (name === '') throw invalid('name', t('query.missing', { name: 'name' }))
  return { is: 'uploaded', ...(await keepFile(call, field, { name, ...input.upload })) }
}
