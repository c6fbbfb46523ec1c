import { setTimeout } from 'node:timers/promises'
import type { Account } from '../auth/identity.js'
import { addressOf, type Mail, type SendMail } from '../auth/mail.js'
import { html } from '../base/html.js'

// In milliseconds. What is done at once would keep the answer waiting, which would tell that there is somebody to write to.
const later = 50

// In milliseconds. A mail server that does not answer keeps nobody from stopping the panel.
const patience = 5000

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
  /** Writes to a user. Returns the address; null: there is none, or what went wrong is in the log. */
  send(account: Account, said: Said): Promise<string | null>
  /** Does what sends a mail, once the answer is given: nobody waits for it. What goes wrong is logged. */
  soon(work: () => Promise<unknown>): void
  /** Waits for the mails that are on their way, for a while. */
  close(): Promise<void>
}

export function makeMails(send: SendMail, title: string, log: (thrown: unknown) => void): Mails {
  const going = new Set<Promise<unknown>>()
  return {
    title,
    async send(account, said) {
      const to = addressOf(account)
      if (to === null) return null
      try {
        await send(mailOf(to, account, said))
        return to
      } catch (thrown) {
        log(thrown)
        return null
      }
    },
    soon(work) {
      const sending: Promise<unknown> = setTimeout(later)
        .then(work)
        .catch(log)
        .finally(() => going.delete(sending))
      going.add(sending)
    },
    async close() {
      await Promise.race([Promise.all(going), setTimeout(patience, undefined, { ref: false })])
    },
  }
}

function mailOf(to: string, { identity: { name } }: Account, { subject, text, link }: Said): Mail {
  const paragraphs = text.map((one) => html`<p>${one === link ? html`<a href="${one}">${one}</a>` : one}</p>`)
  return { to, name, subject, text: `${text.join('\n\n')}\n`, html: html`${paragraphs}`.toString() }
}
