import { byProgram, type EventOrigin, rolesText } from '../../auth/account-event.js'
import { longestUsername, plainUsername, usernameFault } from '../../auth/username.js'
import { DaymarkError } from '../../base/errors.js'
import { always } from '../../resource/condition/condition.js'
import type { Store } from '../store.js'
import type { KeepsEvents } from './account-events.js'
import { eq, panelTable } from './table.js'
import { users } from './tables.js'

const table = panelTable(users)

/** A user as an administrator sees them. */
export interface UserRow {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly roles: readonly string[]
  readonly active: boolean
  readonly hasPassword: boolean
  readonly hasTwoFactor: boolean
  /** How many the user has. */
  readonly passkeys: number
}

/** Manages the panel's own users, for the command line and for the first start. */
export interface UserAdmin {
  /** @throws DaymarkError `conflict` for a username that is taken, `invalid` for one that cannot be */
  create(
    user: {
      readonly username: string
      readonly name: string
      readonly roles: readonly string[]
      readonly passwordHash: string | null
    },
    how?: EventOrigin,
  ): Promise<UserRow>
  list(): Promise<readonly UserRow[]>
  /** Whether there is no user at all. */
  isEmpty(): Promise<boolean>
  /** @throws DaymarkError `notFound` */
  setActive(username: string, active: boolean, how?: EventOrigin): Promise<UserRow>
}

const faults = {
  empty: 'A user needs a username',
  tooLong: `A username has at most ${longestUsername} characters`,
  odd: 'A username must not contain line breaks or other invisible characters',
} as const

export function userAdmin(open: () => Promise<Store>, events: KeepsEvents): UserAdmin {
  return {
    async create({ username, name, roles, passwordHash }, how = byProgram) {
      const plain = plainUsername(username)
      const fault = usernameFault(plain)
      if (fault !== null) throw new DaymarkError('invalid', faults[fault])
      const id = await (await open()).transaction(async (tx) => {
        if ((await table.first(tx, 1, eq('username', plain))).length > 0)
          throw new DaymarkError('conflict', `There is a user "${plain}" already`)
        const made = await table.create(tx, { username: plain, name: name.trim() || plain, roles: [...roles], password: passwordHash })
        await events.add(tx, { ...how, event: 'userCreated', user: { id: String(made), username: plain }, detail: rolesText(roles) })
        return made
      })
      return rowOf((await table.find(await open(), id)) as typeof users.$inferSelect)
    },
    list: async () => (await table.first(await open(), 100_000, always, { column: 'username', direction: 'ASC' })).map(rowOf),
    isEmpty: async () => (await table.first(await open(), 1, always)).length === 0,
    async setActive(username, active, how = byProgram) {
      return (await open()).transaction(async (tx) => {
        const [user] = await table.first(tx, 1, eq('username', plainUsername(username)))
        if (!user) throw new DaymarkError('notFound', `There is no user "${username}"`)
        // Of now, even if the user was disabled already.
        await table.update(tx, user.id, { active, ...(!active && { disabledAt: new Date() }) })
        const event = active ? 'userEnabled' : 'userDisabled'
        await events.add(tx, { ...how, event, user: { id: String(user.id), username: user.username } })
        return rowOf({ ...user, active })
      })
    },
  }
}

function rowOf({ id, username, name, roles, active, password, twoFactor, passkeys }: typeof users.$inferSelect): UserRow {
  return { id, username, name, roles, active, hasPassword: password !== null, hasTwoFactor: twoFactor !== null, passkeys: passkeys ?? 0 }
}
