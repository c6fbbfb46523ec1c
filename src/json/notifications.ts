import * as z from 'zod'
import type { NotificationChanged, Notifications } from '../crud/outcomes/account.js'
import type { PresenterContext } from '../face/face.js'
import { saidOf } from '../face/notifications.js'
import { tones } from '../field/tone.js'
import type { Notification } from '../store/panel/notifications.js'

const notificationData = z.strictObject({
  id: z.int(),
  text: z.string(),
  tone: z.enum(tones).nullable().describe('How it looks; null: as any text'),
  link: z.string().nullable().describe('Where it leads: a path of this host, or an `http:` or `https:` URL; null: nowhere'),
  createdAt: z.iso.datetime(),
  readAt: z.iso.datetime().nullable().describe('Null: it is unread'),
})
const message = z.string()

export const notificationsSchema = z.strictObject({
  data: z.array(notificationData),
  meta: z.strictObject({ unread: z.int().describe('How many of all are unread'), perPage: z.int(), nextCursor: z.string().nullable() }),
})
export const notificationSchema = z.strictObject({ data: notificationData })
export const notificationMarkedSchema = z.strictObject({ data: notificationData, message })

/** What the caller was told. */
export function notificationsBody({ notifications, unread, perPage, nextCursor }: Notifications): z.infer<typeof notificationsSchema> {
  return { data: notifications.map(bodyOf), meta: { unread, perPage, nextCursor } }
}

export function notificationBody(notification: Notification): z.infer<typeof notificationSchema> {
  return { data: bodyOf(notification) }
}

/** The answer to what was done. One that was marked is sent as it is now. */
export function changedBody(changed: NotificationChanged, { realm: { t } }: PresenterContext) {
  const { did, one } = changed
  return { ...(one && did !== 'deleted' && notificationBody(one)), message: t(saidOf(changed)) }
}

function bodyOf({ id, text, tone, link, createdAt, readAt }: Notification): z.infer<typeof notificationData> {
  return { id, text, tone, link, createdAt: createdAt.toISOString(), readAt: readAt?.toISOString() ?? null }
}
