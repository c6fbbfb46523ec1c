import { DaymarkError } from '../../base/errors.js'
import type { Input, Realm } from '../call/call.js'

/**
 * The fields of a body that belongs to no resource, by name: texts, and switches, which are `1` or empty. Null becomes an empty text; fields
 * that were not sent are missing.
 *
 * @param also the names of those that are switches, and others that may be sent and are read elsewhere
 * @throws DaymarkError `invalid` for an unknown name, or a value that is no text, nor a switch where it may be one
 */
export function panelFields(
  { body }: Input,
  texts: readonly string[],
  { t }: Realm,
  { switches = [], others = [] }: { readonly switches?: readonly string[]; readonly others?: readonly string[] } = {},
): ReadonlyMap<string, string> {
  const known = [...texts, ...switches]
  const errors = new Map<string, readonly string[]>()
  const fields = new Map<string, string>()
  for (const [name, given] of body.from === 'none' ? [] : body.fields) {
    const value = Array.isArray(given) && body.from === 'form' ? given.at(-1) : given
    if (others.includes(name)) continue
    if (!known.includes(name)) errors.set(name, [t('field.unknown', { name, names: [...known, ...others].join(', ') })])
    else if (typeof value === 'string') fields.set(name, value)
    else if (value === null) fields.set(name, '')
    else if (typeof value === 'boolean' && switches.includes(name)) fields.set(name, value ? '1' : '')
    else errors.set(name, [t('field.notText', { label: name })])
  }
  if (errors.size > 0) throw new DaymarkError('invalid', [...errors.values()][0]?.[0] as string, { errors })
  return fields
}
