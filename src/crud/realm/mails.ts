import { setMaxListeners } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { Account } from '../../auth/account.js'
import { addressOf, type Mail, type SendMail } from '../../auth/mail.js'
import { html } from '../../base/html.js'

// In milliseconds. What is done at once would keep the answer waiting, which would tell that there is somebody to write to.
const later = 50

// In milliseconds. How long a mail that nobody waits for waits for each further try: longer than a server is restarted or asks for patience.
const pauses = [5_000, 60_000, 300_000]

// Beyond so many that wait for another try, the next ones are tried once: a server that is away must not fill the memory.
const mostWaiting = 1000

// In milliseconds. A mail server that does not answer keeps nobody from stopping the panel.
const patience = 5000

/** What a mail says. */
export interface MailText {
  readonly subject: string
  /** Its paragraphs. One may be the link alone. */
  readonly text: readonly string[]
  /** A URL to follow; null: none. */
  readonly link: string | null
}

/** A mail, and whom it is for. */
export type AddressedMail = readonly [account: Account, said: MailText]

/** The mails of a panel. */
export interface Mails {
  /** What the panel is called. */
  readonly title: string
  /** Writes to a user, once. Returns the address; null: there is none, or what went wrong is in the log. */
  send(account: Account, said: MailText): Promise<string | null>
  /**
   * Writes to a user once the answer is given: nobody waits for it, so that its time tells nothing. It is tried again a few times. What goes
   * wrong is logged.
   *
   * @param letter whom it is for, and what it says; null: nobody
   */
  soon(letter: () => Promise<AddressedMail | null>): void
  /** Tries those once more that wait for it, and waits for what is on its way, for a while. */
  close(): Promise<void>
}

/**
 * @param log receives what went wrong with each try
 * @param between in milliseconds, how long a mail waits for each further try
 */
export function makeMails(send: SendMail, title: string, log: (thrown: unknown) => void, between: readonly number[] = pauses): Mails {
  const going = new Set<Promise<unknown>>()
  const closing = new AbortController()
  // Each that waits listens to it.
  setMaxListeners(0, closing.signal)
  let waiting = 0
  return {
    title,
    async send(account, said) {
      const to = addressOf(account)
      return to !== null && (await isSent(to, [account, said])) ? to : null
    },
    soon(letter) {
      const sending: Promise<unknown> = setTimeout(later)
        .then(letter)
        .then((written) => written && deliver(written))
        .catch(log)
        .finally(() => going.delete(sending))
      going.add(sending)
    },
    async close() {
      closing.abort()
      await Promise.race([Promise.all(going), setTimeout(patience, undefined, { ref: false })])
    },
  }

  /** Tries it until it is sent, or there were enough tries. */
  async function deliver(letter: AddressedMail): Promise<void> {
    const to = addressOf(letter[0])
    if (to === null) return
    for (const pause of between) {
      if ((await isSent(to, letter)) || closing.signal.aborted || waiting >= mostWaiting) return
      waiting += 1
      // Whoever closes the panel wakes it.
      await setTimeout(pause, undefined, { ref: false, signal: closing.signal }).catch(() => {})
      waiting -= 1
    }
    await isSent(to, letter)
  }

  async function isSent(to: string, [account, said]: AddressedMail): Promise<boolean> {
    try {
      await send(mailOf(to, account, said))
      return true
    } catch (thrown) {
      log(said.link === null ? thrown : without(said.link, thrown))
      return false
    }
  }
}

/** An error without the link of its mail, which signs in: a mail server may quote what it refuses. */
function without(link: string, thrown: unknown): unknown {
  const token = link.slice(link.lastIndexOf('/') + 1)
  if (!(thrown instanceof Error)) return String(thrown).replaceAll(token, '…')
  const { message, stack = '' } = thrown
  if (!`${message}${stack}`.includes(token)) return thrown
  return Object.assign(new Error(message.replaceAll(token, '…')), { stack: stack.replaceAll(token, '…') })
}

function mailOf(to: string, { identity: { name } }: Account, { subject, text, link }: MailText): Mail {
  const paragraphs = text.map((one) => html`<p>${one === link ? html`<a href="${one}">${one}</a>` : one}</p>`)
  return { to, name, subject, text: `${text.join('\n\n')}\n`, html: html`${paragraphs}`.toString() }
}
