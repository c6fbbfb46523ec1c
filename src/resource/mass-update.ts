import { isDeepStrictEqual } from 'node:util'
import { numberText } from '../base/number.js'
import type { HandlerContext } from './action.js'
import type { BoundAction, Words } from './bind-action.js'
import { reservedInputs } from './check-action.js'
import { ofRecord, titleFor } from './of-record.js'
import type { Resource } from './resource.js'

/** The URI of the handler that `massUpdate` declares. */
export const massUpdateUri = 'massUpdate'

/** What such a handler needs of its resource. */
type Of = Pick<Resource, 'fields' | 'column' | 'model'>
type Record_ = Record<string, unknown>

/**
 * The handler that changes some fields of all selected records, each by a write like any other: with its rules, hooks, policies and history.
 * What a record has already is not written again.
 *
 * @param names the fields that may be changed
 */
export function massUpdateOf(names: readonly string[], of: Of): BoundAction {
  const { key } = of.model.key
  return Object.freeze({
    uri: massUpdateUri,
    method: 'POST',
    safe: false,
    label: null,
    ability: 'update',
    can: null,
    fields: new Map(names.flatMap((name) => ((field) => (field ? [[name, field] as const] : []))(of.fields.get(name)))),
    input: null,
    confirm: null,
    redirectsTo: Object.freeze([]),
    transaction: true,
    needsSelection: true,
    long: false,
    changes: true,
    async run({ selected, update, user, input, total }: HandlerContext<Record_, Record_, unknown>, { t, locale }: Words) {
      const values = Object.entries(input as Record_)
      const titleOf = titleFor(of, user)
      for await (const some of selected())
        for (const record of some) {
          const changes = values.filter(([name, value]) => !isDeepStrictEqual(record[name], value))
          if (changes.length === 0) continue
          try {
            await update(record[key] as string, Object.fromEntries(changes))
          } catch (thrown) {
            throw total > 1 ? ofRecord(thrown, titleOf(record), t) : thrown
          }
        }
      return t('massUpdate.done', { count: numberText(locale, total) })
    },
  } satisfies BoundAction)
}

/** What is wrong with the names in `massUpdate`, and with what it is declared beside. */
export function* massUpdateFaults({ fields, model, pages, written }: Resource): Generator<readonly [name: string, fault: string]> {
  const { massUpdate: names, handlers } = written as { readonly massUpdate?: readonly string[]; readonly handlers?: object }
  if (names === undefined) return
  if (handlers && Object.hasOwn(handlers, massUpdateUri)) yield [massUpdateUri, 'is a handler of yours, too: give that another name']
  const isChanged = (name: string) => {
    const field = fields.get(name)
    return field && !field.readOnly && field.kind.file === null && field !== fields.get(model.key.key) && pages.form.includes(name)
  }
  for (const name of names) {
    const field = fields.get(name)
    const valid = `Valid: ${[...fields.keys()].filter(isChanged).join(', ')}`
    if (!field) yield [name, `is not declared. ${valid}`]
    else if (field.kind.file !== null) yield [name, `holds files, and a file belongs to one record. ${valid}`]
    else if (!isChanged(name)) yield [name, `cannot be changed in a form. ${valid}`]
    else if (reservedInputs.has(name)) yield [name, 'is a name that the panel itself uses in such a request']
  }
}
