import * as z from 'zod'
import type { Identity } from '../../auth/identity.js'
import { passwordLength } from '../../auth/password.js'
import { longestUsername } from '../../auth/username.js'
import { messagesOf } from '../../base/language.js'
import { type Messages, translator } from '../../base/messages.js'
import { a, type Settings } from '../../base/setting.js'
import type { RoleRule } from '../../field/field.js'
import { dateTime } from '../../field/kinds/date-time.js'
import { id } from '../../field/kinds/id.js'
import { number } from '../../field/kinds/number.js'
import { select } from '../../field/kinds/select.js'
import { switcher } from '../../field/kinds/switcher.js'
import { text } from '../../field/kinds/text.js'
import { isTimeZone, timeZones } from '../../field/zone.js'
import type { Policy } from '../../resource/action/policy.js'
import { defineResource } from '../../resource/define.js'
import { refuseWrong } from '../../resource/problem.js'
import type { Resource } from '../../resource/resource.js'
import { savingUsers } from './own-account.js'
import { passkeyRemoval } from './passkey-removal.js'
import { passwordLinks } from './password-links.js'
import { users } from './tables.js'
import { twoFactorRemoval } from './two-factor-removal.js'
import { passwordField, twoFactorField } from './users-fields.js'

/** The options of `usersResource()`. */
export interface UsersOptions {
  /** The roles that a user can have, as a list or with labels by name. Default: `['admin']`. */
  readonly roles?: readonly string[] | Readonly<Record<string, string>>
  /** Who may see and change users, which includes giving anybody any role. Default: `['admin']`. */
  readonly can?: Policy
  /** The name of the resource. Default: `Users`, in the language of `locale`. */
  readonly title?: string
  /** As in `defineResource`: who may view the history of a user. Default: `false`, none is kept. */
  readonly history?: RoleRule
  /** The language of its labels, as for the panel. Default: `en`. */
  readonly locale?: string
  /** Your own texts for its labels, as for the panel: those whose keys begin with `users.`. Default: none. */
  readonly messages?: Partial<Messages>
}

const settings: Settings<UsersOptions> = {
  roles: a.either(a.list(a.text), a.byName(a.text)),
  history: a.value,
  can: a.value,
  title: a.text,
  locale: a.text,
  messages: a.byName(a.text),
}

/**
 * Adds the panel's own users to the panel, as a resource. Passwords go in and never come out. Users cannot delete or disable themselves
 * here, set their own password or drop the role that lets them in.
 *
 * @example
 * ```ts
 * import { definePanel, usersResource } from 'daymark'
 *
 * export default definePanel({ database: 'sqlite:app.db', resources: [usersResource({ roles: ['admin', 'editor'] })] })
 * ```
 */
export function usersResource(options: UsersOptions = {}): Resource {
  refuseWrong('usersResource()', options, settings)
  const { roles = ['admin'], can = ['admin'], title, history = false, locale = 'en', messages } = options
  const t = translator(messagesOf(locale, messages))
  const offered = [
    {
      label: t('users.passwordLink'),
      handler: 'passwordLink' as const,
      icon: 'envelope' as const,
      visible: isOther(({ active }) => active),
    },
    {
      label: t('users.twoFactorOff'),
      handler: 'twoFactorOff' as const,
      icon: 'device-phone-mobile' as const,
      visible: isOther(({ twoFactor }) => twoFactor !== null),
    },
    {
      label: t('users.passkeysOff'),
      handler: 'passkeysOff' as const,
      icon: 'key' as const,
      visible: isOther(({ passkeys }) => passkeys !== null),
    },
  ]
  return defineResource({
    model: users,
    uriKey: 'users',
    title: title ?? t('users.title'),
    ...(title === undefined && { singular: t('users.singular') }),
    icon: 'users',
    column: 'username',
    fields: {
      id: id(),
      username: text(t('users.username')).required().max(longestUsername).sortable().searchable(),
      name: text(t('users.name')).required().max(200).sortable().searchable(),
      password: passwordField(t('users.password')).hint(t('users.passwordHint', { min: passwordLength.min })),
      roles: select(t('users.roles')).options(roles).multiple(),
      active: switcher(t('users.active')).sortable(),
      timeZone: text(t('users.timeZone'))
        .max(64)
        .rule(z.string().refine(isTimeZone, { error: ({ input }) => t('profile.noZone', { zone: String(input) }) }))
        .suggestions(timeZones)
        .hint(t('users.timeZoneHint')),
      twoFactor: twoFactorField(t('users.twoFactor')).readOnly(),
      passkeys: number(t('users.passkeys')).readOnly(),
      createdAt: dateTime(t('users.created')).readOnly().sortable(),
      updatedAt: dateTime(t('users.changed')).readOnly(),
    },
    pages: {
      index: ['id', 'username', 'name', 'roles', 'active', 'twoFactor', 'createdAt'],
      form: ['username', 'name', 'password', 'roles', 'active', 'timeZone'],
    },
    filters: ['username', 'name', 'roles', 'active', 'twoFactor'],
    sortColumn: 'username',
    sortDirection: 'ASC',
    history,
    handlers: {
      passwordLink: {
        label: t('users.passwordLink'),
        confirm: t('users.passwordLinkConfirm'),
        selection: 'required',
        // A link is made by the panel itself, and a mail takes its time.
        transaction: false,
        // The panel's own actions get more than is in the type of a user's.
        run: passwordLinks(t) as never,
      },
      passkeysOff: {
        label: t('users.passkeysOff'),
        confirm: t('users.passkeysOffConfirm'),
        selection: 'required',
        // They are in another table, of which the panel's own store knows.
        transaction: false,
        run: passkeyRemoval(t) as never,
      },
      twoFactorOff: {
        label: t('users.twoFactorOff'),
        confirm: t('users.twoFactorOffConfirm'),
        selection: 'required',
        run: twoFactorRemoval(t),
      },
    },
    indexButtons: offered,
    buttons: offered.map((one) => ({ ...one, on: 'detail' as const })),
    can: { viewAny: can, view: can, create: can, update: can, delete: can, massDelete: can },
    // A user who locked themselves out might have nobody to let them back in.
    canRecord: { delete: ({ user, record }) => String(record.id) !== user.id },
    hooks: { beforeSave: savingUsers(can, t) },
  })
}

/** Offered of other users only. */
const isOther =
  (fits: (record: typeof users.$inferSelect) => boolean) =>
  ({ user, record }: { readonly user: Identity; readonly record: typeof users.$inferSelect }): boolean =>
    fits(record) && String(record.id) !== user.id

/** The roles that the panel's own users can have; null if no resource declares them. */
export function givable(resources: Iterable<Resource>): readonly string[] | null {
  const labels = roleLabels(resources)
  return labels ? [...labels.keys()] : null
}

/** The labels of these roles. */
export function roleLabels(resources: Iterable<Resource>): ReadonlyMap<string, string> | null {
  const own = [...resources].find(({ model }) => model.table === users)
  const { options } = (own?.fields.get('roles')?.own ?? {}) as { readonly options?: ReadonlyMap<string, string> }
  return options ?? null
}
