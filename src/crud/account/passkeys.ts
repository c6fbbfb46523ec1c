import { randomBytes } from 'node:crypto'
import type { Account } from '../../auth/account.js'
import { keyNameFault, longestKeyName } from '../../auth/api-key.js'
import { withChallenge } from '../../auth/passkey-challenge.js'
import { mostPasskeys } from '../../auth/passkeys.js'
import type { RelyingParty } from '../../auth/relying-party.js'
import type { Passkey } from '../../auth/stores.js'
import { checkNew, newOptions } from '../../auth/webauthn.js'
import { DaymarkError, invalid } from '../../base/errors.js'
import type { PanelCall } from '../call/call.js'
import { panelFields } from '../input/panel-fields.js'
import { panelText } from '../input/panel-text.js'
import type { PasskeyBegun, Passkeys } from '../outcomes/account.js'
import { accountEvent } from './events.js'
import { accountOf, asksPassword, checkPassword, passkeysOf } from './own-account.js'
import { mailPasskeyAdded } from './passkey-added-mail.js'
import { challengeFor, isFirstAnswer, passkeyAnswer } from './passkey-answer.js'
import { noSuchPageError } from './sign-in.js'

/** The passkeys of the caller. */
export async function passkeys(call: PanelCall): Promise<Passkeys> {
  return draw(call, await ownerOf(call))
}

/**
 * What a browser needs to make a passkey. All that can be refused is refused here, before the user's device makes one: the password, too.
 * The challenge, which belongs to this session, says afterwards that it was right.
 */
export async function beginPasskey(call: PanelCall): Promise<PasskeyBegun> {
  const { realm, input, from, identity } = call
  const owner = await ownerOf(call)
  const fields = panelFields(input, ['name', 'currentPassword'], realm)
  const errors = new Map<string, readonly string[]>()
  const fault = nameFault(call, fields.get('name') ?? '')
  if (fault !== null) errors.set('name', [fault])
  const unknown = await checkPassword(call, owner.account, fields.get('currentPassword') ?? '')
  if (unknown !== null) errors.set('currentPassword', [unknown])
  if (errors.size > 0) throw new DaymarkError('invalid', [...errors.values()][0]?.[0] as string, { errors })
  if (owner.passkeys.length >= mostPasskeys) throw tooMany(call)
  if (from.session === null) throw new DaymarkError('forbidden', realm.t('profile.fixed'))
  // The same for all passkeys of a user: an authenticator keeps one for each. At random, since it shows it to whoever has the device.
  const handle = owner.passkeys[0]?.handle ?? randomBytes(32).toString('base64url')
  const challenges = withChallenge(from.challenges, { session: from.session, handle })
  const user = { handle, username: identity.username, name: identity.name }
  return { is: 'passkeyBegun', options: newOptions(owner.party, challenges[0].challenge, user, owner.passkeys), challenges }
}

/** Adds the passkey that the user's device has made. */
export async function addPasskey(call: PanelCall): Promise<Passkeys> {
  const { realm, input, from } = call
  const { t, auth } = realm
  const owner = await ownerOf(call)
  const name = panelFields(input, ['name'], realm, { others: ['credential'] }).get('name') ?? ''
  const fault = nameFault(call, name)
  if (fault !== null) throw invalid('name', fault)
  const answer = passkeyAnswer(input, realm)
  // A session that has begun since, or another user's, has not confirmed anything.
  const asked = challengeFor(call, answer, from.session)
  if (!asked?.adds || !(await isFirstAnswer(owner.party, asked))) throw new DaymarkError('invalid', t('passkey.late'))
  const made = await checkNew(owner.party, asked.challenge, answer)
  if (!made) throw invalid('credential', t('passkey.badNew'))
  const { id: userId, username } = owner.account.identity
  const passkey: Passkey = {
    ...made,
    userId,
    username,
    handle: asked.adds.handle,
    name: name.trim(),
    createdAt: new Date(),
    lastSeenAt: null,
  }
  const { passkeys } = auth.services
  if (!(await passkeys.create(passkey, mostPasskeys, happenedTo(call, 'passkeyAdded', passkey))))
    throw (await passkeys.find(passkey.id)) ? invalid('credential', t('passkey.badNew')) : tooMany(call)
  mailPasskeyAdded(realm, owner.account, passkey)
  return {
    ...(await draw(call, await ownerOf(call))),
    did: { is: 'added', passkey },
    challenges: from.challenges.filter((one) => one !== asked),
  }
}

/** Gives one of the caller's passkeys another name. */
export async function renamePasskey(call: PanelCall): Promise<Passkeys> {
  const { passkey } = await namedBy(call)
  const name = panelFields(call.input, ['name'], call.realm).get('name')?.trim() ?? ''
  const fault = nameFault(call, name)
  if (fault !== null) throw invalid('name', fault)
  await call.realm.auth.services.passkeys.rename(passkey.id, name)
  return { ...(await draw(call, await ownerOf(call))), did: { is: 'renamed', passkey: { ...passkey, name } } }
}

/** Removes one of the caller's passkeys. Every other session ends: whoever has found the device may have one. A form that was not confirmed is asked first. */
export async function removePasskey(call: PanelCall): Promise<Passkeys> {
  const { realm, input, from, identity } = call
  const { services } = realm.auth
  const { owner, passkey } = await namedBy(call)
  const asks = panelText(input, '_method') !== '' && panelText(input, '_confirmed') !== '1'
  if (asks) return { ...(await draw(call, owner)), did: { is: 'asks', passkey } }
  if (!(await services.passkeys.remove(passkey.id, happenedTo(call, 'passkeyRemoved', passkey)))) throw noSuch(call)
  await services.sessions.removeOf(identity.id, from.session)
  return { ...(await draw(call, await ownerOf(call))), did: { is: 'removed', passkey } }
}

/** Shows the page again after a refusal, with what was typed. */
export async function passkeysAgain(call: PanelCall, error: DaymarkError): Promise<Passkeys> {
  const { body } = call.input
  const typed = body.from === 'form' ? (body.fields.get('name')?.at(-1) ?? null) : null
  return { ...(await draw(call, await ownerOf(call))), typed, error }
}

/** The caller, who may have passkeys. */
interface Owner {
  readonly account: Account
  readonly party: RelyingParty
  readonly passkeys: readonly Passkey[]
}

/** @throws DaymarkError `notFound` if the panel takes none, `forbidden` if this caller may have none */
async function ownerOf(call: PanelCall): Promise<Owner> {
  const { realm } = call
  const party = realm.auth.services.relyingParty
  if (!party) throw noSuchPageError(realm)
  const account = await accountOf(call)
  if (!account) throw new DaymarkError('forbidden', realm.t('profile.fixed'))
  const passkeys = await passkeysOf(realm, account)
  if (!passkeys) throw new DaymarkError('forbidden', realm.t('passkey.notYou'))
  return { account, party, passkeys }
}

/** @throws DaymarkError `notFound` if the caller has no such passkey */
async function namedBy(call: PanelCall): Promise<{ readonly owner: Owner; readonly passkey: Passkey }> {
  const owner = await ownerOf(call)
  const passkey = owner.passkeys.find(({ id }) => id === call.input.params?.get('id'))
  if (!passkey) throw noSuch(call)
  return { owner, passkey }
}

async function draw({ from }: PanelCall, { account, party, passkeys }: Owner): Promise<Passkeys> {
  return {
    is: 'passkeys',
    passkeys,
    origin: party.origin,
    asksPassword: asksPassword(account),
    most: mostPasskeys,
    agent: from.agent,
    typed: null,
    did: null,
    error: null,
  }
}

function nameFault({ realm: { t } }: PanelCall, name: string): string | null {
  const label = t('passkey.name')
  const fault = keyNameFault(name.trim())
  if (fault === 'empty') return t('field.required', { label })
  if (fault === 'tooLong') return t('field.tooLong', { label, max: longestKeyName })
  return fault && t('apiKey.oddName')
}

const happenedTo = (call: PanelCall, event: 'passkeyAdded' | 'passkeyRemoved', { name }: Passkey) =>
  accountEvent(call, event, 'profile', call.identity, name)

const noSuch = ({ realm }: PanelCall) => new DaymarkError('notFound', realm.t('passkey.none'))
const tooMany = ({ realm }: PanelCall) => new DaymarkError('invalid', realm.t('passkey.most', { most: mostPasskeys }))
