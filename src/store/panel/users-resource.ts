import * as z from 'zod'
import type { Identity } from '../../auth/identity.js'
import { hashPassword, passwordLength } from '../../auth/password.js'
import { longestUsername, plainUsername, usernameFault } from '../../auth/username.js'
import { refuse } from '../../base/errors.js'
import { jsEvent } from '../../base/event.js'
import { html } from '../../base/html.js'
import { messagesOf } from '../../base/language.js'
import { type Messages, translator } from '../../base/messages.js'
import type { RoleRule } from '../../field/field.js'
import { controlAttributes, defineKind } from '../../field/kind.js'
import { dateTime } from '../../field/kinds/date-time.js'
import { id } from '../../field/kinds/id.js'
import { number } from '../../field/kinds/number.js'
import { select } from '../../field/kinds/select.js'
import { switcher } from '../../field/kinds/switcher.js'
import { text } from '../../field/kinds/text.js'
import { isTimeZone, timeZones } from '../../field/zone.js'
import { type Policy, permits } from '../../resource/action/policy.js'
import { defineResource } from '../../resource/define.js'
import type { Resource } from '../../resource/resource.js'
import { passkeyRemoval } from './passkey-removal.js'
import { passwordLinks } from './password-links.js'
import { users } from './tables.js'

/** Stores a hash of what is typed and never shows it: not in a form, in JSON or in a filter. */
const passwordField = defineKind<string>({
  name: 'password',
  columns: ['text'],
  operators: [],
  long: true,
  secret: true,
  schema: () => z.string().min(passwordLength.min).max(passwordLength.max),
  value: (typed) => hashPassword(typed as string),
  wire: () => null,
  text: () => '',
  cell: () => html`&bull;&bull;&bull;&bull;&bull;&bull;`,
  input: (_, field, ctx) => html`<input type="password" value="" autocomplete="new-password"${controlAttributes(field, ctx)}>`,
})

/** Whether a user signs in with a code. What is stored is never shown, and only its user can put something there. */
const twoFactorField = defineKind<string, Record<never, never>, 'null'>({
  name: 'twoFactor',
  columns: ['text'],
  operators: ['null'],
  schema: () => z.boolean(),
  wire: () => true,
  text: () => '1',
  cell: (_, __, ctx) => html`<span class="badge good">${ctx.t('twoFactor.on')}</span>`,
  input: (_, field, ctx) => html`<input type="checkbox" disabled${controlAttributes(field, ctx)}>`,
})

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
export function usersResource({
  roles = ['admin'],
  can = ['admin'],
  title,
  history = false,
  locale = 'en',
  messages,
}: UsersOptions = {}): Resource {
  const t = translator(messagesOf(locale, messages))
  const offersLink = ({ user, record }: { readonly user: Identity; readonly record: { readonly id: number; readonly active: boolean } }) =>
    record.active && String(record.id) !== user.id
  const offersOff = ({
    user,
    record,
  }: {
    readonly user: Identity
    readonly record: { readonly id: number; readonly twoFactor: string | null }
  }) => record.twoFactor !== null && String(record.id) !== user.id
  const offersRemoval = ({
    user,
    record,
  }: {
    readonly user: Identity
    readonly record: { readonly id: number; readonly passkeys: number | null }
  }) => record.passkeys !== null && String(record.id) !== user.id
  const offered = [
    { label: t('users.passwordLink'), handler: 'passwordLink' as const, icon: 'envelope' as const, visible: offersLink },
    { label: t('users.twoFactorOff'), handler: 'twoFactorOff' as const, icon: 'device-phone-mobile' as const, visible: offersOff },
    { label: t('users.passkeysOff'), handler: 'passkeysOff' as const, icon: 'key' as const, visible: offersRemoval },
  ]
  const faultText = (fault: NonNullable<ReturnType<typeof usernameFault>>) => {
    const label = t('users.username')
    // A blank one cannot sign in.
    if (fault === 'empty') return t('field.required', { label })
    return fault === 'tooLong' ? t('field.tooLong', { label, max: longestUsername }) : t('users.usernameOdd')
  }
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
        async run({ selected, update }) {
          const names: string[] = []
          for await (const some of selected())
            for (const { id, username } of some) {
              await update(id, { twoFactor: null })
              names.push(username)
            }
          return {
            message: t('users.twoFactorIsOff', { names: names.join(', ') }),
            events: [jsEvent('TABLE_UPDATED', 'index-table-users')],
          }
        },
      },
    },
    indexButtons: offered,
    buttons: offered.map((one) => ({ ...one, on: 'detail' as const })),
    can: { viewAny: can, view: can, create: can, update: can, delete: can, massDelete: can },
    // A user who locked themselves out might have nobody to let them back in.
    canRecord: { delete: ({ user, record }) => String(record.id) !== user.id },
    hooks: {
      beforeSave({ user, before, values }) {
        const self = before !== null && String(before.id) === user.id
        // Whoever finds a key is not its user.
        if (self && user.apiKey) refuse('username', t('users.notByKey'))
        // There it takes the current one.
        if (self && typeof values.password === 'string') refuse('password', t('users.passwordNotSelf'))
        if (self && values.active === false) refuse('active', t('users.notSelf'))
        if (self && Array.isArray(values.roles) && !permits(can, { ...user, roles: values.roles })) refuse('roles', t('users.notOut'))
        if (self && values.twoFactor === null && before.twoFactor !== null) refuse('twoFactor', t('users.twoFactorNotSelf'))
        // What the user has begun stays void if they are let in again, or turn on two-factor sign-in again.
        const ended = {
          ...(values.active === false && before?.active !== false && { disabledAt: new Date() }),
          ...(values.twoFactor === null && before?.twoFactor && { signedOutAt: new Date() }),
        }
        if (typeof values.username !== 'string') return ended
        const username = plainUsername(values.username)
        const fault = username === before?.username ? null : usernameFault(username)
        if (fault !== null) refuse('username', faultText(fault))
        return { ...ended, username }
      },
    },
  })
}

/** The roles that the panel's own users can have; null if no resource declares them. */
export function givable(resources: Iterable<Resource>): readonly string[] | null {
  const own = [...resources].find(({ model }) => model.table === users)
  const { options } = (own?.fields.get('roles')?.own ?? {}) as { readonly options?: ReadonlyMap<string, string> }
  return options ? [...options.keys()] : null
}
