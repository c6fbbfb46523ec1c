import type { Identity } from '../../auth/identity.js'
import { type Html, html } from '../../base/html.js'
import { meetsEditableWhen } from '../../crud/call/editable-when.js'
import { isWritable } from '../../crud/call/field-access.js'
import type { PresenterContext } from '../../face/face.js'
import type { Bound } from '../../field/field.js'
import { legible } from '../../field/illegible.js'
import { eventsAttribute } from '../../field/in-place.js'
import { url } from '../../route/url.js'
import type { Row } from '../../store/store.js'
import type { Draggable } from '../components/draggable.js'
import { assetUrl } from '../frame/assets.js'
import { tokenInput } from '../frame/form-token.js'
import type { AnyList } from './any-list.js'

/**
 * Makes how records are moved that a view places by a field, each null if the record does not let users change it; null: the caller may not
 * write it. Whether they may change a record is asked besides.
 */
export function draggableBy(
  { resource, lens }: AnyList,
  field: Bound,
  at: PresenterContext,
): ((key: string, row: Row) => Draggable | null) | null {
  if (!isWritable({ identity: at.identity as Identity, resource }, field, false)) return null
  return (key, row) =>
    meetsEditableWhen(resource, field, at.realm.timeZone, lens.at, row)
      ? {
          action: url(at.place, 'update-field', { resourceUri: resource.uriKey, resourceItem: key }),
          was: moveText(field, legible(row[lens.at.get(field.key) as number]), at),
          events: eventsAttribute(field, key),
        }
      : null
}

/** The URLs of the scripts that drag records and take that back. */
export function dragScripts({ place }: PresenterContext): string {
  return `${assetUrl(place, 'dragging.js')} ${assetUrl(place, 'undo.js')}`
}

/** What each move sends besides the value that the record had, and the one that it gets. */
export function hiddenMoveInputs(field: Bound, at: PresenterContext): Html {
  return html`<input type="hidden" name="_method" value="PUT">${tokenInput(at)}<input type="hidden" name="field" value="${field.key}">`
}

/** A value as moves send it. */
export function moveText(field: Bound, value: unknown, { realm }: PresenterContext): string {
  return value === null || value === undefined ? '' : field.kind.text(value, field, realm)
}
