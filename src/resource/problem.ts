import { a, faultsOf, type Setting, type SettingFault, type Settings } from '../base/setting.js'

/** Something wrong, or worth knowing, in the declarations: its text says what to change, and which names are valid. */
export interface Problem {
  /** Identifies the check, and is never reused. `docs/checks.md` lists them. */
  readonly id: string
  /** Where it is: `cities.pages.index`. */
  readonly where: string
  /** What is wrong, and what to do. */
  readonly text: string
}

/** Reports a problem: its id, its place, and what to change. */
export type Say = (id: string, at: string, text: string) => void

/** Names, as a problem lists them. */
export const list = (names: Iterable<string>) => [...names].join(', ') || 'none'

/** Thrown by `definePanel`, with everything that is wrong with the declarations. */
export class DeclarationError extends Error {
  /** Always `DeclarationError`. */
  override readonly name = 'DeclarationError'
  /** Everything that is wrong. */
  readonly problems: readonly Problem[]
  /** Makes an error whose message lists the problems. */
  constructor(problems: readonly Problem[]) {
    super(`The panel cannot start:\n${problems.map(({ id, where, text }) => `  ${id}  ${where}: ${text}`).join('\n')}`)
    this.problems = problems
  }
}

/**
 * Refuses the settings of a declaration at once: names that nothing reads, and values that would break what reads them.
 *
 * @param required the settings that nothing stands in for
 * @throws DeclarationError
 */
export function refuseWrong<T>(where: string, given: T, settings: Settings<T>, ...required: readonly (keyof T & string)[]): void {
  refuse(where, given, a.form(settings, ...required))
}

/** The same of what may be something else than settings. */
export function refuse(where: string, given: unknown, setting: Setting): void {
  const faults = faultsOf(setting, given, where)
  if (faults.length > 0) throw new DeclarationError(problemsOf(faults))
}

/** Faults of settings, as problems. */
export const problemsOf = (faults: readonly SettingFault[]): readonly Problem[] =>
  faults.map(({ id, at, text }) => ({ id, where: at, text }))
