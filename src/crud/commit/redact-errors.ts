import { DaymarkError } from '../../base/errors.js'
import type { Call } from '../call/call.js'
import { lensOf } from '../call/lens.js'
import { noReservedNames, type ReservedNames } from '../input/selected-ids.js'

/**
 * Adapts a refusal by user code for this caller: a text about a column that they may not see is kept, but not the column's name.
 *
 * @param taken names of what the caller was asked for, even if a column has one of them
 */
export function redactErrors(
  thrown: unknown,
  { identity, resource }: Pick<Call, 'identity' | 'resource'>,
  taken: ReservedNames = noReservedNames,
): unknown {
  if (!(thrown instanceof DaymarkError) || thrown.code !== 'invalid') return thrown
  const { readable } = lensOf(identity, resource, { name: 'record', whole: true })
  const [named, unnamed] = [new Map<string, readonly string[]>(), new Set<string>()]
  for (const [name, texts] of thrown.errors) {
    if (taken.has(name) || readable.has(name) || !resource.model.columns.has(name)) named.set(name, texts)
    else for (const text of texts) unnamed.add(text)
  }
  if (unnamed.size === 0) return thrown
  return new DaymarkError('invalid', [...unnamed].join('. '), { errors: named, headers: thrown.headers, cause: thrown })
}
