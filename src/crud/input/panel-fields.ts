import { DaymarkError } from '../../base/errors.js'
import type { Realm } from '../call/call.js'
import type { Input } from '../call/input.js'

/** What a body may have besides texts. */
interface More {
  /** Names of switches: true or false in JSON, `1` or an empty text here. */
  readonly switches?: readonly string[]
  /** Those of the texts that may be null, which is an empty one. */
  readonly nullable?: readonly string[]
  /** Further names, which are read elsewhere. */
  readonly others?: readonly string[]
}

/**
 * The fields of a body that belongs to no resource: texts and switches by name. Those that were not sent are missing.
 *
 * @param texts the names of the texts
 * @throws DaymarkError `invalid` for an unknown name, and in JSON for a value of another type
 */
export function panelFields(
  { body }: Input,
  texts: readonly string[],
  { t }: Realm,
  { switches = [], nullable = [], others = [] }: More = {},
): ReadonlyMap<string, string> {
  const errors = new Map<string, readonly string[]>()
  const fields = new Map<string, string>()
  for (const [name, given] of body.from === 'none' ? [] : body.fields) {
    const value = Array.isArray(given) && body.from === 'form' ? given.at(-1) : given
    const isSwitch = switches.includes(name)
    if (others.includes(name)) continue
    if (!isSwitch && !texts.includes(name))
      errors.set(name, [t('field.unknown', { name, names: [...texts, ...switches, ...others].join(', ') })])
    else if (typeof value === 'string' && !(isSwitch && body.from === 'json')) fields.set(name, value)
    else if (value === null && nullable.includes(name)) fields.set(name, '')
    else if (typeof value === 'boolean' && isSwitch) fields.set(name, value ? '1' : '')
    else errors.set(name, [t(isSwitch ? 'field.notBoolean' : 'field.notText', { label: name })])
  }
  if (errors.size > 0) throw new DaymarkError('invalid', [...errors.values()][0]?.[0] as string, { errors })
  return fields
}
