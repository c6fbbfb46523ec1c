import type { Table } from 'drizzle-orm'
import type { Account, UserSource } from '../../auth/account.js'
import type { AccountEvent } from '../../auth/account-event.js'
import type { Identity, KnownOfUsers } from '../../auth/identity.js'
import { plainUsername } from '../../auth/username.js'
import { DaymarkError } from '../../base/errors.js'
import { parseKey } from '../../field/key.js'
import { isTimeZone } from '../../field/zone.js'
import type { Condition } from '../../resource/condition/condition.js'
import { type Model, modelOf } from '../../resource/model/model.js'
import type { Row, Store } from '../store.js'
import type { KeepsEvents } from './account-events.js'
import { eq } from './table.js'
import { users } from './tables.js'
import type { UserAdmin } from './user-admin.js'

/** The columns of a table that may hold such values, by their keys. */
type Holds<T extends Table, V> = {
  [K in keyof T['$inferSelect'] & string]: unknown extends T['$inferSelect'][K] ? K : T['$inferSelect'][K] extends V ? K : never
}[keyof T['$inferSelect'] & string]

/** The members of `Identity` that are declared besides what the panel itself knows. */
type Further = Exclude<keyof Identity, KnownOfUsers>

/** The columns of a table that `Identity` declares as they are, by their keys; without one, the compiler says what is missing. */
type OfIdentity<T extends Table> = [Further] extends [never]
  ? 'a column that you declare as a member of Identity'
  : { [K in Further & keyof T['$inferSelect'] & string]: T['$inferSelect'][K] extends Identity[K] ? K : never }[Further &
      keyof T['$inferSelect'] &
      string]

/** Your application's users: their table, and what its columns hold. */
// biome-ignore lint/suspicious/noExplicitAny: the users of any table
export interface UserModel<T extends Table = any> {
  /** A Drizzle table in the panel's `database`. */
  readonly model: T
  /** The column for each part of a user, by its key in the Drizzle table. */
  readonly columns: {
    /** What the user signs in with, as it is stored. */
    readonly username: Holds<T, string | null>
    /** An argon2 hash in PHC form (`$argon2id$…`). */
    readonly password: Holds<T, string | null>
    /** What other users read. Default: the username. */
    readonly name?: Holds<T, string | null>
    /** A JSON list of role names, or one text with commas. */
    readonly roles: Holds<T, string | readonly string[] | null>
    /** Whether the user may sign in: only `true` or 1 lets them. Default: everybody may. */
    readonly active?: Holds<T, boolean | number | null>
    /** An IANA time zone; anything else counts as none. Default: the panel's `timeZone` for everybody. */
    readonly timeZone?: Holds<T, string | null>
    /** Where mails of the panel reach the user. Default: the username, if it is an address. */
    readonly email?: Holds<T, string | null>
    /** The second factor, as the panel writes it: a text column that may be null. Default: nobody can have one. */
    readonly twoFactor?: Holds<T, string | null>
  }
  /**
   * Further columns that policies, scopes, hooks and actions get with the user, by their keys in the Drizzle table, which `Identity` has to
   * declare. Each request reads them anew. No answer of the panel shows them. Default: none.
   */
  readonly identity?: readonly OfIdentity<T>[]
}

/** The panel's own users, as those of an application. */
export const ownUsers: UserModel<typeof users> = {
  model: users,
  columns: {
    username: 'username',
    password: 'password',
    name: 'name',
    roles: 'roles',
    active: 'active',
    timeZone: 'timeZone',
    twoFactor: 'twoFactor',
  },
}

/** Users in the panel's own table, or in a model of the application. */
export function userSource(
  open: () => Promise<Store>,
  own: UserModel | undefined,
  admin: Pick<UserAdmin, 'create'> | null,
  events: KeepsEvents,
): UserSource {
  const whose = own ?? ownUsers
  const { model: table, columns } = whose
  const model = modelOf(table)
  const asked = [...model.columns.keys()]
  const accountOf = (row: Row) => {
    const values = Object.fromEntries(asked.map((key, i) => [key, row[i]]))
    const { disabledAt, signedOutAt } = values as Partial<typeof users.$inferSelect>
    return { ...account(model, whose, values), ...(!own && { disabledAt: disabledAt ?? null, signedOutAt: signedOutAt ?? null }) }
  }
  const changed = async (id: string, values: Record<string, unknown>, still: Condition | undefined, event: AccountEvent | undefined) =>
    (await open()).transaction(async (tx) => {
      const isChanged = (await tx.update(model, parseKey(id, model.key), values, still)) > 0
      if (isChanged) await events.add(tx, event)
      return isChanged
    })
  return {
    keeps: { name: columns.name !== undefined, timeZone: columns.timeZone !== undefined, twoFactor: columns.twoFactor !== undefined },
    async byUsername(username) {
      const wanted = own ? username : plainUsername(username)
      const [row] = await (await open()).list(model, {
        columns: asked,
        where: eq(columns.username, wanted),
        order: [{ column: model.key.key, direction: 'ASC' }],
        limit: 1,
      })
      return row ? accountOf(row) : null
    },
    async byId(id) {
      const key = parseKey(id, model.key)
      const row = key === undefined ? null : await (await open()).find(model, key, asked)
      return row && accountOf(row)
    },
    of(of, record) {
      return of === table ? account(model, whose, record) : null
    },
    async change(id, { name, timeZone, passwordHash, roles }, from, event) {
      const values: Record<string, unknown> = {}
      if (name !== undefined && columns.name !== undefined) values[columns.name] = name
      if (timeZone !== undefined && columns.timeZone !== undefined) values[columns.timeZone] = timeZone
      if (passwordHash !== undefined) values[columns.password] = passwordHash
      if (roles !== undefined && !own) values[columns.roles] = [...roles]
      const still = from && (from.passwordHash === null ? noText(columns.password) : eq(columns.password, from.passwordHash))
      return changed(id, values, still, event)
    },
    async changeTwoFactor(id, from, to, event) {
      const { twoFactor } = columns
      if (twoFactor === undefined) return false
      const still = from === null ? noText(twoFactor) : eq(twoFactor, from)
      return changed(id, { [twoFactor]: to }, still, event)
    },
    ...(admin && {
      async create(user, how) {
        try {
          await admin.create({ ...user, passwordHash: null }, how)
          return true
        } catch (thrown) {
          if (thrown instanceof DaymarkError && thrown.code === 'conflict') return false
          throw thrown
        }
      },
    }),
  }
}

/** In the application's table, none may be an empty text, as `account` reads it. */
const noText = (column: string): Condition => ({ op: 'or', all: [eq(column, null), eq(column, '')] })

function account({ key }: Model, { columns, identity: more = [] }: UserModel, values: Readonly<Record<string, unknown>>): Account {
  const at = (column: string | undefined) => (column === undefined ? undefined : values[column])
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
  const username = String(at(columns.username))
  const roles = at(columns.roles)
  const zone = text(at(columns.timeZone))
  const names: readonly unknown[] = Array.isArray(roles) ? roles : String(roles ?? '').split(',')
  const identity = {
    id: String(values[key.key]),
    username,
    name: text(at(columns.name)) ?? username,
    roles: Object.freeze(names.map((one) => String(one).trim()).filter(Boolean)),
  }
  return {
    identity: Object.freeze(
      more.length === 0 ? identity : Object.assign(identity, Object.fromEntries(more.map((one) => [one, values[one]]))),
    ),
    // Only `true`, or 1 in an integer column, counts as active.
    active: columns.active === undefined || at(columns.active) === true || at(columns.active) === 1,
    passwordHash: text(at(columns.password)),
    twoFactor: text(at(columns.twoFactor)),
    email: text(at(columns.email)),
    // An unknown zone in the application's table counts as none, since no page could be rendered in it.
    timeZone: zone !== null && isTimeZone(zone) ? zone : null,
  }
}
