import { DaymarkError, invalid } from '../../base/errors.js'
import { allow } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { lensOf } from '../call/lens.js'
import { pathsOf } from '../commit/record-files.js'
import { scalar } from '../input/scalar.js'
import { viewed } from '../input/viewed.js'
import type { FileSent } from '../outcomes/records.js'

/** A file that a field of a record holds, for whoever may see the field. Of several, `path` in the query says which. */
export async function file(call: Call): Promise<FileSent> {
  const { identity, realm, resource, input } = call
  allow(realm, identity, resource, 'view')
  const none = () => new DaymarkError('notFound', realm.t('file.none'))
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  const field = lens.readable.get(input.params?.get('field') ?? '')
  if (!field?.kind.file) throw none()
  const asked = scalar(input.query, 'path', realm.t)
  if (asked === '' && field.kind.many(field)) throw invalid('path', realm.t('query.missing', { name: 'path' }))
  const row = await viewed(call, lens)
  const held = pathsOf(row[lens.at.get(field.key) as number])
  const path = asked === '' ? held[0] : held.find((one) => one === asked)
  const found = path === undefined ? null : await realm.files?.read(path)
  if (path === undefined || !found) throw none()
  return { is: 'file', path, file: found }
}
