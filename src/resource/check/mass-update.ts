import { massUpdateUri } from '../action/mass-update.js'
import type { Resource } from '../resource.js'
import { reservedInputs } from './action.js'

/** What is wrong with the names in `massUpdate`, and with what it is declared beside. */
export function* massUpdateFaults({
  fields,
  model,
  pages,
  reorderable,
  written,
}: Resource): Generator<readonly [name: string, fault: string]> {
  const { massUpdate: names, handlers } = written as { readonly massUpdate?: readonly string[]; readonly handlers?: object }
  if (names === undefined) return
  if (handlers && Object.hasOwn(handlers, massUpdateUri)) yield [massUpdateUri, 'is a handler of yours, too: give that another name']
  const isChanged = (name: string) => {
    const field = fields.get(name)
    if (!field || field.readOnly || field.kind.file !== null || name === reorderable?.key) return false
    return field !== fields.get(model.key.key) && pages.form.includes(name)
  }
  for (const name of names) {
    const field = fields.get(name)
    const valid = `Valid: ${[...fields.keys()].filter(isChanged).join(', ')}`
    if (!field) yield [name, `is not declared. ${valid}`]
    else if (name === reorderable?.key) yield [name, `is the order of the records, and all of them would have one place in it. ${valid}`]
    else if (field.kind.file !== null) yield [name, `holds files, and a file belongs to one record. ${valid}`]
    else if (!isChanged(name)) yield [name, `cannot be changed in a form. ${valid}`]
    else if (reservedInputs.has(name)) yield [name, 'is a name that the panel itself uses in such a request']
  }
}
