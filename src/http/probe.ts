import type { Identity } from '../auth/identity.js'
import type { Outcome } from '../crud/outcome.js'

/** What a test gives along with a request, from inside this process: nothing that comes over a wire can carry it. */
export interface Probe {
  /** Who asks, whatever the request says; null: nobody who is signed in. */
  readonly identity: Identity | null
  /** Told what the verb ended in. */
  saw(outcome: Outcome): void
}

/** Where a Probe stands in what is given along with a request. */
export const probe: unique symbol = Symbol('daymark.probe')

export function probeOf(given: unknown): Probe | null {
  return (given as { readonly [probe]?: Probe } | null | undefined)?.[probe] ?? null
}
