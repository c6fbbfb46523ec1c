// What the comments on records end in.
import type { DaymarkError } from '../../base/errors.js'
import type { Resource } from '../../resource/resource.js'
import type { Comment } from '../../store/panel/comments.js'
import type { Row } from '../../store/store.js'
import type { Lens } from '../call/lens.js'

/** A page of the comments on a record. */
export interface Thread {
  /** The comments, the newest first. */
  readonly comments: readonly Comment[]
  /** How many there are on all pages. */
  readonly total: number
  /** The most comments of a page. */
  readonly perPage: number
  /** Whether it is the first page, or all there is. */
  readonly isFirst: boolean
  /** The cursor of the page with earlier comments; null: there are none. */
  readonly nextCursor: string | null
  /** The one-time key of a form for a new one. */
  readonly once: string
  /** What the caller may do here. */
  readonly rights: {
    /** Whether to write comments, and to change their own. */
    readonly writes: boolean
    /** Whether to delete those of others. */
    readonly moderates: boolean
  }
}

/** The record that comments are about. */
interface About {
  /** The resource. */
  readonly resource: Resource
  /** Turns the row into a record: the fields that the user may see. */
  readonly lens: Lens
  /** The row: values by position. */
  readonly row: Row
  /** The record's key, as text. */
  readonly key: string
}

/** A text that was refused: the page shows it again. */
export interface RefusedComment {
  /** What was typed. */
  readonly text: string
  /** What is wrong with it. */
  readonly error: DaymarkError
}

/** The comments on a record. */
export interface Comments extends About {
  /** The kind of outcome. */
  readonly is: 'comments'
  /** A page of them. */
  readonly thread: Thread
  /** A new one that was refused; null: none was. */
  readonly refused: RefusedComment | null
}

/** One comment on a record. */
export interface CommentShown extends About {
  /** The kind of outcome. */
  readonly is: 'comment'
  /** The comment. */
  readonly comment: Comment
  /** What the caller may do with the comments on the record. */
  readonly rights: Thread['rights']
  /** Whether a form asks to delete it: nothing is deleted yet. */
  readonly asks: boolean
  /** A change of it that was refused; null: none was. */
  readonly refused: RefusedComment | null
}

/** A comment was written, changed or deleted. */
export interface CommentChanged {
  /** The kind of outcome. */
  readonly is: 'commentChanged'
  /** What was done with it. */
  readonly did: 'added' | 'edited' | 'deleted'
  /** The resource of the record. */
  readonly resource: Resource
  /** The record's key, as text. */
  readonly key: string
  /** The comment, as it is now or was. */
  readonly comment: Comment
  /** Whether the page of the record shows it. */
  readonly isLast: boolean
}
