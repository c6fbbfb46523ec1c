import type { DaymarkError } from '../../base/errors.js'
import { block, type Html, html } from '../../base/html.js'
import { numberText } from '../../base/number.js'
import { deletable, editable } from '../../crud/comments/thread.js'
import type { RefusedComment, Thread } from '../../crud/outcomes/comments.js'
import type { PresenterContext } from '../../face/face.js'
import type { Resource } from '../../resource/resource.js'
import { url } from '../../route/url.js'
import type { Comment } from '../../store/panel/comments.js'
import { avatar } from '../components/avatar.js'
import { button } from '../components/button.js'
import { field } from '../components/field.js'
import { icon } from '../components/icon.js'
import { linkedText } from '../components/linked-text.js'
import { assetUrl } from '../frame/assets.js'
import { hiddenToken, tokenInput } from '../frame/form-token.js'
import { moment } from '../frame/moment.js'
import { hiddenInputs } from '../frame/panel-input.js'

/** The record that comments are on. */
export interface On {
  readonly resource: Resource
  readonly key: string
}

/** The comments on a record, beside what else its page shows. */
export function threadCard(thread: Thread, on: On, at: PresenterContext): Html {
  const count = thread.total > 0 && html` <span class="total">${numberText(at.realm.locale, thread.total)}</span>`
  return block`
    <section class="card comments" id="comments" aria-labelledby="comments-title" data-script="${scriptUrl(at)}">
      <h2 id="comments-title">${at.realm.t('comment.title')}${count}</h2>
      ${threadOf(thread, on, null, at)}
    </section>
  `
}

/** The URL of the script of comments. */
export const scriptUrl = ({ place }: PresenterContext): string => assetUrl(place, 'comments.js')

/** The comments on a record, the newest last, and the form of a new one. */
export function threadOf(thread: Thread, on: On, refused: RefusedComment | null, at: PresenterContext): Html {
  const { t } = at.realm
  const { comments, total, isFirst, nextCursor, once, rights } = thread
  const earlier = nextCursor !== null && html`<a class="more" href="${commentsUrl(on, at, nextCursor)}">${t('comment.earlier')}</a>`
  const latest = !isFirst && html`<a class="more" href="${commentsUrl(on, at)}">${t('comment.latest')}</a>`
  const none = total === 0 && html`<p class="muted">${t('comment.empty')}</p>`
  return block`
    ${none}${earlier}
    ${comments.length > 0 && html`<ol>${comments.toReversed().map((one) => entry(one, on, rights, at))}</ol>`}
    ${latest}${rights.writes && isFirst && newForm(on, once, refused, at)}
  `
}

/** The URL of the comments on a record, or of a page of them. */
function commentsUrl({ resource, key }: On, { place }: PresenterContext, cursor?: string): string {
  return url(place, 'crud.comments', {
    resourceUri: resource.uriKey,
    resourceItem: key,
    ...(cursor !== undefined && { query: { cursor } }),
  })
}

export function commentUrl({ resource, key }: On, { place }: PresenterContext, { id }: Comment): string {
  return url(place, 'crud.comment', { resourceUri: resource.uriKey, resourceItem: key, id: String(id) })
}

/** The head of a comment: who has written it, and when. */
function byline({ userName, at: written, editedAt }: Comment, link: string, at: PresenterContext): Html {
  const edited =
    editedAt &&
    html` <span title="${moment(editedAt, at)}">${at.realm.t('comment.edited')}<span class="unseen">, ${moment(editedAt, at)}</span></span>`
  return block`
    <p class="by">
      <b>${userName}</b> <a href="${link}"><time datetime="${written.toISOString()}">${moment(written, at)}</time></a>
      ${edited}
    </p>
  `
}

/** A comment, and what may be done with it. */
export function entry(comment: Comment, on: On, rights: Thread['rights'], at: PresenterContext): Html {
  const { t } = at.realm
  const own = commentUrl(on, at, comment)
  const named = (label: string) => ({ title: label, 'aria-label': `${label}: ${comment.userName}` })
  const edit = editable(comment, rights) && named(t('comment.edit'))
  const remove = deletable(comment, rights) && named(t('comment.delete'))
  return block`
    <li id="comment-${comment.id}">
      ${avatar(comment.userName)}
      <div>
        ${byline(comment, at.realm.commentUrl(on.resource.uriKey, on.key, comment.id), at)}
        <div class="said">${linkedText(comment.text)}</div>
      </div>
      ${
        edit &&
        html`<a class="button plain square" href="${own}" title="${edit.title}" aria-label="${edit['aria-label']}">${icon('edit')}</a>`
      }
      ${
        remove &&
        block`
          <form method="post" action="${own}">
            ${tokenInput(at)}
            <button class="button plain square" name="_method" value="DELETE" title="${remove.title}" aria-label="${remove['aria-label']}">
              ${icon('delete')}
            </button>
          </form>
        `
      }
    </li>
  `
}

function newForm(on: On, once: string, refused: RefusedComment | null, at: PresenterContext): Html {
  const { t } = at.realm
  return block`
    <form class="section" method="post" action="${commentsUrl(on, at)}" novalidate>
      ${hiddenInputs([...hiddenToken(at), ['_once', once]])}
      ${commentField(t('comment.write'), refused?.text ?? '', refused?.error ?? null, at)}
      <div class="actions">${button({ label: t('comment.send') })}</div>
    </form>
  `
}

/** What a comment says. */
export function commentField(label: string, text: string, error: DaymarkError | null, at: PresenterContext): Html {
  const errors = error ? (error.errors.get('text') ?? [error.message]) : []
  const said = errors.length > 0 && html` aria-invalid="true" aria-describedby="comment-text-error"`
  // A line end right after the tag would be dropped.
  const control = html`<textarea id="comment-text" name="text" rows="3"${said}>
${text}</textarea>`
  return field({ id: 'comment-text', label, required: false, hint: null, errors, control }, at.realm.t)
}
