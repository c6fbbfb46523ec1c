import type { Account } from '../../auth/account.js'
import { hashPassword } from '../../auth/password.js'
import type { Grant } from '../../auth/pipeline.js'
import { isGood, renewSession } from '../../auth/session.js'
import { stampOf } from '../../auth/stamp.js'
import { DaymarkError, invalid } from '../../base/errors.js'
import { isTimeZone } from '../../field/zone.js'
import type { PanelCall, Realm } from '../call/call.js'
import { panelFields } from '../input/panel-fields.js'
import type { Profile } from '../outcomes/account.js'
import type { Outcome } from '../outcomes/outcome.js'
import { accountEvent } from './events.js'
import { passwordFault } from './new-password.js'
import { accountOf, apiKeysOf, asksPassword, canUseTwoFactor, checkPassword, keysOf, passkeysOf } from './own-account.js'
import { mailPasswordChanged } from './password-changed-mail.js'

const mostSignIns = 5

/** The profile of the caller, with their sessions. */
export async function profile(call: PanelCall): Promise<Outcome> {
  return draw(call, await accountOf(call), null)
}

/** Changes the name, time zone or password that is sent. A new password ends every other session, and gives this one another cookie. */
export async function updateProfile(call: PanelCall): Promise<Outcome> {
  const { realm, input, identity } = call
  const { t, auth } = realm
  const account = await accountOf(call)
  if (!account) throw new DaymarkError('forbidden', t('profile.fixed'))
  const { keeps } = auth.services.users
  const passwords = changesPassword(realm, account) ? ['currentPassword', 'newPassword'] : []
  const known = [keeps.name && 'name', keeps.timeZone && 'timeZone', ...passwords].filter((name) => name !== false)
  const fields = panelFields(input, known, realm, { nullable: ['timeZone'] })
  const errors = new Map<string, readonly string[]>()
  const name = fields.get('name')?.trim()
  if (name === '') errors.set('name', [t('field.required', { label: t('profile.name') })])
  if (name !== undefined && name.length > 200) errors.set('name', [t('field.tooLong', { label: t('profile.name'), max: 200 })])
  const zone = fields.get('timeZone')
  if (zone && !isTimeZone(zone)) errors.set('timeZone', [t('profile.noZone', { zone })])
  const password = fields.get('newPassword') ?? ''
  const fault = password === '' ? null : passwordFault(password, identity.username, t)
  if (fault !== null) errors.set('newPassword', [fault])
  const unknown = password === '' ? null : await checkPassword(call, account, fields.get('currentPassword') ?? '')
  if (unknown !== null) errors.set('currentPassword', [unknown])
  if (errors.size > 0) throw new DaymarkError('invalid', [...errors.values()][0]?.[0] as string, { errors })
  const passwordHash = password === '' ? null : await hashPassword(password)
  const to = {
    ...(name !== undefined && { name }),
    ...(zone !== undefined && { timeZone: zone === '' ? null : zone }),
    ...(passwordHash !== null && { passwordHash }),
  }
  const { users } = auth.services
  const isDone = await (passwordHash === null
    ? users.change(identity.id, to)
    : users.change(identity.id, to, account, accountEvent(call, 'passwordChanged', 'profile', identity)))
  // Somebody has set another one meanwhile.
  if (passwordHash !== null && !isDone) throw invalid('currentPassword', t('profile.wrongPassword'))
  const grant = passwordHash === null ? null : await keepOnlyThis(call, { ...account, passwordHash })
  if (passwordHash !== null) mailPasswordChanged(realm, account)
  const own = grant ? { ...call, from: { ...call.from, session: grant.id } } : call
  return { ...(await draw(own, await accountOf(call), null)), changed: true, ...(grant && { grant }) }
}

/** Renders the page again after a refusal, with what the user typed, except for passwords. */
export async function profileAgain(call: PanelCall, error: DaymarkError): Promise<Outcome> {
  const { body } = call.input
  const typed = (['name', 'timeZone'] as const).flatMap((name) => {
    const text = body.from === 'form' ? body.fields.get(name)?.at(-1) : undefined
    return text === undefined ? [] : [[name, text] as const]
  })
  return { ...(await draw(call, await accountOf(call), error)), typed: Object.fromEntries(typed) }
}

async function draw(call: PanelCall, account: Account | null, error: DaymarkError | null): Promise<Profile> {
  const { realm, identity, from } = call
  const { services } = realm.auth
  // Only the panel's own users have sessions. The caller may use an API key whose id equals one of theirs.
  const sessions = account ? await services.sessions.of(identity.id) : []
  return {
    is: 'profile',
    identity: account?.identity ?? identity,
    timeZone: account?.timeZone ?? null,
    sessions: account ? sessions.filter((one) => one.id === from.session || isGood(services, one, account)) : [],
    signIns: (account && (await realm.accountEvents?.signIns(identity, mostSignIns))) ?? null,
    current: from.session,
    editable: {
      name: account !== null && services.users.keeps.name,
      password: account !== null && changesPassword(realm, account),
      timeZone: account !== null && services.users.keeps.timeZone,
    },
    twoFactor: account !== null && canUseTwoFactor(realm) ? account.twoFactor !== null : null,
    passkeys: account === null ? null : ((await passkeysOf(realm, account))?.length ?? null),
    apiKeys: account !== null && apiKeysOf(realm, account) ? (await keysOf(realm, account)).length : null,
    typed: {},
    error,
    changed: false,
  }
}

/** Whether a user can have another password: who has none signs in elsewhere, and cannot make a second way in of a session. */
function changesPassword({ auth }: Realm, account: Account): boolean {
  return auth.signsIn !== null && asksPassword(account)
}

/** Returns the new cookie of a browser; null: a token goes on as it is. */
async function keepOnlyThis({ realm, identity, from }: PanelCall, account: Account): Promise<Extract<Grant, { is: 'session' }> | null> {
  const { services } = realm.auth
  const { sessions } = services
  const session = from.session === null ? null : await sessions.find(from.session)
  const grant = session?.kind === 'browser' ? await renewSession(session, account, services, from.cookie()) : null
  if (session && !grant) await sessions.restamp(session.id, stampOf(account))
  await sessions.removeOf(identity.id, grant?.id ?? from.session)
  return grant
}
