import type { Notify } from '../../resource/action/notice.js'
import type { NotificationStore } from '../../store/panel/notifications.js'
import type { Realm } from '../call/call.js'
import { track, type WriteTracker } from '../call/write-tracker.js'

/**
 * The `notify` of actions and hooks: in their transaction, if that can write to the panel's tables.
 *
 * @param realm that of the transaction
 */
export function notifierOf({ notifications }: Pick<Realm, 'notifications'>, tracker: WriteTracker, readOnly: boolean): Notify {
  return (notice) =>
    track(tracker, '`notify`', async () => {
      if (readOnly) throw new Error('A safe action only reads, and this one notifies users')
      try {
        await notifyAll(notifications, notice)
      } catch (thrown) {
        tracker.refused ??= { by: thrown }
        throw thrown
      }
    })
}

/** @throws Error if the panel has no `notifications` */
export async function notifyAll(notifications: NotificationStore | null, ...[notice]: Parameters<Notify>): Promise<void> {
  if (!notifications) throw new Error('This panel notifies nobody: set `notifications: true`')
  const opening = notifications.open()
  if (opening) await opening
  await notifications.store.transaction((tx) => notifications.add(tx, notice))
}
