import { isLonger } from '../../base/characters.js'
import { DaymarkError, invalid } from '../../base/errors.js'
import type { Comment } from '../../store/panel/comments.js'
import type { Reads, Writes } from '../../store/store.js'
import { allow, allowRow } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { DeniedError } from '../call/denied.js'
import { tablesReady } from '../call/tables-ready.js'
import { bodyDigest } from '../input/body-digest.js'
import { entryCursor } from '../input/entry-cursor.js'
import { runOnce } from '../input/idempotent.js'
import { panelFields } from '../input/panel-fields.js'
import { unconfirmed } from '../input/unconfirmed.js'
import type { CommentChanged, CommentShown, Comments } from '../outcomes/comments.js'
import { type Discussed, deletable, discussed, isLast, rightsOn, threadOf } from './thread.js'
import { tellOthers } from './told.js'

const perPage = 25
/** The most characters of a comment. */
export const longestComment = 5000

/** The comments on a record, for whoever may view it. */
export async function comments(call: Call): Promise<Comments> {
  return commentsPage(call, entryCursor(call), null)
}

/** The page of all comments again, with a new one that was refused. */
export async function commentsAgain(call: Call, error: DaymarkError | null): Promise<Comments> {
  return commentsPage(call, null, error && { text: typedIn(call), error })
}

async function commentsPage(call: Call, before: number | null, refused: Comments['refused']): Promise<Comments> {
  await tablesReady(call)
  const about = await discussed(call)
  const thread = await threadOf(call, about, perPage, before)
  return { is: 'comments', resource: call.resource, lens: about.lens, row: about.row, key: about.on.key, thread, refused }
}

/** One comment. */
export async function comment(call: Call): Promise<CommentShown> {
  return shown(call, { asks: false, refused: null })
}

/** The form of a comment again, with a change that was refused. */
export async function commentAgain(call: Call, error: DaymarkError | null): Promise<CommentShown> {
  return shown(call, { asks: false, refused: error && { text: typedIn(call), error } })
}

async function shown(call: Call, how: Pick<CommentShown, 'asks' | 'refused'>): Promise<CommentShown> {
  await tablesReady(call)
  const about = await discussed(call)
  const { lens, row, on } = about
  const found = await named(call, about, idOf(call))
  return { is: 'comment', resource: call.resource, lens, row, key: on.key, comment: found, rights: rightsOn(call, lens, row), ...how }
}

/** Writes a comment on a record. A form that says the same again, since its first answer was lost, gets that. */
export async function writeComment(call: Call): Promise<CommentChanged> {
  const { realm, resource, input } = call
  const write = async () => {
    const written = await changing(call, 'added', async ({ kept, on }, tx) => {
      const id = await kept.add(tx, on, call.identity, textOf(call))
      return kept.find(tx, on, call.identity, id)
    })
    await tellOthers(call, written)
    return written
  }
  return runOnce(call, ['comment', resource.uriKey, input.key ?? '', bodyDigest(input.body)], write, {
    small: { of: ({ comment }) => comment.id, again: (id) => writtenBefore(call, String(id)) },
    said: () => realm.t('action.doneBefore'),
  })
}

async function writtenBefore(call: Call, id: string): Promise<CommentChanged> {
  const about = await discussed(call)
  return {
    is: 'commentChanged',
    did: 'added',
    resource: call.resource,
    key: about.on.key,
    comment: await named(call, about, id),
    isLast: true,
  }
}

/** Changes a comment: its author does. */
export async function editComment(call: Call): Promise<CommentChanged> {
  return changing(call, 'edited', async (about, tx) => {
    const { kept, on } = about
    const { id, isOwn } = await named(call, about, idOf(call), tx)
    if (!isOwn) throw new DaymarkError('forbidden', call.realm.t('comment.notYours'))
    await kept.edit(tx, id, textOf(call))
    return kept.find(tx, on, call.identity, id)
  })
}

/** Deletes a comment: its author does, or whoever may delete the record. */
export async function deleteComment(call: Call): Promise<CommentChanged | CommentShown> {
  if (unconfirmed(call.input)) return shown(call, { asks: true, refused: null })
  return changing(call, 'deleted', async (about, tx) => {
    const found = await named(call, about, idOf(call), tx)
    if (!deletable(found, rightsOn(call, about.lens, about.row))) throw new DeniedError(call.realm)
    await about.kept.remove(tx, found.id)
    return found
  })
}

/** In a transaction, in which nobody deletes the record meanwhile. */
async function changing(
  call: Call,
  did: CommentChanged['did'],
  work: (about: Discussed, tx: Reads & Writes) => Promise<Comment | null>,
): Promise<CommentChanged> {
  const { realm, identity, resource, store, until } = call
  await tablesReady(call)
  return store.transaction(
    async (tx) => {
      const about = await discussed(call, tx)
      if (did !== 'deleted') {
        if (resource.trashOf) throw new DaymarkError('forbidden', realm.t('action.off', { title: resource.title }))
        allow(realm, identity, resource, 'comment')
        allowRow(realm, identity, resource, 'comment', about.lens.columns, about.row)
      }
      const comment = (await work(about, tx)) as Comment
      const last = did === 'added' || (did === 'edited' && (await isLast(call, about, comment.id, tx)))
      return { is: 'commentChanged', did, resource, key: about.on.key, comment, isLast: last }
    },
    { until, trusted: true },
  )
}

const idOf = ({ input }: Call) => input.params?.get('id') ?? ''

/** @throws DaymarkError `notFound` if the record has no such comment */
async function named({ realm, identity, store }: Call, { kept, on }: Discussed, id: string, reads: Reads = store): Promise<Comment> {
  const found = /^[1-9]\d{0,14}$/.test(id) ? await kept.find(reads, on, identity, Number(id)) : null
  if (!found) throw new DaymarkError('notFound', realm.t('comment.none'))
  return found
}

/** @throws DaymarkError `invalid`, naming `text` */
function textOf({ input, realm }: Call): string {
  const text = (panelFields(input, ['text'], realm).get('text') ?? '').replace(/\r\n?/g, '\n').trim()
  if (text === '') throw invalid('text', realm.t('comment.needed'))
  if (isLonger(text, longestComment)) throw invalid('text', realm.t('comment.tooLong', { max: longestComment }))
  return text
}

/** What a form holds, whatever is wrong with it. */
function typedIn({ input: { body } }: Call): string {
  return body.from === 'form' ? (body.fields.get('text')?.at(-1) ?? '') : ''
}
