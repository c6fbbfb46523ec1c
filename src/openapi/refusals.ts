import { localIdentity } from '../auth/identity.js'
import { type ErrorCode, errors } from '../base/errors.js'
import type { House } from '../plugin/plugin.js'
import { type Ability, declaredPolicy, type Policy, permits } from '../resource/policy.js'
import { selects } from './action-schema.js'
import type { Operation } from './operations.js'

/** The errors that an operation can end in, and no other. */
export function refusalsOf(operation: Operation, house: House): readonly ErrorCode[] {
  return (Object.keys(errors) as ErrorCode[]).filter((code) => rules[code](operation, house))
}

type Rule = (operation: Operation, house: House) => boolean

/** What brings each error along: the verb, the route, the path, the resource, or the panel. */
const rules: { readonly [C in ErrorCode]: Rule } = {
  malformed: ({ method, verb }) => method !== 'GET' && verb.on !== 'nothing',
  unauthenticated: ({ route, ends }, house) => (route.ability !== 'public' && !isOpen(house)) || ends.includes('unauthenticated'),
  forbidden: isForbidden,
  // A parameter of the path may name nothing, and so may `_fragment-load` on a page.
  notFound: (operation) => operation.path.includes('{') || operation.route.page !== undefined || refuses('notFound', operation),
  methodNotAllowed: (operation) => refuses('methodNotAllowed', operation) && (operation.byQuery?.others ?? false),
  notAcceptable: ({ route }) => route.as !== 'json' && route.download !== true,
  // An action that only reads, about no records, meets nothing that could have become another.
  conflict: (operation) =>
    refuses('conflict', operation) &&
    (operation.actions.length === 0 || operation.actions.some((action) => !action.safe || selects(action, operation.resource))),
  stale: ({ ends }) => ends.includes('stale'),
  tooLarge: readsBody,
  unsupportedType: readsBody,
  misdirected: ({ route }, { hosts }) => hosts === 'loopback' || (hosts !== null && !route.anyHost),
  // An address may be too long for any.
  invalid: () => true,
  preconditionRequired: (operation) => refuses('preconditionRequired', operation) && (operation.resource?.requireIfMatch ?? false),
  throttled: (operation) => refuses('throttled', operation),
  internal: asksStores,
  unavailable: asksStores,
}

function refuses(code: ErrorCode, { verb }: Operation): boolean {
  return verb.refuses?.includes(code) ?? false
}

function readsBody({ route, method }: Operation): boolean {
  return route.body !== undefined && method !== 'GET'
}

/** What changes something is refused to a page elsewhere, whoever sent it; else it is a matter of policies. */
function isForbidden(operation: Operation, house: House): boolean {
  const { method, verb, resource, needs, can, named, actions } = operation
  if (verb.on === 'nothing') return false
  if (method !== 'GET') return true
  // Nobody is asked to sign in where the cookie would be lost.
  if (verb.on === 'guest') return refuses('forbidden', operation) && !house.keepsCookies
  if ([can, ...actions.map((action) => action.can)].some((one) => one !== null && mayDeny(one, house))) return true
  const looked = recordAbilities[named] ?? actions.map(({ ability }) => ability)
  const byRecord = looked.some((ability) => resource?.canRecord[ability])
  return refuses('forbidden', operation) || byRecord || (resource !== null && needs.length > 0 && needs.every(denied))

  function denied(ability: Ability): boolean {
    return mayDeny(declaredPolicy(resource?.can, ability) ?? declaredPolicy(house.realm.can, ability), house)
  }
}

/** The abilities for which a record is looked at where it is only read. */
const recordAbilities: { readonly [named: string]: readonly Ability[] } = { show: ['view'], form: ['view', 'update'] }

/** Whether a policy denies anybody who is signed in: without one, those who have no role. In an open panel there is one caller. */
function mayDeny(policy: Policy | undefined, house: House): boolean {
  if (isOpen(house)) return policy !== undefined && !permits(policy, localIdentity)
  return policy !== true
}

/** Stores may be away, or fail. Who asks is looked up in one, but for an open panel. */
function asksStores({ verb, ends }: Operation, house: House): boolean {
  if (verb.on === 'nothing') return false
  return !isOpen(house) || !(('storeless' in verb && verb.storeless) || ends.every((is) => is === 'home'))
}

function isOpen({ realm }: House): boolean {
  return realm.auth.services.panel === 'open'
}
