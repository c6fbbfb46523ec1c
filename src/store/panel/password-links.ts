import { refuse } from '../../base/errors.js'
import { type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import type { Answer, HandlerContext } from '../../resource/action/action.js'
import type { Words } from '../../resource/action/bind-action.js'
import type { users } from './tables.js'

/** The most links that are made at once: each is a row, and perhaps a mail. */
const mostLinks = 50

/** Makes links by which users set a password. Those that no mail brings are shown to whoever asked, to pass them on. */
export function passwordLinks(t: Translate) {
  return async (
    { user, ids, selected }: HandlerContext<typeof users.$inferSelect, unknown, unknown>,
    { passwordLink }: Words,
  ): Promise<Answer> => {
    // As with a password that they type, there it takes the current one.
    if (ids.includes(user.id)) refuse('ids', t('users.passwordNotSelf'))
    if (ids.length > mostLinks) refuse('ids', t('users.passwordLinkMost', { most: mostLinks }))
    const all: (typeof users.$inferSelect)[] = []
    for await (const some of selected()) all.push(...some)
    const off = all.find(({ active }) => !active)
    if (off) refuse('ids', t('users.passwordLinkOff', { username: off.username }))
    const mailed: string[] = []
    const shown: Html[] = []
    for (const { id, username } of all) {
      const link = await passwordLink(String(id))
      if (link?.to) mailed.push(link.to)
      else if (link)
        shown.push(html`<p>${t('users.passwordLinkFor', { username })}</p><div class="key"><a href="${link.url}">${link.url}</a></div>`)
    }
    const message = mailed.length > 0 ? t('users.passwordLinkSent', { addresses: mailed.join(', ') }) : t('users.passwordLink')
    return shown.length === 0 ? { message } : { message, html: html`${shown}<p class="muted">${t('users.passwordLinkOnce')}</p>` }
  }
}
