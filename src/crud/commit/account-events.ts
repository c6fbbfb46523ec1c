import { type AccountEvent, type AccountEventName, type EventOrigin, type Person, rolesText } from '../../auth/account-event.js'
import { keyText } from '../../auth/api-key.js'
import { apiKeys, users } from '../../store/panel/tables.js'
import type { Row, Writes } from '../../store/store.js'
import { actual } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { type Lens, rowObject } from '../call/lens.js'

type Asks = Pick<Call, 'realm' | 'resource'>
type User = typeof users.$inferSelect
type Key = typeof apiKeys.$inferSelect

/** Whether writes of this call are events of accounts: of the panel's users, or of API keys. */
export const hasAccountEvents = ({ realm, resource: { model } }: Asks): boolean =>
  realm.accountEvents !== null && (model.table === users || model.table === apiKeys)

/** Keeps what a write of a user or an API key means to the account, in its transaction. */
export async function addAccountEvents(call: Call, raw: Writes, lens: Lens, before: Row | null, after: Row | null): Promise<void> {
  const [was, is] = [before, after].map((row) => row && rowObject(lens.columns, row))
  const { resource, realm } = call
  const told = resource.model.table === users ? ofUser(was as User | null, is as User | null) : ofKey(was as Key | null, is as Key | null)
  for (const event of told) await realm.accountEvents?.add(raw, { ...byAdministrator(call), ...event })
}

/** Who changes the account, where it is not its user who does. */
export function byAdministrator({ identity, client }: Pick<Call, 'identity' | 'client'>): EventOrigin {
  const { id, username } = actual(identity)
  return { way: 'administration', by: { id, username }, client: client() }
}

type Told = Pick<AccountEvent, 'event' | 'detail'> & { readonly user: Person }

function ofUser(before: User | null, after: User | null): readonly Told[] {
  const { id, username, roles } = (after ?? before) as User
  const user = { id: String(id), username }
  if (!before || !after) return [{ user, event: after ? 'userCreated' : 'userDeleted', detail: rolesText(roles) }]
  const [was, is] = [rolesText(before.roles), rolesText(after.roles)]
  const changes: readonly (false | readonly [AccountEventName, string?])[] = [
    before.username !== after.username && ['usernameChanged', `${before.username} → ${after.username}`],
    was !== is && ['rolesChanged', `${was} → ${is}`],
    before.active !== after.active && [after.active ? 'userEnabled' : 'userDisabled'],
    before.password !== after.password && ['passwordChanged'],
    before.twoFactor !== null && after.twoFactor === null && ['twoFactorOff'],
  ]
  return changes.flatMap((one) => (one ? { user, event: one[0], ...(one[1] !== undefined && { detail: one[1] }) } : []))
}

function ofKey(before: Key | null, after: Key | null): readonly Told[] {
  if (!before || after) return []
  // Those of an application's users are stored with the name of their table.
  const id = before.userId.replace(/^[^:]*:/, '')
  return [{ user: { id, username: before.username }, event: 'apiKeyDeleted', detail: keyText(before) }]
}
