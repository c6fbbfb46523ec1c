import type { Account } from './account.js'

/** A mail of the panel, to one of its users. */
export interface Mail {
  /** The address of one recipient. */
  readonly to: string
  /** What the recipient is called. */
  readonly name: string
  /** The subject, in one line. */
  readonly subject: string
  /** The mail as plain text. */
  readonly text: string
  /** The same as HTML, escaped. */
  readonly html: string
}

/** Sends a mail, by whatever your application sends mails with. What it throws is logged, and its result is not looked at. */
export type SendMail = (mail: Mail) => unknown

// Nothing by which one text could be several addresses, or a header of its own.
const address = /^[^\s\p{C}@<>()[\]\\,;:"]+@[^\s\p{C}@<>()[\]\\,;:"]+$/u

/** Where mails reach a user: the address that is stored, else a username that is one; null: nowhere. */
export function addressOf({ email, identity: { username } }: Pick<Account, 'email' | 'identity'>): string | null {
  return [email, username].find((text) => typeof text === 'string' && text.length <= 254 && address.test(text)) ?? null
}
