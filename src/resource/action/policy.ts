import type { Identity } from '../../auth/identity.js'

/** The abilities of a user on a resource. `viewAny` is the list. */
export const abilities = ['viewAny', 'view', 'create', 'update', 'delete', 'massDelete', 'comment'] as const
/** What a policy decides: `viewAny` (the list), `view`, `create`, `update`, `delete`, `massDelete` or `comment`. */
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
 * Policies by ability. Undeclared, `viewAny` and `comment` are as `view`, and `massDelete` as `delete`; the resource's come before the
 * panel's. If neither covers an ability, any user with a role may.
 */
export type Policies = { readonly [A in Ability]?: Policy }

/**
 * Whether a user may do something with one record, asked after it was found. It gets every column, and must return `true` synchronously. A
 * text denies, and says to the user why: write nothing in it that they must not know.
 */
export type RecordPolicy<R> = (about: {
  /** The user who asks. */
  readonly user: Identity
  /** The record, with every column. */
  readonly record: R
}) => boolean | string
/**
 * Policies for one record: they narrow `view`, `update`, `delete`, `massDelete` and `comment`. Without `massDelete`, a mass delete asks
 * `delete`.
 */
export type RecordPolicies<R> = { readonly [A in Exclude<Ability, 'viewAny' | 'create'>]?: RecordPolicy<R> }

/**
 * The ability that decides for an undeclared one: users who may not view records may not list them, nor write comments on them, and users
 * who may not delete one may not delete many.
 */
const fallback: { readonly [A in Ability]?: Ability } = { viewAny: 'view', massDelete: 'delete', comment: 'view' }

/** The policy declared for an ability, or for the one that it falls back to. */
export function declaredPolicy(policies: Policies | undefined, ability: Ability): Policy | undefined {
  const own = policies?.[ability]
  const other = fallback[ability]
  return own ?? (other === undefined ? undefined : policies?.[other])
}

/** What has policies, as a resource has. */
interface Guarded {
  readonly can: Policies
  /** The resource whose deleted records it lists; null: it is no trash. */
  readonly trashOf: object | null
}

/**
 * The policies that have to let a user in: the declared ones, else those of the panel; undefined: none is declared. Whoever sees a trash
 * may delete, too.
 */
export function policiesFor({ can, trashOf }: Guarded, panel: Policies, ability: Ability): readonly (Policy | undefined)[] {
  const abilities: readonly Ability[] = trashOf && ability !== 'delete' ? [ability, 'delete'] : [ability]
  return abilities.map((one) => declaredPolicy(can, one) ?? declaredPolicy(panel, one))
}

/** Whether a policy lets a user in. A policy that throws or returns anything but `true` denies. */
export function permits(policy: Policy, user: Identity): boolean {
  if (typeof policy === 'boolean') return policy
  if (typeof policy !== 'function') return policy.some((role) => user.roles.includes(role))
  return safely(user, () => policy({ user }))
}

/** What is wrong with a policy that the compiler did not check; null: nothing. `undefined` counts as not declared. */
export function policyFault(policy: unknown): string | null {
  if (isAsync(policy)) return 'a policy answers at once: what an async function promises denies everybody'
  const isOne = policy === undefined || typeof policy === 'boolean' || typeof policy === 'function'
  const isNames = Array.isArray(policy) && policy.every((role) => typeof role === 'string')
  return isOne || isNames ? null : 'write true, false, role names (["admin"]) or a function'
}

/** What is wrong with a rule that names roles, and asks no function; null: nothing. */
export const ruleFault = (rule: unknown): string | null =>
  typeof rule === 'function' ? 'write true, false or role names (["admin"])' : policyFault(rule)

/** Whether a function was declared `async`. */
export function isAsync(one: unknown): boolean {
  return Object.prototype.toString.call(one) === '[object AsyncFunction]'
}

/** Lets a subclass add private fields to an existing object. */
class Given {
  constructor(one: object) {
    // biome-ignore lint/correctness/noConstructorReturn: that is what it is for
    return one
  }
}

/**
 * A caller during one request, with the function that reports a policy's exceptions. It is a private field, because a WeakMap would keep
 * every caller until the next full garbage collection.
 */
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

/**
 * A copy of the caller for which the first exception of a policy or scope is reported. Only the first, since a policy runs for every row.
 */
export function hearFaults(user: Identity, tell: (thrown: unknown) => void): Identity {
  return new Heard(user, tell) as object as Identity
}

export function tellFault(user: Identity, thrown: unknown): void {
  Heard.tell(user, thrown)
}

/** Runs a policy. Anything but `true`, including a promise, denies. */
export function safely(user: Identity, ask: () => unknown): boolean {
  return reasoned(user, ask) === true
}

/** Runs a policy that can say why it denies: by a text. Anything else but `true` denies without one. */
export function reasoned(user: Identity, ask: () => unknown): boolean | string {
  try {
    const answer = ask()
    return answer === true || (typeof answer === 'string' && answer !== '' ? answer : false)
  } catch (thrown) {
    tellFault(user, thrown)
    return false
  }
}
