import { hashPassword, isPassword } from '../../auth/password.js'
import { DaymarkError } from '../../base/errors.js'
import type { PanelStore } from './open.js'

/** A user who must be there. */
export interface FirstUser {
  readonly username: string
  /** Default: the username. */
  readonly name?: string
  readonly roles: readonly string[]
  readonly password: string
}

/** Makes a user of the panel's own, or sees to the password of the one that is there; the name and the roles of that one stay. */
export async function ensureUser(kept: PanelStore | null, { username, name = username, roles, password }: FirstUser): Promise<void> {
  if (!kept?.admin) throw new Error('This panel keeps no users of its own')
  if (!(await kept.users.byUsername(username))) {
    const passwordHash = await hashPassword(password)
    try {
      await kept.admin.create({ username, name, roles, passwordHash })
      return
    } catch (error) {
      // Another process that starts at the same time may have been quicker.
      if (!(error instanceof DaymarkError && error.code === 'conflict')) throw error
    }
  }
  const account = await kept.users.byUsername(username)
  if (account && !(await isPassword(account, password)))
    await kept.users.change(account.identity.id, { passwordHash: await hashPassword(password) })
}
