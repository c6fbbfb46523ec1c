import type { AccountEventName, AccountWay, FailedBecause } from '../../auth/account-event.js'
import { messagesOf } from '../../base/language.js'
import { type Messages, type Translate, translator } from '../../base/messages.js'
import { a, type Settings } from '../../base/setting.js'
import { dateTime } from '../../field/kinds/date-time.js'
import { id } from '../../field/kinds/id.js'
import { number } from '../../field/kinds/number.js'
import { select } from '../../field/kinds/select.js'
import { text } from '../../field/kinds/text.js'
import type { Policy } from '../../resource/action/policy.js'
import { defineResource } from '../../resource/define.js'
import { refuseWrong } from '../../resource/problem.js'
import type { Resource } from '../../resource/resource.js'
import { eq } from './table.js'
import { accountEvents } from './tables.js'

/** The options of `accountEventsResource()`. */
export interface AccountEventsOptions {
  /** The `id` of the panel, since several may share a database. Default: `admin`, as for the panel. */
  readonly panel?: string
  /** Who may see what has happened to everybody's account. Default: `['admin']`. */
  readonly can?: Policy
  /** The name of the resource. Default: `Sign-ins and accounts`, in the language of `locale`. */
  readonly title?: string
  /** The language of its labels, as for the panel. Default: `en`. */
  readonly locale?: string
  /** Your own texts for its labels, as for the panel: those whose keys begin with `account.`. Default: none. */
  readonly messages?: Partial<Messages>
}

const settings: Settings<AccountEventsOptions> = { panel: a.text, can: a.value, title: a.text, locale: a.text, messages: a.byName(a.text) }

/**
 * Keeps who has signed in, who could not, and what has happened to accounts, and lists it. Without this resource, none of it is kept. Nobody
 * can change it.
 *
 * @example
 * ```ts
 * import { accountEventsResource, definePanel } from 'daymark'
 *
 * export default definePanel({ database: 'sqlite:app.db', resources: [accountEventsResource({ can: ['auditor'] })] })
 * ```
 */
export function accountEventsResource(options: AccountEventsOptions = {}): Resource {
  refuseWrong('accountEventsResource()', options, settings)
  const { panel = 'admin', can = ['admin'], title, locale = 'en', messages } = options
  const t = translator(messagesOf(locale, messages))
  const all = defineResource({
    model: accountEvents,
    uriKey: 'account-events',
    title: title ?? t('account.title'),
    icon: 'shield-check',
    column: 'title',
    fields: {
      id: id(),
      at: dateTime(t('account.at')),
      event: select(t('account.event')).options(named(eventKeys, t)).tones(tones),
      username: text(t('account.user')).searchable(),
      way: select(t('account.way')).options(named(wayKeys, t)),
      reason: select(t('account.reason')).options(named(reasonKeys, t)),
      detail: text(t('account.detail')),
      byUsername: text(t('account.by')).searchable(),
      address: text(t('account.address')).searchable(),
      agent: text(t('account.agent')),
      count: number(t('account.count')),
      lastAt: dateTime(t('account.lastAt')),
      userId: text(t('account.userId')),
      byId: text(t('account.byId')),
    },
    // What is stored for the event is no words.
    computed: {
      title: {
        label: t('account.event'),
        needs: ['event', 'username'],
        value: ({ event, username }) => [t(eventKeys[event]), username].filter((one) => one !== null).join(': '),
      },
    },
    pages: {
      // What happened to whom comes first: on most windows, the last ones are beside the table.
      index: ['at', 'event', 'username', 'reason', 'detail', 'byUsername', 'way', 'address', 'count', 'agent'],
      detail: [
        'at',
        'event',
        'username',
        'userId',
        'address',
        'agent',
        'way',
        'reason',
        'byUsername',
        'byId',
        'detail',
        'count',
        'lastAt',
        'id',
      ],
    },
    filters: ['at', 'event', 'username', 'way', 'reason', 'byUsername', 'address', 'userId'],
    count: 'capped',
    columnSelection: true,
    clickAction: 'DETAIL',
    activeActions: ['view'],
    can: { viewAny: can, view: can },
  })
  // No user of one panel sees who signs in at another one.
  return Object.freeze({ ...all, records: eq('panel', panel) })
}

const eventKeys: Readonly<Record<AccountEventName, keyof Messages>> = {
  signedIn: 'account.signedIn',
  signInFailed: 'account.signInFailed',
  signedOut: 'account.signedOut',
  sessionsEnded: 'account.sessionsEnded',
  userCreated: 'account.userCreated',
  userDeleted: 'account.userDeleted',
  userDisabled: 'account.userDisabled',
  userEnabled: 'account.userEnabled',
  usernameChanged: 'account.usernameChanged',
  rolesChanged: 'account.rolesChanged',
  passwordChanged: 'account.passwordChanged',
  passwordLink: 'account.passwordLink',
  twoFactorOn: 'account.twoFactorOn',
  twoFactorOff: 'account.twoFactorOff',
  recoveryCodes: 'account.recoveryCodes',
  recoveryCodeUsed: 'account.recoveryCodeUsed',
  passkeyAdded: 'account.passkeyAdded',
  passkeyRemoved: 'account.passkeyRemoved',
  apiKeyCreated: 'account.apiKeyCreated',
  apiKeyDeleted: 'account.apiKeyDeleted',
  providerLinked: 'account.providerLinked',
  providerUnlinked: 'account.providerUnlinked',
  viewedAs: 'account.viewedAs',
}

const tones = {
  signedIn: 'good',
  signInFailed: 'bad',
  userDeleted: 'bad',
  userDisabled: 'bad',
  userEnabled: 'good',
  rolesChanged: 'warn',
  passwordChanged: 'warn',
  twoFactorOn: 'good',
  twoFactorOff: 'warn',
  recoveryCodeUsed: 'warn',
} as const

/** The messages of the ways, which the profile shows, too. */
export const wayKeys: Readonly<Record<AccountWay, keyof Messages>> = {
  password: 'account.byPassword',
  passwordAndCode: 'account.byPasswordAndCode',
  passkey: 'account.byPasskey',
  apiKey: 'account.byApiKey',
  refreshToken: 'account.byRefreshToken',
  provider: 'account.byProvider',
  providerAndCode: 'account.byProviderAndCode',
  profile: 'account.onProfile',
  link: 'account.byLink',
  mail: 'account.byMail',
  administration: 'account.byAdministration',
  command: 'account.byCommand',
  program: 'account.byProgram',
}

/** The messages of the reasons why a sign-in fails. */
export const reasonKeys: Readonly<Record<FailedBecause, keyof Messages>> = {
  unknownUser: 'account.unknownUser',
  wrongPassword: 'account.wrongPassword',
  wrongCode: 'account.wrongCode',
  wrongPasskey: 'account.wrongPasskey',
  wrongKey: 'account.wrongKey',
  usedTwice: 'account.usedTwice',
  notAccepted: 'account.notAccepted',
  disabled: 'account.disabled',
  throttled: 'account.throttled',
}

const named = <N extends string>(keys: Readonly<Record<N, keyof Messages>>, t: Translate) =>
  Object.fromEntries(Object.entries<keyof Messages>(keys).map(([name, key]) => [name, t(key)])) as Record<N, string>
