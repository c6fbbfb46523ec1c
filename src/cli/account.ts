import type { Account } from '../auth/account.js'
import type { EventOrigin } from '../auth/account-event.js'
import type { ApiKeySettings, Auth } from '../auth/pipeline.js'
import type { PanelStore } from '../store/panel/open.js'
import type { UserAdmin } from '../store/panel/user-admin.js'
import { Stop } from './stop.js'

/** Who can run a command can do anything: there is nobody to name. */
export const byCommand: EventOrigin = Object.freeze({ way: 'command', client: null })

/** A user by name, whether in the panel's own table or the application's. */
export async function accountOf({ users }: PanelStore, username: string): Promise<Account> {
  const account = await users.byUsername(username)
  if (!account) throw new Stop(`There is no user "${username}"`)
  return account
}

/** The panel's own users. */
export function ownUsers({ admin }: PanelStore): UserAdmin {
  if (!admin) throw new Stop("This panel's users are in a model of the application's own: keep them there")
  return admin
}

/** The settings of the panel's API keys. */
export function keySettings({ apiKeys }: Auth): ApiKeySettings {
  if (!apiKeys) throw new Stop('This panel takes no API keys: add apiKeys() to its auth.pipelines')
  return apiKeys
}
