import { localIdentity } from '../auth/identity.js'
import { type ErrorCode, errors } from '../base/errors.js'
import { namedLists } from '../crud/input/named-list.js'
import type { House } from '../plugin/plugin.js'
import { type Ability, type Policy, permits, policiesFor } from '../resource/action/policy.js'
import { uriOf } from '../resource/condition/declared.js'
import type { Component } from '../resource/pages/component.js'
import { isSelective } from '../resource/relation/narrowing.js'
import { selects } from './action-schema.js'
import type { Operation } from './operations.js'

/** The errors that an operation can answer with, and no others. */
export function refusalsOf(operation: Operation, house: House): readonly ErrorCode[] {
  return (Object.keys(errors) as ErrorCode[]).filter((code) => rules[code](operation, house))
}

type Rule = (operation: Operation, house: House) => boolean

/** When each error is possible, by verb, route, path, resource or panel. */
const rules: { readonly [C in ErrorCode]: Rule } = {
  malformed: ({ method, verb }) => method !== 'GET' && verb.on !== 'nothing',
  unauthenticated: ({ route, ends }, house) => (route.ability !== 'public' && !isOpen(house)) || ends.includes('unauthenticated'),
  forbidden: isForbidden,
  // A path parameter may name something that does not exist, and so may `_fragment-load` on a page.
  notFound: (operation) => operation.path.includes('{') || operation.route.page !== undefined || refuses('notFound', operation),
  methodNotAllowed: (operation) => refuses('methodNotAllowed', operation) && (operation.byQuery?.others ?? false),
  notAcceptable: ({ route }) => route.as !== 'json' && route.download !== true,
  timedOut: never,
  // A safe action without selected records has nothing that could conflict.
  conflict: (operation) =>
    locksRecord(operation) ||
    (refuses('conflict', operation) &&
      (operation.actions.length === 0 || operation.actions.some((action) => !action.safe || selects(action, operation.resource)))),
  stale: ({ ends }) => ends.includes('stale'),
  tooLarge: readsBody,
  unsupportedType: readsBody,
  outOfRange: (operation) => refuses('outOfRange', operation),
  expectationFailed: never,
  misdirected: ({ route }, { hosts }) => hosts === 'loopback' || (hosts !== null && !route.anyHost),
  // Any URL can be too long.
  invalid: () => true,
  preconditionRequired: (operation) => refuses('preconditionRequired', operation) && (operation.resource?.requireIfMatch ?? false),
  throttled: (operation) => refuses('throttled', operation),
  headTooLarge: never,
  internal: asksStores,
  unavailable: (operation, house) => refuses('unavailable', operation) || asksStores(operation, house),
}

/** What is no request, or none yet, is of no operation. */
function never(): boolean {
  return false
}

function locksRecord({ verb, resource }: Operation): boolean {
  return verb.on === 'resource' && verb.locks === true && resource?.model.dialect === 'postgresql'
}

function refuses(code: ErrorCode, { verb }: Operation): boolean {
  return verb.refuses?.includes(code) ?? false
}

function readsBody({ route, method }: Operation): boolean {
  return route.body !== undefined && method !== 'GET'
}

/** A change is refused to pages of other origins, whoever is signed in, so it is always possible; for a GET, it depends on policies. */
function isForbidden(operation: Operation, house: House): boolean {
  const { method, route, verb, resource, needs, can, named, actions } = operation
  if (verb.on === 'nothing') return false
  if (method !== 'GET') return true
  // Whoever must set up two-factor sign-in can do nothing else before.
  if (route.ability !== 'public' && !route.limited && house.realm.auth.services.twoFactor?.required) return true
  // Sign-in is refused over a connection on which the browser would not keep the cookie.
  if (verb.on === 'guest') return refuses('forbidden', operation) && !house.keepsCookies
  if ([can, ...actions.map((action) => action.can)].some((one) => one !== null && mayDeny(one, house))) return true
  // An export and a selection of all records may name a further index page, which has a policy of its own.
  const names =
    resource !== null && (named === 'exportList' || named === 'exportSelected' || actions.some((action) => selects(action, resource)))
  if (names && namedLists(resource).some((one) => one.can !== undefined && mayDeny(one.can, house))) return true
  if (named === 'history' && resource !== null && mayDeny(resource.history, house)) return true
  // A form that takes a change back needs what the history needs.
  if (named === 'form' && resource !== null && resource.history !== false && (mayDeny(resource.history, house) || denied('view')))
    return true
  // The search of a form of a record is for those who may open it.
  const isOfForm = named === 'search' && resource !== null && [...resource.fields.values()].some(isSelective)
  if (isOfForm && (resource.canRecord.update || denied('update'))) return true
  if ((named === 'importPage' || named === 'importTemplate') && resource !== null && mayDeny(resource.import, house)) return true
  if (isAboutForm(operation) && resource?.canRecord.update) return true
  const looked = recordAbilities[named] ?? actions.map(({ ability }) => ability)
  const byRecord = looked.some((ability) => resource?.canRecord[ability]) || actions.some(({ canRecord }) => canRecord !== null)
  return refuses('forbidden', operation) || byRecord || (resource !== null && needs.length > 0 && needs.every(denied))

  function denied(ability: Ability): boolean {
    return resource !== null && policiesFor(resource, house.realm.can, ability).some((policy) => mayDeny(policy, house))
  }
}

/** Whether a page of a record may have a form of that very record, which is not left out if it is refused. */
function isAboutForm({ path, resource, components = [] }: Operation): boolean {
  const isOwn = (one: Component) => one.is === 'form' && one.item !== null && uriOf(one.resource) === resource?.uriKey
  return path.endsWith('{resourceItem}') && components.some(isOwn)
}

/** The abilities that are checked for the single record of a read. */
const recordAbilities: { readonly [named: string]: readonly Ability[] } = {
  show: ['view'],
  history: ['view'],
  comments: ['view'],
  comment: ['view'],
  file: ['view'],
  form: ['view', 'update'],
}

/** Whether a policy may deny a signed-in user; without a policy, that is one without a role. An open panel has only the local user. */
function mayDeny(policy: Policy | undefined, house: House): boolean {
  if (isOpen(house)) return policy !== undefined && !permits(policy, localIdentity)
  return policy !== true
}

/** A store may be down or fail. A panel with users looks up every caller in one; an open panel does not. */
function asksStores({ verb, ends }: Operation, house: House): boolean {
  if (verb.on === 'nothing') return false
  return !isOpen(house) || !(('storeless' in verb && verb.storeless) || ends.every((is) => is === 'home'))
}

function isOpen({ realm }: House): boolean {
  return realm.auth.services.panel === 'open'
}
