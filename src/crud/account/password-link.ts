import type { Account } from '../../auth/account.js'
import type { EventOrigin } from '../../auth/account-event.js'
import type { PasswordLink } from '../../resource/action/bind-action.js'
import type { Realm } from '../call/call.js'
import type { MailText } from '../realm/mails.js'
import { makeReset } from './reset-password.js'

/** Makes a link by which a user sets a password, valid for a day, and mails it if that can be. Null: no such user may sign in. */
export async function passwordLink(realm: Realm, userId: string, how: EventOrigin): Promise<PasswordLink | null> {
  const { auth, mails } = realm
  const account = await auth.services.users.byId(userId)
  if (!account?.active) return null
  const url = realm.passwordUrl(await makeReset(auth.services, account, how))
  return { url, to: (await mails?.send(account, linkMailText(realm, account, url, 'mail.givenWhose', 'mail.givenElse'))) ?? null }
}

/** What a mail says that brings such a link. */
export function linkMailText(
  { mails, t }: Realm,
  { identity: { name, username } }: Account,
  link: string,
  whose: 'mail.resetWhose' | 'mail.givenWhose',
  otherwise: 'mail.resetElse' | 'mail.givenElse',
): MailText {
  const filled = { name, username, title: mails?.title ?? '' }
  return { subject: t('mail.reset', filled), text: [t('mail.hello', filled), t(whose, filled), link, t(otherwise)], link }
}
