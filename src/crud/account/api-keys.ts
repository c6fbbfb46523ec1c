import type { Account } from '../../auth/account.js'
import { endOfKey, expiryOf, isVoid, keyNameFault, keyText, longestDays, longestKeyName, makeApiKey, mostKeys } from '../../auth/api-key.js'
import type { ApiKeySettings } from '../../auth/pipeline.js'
import { DaymarkError } from '../../base/errors.js'
import type { PanelCall } from '../call/call.js'
import type { Body } from '../call/input.js'
import { panelFields } from '../input/panel-fields.js'
import { panelText } from '../input/panel-text.js'
import type { ApiKeys } from '../outcomes/account.js'
import { accountEvent } from './events.js'
import { accountOf, apiKeysOf, asksPassword, checkPassword, confirmsAt, keysOf } from './own-account.js'
import { noSuchPageError } from './sign-in.js'

const usualDays = 90

/** The API keys of the caller. */
export async function apiKeys(call: PanelCall): Promise<ApiKeys> {
  return draw(call, await ownerOf(call))
}

/** Makes a key, which is shown just this once. */
export async function createApiKey(call: PanelCall): Promise<ApiKeys> {
  const owner = await ownerOf(call)
  const { t, auth } = call.realm
  const { wanted, password, errors } = readAsked(call, owner)
  const unknown = await checkPassword(call, owner.account, password)
  if (unknown !== null) errors.set('currentPassword', [unknown])
  if (errors.size > 0) throw new DaymarkError('invalid', [...errors.values()][0]?.[0] as string, { errors })
  const made = makeApiKey(auth.services, owner.account, wanted)
  const making = accountEvent(call, 'apiKeyCreated', 'profile', call.identity, keyText(made.key))
  if (!(await auth.services.apiKeys.create(made.key, mostKeys, making)))
    throw new DaymarkError('invalid', t('apiKey.most', { most: mostKeys }))
  return { ...(await draw(call, owner)), did: { is: 'made', key: { ...made.key, valid: true }, text: made.text } }
}

/** Deletes one of the caller's keys. A form that was not confirmed is asked first. */
export async function deleteApiKey(call: PanelCall): Promise<ApiKeys> {
  const { realm, input } = call
  const owner = await ownerOf(call)
  const id = input.params?.get('id') ?? ''
  const key = (await keysOf(realm, owner.account)).find((one) => one.id === id)
  if (!key) throw new DaymarkError('notFound', realm.t('apiKey.none'))
  const asks = panelText(input, '_method') !== '' && panelText(input, '_confirmed') !== '1'
  if (asks) return { ...(await draw(call, owner)), did: { is: 'asks', key } }
  const event = accountEvent(call, 'apiKeyDeleted', 'profile', call.identity, keyText(key))
  if (!(await realm.auth.services.apiKeys.remove(key.id, event))) throw new DaymarkError('notFound', realm.t('apiKey.none'))
  return { ...(await draw(call, owner)), did: { is: 'deleted', key } }
}

/** Shows the page again after a refusal, with what was typed. */
export async function apiKeysAgain(call: PanelCall, error: DaymarkError): Promise<ApiKeys> {
  const { body } = call.input
  const sent = body.from === 'form' ? body.fields : new Map<string, readonly string[]>()
  const text = (name: string) => sent.get(name)?.at(-1) ?? ''
  const typed = { name: text('name'), days: text('days'), readOnly: text('readOnly') === '1', roles: sent.get('roles') ?? [] }
  return { ...(await draw(call, await ownerOf(call))), typed, error }
}

/** The caller, who may have keys. */
interface Owner {
  readonly account: Account
  readonly settings: ApiKeySettings
}

/** @throws DaymarkError `notFound` if the panel takes no keys, `forbidden` if this caller may have none */
async function ownerOf(call: PanelCall): Promise<Owner> {
  const { realm } = call
  if (!realm.auth.apiKeys) throw noSuchPageError(realm)
  const account = await accountOf(call)
  if (!account) throw new DaymarkError('forbidden', realm.t('profile.fixed'))
  const settings = apiKeysOf(realm, account)
  if (!settings) throw new DaymarkError('forbidden', realm.t('apiKey.notYou'))
  return { account, settings }
}

async function draw(call: PanelCall, { account, settings }: Owner): Promise<ApiKeys> {
  return {
    is: 'apiKeys',
    keys: (await keysOf(call.realm, account)).map((key) => ({
      ...key,
      expiresAt: endOfKey(key, settings),
      valid: !isVoid(key, account, settings),
    })),
    asksPassword: asksPassword(account),
    confirmsAt: await confirmsAt(call, account),
    mostDays: settings.mostDays,
    usualDays: usualOf(settings),
    roles: account.identity.roles,
    typed: null,
    did: null,
    error: null,
  }
}

const usualOf = ({ mostDays }: ApiKeySettings) => Math.min(usualDays, mostDays ?? usualDays)

/** What is asked for, and what is wrong with it. */
function readAsked({ input, realm }: PanelCall, { account, settings }: Owner) {
  const { t } = realm
  const errors = new Map<string, readonly string[]>()
  const { body } = input
  const fields = panelFields(input, ['name', 'currentPassword'], realm, { others: ['readOnly', 'days', 'roles'] })
  const name = fields.get('name')?.trim() ?? ''
  const label = t('apiKey.name')
  const fault = keyNameFault(name)
  if (fault === 'empty') errors.set('name', [t('field.required', { label })])
  if (fault === 'tooLong') errors.set('name', [t('field.tooLong', { label, max: longestKeyName })])
  if (fault === 'odd') errors.set('name', [t('apiKey.oddName')])
  const readOnly = readOnlyOf(body)
  if (readOnly === undefined) errors.set('readOnly', [t('apiKey.badReadOnly')])
  const days = daysOf(body, settings)
  if (days === undefined)
    errors.set('days', [t(settings.mostDays === null ? 'apiKey.badDays' : 'apiKey.tooLong', { most: settings.mostDays ?? longestDays })])
  const roles = rolesOf(body)
  if (roles === undefined || roles?.length === 0) errors.set('roles', [t('apiKey.badRoles')])
  const strange = roles?.find((one) => !account.identity.roles.includes(one))
  if (strange !== undefined) errors.set('roles', [t('apiKey.noRole', { role: strange, names: account.identity.roles.join(', ') })])
  const wanted = { name, readOnly: readOnly === true, roles: roles ?? null, expiresAt: expiryOf(days ?? null) }
  return { wanted, password: fields.get('currentPassword') ?? '', errors }
}

/** How many days the key is to be valid; null: for ever; undefined: that cannot be. */
function daysOf(body: Body, settings: ApiKeySettings): number | null | undefined {
  const given = oneOf(body, 'days')
  if (given === undefined) return usualOf(settings)
  if (given === null || given === '') return settings.mostDays === null ? null : undefined
  const days = body.from === 'form' && /^\d{1,4}$/.test(String(given)) ? Number(given) : given
  const most = settings.mostDays ?? longestDays
  return typeof days === 'number' && Number.isSafeInteger(days) && days >= 1 && days <= most ? days : undefined
}

/** Whether the key may only read; undefined: what was sent says neither. A key that may do more than was meant is worse than a refusal. */
function readOnlyOf(body: Body): boolean | undefined {
  const given = oneOf(body, 'readOnly')
  if (given === undefined) return false
  if (body.from === 'json') return typeof given === 'boolean' ? given : undefined
  return given === '1' ? true : given === '' || given === '0' ? false : undefined
}

/** What was sent for a field; of several texts of a form, the last. */
function oneOf(body: Body, name: string): unknown {
  const sent = body.from === 'none' ? undefined : body.fields.get(name)
  return body.from === 'form' && Array.isArray(sent) ? sent.at(-1) : sent
}

/** The roles that are named; null: none are, which means all; undefined: what was sent is no list of texts. */
function rolesOf(body: Body): readonly string[] | null | undefined {
  const given = body.from === 'none' ? undefined : body.fields.get('roles')
  if (given === undefined || given === null) return null
  const isList = Array.isArray(given) && given.every((one) => typeof one === 'string')
  return isList ? [...new Set((given as string[]).filter((one) => one !== ''))] : undefined
}
