import { block, type Html, html } from '../../base/html.js'
import { numberText } from '../../base/number.js'
import { editable } from '../../crud/comments/thread.js'
import type { CommentShown, Comments } from '../../crud/outcomes/comments.js'
import { labelOf } from '../../crud/relation/label.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { button, buttonLink } from '../components/button.js'
import { confirm } from '../components/confirm.js'
import { columns } from '../components/facts.js'
import { crumbs, type HeadingView, heading } from '../components/heading.js'
import { hiddenToken } from '../frame/form-token.js'
import { page } from '../frame/page.js'
import { hiddenInputs } from '../frame/panel-input.js'
import { recordUrls } from '../frame/record-urls.js'
import { listCrumbs } from '../list/list-crumbs.js'
import { commentField, commentUrl, entry, scriptUrl, threadOf } from './thread.js'

/** The comments on a record, on a page of their own. */
export function commentsPage(shown: Comments, at: PresenterContext): Reply {
  const { thread, refused } = shown
  const { t, locale } = at.realm
  const title = t('comment.title')
  const inside = block`
    <section class="card comments" aria-label="${title}" data-script="${scriptUrl(at)}">${threadOf(thread, shown, refused, at)}</section>
  `
  return discussionPage(shown, at, { title, total: thread.total > 0 ? numberText(locale, thread.total) : null }, inside, refused)
}

/** One comment: its author changes it here. */
export function commentPage(shown: CommentShown, at: PresenterContext): Reply {
  const { comment, rights, asks, refused } = shown
  const { t } = at.realm
  if (asks) return question(shown, at)
  const own = commentUrl(shown, at, comment)
  const cancel = buttonLink({ label: t('action.cancel'), href: recordUrl(shown, at), tone: 'plain' })
  const edits = editable(comment, rights)
  const inside = edits
    ? block`
      <form class="card section comment-form" data-script="${scriptUrl(at)}" method="post" action="${own}" novalidate>
        ${hiddenInputs([['_method', 'PATCH'], ...hiddenToken(at)])}
        ${commentField(t('comment.edit'), refused?.text ?? comment.text, refused?.error ?? null, at)}
        <div class="actions">${cancel}${button({ label: t('form.save'), tone: 'primary' })}</div>
      </form>
    `
    : html`<section class="card comments"><ol>${entry(comment, shown, rights, at)}</ol></section>`
  return discussionPage(shown, at, { title: t(edits ? 'comment.edit' : 'comment.title') }, inside, refused)
}

function discussionPage(
  about: Comments | CommentShown,
  at: PresenterContext,
  head: HeadingView,
  inside: Html,
  refused: Comments['refused'],
): Reply {
  const label = labelOf(about.lens, about.row)
  const trail = crumbs([...listCrumbs(about.resource, at), { label, href: recordUrl(about, at) }], at.realm.t)
  return page(
    at,
    { title: `${head.title} · ${label}`, status: refused?.error.status ?? 200 },
    html`<div class="record">${trail}${heading(head)}${columns(inside, null)}</div>`,
  )
}

/** Asks for confirmation of a delete; the form repeats the request. */
function question(shown: CommentShown, at: PresenterContext): Reply {
  const { t } = at.realm
  const title = t('comment.confirm', { name: shown.comment.userName })
  const back = recordUrl(shown, at)
  return page(
    at,
    { title },
    confirm(
      {
        action: commentUrl(shown, at, shown.comment),
        title,
        labels: [],
        more: null,
        hidden: [['_method', 'DELETE'], ['_confirmed', '1'], ...hiddenToken(at)],
        cancel: back,
        // A place of its own, so that a script that is there already goes on: several may be deleted, one after the other.
        after: `${back}#comments-${shown.comment.id}`,
        what: t('confirm.final'),
        said: null,
        undo: null,
      },
      t,
    ),
  )
}

const recordUrl = ({ resource, key }: Comments | CommentShown, { place }: PresenterContext) => recordUrls(place, resource.uriKey).show(key)
