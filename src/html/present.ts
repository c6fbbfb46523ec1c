import { block, html } from '../base/html.js'
import { numberText } from '../base/number.js'
import { may, mayRecord } from '../crud/call/allow.js'
import type { Saved } from '../crud/outcomes/records.js'
import { labelOf } from '../crud/relation/label.js'
import { commentSaid } from '../face/comments.js'
import { exportedReply } from '../face/exported.js'
import type { Face, Flash, Presenter, PresenterContext, Reply } from '../face/face.js'
import { fileReply } from '../face/file.js'
import { importTemplateReply } from '../face/import-template.js'
import { saidOf } from '../face/notifications.js'
import { keptBy } from '../face/signed-in.js'
import { ownPath, url } from '../route/url.js'
import { heading } from './components/heading.js'
import { composedPage } from './composed/composed.js'
import { partReply } from './composed/part.js'
import { previewReply } from './composed/preview.js'
import { formPage } from './form/record-form.js'
import { asset } from './frame/assets.js'
import { brandAsset } from './frame/brand.js'
import { page, redirect } from './frame/page.js'
import { newUrl, recordUrls } from './frame/record-urls.js'
import { undoing } from './frame/undo-form.js'
import { indexPage, streamedPage } from './list/index-page.js'
import { recordOf } from './list/rows.js'
import { viewUrl } from './list/saved-views.js'
import { actedReply, askedPage } from './pages/action-page.js'
import { apiKeysPage } from './pages/api-keys-page.js'
import { commentPage, commentsPage } from './pages/comments-page.js'
import { confirmPage } from './pages/confirm-page.js'
import { detailPage } from './pages/detail.js'
import { historyPage } from './pages/history-page.js'
import { homePage } from './pages/home-page.js'
import { importedCounts, importPage } from './pages/import-page.js'
import { jobPage } from './pages/job-page.js'
import { notificationsPage } from './pages/notifications-page.js'
import { palettePage } from './pages/palette-page.js'
import { passkeysPage } from './pages/passkeys-page.js'
import { problemPage } from './pages/problems.js'
import { profilePage } from './pages/profile-page.js'
import { codePage, forgotPage, resetPage, signedOutPage, signInPage } from './pages/sign-in-page.js'
import { limitedPage, signedInFlash, twoFactorPage } from './pages/two-factor-page.js'
import { unauthenticatedPage } from './pages/unauthenticated.js'
import { viewPage } from './pages/view-page.js'

/** How the HTML face renders each Outcome. */
const presenter: Presenter = {
  home: homePage,
  healthy: () => ({ status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'ok' }),
  preferred: ({ theme, language, changed, saved }, at) => {
    if (!changed) return homePage({ is: 'home', resources: at.shell?.menu ?? [] }, at)
    const to = saved ? viewUrl(at.place, saved.resource.uriKey, saved.query) : (at.shell?.back ?? url(at.place, 'index'))
    return { ...redirect(to), ...(theme && { theme }), ...(language !== undefined && { language }) }
  },
  listed: indexPage,
  streamed: streamedPage,
  part: partReply,
  exported: exportedReply,
  importTemplate: importTemplateReply,
  importing: importPage,
  imported: (imported, at) => {
    const lists = at.identity !== null && may(at.realm, at.identity, imported.resource, 'viewAny')
    const to = lists ? url(at.place, 'crud.index', { resourceUri: imported.resource.uriKey }) : url(at.place, 'index')
    return said(to, { message: 'import.done', fill: importedCounts(imported, at) })
  },
  composed: composedPage,
  shown: detailPage,
  history: historyPage,
  comments: commentsPage,
  comment: commentPage,
  commentChanged: (changed, at) => {
    const { did, resource, key, comment, isLast } = changed
    const record = recordUrls(at.place, resource.uriKey).show(key)
    const shown = isLast ? `${record}#comment-${comment.id}` : at.realm.commentUrl(resource.uriKey, key, comment.id)
    return said(did === 'deleted' ? `${record}#comments` : shown, { message: commentSaid[did], fill: {} })
  },
  file: fileReply,
  // Its route answers in JSON alone.
  uploaded: ({ path }) => ({ status: 201, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: path }),
  previewed: previewReply,
  form: formPage,
  confirm: confirmPage,
  found: ({ resource, field, choices }, at) =>
    page(
      at,
      { title: field?.label ?? resource.title },
      block`
        ${heading({ title: field?.label ?? resource.title })}
        <ul>
          ${choices.map(({ label, hint }) => html`<li>${label}${hint !== undefined && html` <span class="muted">${hint}</span>`}</li>`)}
        </ul>
      `,
    ),
  palette: palettePage,
  saved: (saved, at) => {
    const { created, resource, lens, row, key, next, back, begun } = saved
    const flash: Flash = { message: created ? 'record.created' : 'record.savedOne', fill: { title: shortened(labelOf(lens, row)) } }
    const left = ownPath(at.place, back ?? '')
    if (next === 'another') return said(newUrl(at.place, resource.uriKey, begun, left), flash)
    if (next === 'continue') {
      const form = recordUrls(at.place, resource.uriKey).form(key)
      return said(left === null ? form : `${form}?${new URLSearchParams({ _back: left })}`, flash)
    }
    const opened = left ?? (next === 'back' ? at.shell?.back : null)
    return said(opened ?? savedUrl(saved, at), flash)
  },
  deleted: ({ resource, count, label, back, undo }, at) => {
    const flash: Flash =
      label !== null
        ? { message: 'record.deletedOne', fill: { title: shortened(label) } }
        : count === 1
          ? { message: 'record.deleted', fill: {} }
          : { message: 'record.deletedMany', fill: { count: numberText(at.realm.locale, count) } }
    const to = ownPath(at.place, back) ?? url(at.place, 'crud.index', { resourceUri: resource.uriKey })
    return said(to, { ...flash, undo: undoing(undo, at) })
  },
  acted: actedReply,
  asked: askedPage,
  job: jobPage,
  // Event streams have no HTML page.
  progress: (_, at) => redirect(url(at.place, 'index')),
  valid: ({ wrong }, at) =>
    wrong ? problemPage(wrong, at) : page(at, { title: at.realm.t('form.valid') }, heading({ title: at.realm.t('form.valid') })),
  invalid: ({ error }, at) => problemPage(error, at),
  stale: ({ error }, at) => problemPage(error, at),
  signIn: signInPage,
  codeAsked: (asked, at) => ({ ...codePage(asked, at), ...(asked.begun && { begun: asked.begun }) }),
  limited: limitedPage,
  twoFactor: twoFactorPage,
  passkeys: (shown, at) => ({ ...passkeysPage(shown, at), ...(shown.challenges && { challenges: shown.challenges }) }),
  // Its routes answer in JSON alone.
  passkeyAsked: (_, at) => redirect(url(at.place, 'index')),
  passkeyBegun: (_, at) => redirect(url(at.place, 'index')),
  apiKeys: apiKeysPage,
  notifications: notificationsPage,
  notification: ({ notification: { link } }, at) => redirect(link ?? url(at.place, 'notifications')),
  notificationChanged: (changed, at) => said(at.shell?.back ?? url(at.place, 'notifications'), { message: saidOf(changed), fill: {} }),
  signedIn: (signed, at) => {
    const { grant, to } = signed
    if (grant?.is === 'tokens') return page(at, { title: at.realm.t('signIn.done') }, html`<pre class="card">${grant.token}</pre>`)
    const flash = signedInFlash(signed, at)
    return { ...redirect(ownPath(at.place, to) ?? url(at.place, 'index')), ...keptBy(signed), ...(flash && { flash }) }
  },
  openIdBegun: (sent) => ({ ...redirect(sent.url), begun: sent.begun }),
  refreshed: (_, at) => redirect(url(at.place, 'index')),
  signedOut: ({ self, count, onward }, at) => {
    if (onward) return { ...signedOutPage(onward, at), session: null }
    if (self) return { ...redirect(url(at.place, at.realm.auth.challenge === 'Session' ? 'login' : 'index')), session: null }
    return said(url(at.place, 'profile'), { message: 'signIn.outMany', fill: { count: numberText(at.realm.locale, count) } })
  },
  // Whoever ends it sees the same page as themselves.
  viewing: ({ as }, at) => redirect((as ? null : ownPath(at.place, at.shell?.back ?? '')) ?? url(at.place, 'index')),
  profile: (profile, at) =>
    profile.changed
      ? { ...said(url(at.place, 'profile'), { message: 'profile.saved', fill: {} }), ...keptBy(profile) }
      : profilePage(profile, at),
  forgot: forgotPage,
  reset: resetPage,
  answered: viewPage,
  unauthenticated: unauthenticatedPage,
  refused: ({ error }, at) => problemPage(error, at),
}

/** The face for people. */
export const htmlFace: Face = {
  name: 'html',
  wants: ({ view = 'detail' }) => ({
    view,
    wholeRows: true,
    labels: true,
    written: false,
    moves: true,
    summary: true,
    views: true,
    strict: false,
    stream: false,
    version: true,
    chosen: true,
    belonging: true,
    deferred: true,
  }),
  present: presenter,
  asset: (hash, file, acceptEncoding, brand) => asset(hash, file, acceptEncoding) ?? brandAsset(brand, hash, file),
}

/** Where a user goes who has saved a record: to its page, or as near to it as they may. */
function savedUrl({ resource, lens, row, key }: Saved, { realm, place, identity }: PresenterContext): string {
  const urls = recordUrls(place, resource.uriKey)
  const record = recordOf(lens, row)
  const mayDo = (ability: 'view' | 'update') =>
    identity !== null && may(realm, identity, resource, ability) && mayRecord(identity, resource, ability, record)
  if (mayDo('view')) return urls.show(key)
  if (mayDo('update')) return urls.form(key)
  const lists = identity !== null && may(realm, identity, resource, 'viewAny')
  return lists ? url(place, 'crud.index', { resourceUri: resource.uriKey }) : url(place, 'index')
}

function said(location: string, flash: Flash): Reply {
  return { ...redirect(location), flash }
}

// The label travels in a cookie.
const longest = 60

function shortened(label: string): string {
  const letters = [...label]
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : label
}
