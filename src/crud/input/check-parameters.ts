import { DaymarkError } from '../../base/errors.js'
import type { Translate } from '../../base/messages.js'
import type { Query } from '../call/input.js'

/** Refuses query parameters other than these, rather than ignoring them. */
export function checkParameters(query: Query, names: readonly string[], t: Translate): void {
  const unknown = [...query.keys()].filter((name) => !names.includes(name))
  if (unknown.length === 0) return
  const text = (name: string) =>
    names.length === 0 ? t('query.takesNone', { name }) : t('query.unknown', { name, names: names.join(', ') })
  throw new DaymarkError('invalid', text(unknown[0] as string), { errors: unknown.map((name) => [name, [text(name)]] as const) })
}
