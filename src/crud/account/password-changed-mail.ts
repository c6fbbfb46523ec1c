import type { Account } from '../../auth/account.js'
import type { Realm } from '../call/call.js'

/** Tells a user by mail that their password is another one now, in case it was somebody else (OWASP ASVS 6.3.7). */
export function mailPasswordChanged({ mails, t }: Realm, account: Account): void {
  const { name, username } = account.identity
  const filled = { name, username, title: mails?.title ?? '' }
  mails?.soon(async () => [
    account,
    {
      subject: t('mail.changed', filled),
      text: [t('mail.hello', filled), t('mail.changedWhose', filled), t('mail.changedElse')],
      link: null,
    },
  ])
}
