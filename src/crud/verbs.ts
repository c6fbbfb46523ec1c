import type { DaymarkError, ErrorCode } from '../base/errors.js'
import { type Ability, abilities } from '../resource/action/policy.js'
import { apiKeys, apiKeysAgain, createApiKey, deleteApiKey } from './account/api-keys.js'
import { forgot, forgotAgain, forgotPage } from './account/forgot-password.js'
import { deleteNotifications, markNotifications, notifications, openNotification } from './account/notifications.js'
import { beginOpenId, finishOpenId, openIdAgain } from './account/open-id.js'
import { addPasskey, beginPasskey, passkeys, passkeysAgain, removePasskey, renamePasskey } from './account/passkeys.js'
import { preferences, setPreferences } from './account/preferences.js'
import { profile, profileAgain, updateProfile } from './account/profile.js'
import { refresh } from './account/refresh.js'
import { resetAgain, resetPage, resetPassword } from './account/reset-password.js'
import { signIn, signInAgain, signInPage } from './account/sign-in.js'
import { signInCode, signInCodeAgain } from './account/sign-in-code.js'
import { beginPasskeySignIn, signInPasskey, signInPasskeyAgain } from './account/sign-in-passkey.js'
import { revokeSessions, signOut } from './account/sign-out.js'
import { newRecoveryCodes, turnOffTwoFactor, turnOnTwoFactor, twoFactor, twoFactorAgain } from './account/two-factor.js'
import { viewAs, viewAsSelf } from './account/view-as.js'
import { handler, handlerForm } from './action/handler.js'
import { jobCancel, jobShow } from './action/job.js'
import { method, methodAgain } from './action/method.js'
import type { Call, GuestCall, PageCall, PanelCall, Realm } from './call/call.js'
import { comment, commentAgain, comments, commentsAgain, deleteComment, editComment, writeComment } from './comments/comments.js'
import type { panelFeatures, resourceFeatures } from './features.js'
import { asksSearch, formAgain } from './form/form.js'
import { preview } from './form/preview.js'
import { search } from './form/search.js'
import { upload } from './form/upload.js'
import { validate } from './form/validate.js'
import { history } from './history/history.js'
import { importPage, importRecords, importTemplate } from './import/import.js'
import { exportList, exportSelected } from './list/export.js'
import { list } from './list/list.js'
import type { Outcome } from './outcomes/outcome.js'
import { formOnPage } from './pages/form-on-page.js'
import { ownPage } from './pages/own-page.js'
import { page } from './pages/page.js'
import { palette } from './pages/palette.js'
import { part } from './pages/part.js'
import { show } from './pages/show.js'
import { file } from './record/file.js'
import { move } from './record/move.js'
import { destroy, massDelete } from './record/remove.js'
import { create, update } from './record/save.js'
import { updateField } from './record/update-field.js'

/** What a form does besides its verb. */
export interface Redraw {
  /** Whether to search for a related record first, instead of running the verb. */
  instead?(call: Call): boolean
  /** Renders the form again, after a refusal or a search, with what the user typed. */
  again(call: Call, error: DaymarkError | null): Promise<Outcome>
}

/** What runs for a route. */
interface Runs<C> {
  /** Does it. To refuse, throw a `DaymarkError`. */
  run(call: C): Promise<Outcome>
  /** The outcomes that it can end in, besides a refusal. */
  readonly ends: readonly Outcome['is'][]
  /** For the OpenAPI document: errors that it can end in besides those of its route, path or resource. Default: none. */
  readonly refuses?: readonly ErrorCode[]
  /** `true`: only pages ask for it, so it is not in the OpenAPI document. */
  readonly unlisted?: true
}

/** What runs for a route, and what it needs. A verb knows no HTTP: it receives a call and returns an Outcome. */
export type Verb =
  | (Runs<Call> & {
      /** On a resource: the path of its route contains `{resourceUri}`. */
      readonly on: 'resource'
      /** For the OpenAPI document: resources without this don't have it. Default: all have. */
      readonly of?: keyof typeof resourceFeatures
      /** What its form does besides. */
      readonly redraw?: Redraw
      /** Its form may send files. `true`: for fields of the resource, which hold their paths; `own`: it reads them itself. */
      readonly files?: true | 'own'
      /** `true`: it only reads what is in the store, so the same call gets the same outcome while nothing there changes. */
      readonly stays?: true
      /** For the OpenAPI document: it locks its record, which some views of PostgreSQL refuse. */
      readonly locks?: true
      /** If its route names no ability: a user with none of these is refused, and the verb checks the one that it needs. */
      readonly asks?: readonly Ability[]
    })
  | (Runs<PanelCall> & {
      /** For any signed-in user. */
      readonly on: 'panel'
      /** For the OpenAPI document: panels without this don't have it. Default: all have. */
      readonly of?: keyof typeof panelFeatures
      /** `true`: it needs nothing but what an open panel holds in memory. */
      readonly storeless?: true
      /** Renders a form of the page again, after a refusal. */
      again?(call: PanelCall, error: DaymarkError): Promise<Outcome>
    })
  | (Runs<PageCall> & {
      /** On a page: one of the panel's own, or of a resource. */
      readonly on: 'page'
      /** On a page of a resource: a user with none of these abilities is refused. */
      readonly asks: readonly Ability[]
      /** Renders a form of the page again, after a refusal. */
      again?(call: PageCall, error: DaymarkError): Promise<Outcome>
    })
  | (Runs<GuestCall> & {
      /** For anybody, signed in or not. */
      readonly on: 'guest'
      /** For the OpenAPI document: panels without this don't have it. Default: all have. */
      readonly of?: keyof typeof panelFeatures
      /** `true`: it needs nothing but what an open panel holds in memory. */
      readonly storeless?: true
      /** Renders a form of the page again, after a refusal. */
      again?(call: GuestCall, error: DaymarkError): Promise<Outcome>
      /** `true`: so it does for who has followed a link. */
      readonly byLink?: true
    })
  | (Runs<Realm> & {
      /** For anybody, before the user is identified. */
      readonly on: 'nothing'
    })
  /** A form that means another method: `_method` picks the route of the same path. */
  | { readonly on: 'spelled' }
  /** The panel's own files. */
  | { readonly on: 'assets' }

const redraw: Redraw = { instead: asksSearch, again: formOnPage }

const changesTwoFactor = {
  on: 'panel',
  of: 'twoFactor',
  ends: ['twoFactor', 'invalid'],
  refuses: ['conflict', 'throttled'],
  again: twoFactorAgain,
} as const

/** The verbs by the names that the route table uses, and the Outcomes that each can end in besides a refusal. */
export const verbs = {
  ownPage: { on: 'page', run: ownPage, asks: [], ends: ['home', 'composed', 'part', 'invalid'] },
  health: { on: 'nothing', run: async () => ({ is: 'healthy' }), ends: ['healthy'] },
  ready: {
    on: 'nothing',
    run: ({ readiness, t }) => readiness.check(t).then(() => ({ is: 'healthy' })),
    ends: ['healthy'],
    refuses: ['unavailable'],
  },
  signInPage: { on: 'guest', of: 'signInPage', run: signInPage, ends: ['signIn', 'signedIn'], refuses: ['forbidden'] },
  signIn: {
    on: 'guest',
    of: 'passwords',
    run: signIn,
    ends: ['signedIn', 'codeAsked', 'signIn', 'invalid', 'unauthenticated'],
    refuses: ['throttled'],
    again: signInAgain,
  },
  signInCode: {
    on: 'guest',
    of: 'twoFactor',
    run: signInCode,
    ends: ['signedIn', 'signIn', 'invalid', 'unauthenticated'],
    refuses: ['throttled'],
    again: signInCodeAgain,
  },
  beginOpenId: {
    on: 'guest',
    of: 'openId',
    run: beginOpenId,
    ends: ['openIdBegun', 'signIn', 'unauthenticated'],
    refuses: ['forbidden', 'unavailable'],
    again: openIdAgain,
    byLink: true,
  },
  finishOpenId: {
    on: 'guest',
    of: 'openId',
    run: finishOpenId,
    ends: ['signedIn', 'codeAsked', 'signIn', 'unauthenticated'],
    refuses: ['forbidden', 'throttled', 'unavailable'],
    again: openIdAgain,
    byLink: true,
  },
  beginPasskeySignIn: { on: 'guest', of: 'passkeys', run: beginPasskeySignIn, ends: ['passkeyAsked'], refuses: ['forbidden'] },
  signInPasskey: {
    on: 'guest',
    of: 'passkeys',
    run: signInPasskey,
    ends: ['signedIn', 'signIn', 'invalid', 'unauthenticated'],
    refuses: ['forbidden', 'throttled'],
    again: signInPasskeyAgain,
  },
  signOut: { on: 'panel', of: 'signIn', run: signOut, ends: ['signedOut'] },
  refresh: { on: 'guest', of: 'tokens', run: refresh, ends: ['refreshed', 'invalid', 'unauthenticated'] },
  profile: { on: 'panel', run: profile, ends: ['profile'] },
  updateProfile: {
    on: 'panel',
    of: 'signIn',
    run: updateProfile,
    ends: ['profile', 'invalid'],
    refuses: ['throttled'],
    again: profileAgain,
  },
  twoFactor: { on: 'panel', of: 'twoFactor', run: twoFactor, ends: ['twoFactor'] },
  turnOnTwoFactor: { ...changesTwoFactor, run: turnOnTwoFactor },
  turnOffTwoFactor: { ...changesTwoFactor, run: turnOffTwoFactor },
  newRecoveryCodes: { ...changesTwoFactor, run: newRecoveryCodes },
  passkeys: { on: 'panel', of: 'passkeys', run: passkeys, ends: ['passkeys'], refuses: ['forbidden'] },
  beginPasskey: { on: 'panel', of: 'passkeys', run: beginPasskey, ends: ['passkeyBegun', 'invalid'], refuses: ['throttled'] },
  addPasskey: { on: 'panel', of: 'passkeys', run: addPasskey, ends: ['passkeys', 'invalid'], again: passkeysAgain },
  renamePasskey: { on: 'panel', of: 'passkeys', run: renamePasskey, ends: ['passkeys', 'invalid'], again: passkeysAgain },
  removePasskey: { on: 'panel', of: 'passkeys', run: removePasskey, ends: ['passkeys'] },
  apiKeys: { on: 'panel', of: 'apiKeys', run: apiKeys, ends: ['apiKeys'], refuses: ['forbidden'] },
  createApiKey: {
    on: 'panel',
    of: 'apiKeys',
    run: createApiKey,
    ends: ['apiKeys', 'invalid'],
    refuses: ['throttled'],
    again: apiKeysAgain,
  },
  deleteApiKey: { on: 'panel', of: 'apiKeys', run: deleteApiKey, ends: ['apiKeys'] },
  notifications: { on: 'panel', of: 'notifications', run: notifications, ends: ['notifications'] },
  openNotification: { on: 'panel', of: 'notifications', run: openNotification, ends: ['notification'] },
  markNotifications: { on: 'panel', of: 'notifications', run: markNotifications, ends: ['notificationChanged', 'invalid'] },
  deleteNotifications: { on: 'panel', of: 'notifications', run: deleteNotifications, ends: ['notificationChanged'] },
  revokeSessions: { on: 'panel', of: 'signIn', run: revokeSessions, ends: ['signedOut'] },
  viewAs: { on: 'panel', of: 'viewAs', run: viewAs, ends: ['viewing'], refuses: ['forbidden'] },
  viewAsSelf: { on: 'panel', of: 'viewAs', run: viewAsSelf, ends: ['viewing'] },
  forgotPage: { on: 'guest', of: 'passwordLinks', run: forgotPage, ends: ['forgot'] },
  forgot: { on: 'guest', of: 'passwordLinks', run: forgot, ends: ['forgot', 'invalid'], refuses: ['throttled'], again: forgotAgain },
  resetPage: { on: 'guest', of: 'passwords', run: resetPage, ends: ['reset'] },
  resetPassword: { on: 'guest', of: 'passwords', run: resetPassword, ends: ['reset', 'invalid'], again: resetAgain },
  spelled: { on: 'spelled' },
  assets: { on: 'assets' },
  preferences: { on: 'panel', run: preferences, ends: ['preferred'], storeless: true },
  setPreferences: { on: 'panel', run: setPreferences, ends: ['preferred', 'invalid'], storeless: true },
  list: { on: 'resource', run: list, ends: ['listed', 'streamed', 'invalid'], stays: true },
  exportList: { on: 'resource', run: exportList, ends: ['exported', 'invalid'], refuses: ['notFound'] },
  exportSelected: { on: 'resource', run: exportSelected, ends: ['exported', 'invalid'], refuses: ['notFound'] },
  importPage: { on: 'resource', of: 'import', run: importPage, asks: ['create', 'update'], ends: ['importing'] },
  importTemplate: { on: 'resource', of: 'import', run: importTemplate, asks: ['create', 'update'], ends: ['importTemplate', 'invalid'] },
  importRecords: {
    on: 'resource',
    of: 'import',
    run: importRecords,
    asks: ['create', 'update'],
    ends: ['imported', 'importing', 'invalid'],
    refuses: ['conflict'],
    redraw: { again: importPage },
    files: 'own',
  },
  show: { on: 'resource', run: show, ends: ['shown', 'invalid'], stays: true },
  history: { on: 'resource', of: 'history', run: history, ends: ['history', 'invalid'] },
  comments: { on: 'resource', of: 'comments', run: comments, ends: ['comments', 'invalid'] },
  writeComment: {
    on: 'resource',
    of: 'newComments',
    run: writeComment,
    ends: ['commentChanged', 'comments', 'invalid'],
    locks: true,
    redraw: { again: commentsAgain },
  },
  comment: { on: 'resource', of: 'comments', run: comment, ends: ['comment'] },
  editComment: {
    on: 'resource',
    of: 'newComments',
    run: editComment,
    ends: ['commentChanged', 'comment', 'invalid'],
    locks: true,
    redraw: { again: commentAgain },
  },
  deleteComment: {
    on: 'resource',
    of: 'newComments',
    run: deleteComment,
    asks: ['comment', 'delete'],
    ends: ['commentChanged', 'comment'],
    locks: true,
  },
  file: { on: 'resource', of: 'files', run: file, ends: ['file'], refuses: ['outOfRange'] },
  upload: { on: 'resource', of: 'files', run: upload, asks: ['create', 'update'], ends: ['uploaded', 'invalid'] },
  preview: { on: 'resource', run: preview, asks: ['create', 'update'], ends: ['previewed', 'invalid'], unlisted: true },
  page: {
    on: 'resource',
    run: page,
    asks: ['viewAny', 'view', 'create', 'update'],
    ends: ['listed', 'streamed', 'shown', 'form', 'composed', 'invalid'],
  },
  part: {
    on: 'page',
    run: part,
    asks: ['viewAny', 'view', 'create', 'update'],
    ends: ['part', 'home', 'composed', 'invalid'],
    unlisted: true,
  },
  palette: { on: 'panel', run: palette, ends: ['palette'] },
  search: { on: 'resource', run: search, asks: ['viewAny', 'create', 'update'], ends: ['found'] },
  create: { on: 'resource', run: create, ends: ['saved', 'invalid'], refuses: ['conflict'], redraw, files: true },
  update: {
    on: 'resource',
    run: update,
    ends: ['saved', 'invalid', 'stale'],
    refuses: ['conflict', 'preconditionRequired'],
    redraw,
    files: true,
  },
  validate: {
    on: 'resource',
    run: validate,
    asks: ['create', 'update'],
    ends: ['valid', 'invalid'],
    redraw: { again: formAgain },
  },
  handler: {
    on: 'resource',
    run: handler,
    asks: abilities,
    ends: ['acted', 'asked', 'job', 'invalid'],
    refuses: ['notFound', 'conflict', 'methodNotAllowed'],
    redraw: { again: handlerForm },
  },
  method: {
    on: 'page',
    run: method,
    // Each page and each method has its own policy.
    asks: [],
    ends: ['acted', 'asked', 'invalid'],
    refuses: ['notFound', 'conflict', 'methodNotAllowed'],
    again: methodAgain,
  },
  jobShow: { on: 'panel', of: 'jobs', run: jobShow, ends: ['job', 'progress'], storeless: true },
  jobCancel: { on: 'panel', of: 'jobs', run: jobCancel, ends: ['job'], storeless: true },
  updateField: { on: 'resource', run: updateField, ends: ['saved', 'invalid', 'stale'], refuses: ['conflict'] },
  move: { on: 'resource', of: 'order', run: move, ends: ['saved', 'invalid', 'stale'], refuses: ['conflict'] },
  destroy: { on: 'resource', run: destroy, ends: ['deleted', 'confirm', 'stale'], refuses: ['conflict', 'preconditionRequired'] },
  massDelete: { on: 'resource', run: massDelete, ends: ['deleted', 'confirm', 'invalid'], refuses: ['notFound', 'conflict'] },
} as const satisfies Readonly<Record<string, Verb>>
