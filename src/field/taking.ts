import { a, faultsOf, type Setting } from '../base/setting.js'

/** A field of any kind. */
export const aField: Setting = a.sort(
  'a field, such as text()',
  (given) => typeof given === 'object' && given !== null && 'kind' in given && 'facts' in given,
)

/** A schema of any library, of which some are functions. */
export const aSchema: Setting = a.sort(
  'a Standard Schema, such as one of zod',
  (given) => (typeof given === 'function' || (typeof given === 'object' && given !== null)) && '~standard' in given,
)

type Stating = (...given: never[]) => Readonly<Record<string, unknown>>

const known = new WeakMap<Stating, readonly Setting[]>()
const wrong = new WeakMap<object, readonly string[]>()

/** Says what the parameters of a method may be; the last one counts for all that follow. */
export function taking<M extends Stating>(method: M, ...parameters: readonly Setting[]): M {
  known.set(method, parameters)
  return method
}

/** A method without parameters, which states these facts. `required(false)` would be taken for `required()`. */
export const stating = <const F extends Readonly<Record<string, unknown>>>(facts: F): (() => F) => taking(() => facts)

/** What was given to a method that it does not take. */
export function wrongArguments(name: string, method: Stating, given: readonly unknown[]): readonly string[] {
  const parameters = known.get(method)
  if (!parameters) return []
  if (parameters.length === 0) return given.length === 0 ? [] : [`${name}() takes nothing: leave it out where it is not so`]
  const count = Math.max(parameters.length, given.length)
  return Array.from({ length: count }, (_, i) => faultsOf(parameters[i] ?? parameters.at(-1) ?? a.value, given[i], `${name}()`))
    .flat()
    .map(({ at, text }) => `${at}: ${text}`)
}

/** Notes, with the facts of a field, what its methods were given that they do not take. */
export function noteWrong(facts: object, texts: readonly string[]): void {
  if (texts.length > 0) wrong.set(facts, texts)
}

/** What the methods of a field were given that they do not take, by its facts. */
export const wrongOf = (facts: object): readonly string[] => wrong.get(facts) ?? []
