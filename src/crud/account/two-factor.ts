import type { Account } from '../../auth/account.js'
import { checkCode, isSecret, makeSecret, secretCode } from '../../auth/one-time-code.js'
import { makeRecoveryCodes, recoveryHash } from '../../auth/recovery-code.js'
import { type CodesCounted, type SecondFactor, storedFactor } from '../../auth/second-factor.js'
import { mustUseTwoFactor, type TwoFactor, usesTwoFactor, type WithFactor } from '../../auth/two-factor.js'
import { wrongCodes } from '../../auth/wrong-codes.js'
import { DaymarkError, invalid } from '../../base/errors.js'
import type { PanelCall } from '../call/call.js'
import { panelFields } from '../input/panel-fields.js'
import { panelText } from '../input/panel-text.js'
import type { TwoFactorShown } from '../outcomes/account.js'
import { accountEvent } from './events.js'
import { accountOf, asksPassword, canUseTwoFactor, checkPassword, confirmsAt, isFresh } from './own-account.js'
import { secondFactorOf } from './second-factor.js'
import { noSuchPageError } from './sign-in.js'

/** Whether the caller signs in with a code, and what they need to set it up. Whoever signs in in another way needs neither. */
export async function twoFactor(call: PanelCall): Promise<TwoFactorShown> {
  const settings = settingsOf(call)
  const account = await accountOf(call)
  if (!account) return none(call)
  return shown(call, await ownBy(call, account, settings), account.twoFactor === null ? await makeSecret() : null)
}

/** Turns it on: the code proves that the authenticator app has the secret. Every other session ends. */
export async function turnOnTwoFactor(call: PanelCall): Promise<TwoFactorShown> {
  const { realm, input } = call
  const { t } = realm
  const own = await ownOf(call)
  const { account, settings } = own
  const fields = panelFields(input, ['secret', 'code', 'currentPassword'], realm)
  if (account.twoFactor !== null) throw new DaymarkError('conflict', t('twoFactor.isOn'))
  const secret = fields.get('secret') ?? ''
  if (!isSecret(secret)) throw invalid('secret', t('twoFactor.badSecret'))
  const errors = new Map<string, readonly string[]>()
  const code = fields.get('code')?.trim() ?? ''
  if (code === '') errors.set('code', [t('field.required', { label: t('signIn.code') })])
  const fault = await passwordFault(call, own, fields)
  if (fault !== null) errors.set('currentPassword', [fault])
  const [first] = errors.values()
  if (first) throw new DaymarkError('invalid', first[0] as string, { errors })
  // Last, since a right code is used up by it.
  if ((await checkCode(code, secret, account.identity.id, settings)) !== 'right') throw invalid('code', t('signIn.wrongCode'))
  const { sessions } = realm.auth.services
  // First, since without it, the session would be worth nothing from the next statement on.
  if (call.from.session !== null) await sessions.prove(call.from.session, true)
  const codes = await store(call, own, { secret, since: new Date().toISOString() }, 'twoFactorOn')
  await sessions.removeOf(call.identity.id, call.from.session)
  return { ...(await shown(call, await ownOf(call))), did: 'on', codes }
}

/** Turns it off. Every other session ends. */
export async function turnOffTwoFactor(call: PanelCall): Promise<TwoFactorShown> {
  const own = await ownOf(call)
  const { identity } = own.account
  const { id } = identity
  if (own.required) throw new DaymarkError('forbidden', call.realm.t('twoFactor.needed'))
  await checkOn(call, own)
  const event = accountEvent(call, 'twoFactorOff', 'profile', identity)
  if (!(await call.realm.auth.services.users.changeTwoFactor(id, own.account.twoFactor, null, event))) throw changed(call)
  const { sessions } = call.realm.auth.services
  if (call.from.session !== null) await sessions.prove(call.from.session, false)
  await sessions.removeOf(id, call.from.session)
  return { ...(await shown(call, await ownOf(call))), did: 'off' }
}

/** Makes new recovery codes. The old ones are void. */
export async function newRecoveryCodes(call: PanelCall): Promise<TwoFactorShown> {
  const own = await ownOf(call)
  await checkOn(call, own)
  const codes = await store(call, own, await secondFactorOf(call, own.account as WithFactor, own.settings), 'recoveryCodes')
  return { ...(await shown(call, await ownOf(call))), did: 'codes', codes }
}

/** Renders the page again after a refusal. The secret stays the one that the user's app may have by now. */
export async function twoFactorAgain(call: PanelCall, error: DaymarkError): Promise<TwoFactorShown> {
  const { body } = call.input
  const own = await ownOf(call)
  const sent = (name: string) => (body.from === 'form' ? (body.fields.get(name)?.at(-1) ?? '') : '')
  const secret = own.account.twoFactor !== null ? null : isSecret(sent('secret')) ? sent('secret') : await makeSecret()
  return { ...(await shown(call, own, secret)), typed: error.errors.has('code') ? '' : sent('code'), error }
}

/** The caller's account, with the settings that apply to it. */
interface Own {
  readonly account: Account
  readonly settings: TwoFactor
  readonly required: boolean
  /** Whether the session can do nothing else yet. */
  readonly limited: boolean
  /** Whether the user has to show (again) that it is they. */
  readonly confirms: boolean
}

/** @throws DaymarkError `notFound` if the panel has no two-factor sign-in */
function settingsOf({ realm }: PanelCall): TwoFactor {
  const { twoFactor } = realm.auth.services
  if (!twoFactor || !canUseTwoFactor(realm)) throw noSuchPageError(realm)
  return twoFactor
}

/** @throws DaymarkError `notFound` as `settingsOf`, `forbidden` if the caller signs in in another way */
async function ownOf(call: PanelCall): Promise<Own> {
  const settings = settingsOf(call)
  const account = await accountOf(call)
  if (!account) throw new DaymarkError('forbidden', call.realm.t('profile.fixed'))
  return ownBy(call, account, settings)
}

async function ownBy(call: PanelCall, account: Account, settings: TwoFactor): Promise<Own> {
  const { limited } = call.from
  const confirms = !limited || !(await isFresh(call))
  return { account, settings, required: mustUseTwoFactor(settings, account.identity), limited, confirms }
}

async function shown(call: PanelCall, own: Own, secret: string | null = null): Promise<TwoFactorShown> {
  const { account, settings, required, limited, confirms } = own
  const { username } = account.identity
  const stored = usesTwoFactor(settings, account) ? await secondFactorOf(call, account, settings) : null
  return {
    ...none(call),
    username,
    on: stored && { since: new Date(stored.since), codesLeft: stored.codes.length, wrongCodes: lastWrong(stored, account) },
    required,
    limited,
    asksPassword: confirms && asksPassword(account),
    confirmsAt: confirms ? await confirmsAt(call, account) : null,
    setUp: secret === null ? null : { secret, ...(await secretCode(secret, username, settings)) },
  }
}

/** The wrong codes that the user should know of. */
function lastWrong(factor: SecondFactor, account: Account): CodesCounted | null {
  const { open, told } = wrongCodes(factor, account)
  return open ?? told
}

/** That of a caller who cannot have it. */
function none({ identity, input }: PanelCall): TwoFactorShown {
  return {
    is: 'twoFactor',
    username: identity.username,
    on: null,
    required: false,
    limited: false,
    asksPassword: false,
    confirmsAt: null,
    setUp: null,
    did: null,
    typed: '',
    codes: [],
    to: input.query.get('to')?.at(-1) ?? panelText(input, '_to'),
    error: null,
  }
}

/** Stores the factor with new recovery codes, and returns those. */
async function store(
  call: PanelCall,
  { account, settings }: Own,
  factor: Omit<SecondFactor, 'codes'>,
  name: 'twoFactorOn' | 'recoveryCodes',
): Promise<readonly string[]> {
  const { id } = account.identity
  const codes = makeRecoveryCodes()
  const stored = await storedFactor({ ...factor, codes: codes.map((one) => recoveryHash(one, id)) }, settings)
  const event = accountEvent(call, name, 'profile', account.identity)
  if (!(await call.realm.auth.services.users.changeTwoFactor(id, account.twoFactor, stored, event))) throw changed(call)
  return codes
}

/** What is wrong with the password: whoever finds an unlocked screen must not change how its owner signs in. */
async function passwordFault(call: PanelCall, { account, confirms }: Own, fields: ReadonlyMap<string, string>): Promise<string | null> {
  return confirms ? checkPassword(call, account, fields.get('currentPassword') ?? '') : null
}

/** For a change of what is on, confirmed by the password. */
async function checkOn(call: PanelCall, own: Own): Promise<void> {
  const fields = panelFields(call.input, ['currentPassword'], call.realm)
  if (own.account.twoFactor === null) throw new DaymarkError('conflict', call.realm.t('twoFactor.isOff'))
  const fault = await passwordFault(call, own, fields)
  if (fault !== null) throw invalid('currentPassword', fault)
}

function changed({ realm }: PanelCall): DaymarkError {
  return new DaymarkError('conflict', realm.t('twoFactor.changed'))
}
