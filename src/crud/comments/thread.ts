import { randomUUID } from 'node:crypto'
import { DaymarkError } from '../../base/errors.js'
import type { Comment, CommentStore, Subject } from '../../store/panel/comments.js'
import type { Reads, Row } from '../../store/store.js'
import { allow, may, mayRow } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { type Lens, lensOf } from '../call/lens.js'
import { tablesReady } from '../call/tables-ready.js'
import { viewed } from '../input/viewed.js'
import type { Thread } from '../outcomes/comments.js'

/** A record whose comments the caller may read. */
export interface Discussed {
  readonly kept: CommentStore
  readonly lens: Lens
  readonly row: Row
  readonly on: Subject
}

/**
 * The record that a call names, with where its comments are.
 *
 * @throws DaymarkError as a GET of the record would be refused; `notFound`, too, if its resource has no comments
 */
export async function discussed(call: Call, reads: Reads = call.store): Promise<Discussed> {
  const { realm, identity, resource } = call
  allow(realm, identity, resource, 'view')
  if (!realm.comments || !resource.comments) throw new DaymarkError('notFound', realm.t('page.none'))
  const lens = lensOf(identity, resource, { name: 'detail', whole: true })
  const row = await viewed(call, lens, reads)
  return { kept: realm.comments, lens, row, on: { of: resource.model, key: lens.key(row) } }
}

/**
 * Comments on a record: a page of them, the newest first.
 *
 * @param before the comment before which the page begins; null: it is the first page
 */
export async function threadOf(call: Call, { kept, lens, row, on }: Discussed, perPage: number, before: number | null): Promise<Thread> {
  const { identity, store } = call
  // One more tells whether there are more.
  const found = await kept.of(store, on, identity, perPage + 1, before)
  const comments = found.slice(0, perPage)
  const isAll = before === null && found.length <= perPage
  const total = isAll ? comments.length : await kept.count(store, on)
  return {
    comments,
    total,
    perPage,
    isFirst: before === null || comments.length === total,
    nextCursor: found.length > perPage ? String(comments.at(-1)?.id) : null,
    once: randomUUID(),
    rights: rightsOn(call, lens, row),
  }
}

// Beside the record itself.
const few = 10

/** Whether a comment is one of those that are shown beside the record. */
export async function isLast({ identity }: Call, { kept, on }: Discussed, id: number, reads: Reads): Promise<boolean> {
  return (await kept.of(reads, on, identity, few, null)).some((one) => one.id === id)
}

/** The last comments on a record that the caller views; null: its resource has none. */
export async function lastComments(call: Call, lens: Lens, row: Row): Promise<Thread | null> {
  const { comments } = call.realm
  if (!comments || !call.resource.comments) return null
  await tablesReady(call)
  return threadOf(call, { kept: comments, lens, row, on: { of: call.resource.model, key: lens.key(row) } }, few, null)
}

/** What a caller may do with the comments on a record that they may view: in the trash, only read them. */
export function rightsOn({ realm, identity, resource }: Call, lens: Lens, row: Row): Thread['rights'] {
  const mayDo = (ability: 'comment' | 'delete') =>
    resource.trashOf === null && may(realm, identity, resource, ability) && mayRow(identity, resource, ability, lens.columns, row)
  return { writes: mayDo('comment'), moderates: mayDo('delete') }
}

/** Whether a comment can be changed, or deleted: by its author, or whoever may delete the record. */
export const editable = ({ isOwn }: Comment, { writes }: Thread['rights']): boolean => isOwn && writes
export const deletable = (comment: Comment, rights: Thread['rights']): boolean => rights.moderates || editable(comment, rights)
