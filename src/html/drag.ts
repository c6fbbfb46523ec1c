import type { Identity } from '../auth/identity.js'
import { type Html, html } from '../base/html.js'
import { isWritable } from '../crud/sent.js'
import type { Around } from '../face/face.js'
import type { Bound } from '../field/field.js'
import { eventsAttribute } from '../field/in-place.js'
import { url } from '../route/url.js'
import type { AnyList } from './any-list.js'
import type { Draggable } from './components/dragged.js'
import { tokenInput } from './form-token.js'

/** Makes how records are moved that a view places by a field; null: the caller may not write it. Whether they may change a record is asked besides. */
export function movesBy({ resource }: AnyList, field: Bound, at: Around): ((key: string, value: unknown) => Draggable) | null {
  if (!isWritable({ identity: at.identity as Identity, resource }, field, false)) return null
  return (key, value) => ({
    action: url(at.place, 'update-field', { resourceUri: resource.uriKey, resourceItem: key }),
    was: textOf(field, value, at),
    events: eventsAttribute(field, key),
  })
}

/** What each move sends besides the value that the record had, and the one that it gets. */
export function hiddenOfMoves(field: Bound, at: Around): Html {
  return html`<input type="hidden" name="_method" value="PUT">${tokenInput(at)}<input type="hidden" name="field" value="${field.key}">`
}

/** A value as moves send it. */
export function textOf(field: Bound, value: unknown, { realm }: Around): string {
  return value === null || value === undefined ? '' : field.kind.text(value, field, realm)
}
