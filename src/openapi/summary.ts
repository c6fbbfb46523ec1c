import type { Operation } from './operations.js'

const summaries: { readonly [verb: string]: string } = {
  home: 'List the resources',
  health: 'Check that the panel is running',
  ready: 'Check that the panel can serve',
  signInPage: 'Get how to sign in',
  signIn: 'Sign in',
  signInCode: 'Sign in with a code',
  beginOpenId: 'Get where an OpenID provider signs in',
  finishOpenId: 'Sign in by the answer of an OpenID provider',
  beginPasskeySignIn: 'Get what a sign-in with a passkey needs',
  signInPasskey: 'Sign in with a passkey',
  passkeys: 'List the passkeys',
  beginPasskey: 'Get what a new passkey needs',
  addPasskey: 'Add a passkey',
  renamePasskey: 'Rename a passkey',
  removePasskey: 'Remove a passkey',
  twoFactor: 'Get two-factor sign-in',
  turnOnTwoFactor: 'Turn two-factor sign-in on',
  turnOffTwoFactor: 'Turn two-factor sign-in off',
  newRecoveryCodes: 'Make new recovery codes',
  signOut: 'Sign out',
  refresh: 'Refresh the tokens',
  profile: 'Get the profile',
  updateProfile: 'Update the profile',
  apiKeys: 'List the API keys',
  notifications: 'List the notifications',
  openNotification: 'Get a notification',
  markNotifications: 'Mark notifications as read',
  deleteNotifications: 'Delete notifications',
  createApiKey: 'Make an API key',
  deleteApiKey: 'Delete an API key',
  revokeSessions: 'End sessions',
  viewAs: 'Look at the panel as a user',
  viewAsSelf: 'Look at the panel as oneself again',
  forgotPage: 'Get how to ask for a password link',
  forgot: 'Ask for a password link by mail',
  resetPage: 'Get the user of a password link',
  resetPassword: 'Set a password with a link',
  preferences: 'Get the preferences',
  setPreferences: 'Update the preferences',
  list: 'List records',
  exportList: 'Export records',
  exportSelected: 'Export several records',
  importPage: 'Get what an import takes',
  importTemplate: 'Get an empty file for an import',
  importRecords: 'Import records',
  show: 'Get a record',
  history: 'Get the history of a record',
  comments: 'List the comments on a record',
  writeComment: 'Write a comment on a record',
  comment: 'Get a comment on a record',
  editComment: 'Change a comment on a record',
  deleteComment: 'Delete a comment on a record',
  file: 'Get a file',
  upload: 'Keep a file for a field',
  form: 'Get the form',
  composed: 'Get the data of a page',
  search: 'Search records for a relation',
  create: 'Create a record',
  update: 'Update a record',
  destroy: 'Delete a record',
  massDelete: 'Delete several records',
  updateField: 'Update one field',
  move: 'Move a record in the order of its list',
  validate: 'Validate without saving',
  palette: 'Search the panel',
  jobShow: 'Get a job',
  jobCancel: 'Cancel a job',
  method: 'Call a method of a page',
  handler: 'Run a handler',
}

/** The summary of an operation, in a few words. */
export function summaryOf({ named, route, resource, method, path, actions, byQuery }: Operation): string {
  if (actions[0] && !byQuery) return actions[0].label ?? 'Change several records'
  const plain = summaries[named] ?? route.summary ?? route.name
  const page = route.verb === 'page' && (named === 'list' || named === 'show') ? ' of a page' : ''
  const which =
    method === 'PATCH' && named === 'update'
      ? ' (same as PUT)'
      : resource && (named === 'form' || named === 'composed') && path.endsWith('}')
        ? ' of a record'
        : ''
  return `${plain}${which}${page}`
}
