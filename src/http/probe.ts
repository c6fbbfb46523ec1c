import type { Identity } from '../auth/identity.js'
import type { Outcome } from '../crud/outcomes/outcome.js'

/** What a test passes along with a request inside this process. Nothing sent over the network can carry it. */
export interface Probe {
  /** The caller, whatever the request says; null: nobody is signed in. */
  readonly identity: Identity | null
  /** Called with the verb's outcome. */
  saw(outcome: Outcome): void
}

/** The key of a Probe among the values passed along with a request. */
export const probe: unique symbol = Symbol('daymark.probe')

export function probeOf(given: unknown): Probe | null {
  return (given as { readonly [probe]?: Probe } | null | undefined)?.[probe] ?? null
}
