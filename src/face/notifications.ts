import type { NotificationChanged } from '../crud/outcomes/account.js'

/** What to say about notifications that were marked or deleted. */
export function saidOf({ did, one }: Pick<NotificationChanged, 'did' | 'one'>) {
  if (did === 'deleted') return one ? 'notification.deleted' : 'notification.readDeleted'
  return did === 'read' ? 'notification.readDone' : 'notification.unreadDone'
}
