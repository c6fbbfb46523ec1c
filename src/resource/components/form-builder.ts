import type { Common, FormBuilder } from '../component.js'
import type { ColumnsOf, Declared } from '../declared.js'

/** A form of a resource as a part of a page: it makes a record, or edits one. */
export function formBuilder<const R extends Declared | string>(
  resource: R,
  spec: Common & {
    readonly name: string
    readonly title?: string
    /** Some of the resource's form, in its order. Default: all of it. */
    readonly fields?: readonly ColumnsOf<NoInfer<R>>[]
    /** The key of the record that it edits. Default: it makes one. */
    readonly item?: string | number
  },
): FormBuilder {
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
