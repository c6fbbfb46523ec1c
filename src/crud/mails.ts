import type { Account } from '../auth/identity.js'
import { addressOf, type Mail, type SendMail } from '../auth/mail.js'
import { html } from '../base/html.js'

/** What a mail says. */
export interface Said {
  readonly subject: string
  /** Its paragraphs. One may be the link alone. */
  readonly text: readonly string[]
  /** A URL to follow; null: none. */
  readonly link: string | null
}

/** The mails of a panel. */
export interface Mails {
  /** What the panel is called. */
  readonly title: string
  /** The absolute URL by which the holder of a token sets a password. */
  linkOf(token: string): string
  /** Writes to a user who has an address, if `work` has anything to say. Nobody waits for it; what goes wrong is logged. */
  soon(work: () => Promise<{ readonly account: Account; readonly said: Said } | null>): void
  /** Waits for the mails that are on their way. */
  close(): Promise<void>
}

export function makeMails(send: SendMail, known: Pick<Mails, 'title' | 'linkOf'>, log: (thrown: unknown) => void): Mails {
  const going = new Set<Promise<void>>()
  return {
    ...known,
    soon(work) {
      const sending: Promise<void> = write(send, work)
        .catch(log)
        .finally(() => going.delete(sending))
      going.add(sending)
    },
    async close() {
      await Promise.all(going)
    },
  }
}

async function write(send: SendMail, work: Parameters<Mails['soon']>[0]): Promise<void> {
  const asked = await work()
  const to = asked && addressOf(asked.account)
  if (asked && to !== null) await send(mailOf(to, asked.account, asked.said))
}

function mailOf(to: string, { identity: { name } }: Account, { subject, text, link }: Said): Mail {
  const paragraphs = text.map((one) => html`<p>${one === link ? html`<a href="${one}">${one}</a>` : one}</p>`)
  return { to, name, subject, text: `${text.join('\n\n')}\n`, html: html`${paragraphs}`.toString() }
}
