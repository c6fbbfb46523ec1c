import { byProgram } from '../../auth/account-event.js'
import { hashPassword, isPassword, passwordLengthFault } from '../../auth/password.js'
import { DaymarkError } from '../../base/errors.js'
import type { PanelStore } from './open.js'

/** A user of the panel's own for `panel.ensureUser`. */
export interface FirstUser {
  /** What the user signs in with. */
  readonly username: string
  /** What other users read; ignored if the user exists. Default: the username. */
  readonly name?: string
  /** Role names; ignored if the user exists. */
  readonly roles: readonly string[]
  /** The password, in plain text: 12 to 256 characters. Only its argon2id hash is stored. */
  readonly password: string
}

/** Creates a user of the panel's own; if the username exists, overwrites that user's password and keeps name and roles. */
export async function ensureUser(kept: PanelStore | null, { username, name = username, roles, password }: FirstUser): Promise<void> {
  if (!kept?.admin) throw new Error('This panel keeps no users of its own')
  const fault = passwordLengthFault(password)
  if (fault !== null) throw new Error(fault)
  if (!(await kept.users.byUsername(username))) {
    const passwordHash = await hashPassword(password)
    try {
      await kept.admin.create({ username, name, roles, passwordHash })
      return
    } catch (error) {
      // Another process that starts at the same time may have created the user first.
      if (!(error instanceof DaymarkError && error.code === 'conflict')) throw error
    }
  }
  const account = await kept.users.byUsername(username)
  if (!account || (await isPassword(account, password))) return
  const event = { ...byProgram, event: 'passwordChanged', user: account.identity } as const
  await kept.users.change(account.identity.id, { passwordHash: await hashPassword(password) }, undefined, event)
}
