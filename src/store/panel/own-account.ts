import { longestUsername, plainUsername, usernameFault } from '../../auth/username.js'
import { refuse } from '../../base/errors.js'
import type { Translate } from '../../base/messages.js'
import type { Hooks } from '../../resource/action/hooks.js'
import { type Policy, permits } from '../../resource/action/policy.js'
import type { users } from './tables.js'

type User = typeof users.$inferSelect
type NewUser = typeof users.$inferInsert
type Saving = Parameters<NonNullable<Hooks<User, NewUser>['beforeSave']>>[0]

/**
 * What is asked before the panel's own users are written: nobody locks themselves out, and each username can be signed in with.
 *
 * @param can who may see and change users
 */
export function savingUsers(can: Policy, t: Translate) {
  return (about: Saving): Partial<NewUser> => {
    refuseOwn(about, can, t)
    const { before, values } = about
    return { ...ended(before, values), ...(typeof values.username === 'string' && { username: givenName(values.username, before, t) }) }
  }
}

/** Refuses what users may not do to themselves here. */
function refuseOwn({ user, before, values }: Saving, can: Policy, t: Translate): void {
  if (before === null || String(before.id) !== user.id) return
  // Whoever finds a key is not its user.
  if (user.apiKey) refuse('username', t('users.notByKey'))
  // There it takes the current one.
  if (typeof values.password === 'string') refuse('password', t('users.passwordNotSelf'))
  if (values.active === false) refuse('active', t('users.notSelf'))
  if (Array.isArray(values.roles) && !permits(can, { ...user, roles: values.roles })) refuse('roles', t('users.notOut'))
  if (values.twoFactor === null && before.twoFactor !== null) refuse('twoFactor', t('users.twoFactorNotSelf'))
}

/** What the user has begun stays void if they are let in again, or turn on two-factor sign-in again. */
const ended = (before: User | null, values: Saving['values']): Partial<NewUser> => ({
  ...(values.active === false && before?.active !== false && { disabledAt: new Date() }),
  ...(values.twoFactor === null && before?.twoFactor && { signedOutAt: new Date() }),
})

function givenName(given: string, before: User | null, t: Translate): string {
  const username = plainUsername(given)
  const fault = username === before?.username ? null : usernameFault(username)
  const label = t('users.username')
  // A blank one cannot sign in.
  if (fault === 'empty') refuse('username', t('field.required', { label }))
  if (fault === 'tooLong') refuse('username', t('field.tooLong', { label, max: longestUsername }))
  if (fault !== null) refuse('username', t('users.usernameOdd'))
  return username
}
