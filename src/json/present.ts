import { DaymarkError, errors, invalid } from '../base/errors.js'
import type { Lens } from '../crud/call/lens.js'
import { UnfitError } from '../crud/outcomes/outcome.js'
import { downloadReply } from '../face/download.js'
import { exportedReply } from '../face/exported.js'
import type { Face, Presenter, PresenterContext, Reply } from '../face/face.js'
import { fileReply } from '../face/file.js'
import { importTemplateReply } from '../face/import-template.js'
import { saidBy } from '../face/said-by.js'
import { keptBy } from '../face/signed-in.js'
import { isTold } from '../resource/tally.js'
import { url } from '../route/url.js'
import { actedBody, jobBody, progressReply } from './action.js'
import { apiKeyMadeBody, apiKeysBody } from './api-keys.js'
import { preferredBody, profileBody, twoFactorBody } from './bodies/account.js'
import { formBody, uploadedBody, wouldBody } from './bodies/forms.js'
import { foundBody, paletteBody } from './bodies/found.js'
import { importedBody, importingBody } from './bodies/imports.js'
import { streamedBody } from './bodies/lists.js'
import { homeBody } from './bodies/pages.js'
import { confirmBody, deletedBody, historyBody, savedText, shownText, staleBody } from './bodies/records.js'
import { codeAskedBody, signedInBody, signedInTokensBody, signInBody, tokensBody } from './bodies/sign-in.js'
import { commentBody, commentChangedBody, commentsBody } from './comments.js'
import { composedBody } from './composed.js'
import { listedReply } from './listed.js'
import { changedBody, notificationBody, notificationsBody } from './notifications.js'
import { jsonElsewhere } from './part.js'
import { passkeyBodyOf, passkeysBody } from './passkeys.js'
import { problemBody } from './problem.js'
import { weakTag } from './tag.js'

/** How the JSON face renders each Outcome. */
const presenter: Presenter = {
  home: (home, at) => json(200, homeBody(home, at)),
  healthy: () => json(200, { status: 'ok' }),
  preferred: (preferred) => ({
    ...json(200, preferredBody(preferred)),
    ...(preferred.theme && { theme: preferred.theme }),
    ...(preferred.language !== undefined && { language: preferred.language }),
  }),
  listed: listedReply,
  streamed: (streamed) => ({ status: 200, headers: { 'content-type': 'application/json' }, body: streamedBody(streamed) }),
  composed: (composed, at) => json(200, composedBody(composed, at)),
  part: (part, at) => problem(jsonElsewhere(part, at), at),
  exported: exportedReply,
  importTemplate: importTemplateReply,
  importing: (importing, at) => json(200, importing.checked ? importedBody(importing.checked, true, at) : importingBody(importing)),
  imported: (imported, at) => json(200, importedBody(imported, false, at)),
  shown: (shown) => {
    const stored = shown.lens.shown.every((one) => 'field' in one)
    const reply = jsonText(
      200,
      shownText(shown),
      shown.version === null ? {} : { etag: strong(shown.version) },
      stored && shown.include.length === 0,
    )
    return isCovered(shown.lens) ? reply : { ...reply, more: true }
  },
  history: (history) => tagged(json(200, historyBody(history))),
  comments: (shown, at) => (shown.refused ? problem(shown.refused.error, at) : tagged(json(200, commentsBody(shown)))),
  comment: ({ comment, refused }, at) => (refused ? problem(refused.error, at) : json(200, commentBody(comment))),
  commentChanged: (changed, at) => {
    const { did, resource, key, comment } = changed
    const own = { resourceUri: resource.uriKey, resourceItem: key, id: String(comment.id) }
    return did === 'added'
      ? json(201, commentChangedBody(changed, at), { location: url(at.place, 'crud.comment', own) })
      : json(200, commentChangedBody(changed, at))
  },
  file: fileReply,
  uploaded: ({ path, size }) => json(201, uploadedBody(path, size)),
  // It is markup, which pages ask for.
  previewed: (_, at) => problem(new DaymarkError('notAcceptable', at.realm.t('request.accept', { types: 'text/html' })), at),
  form: (form, at) => (form.error ? problem(form.error, at) : json(200, formBody(form, at))),
  confirm: (confirm) => json(200, confirmBody(confirm)),
  acted: (acted, at) => {
    if (acted.answer.download) return downloadReply(acted.answer.download)
    const reply = json(200, actedBody(acted, at))
    // A script leaves the page of a record that is gone, so the next page says what has been done.
    return acted.gone ? { ...reply, flash: saidBy(acted.answer, at.realm.t) } : reply
  },
  // A form that asks is for people. A program gets an error, and nothing has been done.
  asked: ({ error }, at) => problem(error ?? invalid('_ask', at.realm.t('action.asksOnPages')), at),
  job: (shown, at) =>
    json(shown.started ? 202 : 200, jobBody(shown, at), shown.started ? { location: url(at.place, 'job.show', { id: shown.job.id }) } : {}),
  progress: progressReply,
  valid: ({ would, wrong }, at) => json(200, { ...wouldBody(would), ...(wrong && { errors: problemBody(wrong, at).errors ?? {} }) }),
  found: (found) => json(200, foundBody(found)),
  palette: (palette, at) => json(200, paletteBody(palette, at)),
  saved: (saved, at) =>
    jsonText(saved.created ? 201 : 200, savedText(saved, at), {
      etag: strong(saved.version),
      ...(saved.created && { location: url(at.place, 'crud.show', { resourceUri: saved.resource.uriKey, resourceItem: saved.key }) }),
    }),
  deleted: (deleted, at) => json(200, deletedBody(deleted, at)),
  signIn: ({ error }, at) => (error ? problem(error, at) : json(200, signInBody(at))),
  openIdBegun: ({ url: to, begun }) => ({ ...unstored(json(200, { url: to })), begun }),
  signedIn: (signed, at) => {
    const { grant } = signed
    if (grant?.is === 'tokens') return unstored(json(200, signedInTokensBody(signed, grant)))
    return { ...unstored(json(200, signedInBody(signed, at))), ...keptBy(signed) }
  },
  codeAsked: (asked, at) => {
    const error = asked.error ?? new DaymarkError('unauthenticated', at.realm.t('signIn.codeAsked'))
    const headers = { 'www-authenticate': at.realm.auth.challenge, 'cache-control': 'no-store' }
    return { ...problem(error, at, codeAskedBody(asked, error, at), headers), ...(asked.begun && { begun: asked.begun }) }
  },
  limited: ({ error }, at) => problem(error, at),
  twoFactor: (shown, at) => (shown.error ? problem(shown.error, at) : unstored(json(200, twoFactorBody(shown, at)))),
  passkeyAsked: ({ options, challenges }) => ({ ...unstored(json(200, { options })), challenges }),
  passkeyBegun: ({ options, challenges }) => ({ ...unstored(json(200, { options })), challenges }),
  passkeys: (shown, at) => {
    const { did, error, challenges } = shown
    if (error) return problem(error, at)
    if (did?.is === 'added') return { ...json(201, passkeyBodyOf(did.is, did.passkey, at)), ...(challenges && { challenges }) }
    if (did?.is === 'renamed') return json(200, passkeyBodyOf(did.is, did.passkey, at))
    return json(200, did ? { message: at.realm.t('passkey.removed', { name: did.passkey.name }) } : passkeysBody(shown))
  },
  apiKeys: (shown, at) => {
    const { did, error } = shown
    if (error) return problem(error, at)
    if (did?.is === 'made') return unstored(json(201, apiKeyMadeBody(did.key, did.text, at)))
    return json(200, did ? { message: at.realm.t('apiKey.deleted', { name: did.key.name }) } : apiKeysBody(shown))
  },
  notifications: (shown) => tagged(json(200, notificationsBody(shown))),
  notification: ({ notification }) => json(200, notificationBody(notification)),
  notificationChanged: (changed, at) => json(200, changedBody(changed, at)),
  refreshed: ({ grant }) => unstored(json(200, grant.is === 'tokens' ? tokensBody(grant) : {})),
  signedOut: ({ self, count }, { realm: { t } }) => ({
    ...json(200, { message: count > 1 ? t('signIn.outMany', { count }) : t('signIn.out') }),
    ...(self && { session: null }),
  }),
  viewing: ({ as }, { realm: { t } }) => json(200, { message: as ? t('viewAs.begun', { name: as.name }) : t('viewAs.ended') }),
  profile: (profile, at) => {
    if (profile.error) return problem(profile.error, at)
    const reply = json(200, profileBody(profile, at))
    return profile.grant ? { ...unstored(reply), ...keptBy(profile) } : reply
  },
  forgot: ({ sent, error }, at) =>
    error ? problem(error, at) : json(sent ? 202 : 200, { message: at.realm.t(sent ? 'forgot.sent' : 'forgot.about') }),
  reset: ({ username, done, error }, at) =>
    error ? problem(error, at) : json(200, done ? { message: at.realm.t('reset.done') } : { data: { username } }),
  answered: ({ data }) => answered(data),
  invalid: ({ error }, at) =>
    problem(error, at, error instanceof UnfitError ? { ...problemBody(error, at), ...wouldBody(error.would) } : undefined),
  stale: ({ error }, at) => problem(error, at, staleBody(error, at), error.current ? { etag: strong(error.current.version) } : {}),
  unauthenticated: ({ error }, at) => problem(error, at),
  refused: ({ error }, at) => problem(error, at),
}

/** The JSON face, for programs. */
export const jsonFace: Face = {
  name: 'json',
  wants: ({ view = 'detail', path }) => ({
    view,
    wholeRows: false,
    labels: false,
    written: true,
    moves: false,
    summary: false,
    views: false,
    strict: true,
    stream: false,
    version: true,
    belonging: false,
    deferred: false,
    chosen: path === '/preferences',
  }),
  present: presenter,
}

/** Whether the version covers all that the shown values are made of. */
function isCovered({ shown, readable, resource: { model, version } }: Lens): boolean {
  const isIn = (name: string) => !isTold(model, name) && (version !== null || readable.has(name))
  return shown.every((one) => ('field' in one ? !isTold(model, one.key) : one.computed.needs.every(isIn)))
}

function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Reply & { readonly body: string } {
  return jsonText(status, JSON.stringify(body), headers)
}

function jsonText(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>>,
  stays = false,
): Reply & { readonly body: string } {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body, stays }
}

function problem(
  error: DaymarkError,
  at: PresenterContext,
  body: object = problemBody(error, at),
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return json(errors[error.code].status, body, { ...error.headers, ...headers, 'content-type': 'application/problem+json' })
}

const written = new WeakMap<object, Reply>()

/** Frozen data is serialized only once. */
function answered(data: object): Reply {
  const reply = written.get(data) ?? tagged(json(200, data))
  if (Object.isFrozen(data)) written.set(data, reply)
  return reply
}

/** Keeps credentials out of every cache. */
function unstored(reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, 'cache-control': 'no-store' } }
}

function tagged(reply: Reply & { readonly body: string }): Reply {
  return { ...reply, headers: { ...reply.headers, etag: weakTag(reply.body) } }
}

function strong(version: string): string {
  return `"${version}"`
}
