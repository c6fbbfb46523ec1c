import type { CommentChanged } from '../crud/outcomes/comments.js'

/** What to say about what was done with a comment. */
export const commentSaid = {
  added: 'comment.added',
  edited: 'comment.saved',
  deleted: 'comment.deleted',
} as const satisfies Readonly<Record<CommentChanged['did'], string>>
