import type { Identity } from '../../auth/identity.js'
import { DaymarkError } from '../../base/errors.js'
import type { BoundAction } from '../../resource/action/bind-action.js'
import { type Ability, permits, policiesFor, type RecordPolicy, reasoned, tellFault } from '../../resource/action/policy.js'
import { always, both, type Condition, isAlways, never } from '../../resource/condition/condition.js'
import { reached } from '../../resource/relation/reach.js'
import type { Resource } from '../../resource/resource.js'
import type { ActiveAction } from '../../resource/settings.js'
import type { Row } from '../../store/store.js'
import type { Realm } from './call.js'
import { DeniedError } from './denied.js'
import { rowObject } from './lens.js'

const actionOf: { readonly [A in Ability]: ActiveAction | null } = {
  viewAny: null,
  view: 'view',
  create: 'create',
  update: 'update',
  delete: 'delete',
  massDelete: 'massDelete',
  comment: null,
}

const standing = Symbol('unrestricted')

/** A user exempt from all policies, for what the panel's own code does in their name. */
interface Unrestricted extends Identity {
  readonly [standing]?: Identity
}

/** Exempts a user from all policies. Callbacks never receive this identity, but the `actual` one. */
export function unrestricted(identity: Identity): Identity {
  const past: Unrestricted = { ...identity, [standing]: actual(identity) }
  return Object.freeze(past)
}

/** The plain identity behind an exempt one. */
export function actual(identity: Unrestricted): Identity {
  return identity[standing] ?? identity
}

/** Whether this identity is exempt from all policies. */
export const isUnrestricted = (identity: Unrestricted) => identity[standing] !== undefined

/** Whether the caller may do this at all. Checked before any lookup. */
export function may(realm: Realm, identity: Identity, resource: Resource, ability: Ability): boolean {
  return isUnrestricted(identity) || (isOn(resource, ability) && isPermitted(realm, identity, resource, ability))
}

/** Whether what an ability is for has not been switched off. */
export function isOn({ activeActions }: Resource, ability: Ability): boolean {
  const action = actionOf[ability]
  return action === null || activeActions.has(action)
}

function isPermitted(realm: Realm, identity: Identity, resource: Resource, ability: Ability): boolean {
  return policiesFor(resource, realm.can, ability).every((policy) =>
    policy === undefined ? identity.roles.length > 0 : permits(policy, identity),
  )
}

/**
 * The policy gate, which every verb passes first.
 *
 * @throws DaymarkError `forbidden`
 */
export function allow(realm: Realm, identity: Identity, resource: Resource, ability: Ability): void {
  if (may(realm, identity, resource, ability)) return
  throw isOn(resource, ability) ? new DeniedError(realm) : new DaymarkError('forbidden', realm.t('action.off', { title: resource.title }))
}

/** Whether the caller may run this action of a resource at all. */
export function mayRun(realm: Realm, identity: Identity, resource: Resource, { ability, can }: BoundAction): boolean {
  return may(realm, identity, resource, ability) && (can === null || permits(can, identity))
}

/** What is to be done with a record: what an ability names, or an action, which may have a policy of its own. */
export type RecordAction = Ability | Pick<BoundAction, 'ability' | 'canRecord'>

/** Whether the caller may do this with this record, which exists. */
export function mayRecord(identity: Identity, resource: Resource, recordAction: RecordAction, record: Record<string, unknown>): boolean {
  return answerOn(identity, resource, recordAction, record) === true
}

/** Whether the caller may; a text: they may not, and why. */
function answerOn(identity: Identity, resource: Resource, recordAction: RecordAction, record: Record<string, unknown>): boolean | string {
  if (isUnrestricted(identity)) return true
  const ask = (policy: RecordPolicy<Record<string, unknown>> | null | undefined) =>
    !policy || reasoned(identity, () => policy({ user: identity, record }))
  const answer = ask(recordPolicy(resource, recordAction))
  return answer === true ? ask(ownPolicy(recordAction)) : answer
}

/** Like `mayRecord` for a row. Builds the record only if a policy needs it. */
export function mayRow(identity: Identity, resource: Resource, recordAction: RecordAction, columns: readonly string[], row: Row): boolean {
  return !asksRecord(resource, recordAction) || mayRecord(identity, resource, recordAction, rowObject(columns, row))
}

/** Whether a policy depends on the record. */
export function asksRecord(resource: Resource, recordAction: RecordAction): boolean {
  return Boolean(recordPolicy(resource, recordAction) ?? ownPolicy(recordAction))
}

/** A mass delete falls back to the record policy of `delete`. */
function recordPolicy({ canRecord }: Resource, recordAction: RecordAction) {
  const ability = typeof recordAction === 'string' ? recordAction : recordAction.ability
  return canRecord[ability] ?? (ability === 'massDelete' ? canRecord.delete : undefined)
}

/** The policy that an action has besides that of its ability. */
const ownPolicy = (recordAction: RecordAction) => (typeof recordAction === 'string' ? null : recordAction.canRecord)

/** @throws DaymarkError `forbidden` */
export function allowRecord(
  realm: Realm,
  identity: Identity,
  resource: Resource,
  recordAction: RecordAction,
  record: Record<string, unknown>,
): void {
  const answer = answerOn(identity, resource, recordAction, record)
  if (answer === true) return
  // In the words of the policy, whatever else the caller lacks.
  throw answer === false ? new DeniedError(realm) : new DaymarkError('forbidden', answer)
}

/**
 * Like `allowRecord` for a row. Builds the record only if a policy needs it.
 *
 * @throws DaymarkError `forbidden`
 */
export function allowRow(
  realm: Realm,
  identity: Identity,
  resource: Resource,
  recordAction: RecordAction,
  columns: readonly string[],
  row: Row,
): void {
  if (asksRecord(resource, recordAction)) allowRecord(realm, identity, resource, recordAction, rowObject(columns, row))
}

/**
 * Whether the caller may see a record that they write. By the policies alone: a record may be seen even if the resource has no detail page.
 */
export function maySee(realm: Realm, identity: Identity, resource: Resource, columns: readonly string[], row: Row): boolean {
  if (isUnrestricted(identity)) return true
  return isPermitted(realm, identity, resource, 'view') && mayRow(identity, resource, 'view', columns, row)
}

/**
 * The condition that limits all that this caller sees of a resource: the records that it is about, within the scope. If the scope throws,
 * the error is logged and nothing is visible.
 */
export function scopeOf(identity: Identity, resource: Resource, where: Condition = always): Condition {
  return both(declaredScope(identity, resource), both(resource.records, where))
}

/** Whether the caller sees every record that a resource is about. */
export function seesAll(identity: Identity, resource: Resource): boolean {
  return isAlways(declaredScope(identity, resource))
}

function declaredScope(identity: Identity, resource: Resource): Condition {
  if (!resource.scope || isUnrestricted(identity)) return always
  try {
    return reached(resource, resource.scope(identity))
  } catch (thrown) {
    tellFault(identity, thrown)
    return never
  }
}
