import type { Outcome } from '../crud/outcome.js'
import type { Verb } from '../crud/verbs.js'
import type { House } from '../plugin/plugin.js'
import type { BoundAction } from '../resource/bind-action.js'
import { type Ability, declaredPolicy, type Policy } from '../resource/policy.js'
import type { Resource } from '../resource/resource.js'
import type { Method } from '../route/routes.js'

/** What an operation is about. */
export interface Subject {
  readonly verb: Running
  /** The name of what runs. */
  readonly named: string
  readonly resource: Resource | null
  /** The Outcomes that it can end in, of those of its verb. */
  readonly ends: readonly Outcome['is'][]
  /** The abilities of which a caller needs one; none: whoever is signed in. */
  readonly needs: readonly Ability[]
  /** What the page itself asks of a caller; null: nothing. */
  readonly can: Policy | null
  /** The handlers or methods that it runs: the one of its path, or those of its method that its query names. */
  readonly actions: readonly BoundAction[]
  /** Whether its query names which of them, and those of other methods besides. */
  readonly byQuery?: { readonly others: boolean }
}

/** A verb that a program can call. */
export type Running = Exclude<Verb, { on: 'spelled' | 'assets' }>

/** A row of the route table for one path, and what it is about there. */
export type Found = Partial<Subject> & { readonly id: string; readonly path: string; readonly methods?: readonly Method[] }

/** A path whose last parameter may be left out is two of them. */
export function pathsOf(path: string): readonly string[] {
  const [, before] = /^(.*)\/\{\w+\?\}$/.exec(path) ?? []
  return before === undefined ? [path] : [before, path.replace('?}', '}')]
}

/** Whether a policy lets anybody do one of these. */
export function somebodyMay({ realm }: House, resource: Resource, needs: readonly Ability[]): boolean {
  const may = (ability: Ability) =>
    (ability === 'viewAny' || resource.activeActions.has(ability)) &&
    (declaredPolicy(resource.can, ability) ?? declaredPolicy(realm.can, ability)) !== false
  return needs.length === 0 || needs.some(may)
}
