import type { Account } from '../../auth/account.js'
import type { Passkey } from '../../auth/stores.js'
import type { Realm } from '../call/call.js'

/** Tells a user by mail that they can sign in with a new passkey, in case it was somebody else who added it (OWASP ASVS 6.3.7). */
export function mailPasskeyAdded({ mails, t }: Realm, account: Account, passkey: Passkey): void {
  const { name, username } = account.identity
  const filled = { name, username, title: mails?.title ?? '' }
  mails?.soon(async () => [
    account,
    {
      subject: t('mail.passkey', filled),
      text: [t('mail.hello', filled), t('mail.passkeyWhose', { ...filled, passkey: passkey.name }), t('mail.changedElse')],
      link: null,
    },
  ])
}
