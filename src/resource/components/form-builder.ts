import { a } from '../../base/setting.js'
import type { Declared, NamesOf } from '../condition/declared.js'
import { aResource } from '../model/sorts.js'
import type { Common, FormBuilder } from '../pages/component.js'
import { refuseWrong } from '../problem.js'

/**
 * A form of a resource on a page: it creates a record, or edits one, and returns to the page.
 *
 * @param resource the resource, or its URI
 */
export function formBuilder<const R extends Declared | string>(
  resource: R,
  spec: Common & {
    /** Unique on its page: lower-case letters, digits and hyphens. */
    readonly name: string
    /** Its heading. Default: none. */
    readonly title?: string
    /** Fields of the resource's form, in its order. Default: all of them. */
    readonly fields?: readonly NamesOf<NoInfer<R>>[]
    /** The key of the record to edit. Default: none, it creates a record. */
    readonly item?: string | number
  },
): FormBuilder {
  const settings = {
    resource: aResource,
    name: a.text,
    title: a.text,
    fields: a.list(a.text),
    item: a.either(a.text, a.number),
    can: a.value,
  }
  refuseWrong('formBuilder()', { resource, ...spec }, settings, 'resource', 'name')
  const { can, name, title, fields, item } = spec
  return Object.freeze({
    is: 'form',
    name,
    title: title ?? null,
    resource,
    fields: fields ? Object.freeze([...fields]) : null,
    item: item === undefined ? null : String(item),
    ...(can !== undefined && { can }),
  })
}
