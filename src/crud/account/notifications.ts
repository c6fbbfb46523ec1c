import { DaymarkError, invalid } from '../../base/errors.js'
import type { NotificationStore } from '../../store/panel/notifications.js'
import type { PanelCall } from '../call/call.js'
import { ownerOf } from '../call/job-owner.js'
import { entryCursor } from '../input/entry-cursor.js'
import { panelFields } from '../input/panel-fields.js'
import type { NotificationChanged, NotificationOpened, Notifications } from '../outcomes/account.js'
import { noSuchPageError } from './sign-in.js'

const perPage = 25

/** What the caller was told, the newest first. */
export async function notifications(call: PanelCall): Promise<Notifications> {
  const { kept, user } = theirs(call)
  const before = entryCursor(call)
  // One more tells whether there are more.
  const found = await kept.of(user, perPage + 1, before)
  const page = found.slice(0, perPage)
  return {
    is: 'notifications',
    notifications: page,
    unread: await kept.unread(user),
    perPage,
    isFirst: before === null,
    nextCursor: found.length > perPage ? String(page.at(-1)?.id) : null,
  }
}

/**
 * One notification. Whoever opens its page reads it, and is led on to what it is about. Programs, whoever comes with a key, and whoever looks
 * as the user change nothing by a GET.
 */
export async function openNotification(call: PanelCall): Promise<NotificationOpened> {
  const { kept, user } = theirs(call)
  const notification = await named(call)
  if (!call.wants.strict && call.from.manages) await kept.mark(user, notification.id, true)
  return { is: 'notification', notification }
}

/** Marks one of the caller's notifications, or all of them, as read or as unread. */
export async function markNotifications(call: PanelCall): Promise<NotificationChanged> {
  const { kept, user } = theirs(call)
  const read = readOf(call)
  const one = call.input.params?.has('id') ? await named(call) : null
  await kept.mark(user, one?.id ?? null, read)
  return { is: 'notificationChanged', did: read ? 'read' : 'unread', one: one && ((await kept.find(user, one.id)) ?? one) }
}

/** Deletes one of the caller's notifications, or all that were read. */
export async function deleteNotifications(call: PanelCall): Promise<NotificationChanged> {
  const { kept, user } = theirs(call)
  const one = call.input.params?.has('id') ? await named(call) : null
  await kept.remove(user, one?.id ?? null)
  return { is: 'notificationChanged', did: 'deleted', one }
}

/**
 * The caller's notifications. A key that is limited to some roles has none, since those of its user may tell what it may not see.
 *
 * @throws DaymarkError `notFound` if the panel has none
 */
function theirs({ realm, identity }: PanelCall): { readonly kept: NotificationStore; readonly user: { id: string; username: string } } {
  if (!realm.notifications) throw noSuchPageError(realm)
  return { kept: realm.notifications, user: { id: ownerOf(identity), username: identity.username } }
}

/** @throws DaymarkError `notFound` if the caller has no such notification */
async function named(call: PanelCall) {
  const { kept, user } = theirs(call)
  const id = call.input.params?.get('id') ?? ''
  const found = /^[1-9]\d{0,14}$/.test(id) ? await kept.find(user, Number(id)) : null
  if (!found) throw new DaymarkError('notFound', call.realm.t('notification.none'))
  return found
}

/** Whether they are to be marked as read. */
function readOf({ input, realm }: PanelCall): boolean {
  const read = panelFields(input, [], realm, { switches: ['read'] }).get('read')
  if (read === '1') return true
  if (read === '' || read === '0') return false
  throw invalid('read', realm.t('notification.badRead'))
}
