import { isOn } from '../crud/call/allow.js'
import type { Outcome } from '../crud/outcomes/outcome.js'
import type { Verb } from '../crud/verbs.js'
import type { House } from '../plugin/plugin.js'
import type { BoundAction } from '../resource/action/bind-action.js'
import { type Ability, type Policy, policiesFor } from '../resource/action/policy.js'
import type { PageFilter } from '../resource/condition/page-choice.js'
import type { Component } from '../resource/pages/component.js'
import type { Resource } from '../resource/resource.js'
import type { Method } from '../route/routes.js'

/** What an operation runs, and for whom. */
export interface Subject {
  readonly verb: Running
  /** The name of what runs: the verb, or what the page stands for. */
  readonly named: string
  readonly resource: Resource | null
  /** The possible outcomes, a subset of the verb's. */
  readonly ends: readonly Outcome['is'][]
  /** The fields that a page of its own shows. Missing: those of the resource's own page. */
  readonly shows?: readonly string[]
  /** The components of a page, at every level, that some caller may see. Missing: it is made of none. */
  readonly components?: readonly Component[]
  /** What users choose on a page, as far as some caller may. Missing: nothing. */
  readonly filters?: ReadonlyMap<string, PageFilter>
  /** The abilities of which a caller needs one; empty: any signed-in user. */
  readonly needs: readonly Ability[]
  /** The policy of the page itself; null: none. */
  readonly can: Policy | null
  /** The handlers or methods that it can run: the one in its path, or those of its HTTP method that the query can name. */
  readonly actions: readonly BoundAction[]
  /** Set if the query names the action; `others` if actions of other HTTP methods share the path. */
  readonly byQuery?: { readonly others: boolean }
}

/** A verb that programs can call. */
export type Running = Exclude<Verb, { on: 'spelled' | 'assets' }>

/** One path of a row of the route table, with what is special about it. */
export type Found = Partial<Subject> & { readonly id: string; readonly path: string; readonly methods?: readonly Method[] }

/** Splits a path with an optional last parameter into the two paths without and with it. */
export function pathsOf(path: string): readonly string[] {
  const [, before] = /^(.*)\/\{\w+\?\}$/.exec(path) ?? []
  return before === undefined ? [path] : [before, path.replace('?}', '}')]
}

/** Whether some caller may have one of these abilities. */
export function somebodyMay({ realm }: House, resource: Resource, needs: readonly Ability[]): boolean {
  const may = (ability: Ability) => isOn(resource, ability) && policiesFor(resource, realm.can, ability).every((policy) => policy !== false)
  return needs.length === 0 || needs.some(may)
}
