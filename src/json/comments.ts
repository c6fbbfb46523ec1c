import * as z from 'zod'
import type { CommentChanged, Comments } from '../crud/outcomes/comments.js'
import { commentSaid } from '../face/comments.js'
import type { PresenterContext } from '../face/face.js'
import type { Comment } from '../store/panel/comments.js'
import { message, time } from './bodies/values.js'

const commentData = z.strictObject({
  id: z.int(),
  text: z.string(),
  at: time,
  editedAt: time.nullable().describe('Null: it is as it was written'),
  user: z
    .strictObject({ id: z.string().nullable().describe('Null: a user of another panel'), name: z.string() })
    .describe('With the name that the user had then'),
})

export const commentsSchema = z.strictObject({
  data: z.array(commentData),
  meta: z.strictObject({ total: z.int().describe('How many there are on all pages'), perPage: z.int(), nextCursor: z.string().nullable() }),
})
export const commentSchema = z.strictObject({ data: commentData })
export const commentWrittenSchema = z.strictObject({ data: commentData, message })

/** The comments on a record, the newest first. */
export function commentsBody({ thread: { comments, total, perPage, nextCursor } }: Comments): z.infer<typeof commentsSchema> {
  return { data: comments.map(bodyOf), meta: { total, perPage, nextCursor } }
}

export function commentBody(comment: Comment): z.infer<typeof commentSchema> {
  return { data: bodyOf(comment) }
}

/** The answer to what was done. One that is still there is sent as it is now. */
export function commentChangedBody({ did, comment }: CommentChanged, { realm: { t } }: PresenterContext) {
  return { ...(did !== 'deleted' && commentBody(comment)), message: t(commentSaid[did]) }
}

function bodyOf({ id, text, at, editedAt, userId, userName }: Comment): z.infer<typeof commentData> {
  return { id, text, at: at.toISOString(), editedAt: editedAt?.toISOString() ?? null, user: { id: userId, name: userName } }
}
