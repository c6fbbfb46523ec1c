/** What is wrong with a setting: the check that finds it, where in the declaration it is, and what to do. */
export interface SettingFault {
  readonly id: 'setting-unknown' | 'setting-value'
  readonly at: string
  readonly text: string
}

/**
 * What a setting may be. The compiler knows it of TypeScript; this is for JavaScript, and for objects that come by a variable: a misspelt
 * setting would silently do nothing, and another type would break what reads it.
 */
export interface Setting {
  /** What it may be, as messages list it: `a text`. */
  readonly is: readonly string[]
  /** Whether a value is that, whatever is in it. */
  takes(given: unknown): boolean
  /** Whether no message may show what was given. */
  readonly secret?: boolean
  /** What is wrong within a value that it takes. */
  within?(given: never, at: string): readonly SettingFault[]
}

/** What each setting of a type may be: one that is forgotten does not compile. */
export type Settings<T> = { readonly [K in keyof Required<T>]: Setting }

type Names = { readonly [name: string]: Setting }

/** What a setting may be, by its sort. */
export const a = Object.freeze({
  text: sort('a text', (given) => typeof given === 'string'),
  number: sort('a number', (given) => typeof given === 'number'),
  function: sort('a function', (given) => typeof given === 'function'),
  switch: literal(true, false),
  no: literal(false),
  none: literal(null),
  object: sort('an object', isObject),
  /** Whatever another check judges. */
  value: sort('a value', () => true),
  literal,
  /** What can be told by a look at it. */
  sort,
  /** A list of such. */
  list: (of: Setting, what = 'a list'): Setting => ({
    is: [what],
    takes: Array.isArray,
    within: (given: readonly unknown[], at) => Array.from(given, (one, i) => faultsOf(of, one, `${at}[${i}]`)).flat(),
  }),
  /** An object with these settings, of which some are required. */
  form,
  /** The same, of whose other names another check knows. */
  partly: (settings: Names): Setting => ({
    ...a.object,
    within: (given: object, at) =>
      Object.entries(given).flatMap(([name, one]) =>
        Object.hasOwn(settings, name) ? optional(settings[name] as Setting, one, placed(at, name)) : [],
      ),
  }),
  /** What may be left out. */
  maybe: (of: Setting): Setting => ({
    ...of,
    takes: (given) => given === undefined || of.takes(given),
    within: (given, at) => optional(of, given, at),
  }),
  secret: (of: Setting): Setting => ({ ...of, secret: true }),
  /** An object of such, by names that are free. */
  byName: (of: Setting): Setting => ({
    is: ['an object'],
    takes: isObject,
    within: (given: object, at) => Object.entries(given).flatMap(([name, one]) => optional(of, one, `${at}.${name}`)),
  }),
  either: (...all: readonly Setting[]): Setting => ({
    is: all.flatMap(({ is }) => is),
    takes: (given) => all.some((one) => one.takes(given)),
    within: (given: never, at) => all.find((one) => one.takes(given))?.within?.(given, at) ?? [],
  }),
})

function sort(is: string, takes: (given: unknown) => boolean): Setting {
  return { is: [is], takes }
}

function literal(...values: readonly (string | boolean | null)[]): Setting {
  return { is: values.map(String), takes: (given) => values.includes(given as string) }
}

function form<T>(settings: Settings<T>, ...required: readonly (keyof T & string)[]): Setting {
  return {
    is: [`of the form { ${Object.keys(settings).join(', ')} }`],
    takes: isObject,
    within: (given: Readonly<Record<string, unknown>>, at) => [
      ...settingFaults(given, settings, at),
      ...required
        .filter((name) => given[name] === undefined)
        .map((name) => ({ id: 'setting-value' as const, at: placed(at, name), text: `is missing: write ${orOf(settings[name].is)}` })),
    ],
  }
}

/** What is wrong with the settings of a declaration: names that nothing reads, and values of another type. */
export function settingFaults(given: object, settings: Names, at = ''): readonly SettingFault[] {
  return Object.entries(given).flatMap(([name, one]) => {
    const known = Object.hasOwn(settings, name) ? settings[name] : undefined
    if (known) return optional(known, one, placed(at, name))
    return [
      { id: 'setting-unknown' as const, at: placed(at, name), text: `unknown setting "${name}". ${validFor(name, Object.keys(settings))}` },
    ]
  })
}

const mostListed = 60

/** The names that there are; of very many, those that begin most like the wrong one. */
function validFor(name: string, names: readonly string[]): string {
  if (names.length <= mostListed) return `Valid: ${names.join(', ')}`
  const alike = (one: string) => [...one].findIndex((letter, i) => letter.toLowerCase() !== name[i]?.toLowerCase())
  const length = (one: string) => (alike(one) < 0 ? one.length : alike(one))
  const nearest = names.toSorted((one, other) => length(other) - length(one)).slice(0, 8)
  return `The nearest of ${names.length}: ${nearest.join(', ')}`
}

/** What is wrong with a value. */
export function faultsOf(setting: Setting, given: unknown, at: string): readonly SettingFault[] {
  if (setting.takes(given)) return setting.within?.(given as never, at) ?? []
  return [{ id: 'setting-value', at, text: `${setting.secret ? '' : `${shown(given)} `}is ${notOf(setting.is)}` }]
}

/** The first thing that is wrong with the options of a function, which its text names; null: nothing. */
export function optionsFault(called: string, given: unknown, settings: Names): { readonly id: string; readonly text: string } | null {
  const [first] = faultsOf(form(settings), given, called)
  return first ? { id: first.id, text: `${first.at}: ${first.text}` } : null
}

const optional = (setting: Setting, given: unknown, at: string) => (given === undefined ? [] : faultsOf(setting, given, at))

const placed = (at: string, name: string) => (at === '' ? name : `${at}.${name}`)

/** `neither a text nor a list`. */
function notOf(is: readonly string[]): string {
  if (is.length === 1) return `not ${is[0]}`
  return is.length > 3 ? `none of ${is.join(', ')}` : `neither ${is.slice(0, -1).join(', ')} nor ${is.at(-1)}`
}

const orOf = (is: readonly string[]) => (is.length === 1 ? is[0] : `${is.slice(0, -1).join(', ')} or ${is.at(-1)}`)

/** A value as a message shows it. What an object holds may be a secret. */
function shown(given: unknown): string {
  if (typeof given === 'function') return 'a function'
  if (typeof given === 'object' && given !== null)
    return Array.isArray(given) ? 'a list' : given instanceof Promise ? 'a promise' : 'an object'
  const text = typeof given === 'string' ? JSON.stringify(given) : String(given)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** Whether it is an object with names of its own: no list, and nothing that would have to be awaited. */
function isObject(given: unknown): given is object {
  return typeof given === 'object' && given !== null && !Array.isArray(given) && !(given instanceof Promise)
}
