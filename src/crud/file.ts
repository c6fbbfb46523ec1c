import { DaymarkError } from '../base/errors.js'
import { allow, allowRow, scopeOf } from './allow.js'
import type { Call } from './call.js'
import { findByKey, keyOf, notThere } from './key.js'
import { lensOf } from './lens.js'
import type { FileSent } from './outcome.js'

/** The file that a field of a record holds, for whoever may see the field. */
export async function file(call: Call): Promise<FileSent> {
  const { identity, realm, resource, store, input } = call
  allow(realm, identity, resource, 'view')
  const none = () => new DaymarkError('notFound', realm.t('file.none'))
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  const field = lens.readable.get(input.params?.get('field') ?? '')
  if (!field?.kind.file) throw none()
  const row = await findByKey(store, resource.model, keyOf(call), lens, scopeOf(identity, resource))
  if (!row) throw notThere(call)
  allowRow(realm, identity, resource, 'view', lens.columns, row)
  const path = row[lens.at.get(field.key) as number]
  const found = typeof path === 'string' ? await realm.files?.read(path) : null
  if (!found) throw none()
  return { is: 'file', path: path as string, file: found }
}
