import type { Identity } from '../auth/identity.js'

/** What one may do with a resource. `viewAny` is the listing. */
export const abilities = ['viewAny', 'view', 'create', 'update', 'delete', 'massDelete'] as const
/** What a policy decides: `viewAny` (the list), `view`, `create`, `update`, `delete` or `massDelete`. */
export type Ability = (typeof abilities)[number]

/**
 * Who may do something: `true` or `false` for every signed-in user; role names, of which the user needs one; or a function that returns
 * `true` synchronously. Anything else denies: a truthy value, a promise, an exception.
 */
export type Policy =
  | boolean
  | readonly string[]
  | ((who: {
      /** The user who asks. */
      readonly user: Identity
    }) => boolean)
/**
 * Policies by ability. Undeclared, `viewAny` is as `view` and `massDelete` as `delete`; the resource's come before the panel's. If neither
 * covers an ability, any user with a role may.
 */
export type Policies = { readonly [A in Ability]?: Policy }

/**
 * Whether a user may do something with one record, asked after it was found. It gets every column, and must return `true` synchronously.
 */
export type RecordPolicy<R> = (about: {
  /** The user who asks. */
  readonly user: Identity
  /** The record, with every column. */
  readonly record: R
}) => boolean
/** Policies for one record: they narrow `view`, `update`, `delete` and `massDelete`. Without `massDelete`, a mass delete asks `delete`. */
export type RecordPolicies<R> = { readonly [A in Exclude<Ability, 'viewAny' | 'create'>]?: RecordPolicy<R> }

/** The abilities that stand for one that is not declared: who may not view records may not list them; who may not delete one may not delete many. */
const fallback: { readonly [A in Ability]?: Ability } = { viewAny: 'view', massDelete: 'delete' }

/** The policy declared for an ability, by itself or through the one that it falls back to. */
export function declaredPolicy(policies: Policies | undefined, ability: Ability): Policy | undefined {
  const own = policies?.[ability]
  const other = fallback[ability]
  return own ?? (other === undefined ? undefined : policies?.[other])
}

/** Whether a policy lets somebody. A policy that throws or does not answer `true` denies. */
export function permits(policy: Policy, user: Identity): boolean {
  if (typeof policy === 'boolean') return policy
  if (typeof policy !== 'function') return policy.some((role) => user.roles.includes(role))
  return safely(user, () => policy({ user }))
}

/** What is wrong with a policy that came by a variable, or from JavaScript; null: nothing. One that is undefined is not declared. */
export function policyFault(policy: unknown): string | null {
  if (isAsync(policy)) return 'a policy answers at once: what an async function promises denies everybody'
  const isOne = policy === undefined || typeof policy === 'boolean' || typeof policy === 'function'
  const isNames = Array.isArray(policy) && policy.every((role) => typeof role === 'string')
  return isOne || isNames ? null : 'write true, false, role names (["admin"]) or a function'
}

/** Whether a function is written as one that answers later. */
export function isAsync(one: unknown): boolean {
  return Object.prototype.toString.call(one) === '[object AsyncFunction]'
}

/** Lets a class put private fields on an object that is there. */
class Given {
  constructor(one: object) {
    // biome-ignore lint/correctness/noConstructorReturn: that is what it is for
    return one
  }
}

/** A caller of one request, with whom to tell of its faults: kept in the object itself, since a WeakMap of callers would keep each until the next full collection of garbage. */
class Heard extends Given {
  #tell: ((thrown: unknown) => void) | null
  constructor(user: Identity, tell: (thrown: unknown) => void) {
    super({ ...user })
    this.#tell = tell
  }

  static tell(user: Identity, thrown: unknown): void {
    if (!(#tell in user)) return
    const tell = user.#tell
    user.#tell = null
    tell?.(thrown)
  }
}

/** The same caller; a policy or a scope that throws for this very object is told, once: a policy is asked for every row. */
export function hearFaults(user: Identity, tell: (thrown: unknown) => void): Identity {
  return new Heard(user, tell) as object as Identity
}

export function tellFault(user: Identity, thrown: unknown): void {
  Heard.tell(user, thrown)
}

/** Runs a policy; anything but `true`, a promise included, is a denial. */
export function safely(user: Identity, ask: () => unknown): boolean {
  try {
    return ask() === true
  } catch (thrown) {
    tellFault(user, thrown)
    return false
  }
}
