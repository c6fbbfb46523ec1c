import type { Operation } from './operations.js'

const summaries: { readonly [verb: string]: string } = {
  home: 'The resources that one may list',
  health: 'Whether the panel runs',
  signInPage: 'How to sign in',
  signIn: 'Sign in',
  signOut: 'Sign out',
  refresh: 'New tokens for a refresh token',
  profile: 'Who one is',
  updateProfile: 'Change one’s profile',
  revokeSessions: 'End sessions of one’s own',
  resetPage: 'Whose password a link sets',
  resetPassword: 'Set a password by a link',
  preferences: 'What one has chosen',
  setPreferences: 'Choose',
  list: 'List',
  exportList: 'The list as a file',
  show: 'Show one',
  form: 'What a form shows',
  composed: 'The data of a page',
  search: 'Search records for a relation',
  create: 'Create one',
  update: 'Change one',
  destroy: 'Delete one',
  massDelete: 'Delete several',
  updateField: 'Change one field',
  validate: 'Whether what a form holds could be saved',
  palette: 'Where one may go',
  jobShow: 'How far a long handler is',
  jobCancel: 'Stop a long handler',
  method: 'Call a method of a page',
  handler: 'Run a handler',
}

/** What an operation does, in a few words. */
export function summaryOf({ named, route, resource, method, path, actions, byQuery }: Operation): string {
  if (actions[0] && !byQuery) return actions[0].label
  const plain = summaries[named] ?? route.summary ?? route.name
  const page = route.verb === 'page' && (named === 'list' || named === 'show') ? ', as its page does' : ''
  const which =
    method === 'PATCH' && named === 'update'
      ? ' (as PUT does)'
      : resource && (named === 'form' || named === 'composed') && path.endsWith('}')
        ? ' of a record'
        : ''
  return `${plain}${which}${page}`
}
