import type { Ability } from '../resource/action/policy.js'

/** The HTTP methods that routes answer to. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A route of the panel. */
export interface Route {
  /** Its name, such as `crud.index`. */
  readonly name: string
  /** The HTTP methods that it answers to. */
  readonly methods: readonly Method[]
  /** `root`: relative to where the panel is mounted. Default: below the panel's prefix. */
  readonly at?: 'root'
  /** `json`: answers in JSON, whatever `Accept` says (RFC 9110 §12.5.1). Default: JSON or a page, as `Accept` says. */
  readonly as?: 'json'
  /** What it does, in a few words, for the OpenAPI document. */
  readonly summary?: string
  /** Its path below the panel's prefix. `{name}` is one segment; `{name?}` is an optional one, at the end. */
  readonly path: string
  /** The name of the verb that runs. */
  readonly verb: string
  /** Who gets in: users with this ability on the resource, any signed-in user (`signedIn`), or anybody (`public`). */
  readonly ability: Ability | 'signedIn' | 'public'
  /** The page whose fields the verb shows. */
  readonly view?: 'index' | 'detail' | 'form'
  /** The page that a request comes from, unless it names another one: callbacks are told. Default: that of `view`. */
  readonly from?: 'index' | 'detail' | 'form'
  /** What the body holds: fields of a record, or `ids`; `file`: it is a file. Default: it has none. */
  readonly body?: 'fields' | 'ids' | 'file'
  /** The query parameters that it takes. `none`: JSON refuses any; `own`: the verb reads them itself. */
  readonly query:
    | 'list'
    | 'record'
    | 'ids'
    | 'search'
    | 'choices'
    | 'sign-in'
    | 'cursor'
    | 'name'
    | 'path'
    | 'import'
    | 'check'
    | 'format'
    | 'own'
    | 'none'
  /** `true`: the answer is a file, whatever `Accept` says. */
  readonly download?: true
  /** `true`: it changes nothing, whatever its method: who may only read may use it. */
  readonly reads?: true
  /** `true`: it can answer with events as they happen. */
  readonly streams?: true
  /** `true`: it also serves users who have to set up two-factor sign-in before anything else. */
  readonly limited?: true
  /** `true`: it also serves users who look at the panel as somebody else, and change nothing but that. */
  readonly viewing?: true
  /** `true`: it answers whatever the `Host`, except in a panel for its own machine. */
  readonly anyHost?: true
  /** The page that it is, whose parts `_fragment-load` asks for; `named`: the one of `{pageUri}`. */
  readonly page?: 'home' | 'index-page' | 'detail-page' | 'named'
}

// HTML forms can only GET and POST, so they spell PUT and DELETE as `_method` in the body, which selects another route of the same path.
const spelled = { methods: ['POST'], verb: 'spelled', ability: 'signedIn', body: 'fields', query: 'none' } as const

/** The route table. The rows of plugins have the same shape and are appended. */
export const routes = [
  { name: 'index', methods: ['GET'], path: '/', verb: 'ownPage', ability: 'signedIn', query: 'list', page: 'home' },
  { name: 'page', methods: ['GET'], path: '/page/{pageUri}', verb: 'ownPage', ability: 'signedIn', query: 'list', page: 'named' },
  { name: 'login', methods: ['GET'], path: '/login', verb: 'signInPage', ability: 'public', query: 'sign-in' },
  { name: 'authenticate', methods: ['POST'], path: '/authenticate', verb: 'signIn', ability: 'public', body: 'fields', query: 'none' },
  {
    name: 'authenticate.code',
    methods: ['POST'],
    path: '/authenticate/code',
    verb: 'signInCode',
    ability: 'public',
    body: 'fields',
    query: 'none',
  },
  { name: 'openid', methods: ['GET'], path: '/authenticate/openid/{provider}', verb: 'beginOpenId', ability: 'public', query: 'sign-in' },
  {
    name: 'openid.return',
    methods: ['GET'],
    path: '/authenticate/openid/{provider}/return',
    verb: 'finishOpenId',
    ability: 'public',
    query: 'own',
  },
  {
    name: 'passkey.begin',
    methods: ['POST'],
    path: '/authenticate/passkey/options',
    as: 'json',
    verb: 'beginPasskeySignIn',
    ability: 'public',
    body: 'fields',
    query: 'none',
  },
  {
    name: 'passkey',
    methods: ['POST'],
    path: '/authenticate/passkey',
    verb: 'signInPasskey',
    ability: 'public',
    body: 'fields',
    query: 'none',
  },
  {
    name: 'logout',
    methods: ['POST'],
    path: '/logout',
    verb: 'signOut',
    ability: 'signedIn',
    body: 'fields',
    query: 'none',
    limited: true,
    viewing: true,
  },
  { name: 'refresh', methods: ['POST'], path: '/refresh', verb: 'refresh', ability: 'public', body: 'fields', query: 'none' },
  { name: 'profile', methods: ['GET'], path: '/profile', verb: 'profile', ability: 'signedIn', query: 'none' },
  { name: 'profile.update', methods: ['PUT'], path: '/profile', verb: 'updateProfile', ability: 'signedIn', body: 'fields', query: 'none' },
  { name: 'profile.form', path: '/profile', ...spelled },
  {
    name: 'two-factor',
    methods: ['GET'],
    path: '/profile/two-factor',
    verb: 'twoFactor',
    ability: 'signedIn',
    query: 'sign-in',
    limited: true,
  },
  {
    name: 'two-factor.on',
    methods: ['PUT'],
    path: '/profile/two-factor',
    verb: 'turnOnTwoFactor',
    ability: 'signedIn',
    body: 'fields',
    query: 'none',
    limited: true,
  },
  {
    name: 'two-factor.off',
    methods: ['DELETE'],
    path: '/profile/two-factor',
    verb: 'turnOffTwoFactor',
    ability: 'signedIn',
    body: 'fields',
    query: 'none',
  },
  { name: 'two-factor.form', path: '/profile/two-factor', ...spelled, limited: true },
  {
    name: 'two-factor.codes',
    methods: ['POST'],
    path: '/profile/two-factor/codes',
    verb: 'newRecoveryCodes',
    ability: 'signedIn',
    body: 'fields',
    query: 'none',
  },
  { name: 'passkeys', methods: ['GET'], path: '/profile/passkeys', verb: 'passkeys', ability: 'signedIn', query: 'none' },
  {
    name: 'passkeys.begin',
    methods: ['POST'],
    path: '/profile/passkeys/options',
    as: 'json',
    verb: 'beginPasskey',
    ability: 'signedIn',
    body: 'fields',
    query: 'none',
  },
  {
    name: 'passkeys.add',
    methods: ['POST'],
    path: '/profile/passkeys',
    verb: 'addPasskey',
    ability: 'signedIn',
    body: 'fields',
    query: 'none',
  },
  {
    name: 'passkeys.rename',
    methods: ['PATCH'],
    path: '/profile/passkeys/{id}',
    verb: 'renamePasskey',
    ability: 'signedIn',
    body: 'fields',
    query: 'none',
  },
  {
    name: 'passkeys.remove',
    methods: ['DELETE'],
    path: '/profile/passkeys/{id}',
    verb: 'removePasskey',
    ability: 'signedIn',
    query: 'none',
  },
  { name: 'passkeys.form', path: '/profile/passkeys/{id}', ...spelled },
  { name: 'api-keys', methods: ['GET'], path: '/profile/api-keys', verb: 'apiKeys', ability: 'signedIn', query: 'none' },
  {
    name: 'api-keys.create',
    methods: ['POST'],
    path: '/profile/api-keys',
    verb: 'createApiKey',
    ability: 'signedIn',
    body: 'fields',
    query: 'none',
  },
  {
    name: 'api-keys.delete',
    methods: ['DELETE'],
    path: '/profile/api-keys/{id}',
    verb: 'deleteApiKey',
    ability: 'signedIn',
    query: 'none',
  },
  { name: 'api-keys.form', path: '/profile/api-keys/{id}', ...spelled },
  {
    name: 'sessions.revoke',
    methods: ['DELETE'],
    path: '/profile/sessions/{id?}',
    verb: 'revokeSessions',
    ability: 'signedIn',
    query: 'none',
  },
  { name: 'sessions.form', path: '/profile/sessions/{id?}', ...spelled },
  { name: 'view-as', methods: ['PUT'], path: '/view-as/{id}', verb: 'viewAs', ability: 'signedIn', query: 'none' },
  {
    name: 'view-as.end',
    methods: ['DELETE'],
    path: '/view-as/{id}',
    verb: 'viewAsSelf',
    ability: 'signedIn',
    query: 'none',
    viewing: true,
  },
  { name: 'view-as.form', path: '/view-as/{id}', ...spelled, viewing: true },
  { name: 'password.forgot', methods: ['GET'], path: '/forgot', verb: 'forgotPage', ability: 'public', query: 'none' },
  { name: 'password.send', methods: ['POST'], path: '/forgot', verb: 'forgot', ability: 'public', body: 'fields', query: 'none' },
  { name: 'password.reset', methods: ['GET'], path: '/reset/{token}', verb: 'resetPage', ability: 'public', query: 'none' },
  {
    name: 'password.set',
    methods: ['POST'],
    path: '/reset/{token}',
    verb: 'resetPassword',
    ability: 'public',
    body: 'fields',
    query: 'none',
  },
  {
    name: 'crud.index',
    methods: ['GET'],
    path: '/resource/{resourceUri}/crud',
    verb: 'list',
    ability: 'viewAny',
    view: 'index',
    query: 'list',
    page: 'index-page',
  },
  {
    name: 'crud.store',
    methods: ['POST'],
    path: '/resource/{resourceUri}/crud',
    from: 'form',
    verb: 'create',
    ability: 'create',
    body: 'fields',
    query: 'none',
  },
  {
    name: 'crud.massDelete',
    methods: ['DELETE'],
    path: '/resource/{resourceUri}/crud',
    from: 'index',
    verb: 'massDelete',
    ability: 'massDelete',
    body: 'ids',
    query: 'ids',
  },
  {
    name: 'crud.show',
    methods: ['GET'],
    path: '/resource/{resourceUri}/crud/{resourceItem}',
    verb: 'show',
    ability: 'view',
    view: 'detail',
    query: 'record',
    page: 'detail-page',
  },
  {
    name: 'crud.update',
    methods: ['PUT', 'PATCH'],
    path: '/resource/{resourceUri}/crud/{resourceItem}',
    from: 'form',
    verb: 'update',
    ability: 'update',
    body: 'fields',
    query: 'none',
  },
  {
    name: 'crud.destroy',
    methods: ['DELETE'],
    path: '/resource/{resourceUri}/crud/{resourceItem}',
    from: 'detail',
    verb: 'destroy',
    ability: 'delete',
    query: 'none',
  },
  { name: 'crud.form', path: '/resource/{resourceUri}/crud/{resourceItem}', ...spelled },
  {
    name: 'crud.history',
    methods: ['GET'],
    path: '/resource/{resourceUri}/crud/{resourceItem}/history',
    verb: 'history',
    ability: 'view',
    view: 'detail',
    query: 'cursor',
  },
  {
    name: 'crud.comments',
    methods: ['GET'],
    path: '/resource/{resourceUri}/crud/{resourceItem}/comments',
    verb: 'comments',
    ability: 'view',
    view: 'detail',
    query: 'cursor',
  },
  {
    name: 'crud.comments.write',
    methods: ['POST'],
    path: '/resource/{resourceUri}/crud/{resourceItem}/comments',
    from: 'detail',
    verb: 'writeComment',
    ability: 'comment',
    body: 'fields',
    query: 'none',
  },
  {
    name: 'crud.comment',
    methods: ['GET'],
    path: '/resource/{resourceUri}/crud/{resourceItem}/comments/{id}',
    verb: 'comment',
    ability: 'view',
    view: 'detail',
    query: 'none',
  },
  {
    name: 'crud.comment.edit',
    methods: ['PATCH'],
    path: '/resource/{resourceUri}/crud/{resourceItem}/comments/{id}',
    from: 'detail',
    verb: 'editComment',
    ability: 'comment',
    body: 'fields',
    query: 'none',
  },
  {
    name: 'crud.comment.delete',
    methods: ['DELETE'],
    path: '/resource/{resourceUri}/crud/{resourceItem}/comments/{id}',
    from: 'detail',
    verb: 'deleteComment',
    ability: 'signedIn',
    query: 'none',
  },
  { name: 'crud.comment.form', path: '/resource/{resourceUri}/crud/{resourceItem}/comments/{id}', ...spelled },
  {
    name: 'crud.move',
    methods: ['PUT'],
    path: '/resource/{resourceUri}/crud/{resourceItem}/place',
    from: 'index',
    verb: 'move',
    ability: 'update',
    body: 'fields',
    query: 'none',
  },
  { name: 'crud.move.form', path: '/resource/{resourceUri}/crud/{resourceItem}/place', ...spelled },
  {
    name: 'crud.file',
    methods: ['GET'],
    path: '/resource/{resourceUri}/crud/{resourceItem}/file/{field}',
    verb: 'file',
    ability: 'view',
    view: 'detail',
    query: 'path',
    download: true,
  },
  {
    name: 'upload',
    methods: ['POST'],
    path: '/upload/{resourceUri}/{field}',
    as: 'json',
    from: 'form',
    verb: 'upload',
    ability: 'signedIn',
    body: 'file',
    query: 'name',
  },
  {
    name: 'preview',
    methods: ['POST'],
    path: '/preview/{resourceUri}/{field}',
    from: 'form',
    verb: 'preview',
    ability: 'signedIn',
    body: 'fields',
    query: 'none',
  },
  // Each handler declares its own HTTP method.
  {
    name: 'handler',
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    path: '/resource/{resourceUri}/handler/{handlerUri?}',
    verb: 'handler',
    ability: 'signedIn',
    body: 'fields',
    query: 'own',
  },
  {
    name: 'validate',
    methods: ['POST'],
    path: '/resource/{resourceUri}/validate/{resourceItem?}',
    from: 'form',
    verb: 'validate',
    ability: 'signedIn',
    body: 'fields',
    query: 'check',
  },
  {
    name: 'crud.export',
    methods: ['GET'],
    path: '/resource/{resourceUri}/export',
    verb: 'exportList',
    ability: 'viewAny',
    view: 'index',
    query: 'list',
    download: true,
  },
  // Ten thousand keys fit in no address.
  {
    name: 'crud.exportSelected',
    methods: ['POST'],
    path: '/resource/{resourceUri}/export',
    verb: 'exportSelected',
    ability: 'viewAny',
    view: 'index',
    body: 'ids',
    query: 'list',
    download: true,
    reads: true,
  },
  {
    name: 'crud.importForm',
    methods: ['GET'],
    path: '/resource/{resourceUri}/import',
    from: 'form',
    verb: 'importPage',
    ability: 'signedIn',
    query: 'none',
  },
  {
    name: 'crud.importTemplate',
    methods: ['GET'],
    path: '/resource/{resourceUri}/import/template',
    from: 'form',
    verb: 'importTemplate',
    ability: 'signedIn',
    query: 'format',
    download: true,
  },
  {
    name: 'crud.import',
    methods: ['POST'],
    path: '/resource/{resourceUri}/import',
    from: 'form',
    verb: 'importRecords',
    ability: 'signedIn',
    body: 'fields',
    query: 'import',
  },
  {
    name: 'resource.page',
    methods: ['GET'],
    path: '/resource/{resourceUri}/{pageUri}/{resourceItem?}',
    verb: 'page',
    ability: 'signedIn',
    query: 'list',
    page: 'named',
  },
  {
    name: 'component',
    methods: ['GET'],
    path: '/component/{pageUri}/{resourceUri?}',
    verb: 'part',
    ability: 'signedIn',
    view: 'index',
    query: 'list',
  },
  {
    name: 'method',
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    path: '/method/{pageUri}/{resourceUri?}',
    verb: 'method',
    ability: 'signedIn',
    body: 'fields',
    query: 'own',
  },
  { name: 'job.show', methods: ['GET'], path: '/job/{id}', verb: 'jobShow', ability: 'signedIn', query: 'none', streams: true },
  { name: 'job.cancel', methods: ['DELETE'], path: '/job/{id}', verb: 'jobCancel', ability: 'signedIn', query: 'none' },
  { name: 'job.form', path: '/job/{id}', ...spelled },
  {
    name: 'async-search',
    methods: ['GET'],
    path: '/async-search/{resourceUri}/{field}',
    verb: 'search',
    ability: 'signedIn',
    query: 'choices',
  },
  {
    name: 'update-field',
    methods: ['PUT'],
    path: '/update-field/column/{resourceUri}/{resourceItem}',
    from: 'index',
    verb: 'updateField',
    ability: 'update',
    body: 'fields',
    query: 'none',
  },
  { name: 'update-field.form', path: '/update-field/column/{resourceUri}/{resourceItem}', ...spelled },
  {
    name: 'notifications',
    methods: ['GET'],
    path: '/notifications',
    verb: 'notifications',
    ability: 'signedIn',
    query: 'cursor',
  },
  {
    name: 'notifications.read',
    methods: ['PATCH'],
    path: '/notifications',
    verb: 'markNotifications',
    ability: 'signedIn',
    body: 'fields',
    query: 'none',
  },
  {
    name: 'notifications.clear',
    methods: ['DELETE'],
    path: '/notifications',
    verb: 'deleteNotifications',
    ability: 'signedIn',
    query: 'none',
  },
  { name: 'notifications.form', path: '/notifications', ...spelled },
  {
    name: 'notification',
    methods: ['GET'],
    path: '/notifications/{id}',
    verb: 'openNotification',
    ability: 'signedIn',
    query: 'none',
  },
  {
    name: 'notification.read',
    methods: ['PATCH'],
    path: '/notifications/{id}',
    verb: 'markNotifications',
    ability: 'signedIn',
    body: 'fields',
    query: 'none',
  },
  {
    name: 'notification.delete',
    methods: ['DELETE'],
    path: '/notifications/{id}',
    verb: 'deleteNotifications',
    ability: 'signedIn',
    query: 'none',
  },
  { name: 'notification.form', path: '/notifications/{id}', ...spelled },
  { name: 'palette', methods: ['GET'], path: '/palette', verb: 'palette', ability: 'signedIn', query: 'search' },
  { name: 'preferences', methods: ['GET'], path: '/preferences', verb: 'preferences', ability: 'signedIn', query: 'none' },
  {
    name: 'preferences.update',
    methods: ['PATCH'],
    path: '/preferences',
    verb: 'setPreferences',
    ability: 'signedIn',
    body: 'fields',
    query: 'none',
  },
  { name: 'preferences.form', path: '/preferences', ...spelled },
  { name: 'assets', methods: ['GET'], path: '/assets/{hash}/{file}', verb: 'assets', ability: 'public', query: 'none' },
  { name: 'health', methods: ['GET'], path: '/health', verb: 'health', ability: 'public', query: 'none', anyHost: true },
  { name: 'ready', methods: ['GET'], path: '/ready', verb: 'ready', ability: 'public', query: 'none', anyHost: true },
] as const satisfies readonly Route[]

/** The name of one of the panel's routes, such as `crud.index`. */
export type RouteName = (typeof routes)[number]['name']
