import { AsyncResource } from 'node:async_hooks'

/**
 * Runs work that belongs to nothing from which it is asked for, neither to its transaction nor to its request: what it begins goes on after
 * these. Make it where there is none.
 */
export function makeDetached(): <T>(work: () => T) => T {
  const here = new AsyncResource('daymark')
  return (work) => here.runInAsyncScope(work)
}
