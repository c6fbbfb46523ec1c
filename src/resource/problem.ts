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
