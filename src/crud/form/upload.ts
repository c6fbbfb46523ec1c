import { DaymarkError, invalid } from '../../base/errors.js'
import { fieldToWrite } from '../body/field-to-write.js'
import { storeFile } from '../body/store-file.js'
import type { Call } from '../call/call.js'
import { scalar } from '../input/scalar.js'
import type { Uploaded } from '../outcomes/forms.js'

/** Keeps a file for a field of a record that will be created or changed: the body is the file, and `name` in the query its name. */
export async function upload(call: Call): Promise<Uploaded> {
  const { input, realm } = call
  const { t } = realm
  const field = fieldToWrite(call, (kind) => kind.file !== null)
  if (!input.upload) throw new DaymarkError('notFound', t('page.none'))
  const name = scalar(input.query, 'name', t)
  if (name === '') throw invalid('name', t('query.missing', { name: 'name' }))
  return { is: 'uploaded', ...(await storeFile(call, field, { name, ...input.upload })) }
}
