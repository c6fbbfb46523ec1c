import type { Bound } from '../../field/field.js'
import type { Realm } from './call.js'

/** A stored value as words, by its field's kind; yes and no in the panel's language, which a kind does not know. */
export function valueWords(field: Bound, value: unknown, realm: Realm): string {
  return typeof value === 'boolean' ? realm.t(value ? 'value.yes' : 'value.no') : field.kind.words(value, field, realm)
}
