import type { Identity } from '../../auth/identity.js'
import { html } from '../../base/html.js'
import { isWritable } from '../../crud/call/field-access.js'
import type { PresenterContext } from '../../face/face.js'
import type { Bound, InPlace } from '../../field/field.js'
import type { Resource } from '../../resource/resource.js'
import { url } from '../../route/url.js'
import { languageInput } from '../frame/form-token.js'

/** Whether a list edits this field in place. */
export function isInPlace(field: Bound): boolean {
  return field.own.updateOnPreview === true
}

/**
 * Makes the forms that edit a row's fields in place; null if this caller may change none.
 *
 * @param name the name of the list, which is unique on its page
 * @param many whether there are too many rows for that: switches then link to the record's form
 */
export function inPlaceForms(
  resource: Resource,
  at: PresenterContext,
  name: string,
  many: boolean,
): ((key: string, record: string, edit: string) => (field: Bound) => InPlace | null) | null {
  const identity = at.identity as Identity
  const fields = [...resource.fields.values()].filter((field) => isInPlace(field) && isWritable({ identity, resource }, field, false))
  if (fields.length === 0) return null
  const { uriKey: resourceUri } = resource
  const hidden = html`<input type="hidden" name="_method" value="PUT">${languageInput(at)}`
  return (key, record, edit) => (field) => {
    if (!fields.includes(field)) return null
    const action = url(at.place, 'update-field', { resourceUri, resourceItem: key })
    return { action, hidden, id: `${name}-${encodeURIComponent(key)}`, key, record, instead: many ? edit : null, shown: null }
  }
}
