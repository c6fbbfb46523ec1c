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

/** Errors that a verb can end in besides those of its route, path or resource: for the OpenAPI document. */
type Refuses = readonly ErrorCode[]

/** What runs for a route, and what it needs. A verb knows no HTTP: it receives a call and returns an Outcome. */
export type Verb =
  | {
      /** On a resource: the path of its route contains `{resourceUri}`. */
      readonly on: 'resource'
      /** Does it. To refuse, throw a `DaymarkError`. */
      run(call: Call): Promise<Outcome>
      /** The outcomes that it can end in, besides a refusal. */
      readonly ends: readonly Outcome['is'][]
      /** Further errors, for the OpenAPI document. Default: none. */
      readonly refuses?: Refuses
      /** What its form does besides. */
      readonly redraw?: Redraw
      /** Its form may send files. `true`: for fields of the resource, which hold their paths; `own`: it reads them itself. */
      readonly files?: true | 'own'
      /** `true`: it only reads what is in the store, so the same call gets the same outcome while nothing there changes. */
      readonly stays?: true
      /** If its route names no ability: a user with none of these is refused, and the verb checks the one that it needs. */
      readonly asks?: readonly Ability[]
    }
  | {
      /** For any signed-in user. */
      readonly on: 'panel'
      /** Does it. To refuse, throw a `DaymarkError`. */
      run(call: PanelCall): Promise<Outcome>
      /** The outcomes that it can end in, besides a refusal. */
      readonly ends: readonly Outcome['is'][]
      /** Further errors, for the OpenAPI document. Default: none. */
      readonly refuses?: Refuses
      /** `true`: it needs nothing but what an open panel holds in memory. */
      readonly storeless?: true
      /** Renders a form of the page again, after a refusal. */
      again?(call: PanelCall, error: DaymarkError): Promise<Outcome>
    }
  | {
      /** On a page: one of the panel's own, or of a resource. */
      readonly on: 'page'
      /** Does it. To refuse, throw a `DaymarkError`. */
      run(call: PageCall): Promise<Outcome>
      /** The outcomes that it can end in, besides a refusal. */
      readonly ends: readonly Outcome['is'][]
      /** Further errors, for the OpenAPI document. Default: none. */
      readonly refuses?: Refuses
      /** On a page of a resource: a user with none of these abilities is refused. */
      readonly asks: readonly Ability[]
      /** Renders a form of the page again, after a refusal. */
      again?(call: PageCall, error: DaymarkError): Promise<Outcome>
    }
  | {
      /** For anybody, signed in or not. */
      readonly on: 'guest'
      /** Does it. To refuse, throw a `DaymarkError`. */
      run(call: GuestCall): Promise<Outcome>
      /** The outcomes that it can end in, besides a refusal. */
      readonly ends: readonly Outcome['is'][]
      /** Further errors, for the OpenAPI document. Default: none. */
      readonly refuses?: Refuses
      /** `true`: it needs nothing but what an open panel holds in memory. */
      readonly storeless?: true
      /** Renders a form of the page again, after a refusal. */
      again?(call: GuestCall, error: DaymarkError): Promise<Outcome>
      /** `true`: so it does for who has followed a link. */
      readonly byLink?: true
    }
  /** A form that means another method: `_method` picks the route of the same path. */
  | { readonly on: 'spelled' }
  /** The panel's own files. */
  | { readonly on: 'assets' }
  /** For anybody, before the user is identified. */
  | { readonly on: 'nothing'; run(realm: Realm): Promise<Outcome>; readonly ends: readonly Outcome['is'][]; readonly refuses?: Refuses }

const redraw: Redraw = { instead: asksSearch, again: formOnPage }

const changesTwoFactor = {
  on: 'panel',
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
  signInPage: { on: 'guest', run: signInPage, ends: ['signIn', 'signedIn'], refuses: ['forbidden'] },
  signIn: {
    on: 'guest',
    run: signIn,
    ends: ['signedIn', 'codeAsked', 'signIn', 'invalid', 'unauthenticated'],
    refuses: ['throttled'],
    again: signInAgain,
  },
  signInCode: {
    on: 'guest',
    run: signInCode,
    ends: ['signedIn', 'signIn', 'invalid', 'unauthenticated'],
    refuses: ['throttled'],
    again: signInCodeAgain,
  },
  beginOpenId: {
    on: 'guest',
    run: beginOpenId,
    ends: ['openIdBegun', 'signIn', 'unauthenticated'],
    refuses: ['forbidden', 'unavailable'],
    again: openIdAgain,
    byLink: true,
  },
  finishOpenId: {
    on: 'guest',
    run: finishOpenId,
    ends: ['signedIn', 'codeAsked', 'signIn', 'unauthenticated'],
    refuses: ['forbidden', 'throttled', 'unavailable'],
    again: openIdAgain,
    byLink: true,
  },
  beginPasskeySignIn: { on: 'guest', run: beginPasskeySignIn, ends: ['passkeyAsked'], refuses: ['forbidden'] },
  signInPasskey: {
    on: 'guest',
    run: signInPasskey,
    ends: ['signedIn', 'signIn', 'invalid', 'unauthenticated'],
    refuses: ['forbidden', 'throttled'],
    again: signInPasskeyAgain,
  },
  signOut: { on: 'panel', run: signOut, ends: ['signedOut'] },
  refresh: { on: 'guest', run: refresh, ends: ['refreshed', 'invalid', 'unauthenticated'] },
  profile: { on: 'panel', run: profile, ends: ['profile'] },
  updateProfile: { on: 'panel', run: updateProfile, ends: ['profile', 'invalid'], refuses: ['throttled'], again: profileAgain },
  twoFactor: { on: 'panel', run: twoFactor, ends: ['twoFactor'] },
  turnOnTwoFactor: { ...changesTwoFactor, run: turnOnTwoFactor },
  turnOffTwoFactor: { ...changesTwoFactor, run: turnOffTwoFactor },
  newRecoveryCodes: { ...changesTwoFactor, run: newRecoveryCodes },
  passkeys: { on: 'panel', run: passkeys, ends: ['passkeys'], refuses: ['forbidden'] },
  beginPasskey: { on: 'panel', run: beginPasskey, ends: ['passkeyBegun', 'invalid'], refuses: ['throttled'] },
  addPasskey: { on: 'panel', run: addPasskey, ends: ['passkeys', 'invalid'], again: passkeysAgain },
  renamePasskey: { on: 'panel', run: renamePasskey, ends: ['passkeys', 'invalid'], again: passkeysAgain },
  removePasskey: { on: 'panel', run: removePasskey, ends: ['passkeys'] },
  apiKeys: { on: 'panel', run: apiKeys, ends: ['apiKeys'], refuses: ['forbidden'] },
  createApiKey: { on: 'panel', run: createApiKey, ends: ['apiKeys', 'invalid'], refuses: ['throttled'], again: apiKeysAgain },
  deleteApiKey: { on: 'panel', run: deleteApiKey, ends: ['apiKeys'] },
  notifications: { on: 'panel', run: notifications, ends: ['notifications'] },
  openNotification: { on: 'panel', run: openNotification, ends: ['notification'] },
  markNotifications: { on: 'panel', run: markNotifications, ends: ['notificationChanged', 'invalid'] },
  deleteNotifications: { on: 'panel', run: deleteNotifications, ends: ['notificationChanged'] },
  revokeSessions: { on: 'panel', run: revokeSessions, ends: ['signedOut'] },
  viewAs: { on: 'panel', run: viewAs, ends: ['viewing'], refuses: ['forbidden'] },
  viewAsSelf: { on: 'panel', run: viewAsSelf, ends: ['viewing'] },
  forgotPage: { on: 'guest', run: forgotPage, ends: ['forgot'] },
  forgot: { on: 'guest', run: forgot, ends: ['forgot', 'invalid'], refuses: ['throttled'], again: forgotAgain },
  resetPage: { on: 'guest', run: resetPage, ends: ['reset'] },
  resetPassword: { on: 'guest', run: resetPassword, ends: ['reset', 'invalid'], again: resetAgain },
  spelled: { on: 'spelled' },
  assets: { on: 'assets' },
  preferences: { on: 'panel', run: preferences, ends: ['preferred'], storeless: true },
  setPreferences: { on: 'panel', run: setPreferences, ends: ['preferred', 'invalid'], storeless: true },
  list: { on: 'resource', run: list, ends: ['listed', 'streamed', 'invalid'], stays: true },
  exportList: { on: 'resource', run: exportList, ends: ['exported', 'invalid'], refuses: ['notFound'] },
  exportSelected: { on: 'resource', run: exportSelected, ends: ['exported', 'invalid'], refuses: ['notFound'] },
  importPage: { on: 'resource', run: importPage, asks: ['create', 'update'], ends: ['importing'] },
  importTemplate: { on: 'resource', run: importTemplate, asks: ['create', 'update'], ends: ['importTemplate', 'invalid'] },
  importRecords: {
    on: 'resource',
    run: importRecords,
    asks: ['create', 'update'],
    ends: ['imported', 'importing', 'invalid'],
    refuses: ['conflict'],
    redraw: { again: importPage },
    files: 'own',
  },
  show: { on: 'resource', run: show, ends: ['shown', 'invalid'], stays: true },
  history: { on: 'resource', run: history, ends: ['history', 'invalid'] },
  comments: { on: 'resource', run: comments, ends: ['comments', 'invalid'] },
  writeComment: {
    on: 'resource',
    run: writeComment,
    ends: ['commentChanged', 'comments', 'invalid'],
    refuses: ['conflict'],
    redraw: { again: commentsAgain },
  },
  comment: { on: 'resource', run: comment, ends: ['comment'] },
  editComment: {
    on: 'resource',
    run: editComment,
    ends: ['commentChanged', 'comment', 'invalid'],
    refuses: ['conflict'],
    redraw: { again: commentAgain },
  },
  deleteComment: {
    on: 'resource',
    run: deleteComment,
    asks: ['comment', 'delete'],
    ends: ['commentChanged', 'comment'],
    refuses: ['conflict'],
  },
  file: { on: 'resource', run: file, ends: ['file'], refuses: ['outOfRange'] },
  upload: { on: 'resource', run: upload, asks: ['create', 'update'], ends: ['uploaded', 'invalid'] },
  preview: { on: 'resource', run: preview, asks: ['create', 'update'], ends: ['previewed', 'invalid'] },
  page: {
    on: 'resource',
    run: page,
    asks: ['viewAny', 'view', 'create', 'update'],
    ends: ['listed', 'streamed', 'shown', 'form', 'composed', 'invalid'],
  },
  part: { on: 'page', run: part, asks: ['viewAny', 'view', 'create', 'update'], ends: ['part', 'home', 'composed', 'invalid'] },
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
  jobShow: { on: 'panel', run: jobShow, ends: ['job', 'progress'], storeless: true },
  jobCancel: { on: 'panel', run: jobCancel, ends: ['job'], storeless: true },
  updateField: { on: 'resource', run: updateField, ends: ['saved', 'invalid', 'stale'], refuses: ['conflict'] },
  move: { on: 'resource', run: move, ends: ['saved', 'invalid', 'stale'], refuses: ['conflict'] },
  destroy: { on: 'resource', run: destroy, ends: ['deleted', 'confirm', 'stale'], refuses: ['conflict', 'preconditionRequired'] },
  massDelete: { on: 'resource', run: massDelete, ends: ['deleted', 'confirm', 'invalid'], refuses: ['notFound', 'conflict'] },
} as const satisfies Readonly<Record<string, Verb>>
