/** A step from one option to another, or to the one that a record begins with, that only some users may take. */
export interface Transition<To extends string = string> {
  /** The option that it leads to. */
  readonly to: To
  /** The roles of which a user needs one. */
  readonly roles: readonly string[]
}

/** What `.transitions()` takes besides the steps. */
export interface Beginning<To extends string = string> {
  /**
   * The options that a new record may begin with, and one whose state is empty, each for everybody or for some roles. Default: any, for
   * everybody.
   */
  readonly begins?: readonly (To | Transition<To>)[]
}

/** The same for all steps. `roles`: null is everybody. */
export interface Step {
  readonly to: string
  readonly roles: readonly string[] | null
}

/** Steps as they are declared → as they are kept. */
export const stepsOf = (declared: readonly (string | Transition)[]): readonly Step[] =>
  declared.map((one) => Object.freeze(typeof one === 'string' ? { to: one, roles: null } : { ...one }))

/**
 * What is wrong with the steps from an option; null: nothing.
 *
 * @param from in a text: `from draft `; empty: those that begin
 */
export function stepsFault(from: string, steps: readonly Step[], options: readonly string[]): string | null {
  for (const [i, { to, roles, ...more }] of steps.entries()) {
    if (!options.includes(to)) return `.transitions() has ${JSON.stringify(to)}, which is no option. There are: ${options.join(', ')}`
    if (steps.findIndex((one) => one.to === to) !== i) return `.transitions() leads ${from}to ${to} twice: name all roles at once`
    const [strange] = Object.keys(more)
    if (strange !== undefined) return `.transitions() has "${strange}" ${from}to ${to}. A step has: to, roles`
    if (roles !== null && !(Array.isArray(roles) && roles.length > 0 && roles.every((role) => typeof role === 'string')))
      return `.transitions() needs roles ${from}to ${to}: a list of names, at least one. A step for everybody is '${to}' alone`
  }
  return null
}

/** The options that a user with these roles may go to; null: users of any roles. */
export const leadsTo = (steps: readonly Step[], roles: readonly string[] | null): readonly string[] =>
  steps.flatMap((step) => (roles === null || step.roles === null || step.roles.some((role) => roles.includes(role)) ? [step.to] : []))
