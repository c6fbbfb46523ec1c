import { DeclarationError } from 'daymark'

/** The problems that a declaration is refused for, as text: none, if it is not. Whatever else is thrown is a fault. */
export function problems(of: () => unknown): readonly string[] {
  try {
    of()
  } catch (thrown) {
    if (!(thrown instanceof DeclarationError)) throw thrown
    return thrown.problems.map(({ id, where, text }) => `${id} ${where}: ${text}`)
  }
  return []
}
