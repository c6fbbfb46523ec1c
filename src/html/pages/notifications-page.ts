import { block, type Html, html } from '../../base/html.js'
import type { Notifications } from '../../crud/outcomes/account.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { url } from '../../route/url.js'
import type { Notification } from '../../store/panel/notifications.js'
import { button, buttonLink } from '../components/button.js'
import { empty } from '../components/empty.js'
import { columns } from '../components/facts.js'
import { heading } from '../components/heading.js'
import { icon } from '../components/icon.js'
import { hiddenToken } from '../frame/form-token.js'
import { moment } from '../frame/moment.js'
import { page } from '../frame/page.js'
import { hiddenInputs } from '../frame/panel-input.js'

/** What the user was told, the newest first. The bell shows the first ones of this list, too. */
export function notificationsPage({ notifications, unread, isFirst, nextCursor }: Notifications, at: PresenterContext): Reply {
  const { t } = at.realm
  const own = url(at.place, 'notifications')
  const actions = [
    unread > 0 &&
      form(
        own,
        [
          ['_method', 'PATCH'],
          ['read', '1'],
        ],
        button({ label: t('notification.markAll') }),
        at,
      ),
    notifications.some(({ readAt }) => readAt) && form(own, [['_method', 'DELETE']], button({ label: t('notification.deleteRead') }), at),
  ].filter((one) => one !== false)
  const shown =
    notifications.length > 0
      ? html`<ol class="card notifications">${notifications.map((one) => entry(one, at))}</ol>`
      : html`<div class="card">${empty({ icon: 'bell', title: t('notification.empty'), text: t('notification.emptyText') })}</div>`
  const older =
    nextCursor !== null &&
    buttonLink({ label: t('notification.older'), href: url(at.place, 'notifications', { query: { cursor: nextCursor } }) })
  const newest = !isFirst && buttonLink({ label: t('notification.newest'), href: own })
  const more = (older || newest) && html`<nav class="actions" aria-label="${t('notification.title')}">${newest}${older}</nav>`
  const total = unread > 0 ? t('notification.count', { count: unread }) : null
  return page(
    at,
    { title: t('notification.title') },
    block`
      <div class="record" data-unread="${unread}">
        ${heading({ title: t('notification.title'), total, actions })}
        ${columns(html`${shown}${more}`, null)}
      </div>
    `,
  )
}

function entry({ id, text, tone, link, createdAt, readAt }: Notification, at: PresenterContext): Html {
  const { t } = at.realm
  const own = url(at.place, 'notification', { id: String(id) })
  const words = link === null ? html`<span>${text}</span>` : html`<a href="${own}">${text}</a>`
  const isUnread = readAt === null && html`<span class="unseen">${t('notification.unread')}</span>`
  const read =
    readAt === null &&
    form(
      own,
      [
        ['_method', 'PATCH'],
        ['read', '1'],
      ],
      iconButton('check', t('notification.markRead'), text),
      at,
    )
  const remove = form(own, [['_method', 'DELETE']], iconButton('delete', t('notification.delete'), text), at)
  return block`
    <li${readAt === null && html` class="unread"`}>
      <span class="tone${tone !== null && ` ${tone}`}" aria-hidden="true"></span>
      <div><p>${words}</p><p class="muted"><time datetime="${createdAt.toISOString()}">${moment(createdAt, at)}</time>${isUnread}</p></div>
      ${read}${remove}
    </li>
  `
}

/** A button that is an icon. */
function iconButton(name: 'check' | 'delete', label: string, of: string): Html {
  return html`<button class="button plain square" title="${label}" aria-label="${`${label}: ${of}`}">${icon(name)}</button>`
}

function form(action: string, hidden: readonly (readonly [string, string])[], inside: Html, at: PresenterContext): Html {
  return html`<form method="post" action="${action}">${hiddenInputs([...hidden, ...hiddenToken(at)])}${inside}</form>`
}
