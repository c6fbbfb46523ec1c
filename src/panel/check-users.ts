import { isKnownOfUsers } from '../auth/identity.js'
import { urlFault } from '../auth/relying-party.js'
import { policyFault } from '../resource/action/policy.js'
import { modelOf } from '../resource/model/model.js'
import type { Say } from '../resource/problem.js'
import { accountEvents, apiKeys, history, users } from '../store/panel/tables.js'
import type { UserModel } from '../store/panel/users.js'
import { givable } from '../store/panel/users-resource.js'
import type { PanelSpec } from './spec.js'

/** What is wrong with the panel's users, and with what is made for them. */
export function checkUsers(spec: PanelSpec, say: Say): void {
  checkOpen(spec, say)
  checkApiKeys(spec, say)
  checkMail(spec, say)
  checkNotifications(spec, say)
  checkShareViews(spec, say)
  checkOpenIds(spec, say)
  checkRoles(spec, say)
  checkPasskeys(spec, say)
  checkOwnUsers(spec, say)
}

/** What an open panel, which has no users, cannot show. */
function checkOpen(spec: PanelSpec, say: Say): void {
  if (spec.auth !== 'open') return
  for (const { model, uriKey } of spec.resources) {
    if (model.table === users)
      say('users-open', uriKey, "with auth: 'open' the panel has no users and no table of them; remove usersResource()")
    if (model.table === history)
      say('history-open', uriKey, "with auth: 'open' nobody is known who could have changed anything; remove historyResource()")
    if (model.table === accountEvents)
      say('account-events', uriKey, "with auth: 'open' nobody signs in and there are no accounts; remove accountEventsResource()")
  }
}

function checkApiKeys({ auth, resources }: PanelSpec, say: Say): void {
  const takesKeys = typeof auth === 'object' && auth.pipelines.some((one) => one.apiKeys)
  for (const { model, uriKey } of takesKeys ? [] : resources)
    if (model.table === apiKeys)
      say('api-keys', uriKey, 'this panel takes no API keys: add apiKeys() to `auth.pipelines`, or remove apiKeysResource()')
}

function checkMail(spec: PanelSpec, say: Say): void {
  if (spec.mail === undefined) return
  if (typeof spec.mail !== 'function')
    say('mail', 'mail', 'is no function: give one that sends a mail, `async ({ to, subject, text }) => …`')
  if (spec.auth === 'open') say('mail', 'mail', "with auth: 'open' there are no users to write to; remove `mail`")
  else if (spec.auth && !spec.auth.pipelines.some((one) => one.signIn))
    say('mail', 'mail', 'nobody signs in with a password here, of which the mails tell; remove `mail`')
  else if (spec.url === undefined) say('mail', 'url', 'the links in mails lead there: give the public URL of the panel')
}

const longestKept = 36_500

function checkNotifications({ notifications = false, auth }: PanelSpec, say: Say): void {
  if (notifications === false) return
  if (auth === 'open')
    say('notifications', 'notifications', "with auth: 'open' there are no users to tell anything; remove `notifications`")
  const { keep = 1 } = notifications === true ? {} : notifications
  if (!Number.isSafeInteger(keep) || keep < 1 || keep > longestKept)
    say('notifications', 'notifications.keep', `is a number of days from 1 to ${longestKept}`)
}

function checkShareViews({ shareViews, auth }: PanelSpec, say: Say): void {
  if (shareViews === undefined) return
  const fault = policyFault(shareViews)
  if (fault !== null) say('share-views', 'shareViews', fault)
  if (auth === 'open') say('share-views', 'shareViews', "with auth: 'open' there is nobody to share a view with; remove `shareViews`")
}

/** What is wrong with the users that OpenID providers bring. */
function checkOpenIds({ users: own, resources, auth }: PanelSpec, say: Say): void {
  const openIds = typeof auth === 'object' ? auth.pipelines.flatMap(({ openId }) => openId ?? []) : []
  const known = givable(resources)
  for (const { id, create } of own ? [] : openIds) {
    const strange = known ? create?.find((role) => !known.includes(role)) : undefined
    if (strange !== undefined)
      say(
        'openid',
        'auth.pipelines',
        `openId({ id: '${id}' }) has "${strange}" in \`create\`. Roles of usersResource(): ${known?.join(', ')}`,
      )
  }
  for (const { id, create, roles } of own ? openIds : [])
    if (create || roles)
      say(
        'openid',
        'auth.pipelines',
        `openId({ id: '${id}' }) has \`${create ? 'create' : 'roles'}\`, but the users are your application's, which makes them`,
      )
}

/** Roles that fields name and that no user can have, as far as the panel knows the roles. */
function checkRoles({ resources }: PanelSpec, say: Say): void {
  const known = givable(resources)
  for (const { uriKey, fields } of known ? resources : [])
    for (const field of fields.values()) {
      const strange = field.kind.roles(field).find((role) => !known?.includes(role))
      if (strange !== undefined)
        say(
          'field-role',
          `${uriKey}.fields.${field.key}`,
          `"${strange}" is a role that no user can have. Roles of usersResource(): ${known?.join(', ')}`,
        )
    }
}

/** Whether browsers make passkeys at the panel's address. */
function checkPasskeys({ url, auth }: PanelSpec, say: Say): void {
  if (typeof auth !== 'object' || !auth.pipelines.some(({ passkeys }) => passkeys)) return
  const fault = urlFault(url)
  if (fault !== null) say('passkeys', 'url', fault)
}

// What is stored has some 900, if it is encrypted.
const longestFactor = 1000

/** What is wrong with the columns that are named of the application's users. */
function checkColumns({ model, columns, identity = [] }: UserModel, say: Say): void {
  const known = modelOf(model).columns
  const list = [...known.keys()].join(', ')
  for (const [name, column] of Object.entries(columns))
    if (column !== undefined && !known.has(column))
      say('users-columns', `users.columns.${name}`, `"${column}" is not a column. Columns: ${list}`)
  for (const column of identity as readonly string[]) {
    if (!known.has(column)) say('users-columns', 'users.identity', `"${column}" is not a column. Columns: ${list}`)
    else if (isKnownOfUsers(column))
      say('users-columns', 'users.identity', `"${column}" is what the panel itself calls something of a user`)
    else if (column === columns.password || column === columns.twoFactor)
      say('users-columns', 'users.identity', `"${column}" is a secret, which policies have no use for`)
  }
}

/** What is wrong with the application's users: a resource would show their secrets, or they lack what the panel requires. */
function checkOwnUsers({ users: own, resources, auth }: PanelSpec, say: Say): void {
  if (!own) return
  checkColumns(own, say)
  const { password, twoFactor } = own.columns
  const required = typeof auth === 'object' && auth.twoFactor && auth.twoFactor.required
  if ((required === true || (required && required.length > 0)) && twoFactor === undefined)
    say(
      'users-two-factor',
      'auth.twoFactor.required',
      'nobody could set it up: name a text column for it, as `twoFactor` in `users.columns`',
    )
  const column = twoFactor === undefined ? undefined : modelOf(own.model).columns.get(twoFactor)
  const { length = null } = (column?.drizzle ?? {}) as { readonly length?: number }
  if (column && (column.type !== 'text' || column.notNull || (length !== null && length < longestFactor)))
    say(
      'users-two-factor',
      'users.columns.twoFactor',
      `"${twoFactor}" must be a text column that may be null and holds ${longestFactor} characters`,
    )
  for (const { model, fields, uriKey, derived } of resources) {
    if (model.table !== own.model) continue
    const shown = (column: string | undefined, what: string) => {
      const field = column === undefined ? undefined : fields.get(column)
      // Columns with a telling name count as secret anyway; this one must be secret whatever its name.
      if (!field || field.kind.secret || field.visible === false) return null
      const instead = derived
        ? `declare \`fields\`, without "${column}"`
        : `take "${column}" out, or give it a kind of your own that is \`secret\` and whose \`wire\` and \`text\` say nothing`
      return `it would show the ${what} of \`users\`; ${instead}`
    }
    const hashes = shown(password, 'password hashes')
    if (hashes !== null) say('users-password', `${uriKey}.fields.${password}`, hashes)
    const factors = shown(twoFactor, 'second factors')
    if (factors !== null) say('users-two-factor', `${uriKey}.fields.${twoFactor}`, factors)
  }
}
